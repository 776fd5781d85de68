// SPDX-License-Identifier: GPL-3.0-or-later
// The λ ranges of a lane: which reference fixed an item, and how far each reference decides.
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/inspect/rule_decision.h"
#include "tests/core/metric/inspect/metric_lens_fixture.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace lambdascope::metric {
namespace {

/// With ranges: every triplet that the store holds at a point is traced to a reference up the path, whose interval
/// holds both λ, and whose inequality decides it there.
class RangesOfALens : public MetricLensTest, public testing::WithParamInterface<const char*> {};

TEST_P(RangesOfALens, NameTheReferenceThatFixedATriplet) {
    Json lanes = Json::array({{{"name", "naive"}},
                              {{"name", "ranges"}, {"bounds", {GetParam(), "PGB"}}, {"range", true}},
                              {{"name", "none"}, {"bounds", {GetParam(), "PGB"}}}});
    experiment = lensExperiment({{"lanes", lanes}, {"path", {{"ratio", 0.9}, {"max_points", 18}}}});
    prepared = preparedLens(experiment);
    const auto lens = opened("ranges");
    const auto count = static_cast<std::int32_t>(lens->path().size());
    int held = 0;
    int fromFarther = 0;
    for (const std::int32_t point : {2, count / 2, count - 1}) {
        const double lambda = lens->path()[static_cast<std::size_t>(point)].axisValue;
        for (std::int64_t t = 0; t < as<ItemExplainer>(*lens).items(); t += 37) {
            const auto why = as<ItemExplainer>(*lens).explain(t, point, {});
            ASSERT_TRUE(why);
            if (!why->reference) {
                continue;
            }
            ++held;
            const FixingReference& reference = *why->reference;
            EXPECT_EQ(why->check, 0);
            EXPECT_EQ(reference.decision.set, why->set);
            EXPECT_EQ(reference.decision.bound, GetParam());
            EXPECT_EQ(decisionFrom(reference.decision, gamma), why->set);
            EXPECT_LT(reference.low, lambda);
            EXPECT_GE(reference.axisValue, lambda);
            EXPECT_LT(reference.low, reference.axisValue);
            EXPECT_GT(reference.high, reference.axisValue);
            EXPECT_LT(reference.point, point);
            if (reference.point >= 0) {
                EXPECT_EQ(lens->path()[static_cast<std::size_t>(reference.point)].axisValue, reference.axisValue);
            }
            fromFarther += reference.point + 1 < point ? 1 : 0;
            // Where it decides, it went on deciding from its own point to here.
            if (reference.point + 1 < point && reference.point >= 0) {
                const auto before = as<ItemExplainer>(*lens).explain(t, point - 1, {});
                ASSERT_TRUE(before && before->reference);
                EXPECT_EQ(before->reference->axisValue, reference.axisValue);
                EXPECT_EQ(before->set, why->set);
            }
        }
    }
    EXPECT_GT(held, 20);
    EXPECT_GT(fromFarther, 5);
    const auto without = opened("none");
    for (std::int64_t t = 0; t < as<ItemExplainer>(*without).items(); t += 101) {
        EXPECT_FALSE(as<ItemExplainer>(*without).explain(t, 5, {})->reference);
    }
}

TEST_P(RangesOfALens, HoldWhatTheRuleDecidesAtEachLambda) {
    const std::string name = GetParam();
    const auto lens = opened(name);
    const auto grid = as<RegionSlicer>(*lens).ranges({}, {});
    ASSERT_TRUE(grid);
    const auto count = static_cast<Eigen::Index>(lens->path().size());
    ASSERT_EQ(grid->rates.rows(), count);
    ASSERT_EQ(grid->rates.cols(), count);
    EXPECT_EQ(grid->sampled, triplets().triplets());
    const auto& metric = dynamic_cast<const PreparedMetric&>(*prepared);
    LaneReplay replay = replayOf(metric, metric.lane(laneNamed(experiment, name)));
    ASSERT_TRUE(replay.walk(0, {}, {}, {}, {}));
    std::int64_t decided = 0;
    for (Eigen::Index from = 0; from < count; from += 3) {
        const SolvedPoint& solved = (*replay.solution(static_cast<std::int32_t>(from), {}))->solved;
        for (Eigen::Index to = 0; to < count; to += 2) {
            BoundReference reference;
            reference.lambda = grid->targets[static_cast<std::size_t>(to)];
            reference.gamma = gamma;
            reference.point = &solved.point;
            reference.totals = &solved.totals;
            reference.path = pathReference(solved);
            const Sphere sphere = (name == "MGB" ? midpointGapBound : relaxedPathBound)(reference);
            const SolvedPoint& target = (*replay.solution(static_cast<std::int32_t>(to), {}))->solved;
            std::int64_t fixed = 0;
            std::int64_t decidable = 0;
            for (TripletIndex t = 0; t < triplets().triplets(); ++t) {
                const double margin = marginOf(triplets(), t, target.point.matrix);
                decidable += margin > 1 || margin < 1 - gamma ? 1 : 0;
                fixed +=
                    regionDecision(ItemGeometry(triplets(), t), {sphere, RuleKind::Sphere, {}}, name, gamma).set.empty()
                        ? 0
                        : 1;
            }
            decided += fixed;
            const double expected =
                static_cast<double>(fixed) / static_cast<double>(std::max<std::int64_t>(1, decidable));
            EXPECT_NEAR(grid->rates(from, to), std::min(1.0, expected), 1.000001 / static_cast<double>(decidable))
                << from << " → " << to;
        }
    }
    EXPECT_GT(decided, 100);
}

INSTANTIATE_TEST_SUITE_P(Bounds, RangesOfALens, testing::Values("RRPB", "MGB"),
                         [](const auto& entry) { return std::string(entry.param); });

TEST_F(MetricLensTest, LifetimesAreSortedAndHoldTheirReference) {
    const auto lens = opened("RRPB");
    const auto lifetimes = as<RegionSlicer>(*lens).lifetimes(5, 0, {});
    ASSERT_TRUE(lifetimes);
    ASSERT_GT(lifetimes->intervals.size(), 10U);
    EXPECT_EQ(lifetimes->total, static_cast<std::int64_t>(lifetimes->intervals.size()));
    EXPECT_EQ(lifetimes->reference, lens->path()[5].axisValue);
    double before = std::numeric_limits<double>::infinity();
    for (const Lifetimes::Interval& interval : lifetimes->intervals) {
        EXPECT_LT(interval.low, lifetimes->reference);
        EXPECT_GT(interval.high, lifetimes->reference);
        EXPECT_LE(interval.high / interval.low, before);
        before = interval.high / interval.low;
    }
    const auto few = as<RegionSlicer>(*lens).lifetimes(5, 7, {});
    ASSERT_TRUE(few);
    EXPECT_EQ(few->intervals.size(), 7U);
    EXPECT_EQ(few->total, lifetimes->total);
}

} // namespace
} // namespace lambdascope::metric
