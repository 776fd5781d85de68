// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/inspect/decision_history.h"
#include "core/inspect/point_relations.h"
#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/points.h"

#include <cstddef>
#include <functional>

namespace lambdascope::ordinal {

/// What screening decided about training comparisons.
struct DecidedComparisons {
    std::vector<std::string> sets;               ///< their names; empty where nothing is known
    std::function<int(const Comparison&)> setOf; ///< the number of one of them; −1 for none
};

/// The comparisons that speak of object `o`, training and held-out ones, and which of them hold in the embedding X
/// (n × p): d(i,j) < d(l,k). The error of the object is the weighted share of violated ones among its own, so that
/// Σ_o e_o W_o = Σ_q (objects of q) · w_q [q violated]. At most `count` are listed, in even steps through each kind;
/// violated ones come first and take at most half of the room unless those that hold leave some. O(|Q| + count p).
/// What comes back after `stopCheck` asked to stop is worth nothing. `decided` says which of its sets screening put
/// training comparisons into.
[[nodiscard]] PointRelations relationsOf(ObjectIndex o, const Points& x, const ComparisonSet& train,
                                         const ComparisonSet& test, std::size_t count, StopCheck& stopCheck,
                                         const DecidedComparisons& decided = {});

/// The counts of the comparisons whose objects all are in `objects`, and no list; O(|Q|). As above when stopped.
[[nodiscard]] PointRelations relationsAmong(const ItemSet& objects, const Points& x, const ComparisonSet& train,
                                            const ComparisonSet& test, StopCheck& stopCheck);

} // namespace lambdascope::ordinal
