// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/engine.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

class Engines : public testing::TestWithParam<std::tuple<SmallShape, double>> {
  protected:
    [[nodiscard]] SmallShape shape() const { return std::get<0>(GetParam()); }
    /// Width of the smoothed hinge; the hinge is reached through very small ones.
    [[nodiscard]] double smoothing() const { return std::get<1>(GetParam()); }
    StopCheck never;
};

TEST_P(Engines, AgreeOnLossGradientAndAlpha) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        PairsEngine pairs(set);
        TripletsEngine triplets(set);
        for (const MetricPoint& point : {randomPoint(set, seed), MetricPoint::zero(set.features(), set.structure())}) {
            LossTotals a;
            LossTotals b;
            ASSERT_TRUE(pairs.evaluate(point, smoothing(), never, a));
            ASSERT_TRUE(triplets.evaluate(point, smoothing(), never, b));
            expectSameTotals(a, b);
            if (smoothing() < 1e-6) {
                EXPECT_NEAR(lossValue(a, 0).value, lossValue(b, 0).value, kAgreement * (1 + lossValue(b, 0).value));
            }
        }
    }
}

TEST_P(Engines, PairValuesGiveTheAlphaOfEveryTriplet) {
    const TripletSet set = smallTriplets(shape(), 2);
    PairQuadraticForms space(set);
    const MetricPoint point = randomPoint(set, 3);
    std::vector<double> z;
    ASSERT_TRUE(space.distances(point, nullptr, never, z));
    for (RowIndex i = 0; i < set.rows(); ++i) {
        for (std::int64_t s = 0; s < set.sameCount(i); ++s) {
            for (std::int64_t o = 0; o < set.otherCount(i); ++o) {
                const TripletIndex number = set.tripletOffset(i) + s * set.otherCount(i) + o;
                const double t = z[static_cast<std::size_t>(set.otherPair(set.otherOffset(i) + o))] -
                                 z[static_cast<std::size_t>(set.samePair(set.sameOffset(i) + s))];
                const double exact = marginOf(set, number, point.matrix);
                ASSERT_NEAR(t, exact, kAgreement * (1 + std::abs(exact)));
                if (smoothing() >= 0.05) {
                    ASSERT_NEAR(lossSlope(t, smoothing()), lossSlope(exact, smoothing()), kAgreement);
                }
            }
        }
    }
}

TEST_P(Engines, ScreenTheSameTripletsAndSumTheSameRest) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        PairsEngine pairs(set);
        TripletsEngine triplets(set);
        const MetricPoint point = randomPoint(set, seed + 10);
        const std::vector<Region> regions = {{.sphere = middlingSphere(point)},
                                             {.sphere = {point.matrix, 0.3 * point.matrix.norm()}}};
        const auto [byPairs, a] = checkBy(regions, pairs, set.triplets());
        const auto [byTriplets, b] = checkBy(regions, triplets, set.triplets());
        TripletIndex zero = 0;
        TripletIndex linear = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            ASSERT_EQ(byPairs.at(t), byTriplets.at(t)) << t;
            zero += byPairs.at(t) == Decision::Zero ? 1 : 0;
            linear += byPairs.at(t) == Decision::Linear ? 1 : 0;
        }
        EXPECT_EQ(a.zero, zero);
        EXPECT_EQ(a.linear, linear);
        EXPECT_EQ(b.zero, zero);
        EXPECT_EQ(b.linear, linear);
        EXPECT_EQ(pairs.activeTriplets(), set.triplets() - zero - linear);
        EXPECT_EQ(triplets.activeTriplets(), pairs.activeTriplets());
        if (linear > 0) {
            EXPECT_LE((a.linearSum - b.linearSum).norm(), 1e-10 * b.linearSum.norm() + a.linearError + b.linearError);
        }
        LossTotals left;
        LossTotals right;
        ASSERT_TRUE(pairs.evaluate(point, smoothing(), never, left));
        ASSERT_TRUE(triplets.evaluate(point, smoothing(), never, right));
        expectSameTotals(left, right);
    }
}

TEST_P(Engines, NoteTheTripletsWithALoss) {
    const TripletSet set = smallTriplets(shape(), 3);
    const MetricPoint point = randomPoint(set, 7);
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        LossyTriplets& lossy = *engine->lossyTriplets();
        for (const bool isScreened : {false, true}) {
            if (isScreened) {
                ScreenedPart screened;
                const std::vector<Region> regions = {{.sphere = middlingSphere(point)}};
                ASSERT_TRUE(engine->screen(regions, 0.05, never, screened));
            }
            LossTotals all;
            LossTotals noting;
            LossTotals noted;
            ASSERT_TRUE(engine->evaluate(point, smoothing(), never, all));
            ASSERT_TRUE(lossy.evaluateNoting(point, smoothing(), isScreened, never, noting));
            EXPECT_EQ(noting.loss.value, all.loss.value); // to the bit
            EXPECT_EQ(noting.pull, all.pull);
            ASSERT_TRUE(lossy.evaluateNoted(point, smoothing(), never, noted));
            const TripletIndex visited = noted.triplets;
            EXPECT_LE(visited, all.triplets);
            EXPECT_LE(lossy.notedPairs(), engine->pairsPerEvaluation());
            noted.triplets = all.triplets;
            expectSameTotals(noted, all);
            if (!isScreened) {
                TripletIndex withLoss = 0;
                for (TripletIndex t = 0; t < set.triplets(); ++t) {
                    withLoss += marginOf(set, t, point.matrix) < 1 ? 1 : 0;
                }
                EXPECT_EQ(visited, withLoss);
            }
        }
    }
}

TEST_P(Engines, SumANotedTripletElsewhereAsItIsAndNoOther) {
    const TripletSet set = smallTriplets(shape(), 3);
    const MetricPoint there = MetricPoint::fromSplit(splitByCone(2 * randomPoint(set, 7).matrix));
    const MetricPoint here = randomPoint(set, 8);
    LossTotals byPairs;
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        LossTotals totals;
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoting(there, smoothing(), true, never, totals));
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoted(here, smoothing(), never, totals));
        double loss = 0;
        double alphas = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const double margin = marginOf(set, t, here.matrix);
            const double counts = marginOf(set, t, there.matrix) < 1 ? 1 : 0;
            loss += counts * smoothedLoss(margin, smoothing());
            alphas += counts * lossSlope(margin, smoothing());
        }
        EXPECT_NEAR(totals.loss.value, loss, 1e-9 * (1 + loss));
        EXPECT_NEAR(totals.alphaSum.value, alphas, smoothing() < 1e-6 ? 1e-3 * alphas : 1e-9 * (1 + alphas));
        if (kind == EngineKind::Pairs) {
            byPairs = totals;
        } else {
            expectSameTotals(totals, byPairs);
        }
        // What is noted may stay noted.
        LossTotals again;
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoting(here, smoothing(), true, never, again));
        TripletIndex either = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            either += marginOf(set, t, here.matrix) < 1 || marginOf(set, t, there.matrix) < 1 ? 1 : 0;
        }
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoted(here, smoothing(), never, again));
        EXPECT_EQ(again.triplets, either);
        TripletIndex lossy = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            lossy += marginOf(set, t, here.matrix) < 1 ? 1 : 0;
        }
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoting(here, smoothing(), false, never, again));
        ASSERT_TRUE(engine->lossyTriplets()->evaluateNoted(here, smoothing(), never, again));
        EXPECT_EQ(again.triplets, lossy);
        // Screening forgets the notes.
        ScreenedPart screened;
        const std::vector<Region> regions = {{.sphere = middlingSphere(here)}};
        ASSERT_TRUE(engine->screen(regions, 0.05, never, screened));
        if (screened.zero + screened.linear > 0) {
            LossTotals noted;
            LossTotals active;
            ASSERT_TRUE(engine->lossyTriplets()->evaluateNoted(here, smoothing(), never, noted));
            ASSERT_TRUE(engine->evaluate(here, smoothing(), never, active));
            EXPECT_EQ(noted.loss.value, active.loss.value);
            EXPECT_EQ(noted.triplets, active.triplets);
        }
    }
}

TEST_P(Engines, SumOverAllTripletsWhateverIsScreened) {
    const TripletSet set = smallTriplets(shape(), 4);
    const MetricPoint point = randomPoint(set, 5);
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        LossTotals before;
        ASSERT_TRUE(engine->evaluate(point, smoothing(), never, before));
        ScreenedPart screened;
        const std::vector<Region> regions = {{.sphere = middlingSphere(point)}};
        ASSERT_TRUE(engine->screen(regions, 0.05, never, screened));
        LossTotals all;
        SetCounts setCounts;
        ASSERT_TRUE(engine->evaluateAll(point, smoothing(), 0.05, never, all, setCounts));
        expectSameTotals(all, before);
        engine->activateAll();
        LossTotals again;
        ASSERT_TRUE(engine->evaluate(point, smoothing(), never, again));
        EXPECT_EQ(again.loss.value, before.loss.value); // to the bit
        EXPECT_EQ(again.pull, before.pull);
        TripletIndex above = 0;
        TripletIndex below = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const double margin = marginOf(set, t, point.matrix);
            above += margin > 1 ? 1 : 0;
            below += margin < 0.95 ? 1 : 0;
        }
        EXPECT_EQ(setCounts.above, above);
        EXPECT_EQ(setCounts.below, below);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Engines,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.05, 0.5, 1e-7)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_s" + std::to_string(entry.index % 3);
                         });

TEST(EngineDecisions, MatchTheDefinitionAwayFromTheBorder) {
    const TripletSet set = smallTriplets({.name = "plain"}, 11);
    const MetricPoint point = randomPoint(set, 12);
    const Region region{.sphere = middlingSphere(point)};
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        TripletStates states(set.triplets());
        engine->record(&states);
        StopCheck never;
        ScreenedPart screened;
        ASSERT_TRUE(engine->screen(std::span(&region, 1), 0.05, never, screened));
        int decided = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const double q = marginOf(set, t, region.sphere.centre);
            const double reach = region.sphere.radius * normOf(set, t);
            const Decision expected = q - reach > 1      ? Decision::Zero
                                      : q + reach < 0.95 ? Decision::Linear
                                                         : Decision::Keep;
            if (std::abs(q - reach - 1) > 1e-9 && std::abs(q + reach - 0.95) > 1e-9) {
                EXPECT_EQ(states.at(t), expected) << t;
            }
            decided += expected != Decision::Keep ? 1 : 0;
        }
        EXPECT_GT(decided, 0);
        EXPECT_LT(decided, set.triplets());
    }
}

TEST(EngineScreening, ABallOfInfiniteRadiusDecidesNothing) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    const Region region{.sphere = {Eigen::MatrixXd::Zero(3, 3), std::numeric_limits<double>::infinity()}};
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        StopCheck never;
        ScreenedPart screened;
        ASSERT_TRUE(engine->screen(std::span(&region, 1), 0.05, never, screened));
        EXPECT_EQ(engine->activeTriplets(), set.triplets());
    }
}

TEST(EngineScreening, VisitsOnlyPairsThatActiveTripletsUse) {
    const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 20, .k = 5}, 3);
    PairsEngine engine(set);
    EXPECT_EQ(engine.pairsPerEvaluation(), set.pairs());
    const MetricPoint point = randomPoint(set, 3);
    const Region region{.sphere = {point.matrix, 0.02 * point.matrix.norm()}};
    StopCheck never;
    ScreenedPart screened;
    ASSERT_TRUE(engine.screen(std::span(&region, 1), 0.05, never, screened));
    ASSERT_GT(screened.zero + screened.linear, set.triplets() / 2);
    EXPECT_LT(engine.pairsPerEvaluation(), set.pairs());
    EXPECT_LE(engine.pairsPerEvaluation(), 2 * engine.activeTriplets());
}

TEST(EngineStops, GiveUpWorkWhenTheStopCheckSaysSo) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    StopCheck stopped([] { return true; });
    (void)stopped.ask();
    const Region region{.sphere = {Eigen::MatrixXd::Zero(3, 3), 1}};
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto engine = makeEngine(kind, set);
        LossTotals totals;
        SetCounts setCounts;
        ScreenedPart screened;
        EXPECT_FALSE(engine->evaluate(randomPoint(set, 1), 0.05, stopped, totals));
        EXPECT_FALSE(engine->evaluateAll(randomPoint(set, 1), 0.05, 0.05, stopped, totals, setCounts));
        EXPECT_FALSE(engine->screen(std::span(&region, 1), 0.05, stopped, screened));
    }
}

} // namespace
} // namespace lambdascope::triplets
