// SPDX-License-Identifier: GPL-3.0-or-later
// What capsules decide that are given: all items, and besides what a smaller one decides of those that are left.
#include "core/common/state_archive.h"
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <array>
#include <tuple>

namespace lambdascope::triplets {
namespace {

class LastingInCapsules : public testing::TestWithParam<std::tuple<SmallShape, EngineKind>> {
  protected:
    [[nodiscard]] SmallShape shape() const { return std::get<0>(GetParam()); }
    [[nodiscard]] EngineKind kind() const { return std::get<1>(GetParam()); }
    StopCheck never;
};

/// Made along any segment: at all points of the capsule, near its border too, sums over what is left say all.
TEST_P(LastingInCapsules, LeaveWhatSaysAllAtEveryPoint) {
    TripletIndex decided = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        const Eigen::MatrixXd from = randomPoint(set, seed).matrix;
        const Eigen::MatrixXd turn = randomPoint(set, seed + 10).matrix;
        for (const double share : {0.003, 0.03}) {
            const double radius = share * from.norm();
            const auto lasting = makeEngine(kind(), set);
            ASSERT_TRUE(lasting->lasting()->makeLasting({from, from + 0.1 * turn, radius}, kGamma, never));
            for (int at = 0; at < 9; ++at) {
                const MetricPoint off = randomPoint(set, seed + 20 + static_cast<std::uint64_t>(at));
                const double size = (at % 3 == 0 ? 0.98 : 0.4) * radius * (at % 2 == 0 ? 1 : -1) / off.matrix.norm();
                const MetricPoint point =
                    MetricPoint::fromSplit(splitByCone(from + 0.0125 * at * turn + size * off.matrix));
                if (!lasting->lasting()->lastsAt(point, kGamma)) {
                    continue; // the projection may lead out of it
                }
                ScreenedPart part;
                lasting->activateAll();
                lasting->lasting()->takeLasting(part);
                decided += part.decided();
                LossTotals left;
                LossTotals all;
                SetCounts counts;
                PairsEngine whole(set);
                ASSERT_TRUE(lasting->evaluate(point, kGamma, never, left));
                ASSERT_TRUE(whole.evaluateAll(point, kGamma, kGamma, never, all, counts));
                expectSameTotals(withScreened(left, part, point), all);
                EXPECT_EQ(lasting->activeTriplets(), set.triplets() - part.decided());
            }
            EXPECT_FALSE(lasting->lasting()->lastsAt(MetricPoint::fromSplit(splitByCone(3 * from)), kGamma));
        }
    }
    EXPECT_GT(decided, 0);
}

/// Of what they leave, a smaller capsule (at times a ball) decides more: the same of points in both, and all as before
/// once that is taken back.
TEST_P(LastingInCapsules, LeaveLessWhereASmallerOneDecidesBesides) {
    TripletIndex more = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        const Eigen::MatrixXd from = randomPoint(set, seed).matrix;
        const Eigen::MatrixXd to = from + 0.1 * randomPoint(set, seed + 10).matrix;
        const auto engine = makeEngine(kind(), set);
        LastingEngine& lasting = *engine->lasting();
        ASSERT_TRUE(lasting.makeLasting({from, to, 0.05 * from.norm()}, kGamma, never));
        ScreenedPart wide;
        lasting.takeLasting(wide);
        const std::int64_t pairs = engine->pairsPerEvaluation();
        const Capsule capsule{from, seed % 2 == 0 ? Eigen::MatrixXd() : to, 0.002 * from.norm()};
        ScreenedPart part = wide;
        ASSERT_TRUE(lasting.narrow(capsule, kGamma, never, part));
        ASSERT_NE(lasting.narrowed(), nullptr);
        EXPECT_EQ(engine->activeTriplets(), set.triplets() - part.decided());
        more += part.decided() - wide.decided();
        PairsEngine whole(set);
        const auto expectSums = [&](const MetricPoint& point, const ScreenedPart& screened) {
            LossTotals left;
            LossTotals all;
            SetCounts counts;
            ASSERT_TRUE(engine->evaluate(point, kGamma, never, left));
            ASSERT_TRUE(whole.evaluateAll(point, kGamma, kGamma, never, all, counts));
            expectSameTotals(withScreened(left, screened, point), all);
        };
        for (int at = 0; at < 6; ++at) {
            const MetricPoint off = randomPoint(set, seed + 20 + static_cast<std::uint64_t>(at));
            const double size = (at % 2 == 0 ? 0.98 : -0.98) * capsule.radius / off.matrix.norm();
            const double along = capsule.far.size() > 0 ? 0.2 * at : 0.0;
            const MetricPoint point =
                MetricPoint::fromSplit(splitByCone(from + along * (to - from) + size * off.matrix));
            if (lasting.narrowed()->holds(point) && lasting.lastsAt(point, kGamma)) {
                expectSums(point, part);
            }
        }
        EXPECT_FALSE(lasting.narrowed()->holds(MetricPoint::fromSplit(splitByCone(0.95 * from))));
        lasting.widen(part);
        EXPECT_EQ(lasting.narrowed(), nullptr);
        EXPECT_EQ(part.zero, wide.zero);
        EXPECT_EQ(part.linear, wide.linear);
        EXPECT_EQ(engine->pairsPerEvaluation(), pairs);
        expectSums(MetricPoint::fromSplit(splitByCone(from)), part);
    }
    EXPECT_GT(more, 0);
}

/// Nothing is written down before it is proven, then what the balls at the ends decide, the sphere rule having decided
/// each item once.
TEST_P(LastingInCapsules, WriteDownWhatIsProvenOfBoth) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        const Eigen::MatrixXd from = randomPoint(set, seed).matrix;
        const Eigen::MatrixXd to = from + 0.1 * randomPoint(set, seed + 10).matrix;
        const auto engine = makeEngine(kind(), set);
        TripletStates states(set.triplets());
        engine->record(&states);
        LastingEngine& lasting = *engine->lasting();
        const Capsule wide{from, to, 0.05 * from.norm()};
        const Capsule narrow{from, {}, 0.002 * from.norm()};
        ASSERT_TRUE(lasting.makeLasting(wide, kGamma, never));
        ScreenedPart ofWide;
        lasting.takeLasting(ofWide);
        ScreenedPart part = ofWide;
        ASSERT_TRUE(lasting.narrow(narrow, kGamma, never, part));
        const auto written = [&] {
            ScreenedPart found;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                found.zero += states.at(t) == Decision::Zero ? 1 : 0;
                found.linear += states.at(t) == Decision::Linear ? 1 : 0;
            }
            return found;
        };
        EXPECT_EQ(written().decided(), 0);
        const double work = engine->countedWork();
        const TripletIndex active = engine->activeTriplets();
        ASSERT_TRUE(lasting.confirmLasting(kGamma, never));
        EXPECT_EQ(written().zero, ofWide.zero);
        EXPECT_EQ(written().linear, ofWide.linear);
        ASSERT_TRUE(lasting.confirmNarrowed(kGamma, never));
        EXPECT_EQ(written().zero, part.zero);
        EXPECT_EQ(written().linear, part.linear);
        EXPECT_EQ(engine->countedWork(), work); // who watches pays
        EXPECT_EQ(engine->activeTriplets(), active);
        TripletsEngine triplets(set);
        const Region ball{{from, narrow.radius}};
        const TripletStates fresh = checkBy({&ball, 1}, triplets, set.triplets()).decisions;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            ASSERT_TRUE(states.at(t) == Decision::Keep || states.at(t) == fresh.at(t)) << t;
        }
    }
}

/// Between ends so far from each other that many triplets are decided at both, but not alike.
TEST_P(LastingInCapsules, DecideWhatTheBallsAtBothEndsDecideAlike) {
    std::int64_t unlike = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        const Eigen::MatrixXd from = randomPoint(set, seed).matrix;
        const Eigen::MatrixXd to = randomPoint(set, seed + 10).matrix;
        for (const double share : {0.1, 1.0}) {
            const Capsule capsule{from, from + share * (to - from), 1e-3 * from.norm()};
            const auto engine = makeEngine(kind(), set);
            TripletStates ours(set.triplets());
            ASSERT_TRUE(engine->lasting()->makeLasting(capsule, kGamma, never));
            engine->record(&ours);
            const Region inside{{(capsule.centre + capsule.far) / 2, capsule.radius / 2}};
            ScreenedPart part;
            ASSERT_TRUE(engine->lasting()->recall({&inside, 1}, kGamma, never, part));
            std::vector<TripletStates> ends;
            for (const Eigen::MatrixXd& end : {capsule.centre, capsule.far}) {
                TripletsEngine triplets(set);
                const Region ball{{end, capsule.radius}};
                ends.push_back(checkBy({&ball, 1}, triplets, set.triplets()).decisions);
            }
            TripletIndex zero = 0;
            TripletIndex linear = 0;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const Decision decision = ours.at(t);
                const bool isAlike = ends[0].at(t) == ends[1].at(t);
                zero += decision == Decision::Zero ? 1 : 0;
                linear += decision == Decision::Linear ? 1 : 0;
                unlike += !isAlike && ends[0].at(t) != Decision::Keep && ends[1].at(t) != Decision::Keep ? 1 : 0;
                ASSERT_TRUE(decision == Decision::Keep || (isAlike && decision == ends[0].at(t))) << t;
                if (kind() == EngineKind::Pairs && isAlike) {
                    ASSERT_EQ(decision, ends[0].at(t)) << t;
                }
            }
            EXPECT_EQ(part.zero, zero);
            EXPECT_EQ(part.linear, linear);
        }
    }
    EXPECT_TRUE(unlike > 0 || shape().features == 1);
}

/// What a lane goes on from after a stop.
TEST_P(LastingInCapsules, AreTheSameInAnotherEngineThatTakesOverTheState) {
    const TripletSet set = smallTriplets(shape(), 2);
    const MetricPoint point = randomPoint(set, 2);
    const auto first = makeEngine(kind(), set);
    const auto second = makeEngine(kind(), set);
    ASSERT_TRUE(
        first->lasting()->makeLasting({point.matrix, 1.2 * point.matrix, 0.01 * point.matrix.norm()}, kGamma, never));
    StateArchive writing;
    first->transfer(writing);
    const std::string bytes = writing.take();
    StateArchive reading(bytes);
    second->transfer(reading);
    ASSERT_TRUE(reading.isWhole());
    ASSERT_TRUE(second->lasting()->lastsAt(point, kGamma));
    std::array<LossTotals, 2> totals;
    std::array<ScreenedPart, 2> parts;
    std::array<std::int64_t, 2> pairs{};
    for (std::size_t e = 0; e < 2; ++e) {
        Engine& engine = e == 0 ? *first : *second;
        engine.lasting()->takeLasting(parts[e]);
        pairs[e] = engine.pairsPerEvaluation();
        ASSERT_TRUE(engine.evaluate(point, kGamma, never, totals[e]));
    }
    EXPECT_EQ(pairs[0], pairs[1]);
    EXPECT_EQ(parts[0].zero, parts[1].zero);
    EXPECT_EQ(totals[0].loss.value, totals[1].loss.value);
    EXPECT_EQ(totals[0].pull, totals[1].pull);
}

/// Loss and Σ α over all triplets of the lists, one by one.
LossTotals sumOverLists(const ProductLists& lists, const TripletSet& set, const MetricPoint& point) {
    LossTotals totals;
    for (const ProductLists::Anchor& anchor : lists.anchors) {
        for (std::int64_t s = anchor.begin; s < anchor.middle; ++s) {
            for (std::int64_t o = anchor.middle; o < anchor.end; ++o) {
                const TripletIndex number = set.tripletOffset(anchor.row) +
                                            lists.position[static_cast<std::size_t>(s)] * set.otherCount(anchor.row) +
                                            lists.position[static_cast<std::size_t>(o)];
                const double margin = marginOf(set, number, point.matrix);
                totals.loss.value += smoothedLoss(margin, kGamma);
                totals.alphaSum.value += lossSlope(margin, kGamma);
            }
        }
    }
    return totals;
}

std::int64_t visitsOf(const ProductLists& lists) {
    std::int64_t visits = 0;
    for (const ProductLists::Anchor& anchor : lists.anchors) {
        const QuadraticRuns runs = lists.runsOf(anchor);
        for (std::size_t other = 0; other < runs.begin.size(); ++other) {
            visits += 4 * (runs.end[other] - runs.begin[other]);
        }
        visits += runs.empty() ? anchor.triplets() : 0;
    }
    return visits;
}

/// Triplets between which the loss is known in the capsule are not visited there, and visited elsewhere: the problem
/// over the rows that are left is the same at every point.
TEST(RunsInCapsules, SpareVisitsAtTheirPointsAlone) {
    StopCheck never;
    std::int64_t outside = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const SmallShape shape{.name = "all", .rowsPerClass = 25, .features = 4, .k = std::nullopt};
        const TripletSet set = smallTriplets(shape, seed);
        const Eigen::MatrixXd from = randomPoint(set, seed).matrix;
        const Eigen::MatrixXd to = 1.1 * from;
        SortedEngine engine(set);
        ASSERT_TRUE(engine.makeLasting({from, to, 0.01 * from.norm()}, kGamma, never));
        ScreenedPart part;
        engine.takeLasting(part);
        const auto expectSums = [&](const MetricPoint& point) {
            LossTotals totals;
            ASSERT_TRUE(engine.evaluate(point, kGamma, never, totals));
            const LossTotals plain = sumOverLists(*engine.productLists(), set, point);
            EXPECT_NEAR(totals.loss.value, plain.loss.value, kAgreement * (1 + plain.loss.value));
            EXPECT_NEAR(totals.alphaSum.value, plain.alphaSum.value, kAgreement * (1 + plain.alphaSum.value));
        };
        for (const bool isNarrow : {false, true}) {
            if (isNarrow) {
                ASSERT_TRUE(engine.narrow({from, {}, 0.001 * from.norm()}, kGamma, never, part));
            }
            const ProductLists& lists = *engine.productLists();
            EXPECT_GT(visitsOf(lists), 0);
            EXPECT_LT(static_cast<double>(visitsOf(lists)), 0.8 * static_cast<double>(lists.triplets()));
            for (const double growth : {0.5, 0.9, 1.0, 1.0005, 1.05, 1.1, 1.3, 2.0}) {
                const MetricPoint point = MetricPoint::fromSplit(splitByCone(growth * from));
                const bool isIn = isNarrow ? engine.narrowed()->holds(point) : engine.lastsAt(point, kGamma);
                outside += isIn ? 0 : 1;
                expectSums(point);
            }
        }
    }
    EXPECT_GT(outside, 20);
}

std::vector<SmallShape> shapesOfCapsules() {
    std::vector<SmallShape> shapes = bothStructures();
    shapes.push_back({.name = "all_of_many", .rowsPerClass = 25, .features = 4, .k = std::nullopt});
    shapes.push_back(
        {.name = "all_on_a_grid", .rowsPerClass = 25, .features = 2, .k = std::nullopt, .isRounded = true});
    return shapes;
}

INSTANTIATE_TEST_SUITE_P(Shapes, LastingInCapsules,
                         testing::Combine(testing::ValuesIn(shapesOfCapsules()),
                                          testing::Values(EngineKind::Pairs, EngineKind::Sorted)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name +
                                    (std::get<1>(entry.param) == EngineKind::Pairs ? "_pairs" : "_sorted");
                         });

} // namespace
} // namespace lambdascope::triplets
