// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/object_relations.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lambdascope::ordinal {

namespace {

using Relation = PointRelations::Relation;

/// Counts the comparisons of one set that `isWanted`, and shows each to `take`.
template <class Test, class Take>
void collect(const Test& isWanted, const Points& x, const ComparisonSet& set, bool isHeldOut,
             PointRelations::Count& count, StopCheck& stopCheck, const Take& take) {
    double weight = 0;
    double wrong = 0;
    for (std::size_t q = 0; q < set.items().size() && !stopCheck.isStopped(); ++q) {
        stopCheck.spend(4);
        const Comparison& c = set.items()[q];
        if (!isWanted(c)) {
            continue;
        }
        const double near = (x.row(c.i) - x.row(c.j)).norm();
        const double far = (x.row(c.l) - x.row(c.k)).norm();
        const bool holds = near < far;
        const double share = set.relativeWeight(q);
        weight += share;
        wrong += holds ? 0 : share;
        ++(holds ? count.holding : count.violated);
        take(Relation{c.i, c.j, c.l, c.k, isHeldOut, holds, far - near}, c);
    }
    count.error = weight > 0 ? wrong / weight : std::numeric_limits<double>::quiet_NaN();
}

void appendEvenly(const std::vector<Relation>& all, std::size_t count, std::vector<Relation>& few) {
    for (std::size_t k = 0; k < count; ++k) {
        few.push_back(all[k * all.size() / count]);
    }
}

} // namespace

PointRelations relationsOf(ObjectIndex o, const Points& x, const ComparisonSet& train, const ComparisonSet& test,
                           std::size_t count, StopCheck& stopCheck, const DecidedComparisons& decided) {
    PointRelations result;
    result.noun = "comparisons";
    result.sets = decided.sets;
    result.decided.resize(decided.sets.size());
    std::vector<Relation> violated;
    std::vector<Relation> holding;
    const auto isOfObject = [o](const Comparison& c) { return c.i == o || c.j == o || c.l == o || c.k == o; };
    const auto list = [&](Relation relation, const Comparison& comparison) {
        if (!relation.isHeldOut && !decided.sets.empty()) {
            relation.set = decided.setOf(comparison);
            if (relation.set >= 0) {
                ++result.decided[static_cast<std::size_t>(relation.set)];
            }
        }
        (relation.holds ? holding : violated).push_back(relation);
    };
    collect(isOfObject, x, train, false, result.training, stopCheck, list);
    collect(isOfObject, x, test, true, result.heldOut, stopCheck, list);
    const std::size_t half = count / 2;
    const std::size_t ofViolated = std::min(violated.size(), std::max(half, count - std::min(count, holding.size())));
    const std::size_t ofHolding = std::min(holding.size(), count - ofViolated);
    result.relations.reserve(ofViolated + ofHolding);
    appendEvenly(violated, ofViolated, result.relations);
    appendEvenly(holding, ofHolding, result.relations);
    result.drawnViolated = static_cast<std::int64_t>(ofViolated);
    return result;
}

PointRelations relationsAmong(const ItemSet& objects, const Points& x, const ComparisonSet& train,
                              const ComparisonSet& test, StopCheck& stopCheck) {
    PointRelations result;
    result.noun = "comparisons";
    const auto isAmong = [&objects](const Comparison& c) {
        return objects.contains(c.i) && objects.contains(c.j) && objects.contains(c.l) && objects.contains(c.k);
    };
    const auto nothing = [](const Relation&, const Comparison&) {};
    collect(isAmong, x, train, false, result.training, stopCheck, nothing);
    collect(isAmong, x, test, true, result.heldOut, stopCheck, nothing);
    return result;
}

} // namespace lambdascope::ordinal
