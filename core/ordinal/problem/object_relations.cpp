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
        take(Relation{c.i, c.j, c.l, c.k, isHeldOut, holds, far - near});
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
    const auto isOfObject = [o](const Comparison& c) { return c.i == o || c.j == o || c.l == o || c.k == o; };
    const auto list = [&](const Relation& relation) { (relation.holds ? holding : violated).push_back(relation); };
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
    collect(isAmong, x, train, false, result.training, stopCheck, [](const Relation&) {});
    collect(isAmong, x, test, true, result.heldOut, stopCheck, [](const Relation&) {});
    return result;
}

} // namespace lambdascope::ordinal
