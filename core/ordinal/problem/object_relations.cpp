// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/object_relations.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lambdascope::ordinal {

namespace {

using Relation = PointRelations::Relation;

/// Appends the relations of one set, and counts them.
void collect(ObjectIndex o, const Points& x, const ComparisonSet& set, bool isHeldOut, PointRelations::Count& count,
             std::vector<Relation>& violated, std::vector<Relation>& holding, StopCheck& stopCheck) {
    double weight = 0;
    double wrong = 0;
    for (std::size_t q = 0; q < set.items().size() && !stopCheck.isStopped(); ++q) {
        stopCheck.spend(4);
        const Comparison& c = set.items()[q];
        if (c.i != o && c.j != o && c.l != o && c.k != o) {
            continue;
        }
        const double near = (x.row(c.i) - x.row(c.j)).norm();
        const double far = (x.row(c.l) - x.row(c.k)).norm();
        const bool holds = near < far;
        const double share = set.relativeWeight(q);
        weight += share;
        wrong += holds ? 0 : share;
        ++(holds ? count.holding : count.violated);
        (holds ? holding : violated).push_back({c.i, c.j, c.l, c.k, isHeldOut, holds, far - near});
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
                           std::size_t count, StopCheck& stopCheck) {
    PointRelations result;
    result.noun = "comparisons";
    std::vector<Relation> violated;
    std::vector<Relation> holding;
    collect(o, x, train, false, result.training, violated, holding, stopCheck);
    collect(o, x, test, true, result.heldOut, violated, holding, stopCheck);
    const std::size_t half = count / 2;
    const std::size_t ofViolated = std::min(violated.size(), std::max(half, count - std::min(count, holding.size())));
    const std::size_t ofHolding = std::min(holding.size(), count - ofViolated);
    result.relations.reserve(ofViolated + ofHolding);
    appendEvenly(violated, ofViolated, result.relations);
    appendEvenly(holding, ofHolding, result.relations);
    result.drawnViolated = static_cast<std::int64_t>(ofViolated);
    return result;
}

} // namespace lambdascope::ordinal
