// SPDX-License-Identifier: GPL-3.0-or-later
// At which points decisions hold: those that last, in a capsule, and those of one λ, in its balls.
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "core/triplets/screening/decision_certificate.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::triplets {
namespace {

TEST(Capsule, HoldsTheBallsThatLieInIt) {
    const Eigen::MatrixXd q = Eigen::Vector3d(3, 4, 0).asDiagonal();
    const Eigen::MatrixXd across = Eigen::Vector3d(4, -3, 0).asDiagonal();
    const Capsule capsule{q, 1.5 * q, 1};
    EXPECT_TRUE(capsule.holds({q, 0.999}));
    EXPECT_FALSE(capsule.holds({q, 1.001}));
    EXPECT_TRUE(capsule.holds({1.3 * q, 0.999}));
    EXPECT_TRUE(capsule.holds({1.5 * q, 0.999}));
    EXPECT_TRUE(capsule.holds({1.6 * q, 0.499})); // 0.5 beyond the far end
    EXPECT_FALSE(capsule.holds({1.6 * q, 0.501}));
    EXPECT_TRUE(capsule.holds({1.2 * q + 0.1 * across, 0.499}));
    EXPECT_FALSE(capsule.holds({1.2 * q + 0.1 * across, 0.501}));
    EXPECT_FALSE(capsule.holds({q, std::numeric_limits<double>::infinity()}));
    EXPECT_FALSE(Capsule{}.holds({q, 0}));
    const Capsule sideways{q, q + 2 * across, 1};
    EXPECT_TRUE(sideways.holds({q + 1.7 * across, 0.999}));
    EXPECT_TRUE(sideways.holds({q + 1.7 * across + 0.1 * q, 0.499}));
    EXPECT_FALSE(sideways.holds({q + 1.7 * across + 0.1 * q, 0.501}));
    EXPECT_FALSE(sideways.holds({q - 0.1 * across, 0.501}));
    const Capsule ball{q, {}, 1};
    EXPECT_TRUE(ball.holds({q + 0.1 * across, 0.499}));
    EXPECT_FALSE(ball.holds({q + 0.1 * across, 0.501}));
    EXPECT_FALSE(ball.holds({1.2 * q, 0.001}));
}

TEST(LastingDecisions, WaitLongerWhenCapsulesDoNotLast) {
    LastingDecisions decisions;
    const Sphere sphere{Eigen::MatrixXd::Identity(2, 2), 0.1};
    const auto passed = [&] {
        int count = 0;
        while (!decisions.propose(sphere)) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(passed(), 0);
    int before = 0;
    for (int i = 0; i < 4; ++i) {
        decisions.set({sphere.centre, sphere.centre, 0.2}, kGamma, {});
        decisions.count();
        const int waited = passed();
        EXPECT_GT(waited, before);
        before = waited;
    }
    decisions.set({sphere.centre, sphere.centre, 0.2}, kGamma, {});
    decisions.count();
    decisions.count(); // lasted
    EXPECT_EQ(passed(), 0);
}

class LastingOnPaths : public testing::TestWithParam<SmallShape> {};

/// Balls as on a path: their centres grow and turn, their radii stay in proportion.
TEST_P(LastingOnPaths, DecideAndSumAsAnotherEngineDoes) {
    StopCheck never;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        PairsEngine lasting(set);
        TripletStates states(set.triplets());
        TripletStates freshStates(set.triplets());
        lasting.record(&states);
        const MetricPoint start = randomPoint(set, seed);
        const MetricPoint turn = randomPoint(set, seed + 50);
        for (int step = 0; step < 12; ++step) {
            const double growth = std::pow(1.05, step);
            const MetricPoint point =
                MetricPoint::fromSplit(splitByCone(growth * start.matrix + 0.002 * step * turn.matrix));
            const double size = point.matrix.norm();
            const std::vector<Region> regions = {{.sphere = {1.02 * point.matrix, 0.05 * size}},
                                                 {.sphere = {point.matrix, 0.02 * size}}};
            TripletsEngine fresh(set); // knows no capsules
            states.reset();
            freshStates.reset();
            fresh.record(&freshStates);
            lasting.activateAll();
            ScreenedPart a;
            ScreenedPart b;
            ASSERT_TRUE(lasting.screen(regions, kGamma, never, a));
            ASSERT_TRUE(fresh.screen(regions, kGamma, never, b));
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                ASSERT_EQ(states.at(t), freshStates.at(t)) << "step " << step << " triplet " << t;
            }
            EXPECT_EQ(a.zero, b.zero);
            EXPECT_EQ(a.linear, b.linear);
            LossTotals all;
            LossTotals reduced;
            LossTotals left;
            SetCounts setCounts;
            SetCounts leftCounts;
            PairsEngine whole(set);
            ASSERT_TRUE(whole.evaluateAll(point, kGamma, kGamma, never, all, setCounts));
            ASSERT_TRUE(lasting.evaluate(point, kGamma, never, reduced));
            expectSameTotals(withScreened(reduced, a, point), all); // the point lies in both balls
            ASSERT_TRUE(lasting.evaluateCounting(point, kGamma, kGamma, never, left, leftCounts));
            expectSameTotals(withScreened(left, a, point), all);
            EXPECT_EQ(leftCounts.above + a.zero, setCounts.above);
            EXPECT_EQ(leftCounts.below + a.linear, setCounts.below);
            LossTotals lastingAll;
            SetCounts lastingCounts;
            ASSERT_TRUE(lasting.evaluateAll(point, kGamma, kGamma, never, lastingAll, lastingCounts));
            expectSameTotals(lastingAll, all);
            EXPECT_EQ(lastingCounts.above, setCounts.above);
            EXPECT_EQ(lastingCounts.below, setCounts.below);
        }
    }
}

/// Balls that touch the border of the capsule: triplets decided for a smaller capsule need not be decided by these.
TEST_P(LastingOnPaths, DecideNothingThatABallAtTheBorderDoesNotDecide) {
    StopCheck never;
    std::int64_t decided = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        const MetricPoint point = randomPoint(set, seed);
        for (const double share : {0.002, 0.01, 0.05}) {
            const Sphere first{point.matrix, share * point.matrix.norm()};
            const auto capsule = LastingDecisions().propose(first);
            ASSERT_TRUE(capsule);
            PairsEngine lasting(set);
            TripletStates states(set.triplets());
            TripletStates freshStates(set.triplets());
            lasting.record(&states);
            ScreenedPart made;
            ASSERT_TRUE(lasting.screen(std::vector<Region>{{.sphere = first}}, kGamma, never, made));
            for (const double along : {0.0, 0.5, 1.0}) {
                const std::vector<Region> border = {
                    {.sphere = {(1 - along) * capsule->centre + along * capsule->far, capsule->radius * (1 - 1e-9)}}};
                ASSERT_TRUE(capsule->holds(border.front().sphere));
                TripletsEngine fresh(set);
                fresh.record(&freshStates);
                states.reset();
                freshStates.reset();
                lasting.activateAll();
                ScreenedPart a;
                ScreenedPart b;
                ASSERT_TRUE(lasting.screen(border, kGamma, never, a));
                ASSERT_TRUE(fresh.screen(border, kGamma, never, b));
                for (TripletIndex number = 0; number < set.triplets(); ++number) {
                    if (states.at(number) != Decision::Keep) {
                        ASSERT_EQ(states.at(number), freshStates.at(number)) << "along " << along;
                        ++decided;
                    }
                }
            }
        }
    }
    EXPECT_GT(decided, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, LastingOnPaths, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

TEST(LastingDecisions, SaveJudgementsOnAPath) {
    const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 60, .k = 12}, 3);
    const MetricPoint point = randomPoint(set, 3);
    StopCheck never;
    PairsEngine lasting(set);
    double first = 0;
    double later = 0;
    for (int step = 0; step < 3; ++step) {
        const double growth = 1 + 0.02 * step;
        const std::vector<Region> regions = {{.sphere = {growth * point.matrix, 0.01 * point.matrix.norm()}}};
        lasting.activateAll();
        ScreenedPart screened;
        const double before = lasting.countedWork();
        ASSERT_TRUE(lasting.screen(regions, kGamma, never, screened));
        (step == 0 ? first : later) += lasting.countedWork() - before;
    }
    EXPECT_LT(later / 2, 0.6 * first);
}

TEST(LiesIn, LeavesRoomForRounding) {
    const Eigen::MatrixXd q = Eigen::Vector3d(3, 4, 0).asDiagonal();
    EXPECT_TRUE(liesIn({q, 0.5}, {q, 0.501}));
    EXPECT_FALSE(liesIn({q, 0.5}, {q, 0.499}));
    EXPECT_FALSE(liesIn({q, 0.5}, {q, 0.5})); // too near to tell
    EXPECT_TRUE(liesIn({1.1 * q, 0.4}, {q, 0.901}));
    EXPECT_FALSE(liesIn({1.1 * q, 0.4}, {q, 0.899}));
    EXPECT_FALSE(liesIn({q, 0}, {Eigen::MatrixXd::Identity(2, 2), 10}));
    EXPECT_FALSE(liesIn({q, 0}, {q, -1}));
    EXPECT_FALSE(liesIn({q * std::numeric_limits<double>::quiet_NaN(), 0}, {q, 1}));
}

class CertifiedSums : public testing::TestWithParam<SmallShape> {};

/// Where the certificate holds, decisions hold and sums over what is left say all. Points inside the balls, at their
/// borders and beyond them.
TEST_P(CertifiedSums, AreThoseOverAllWhereverTheCertificateHolds) {
    StopCheck never;
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        std::int64_t held = 0;
        std::int64_t beyond = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletSet set = smallTriplets(GetParam(), seed);
            if (set.triplets() == 0) {
                continue;
            }
            const MetricPoint centre = randomPoint(set, seed);
            const MetricPoint other = randomPoint(set, seed + 50);
            const double size = centre.matrix.norm();
            const auto engine = makeEngine(kind, set);
            const auto whole = makeEngine(kind, set);
            DecisionCertificate certificate;
            ScreenedPart screened;
            for (const double radius : {0.2 * size, 0.05 * size}) {
                const std::vector<Region> regions = {{.sphere = {centre.matrix, radius}}};
                ASSERT_TRUE(engine->screen(regions, kGamma, never, screened));
                certificate.add(regions);
            }
            const Eigen::MatrixXd way = other.matrix - centre.matrix;
            const double length = way.norm();
            for (const double distance : {0.0, 0.02, 0.04999, 0.0501, 0.1, 0.3}) {
                const double share = length > 0 ? std::min(distance * size / length, 1.0) : 0;
                const MetricPoint point = MetricPoint::fromSplit(splitByCone(centre.matrix + share * way));
                const bool isInside = (point.matrix - centre.matrix).norm() <= 0.05 * size;
                if (!certificate.holdsAt(point)) {
                    beyond += isInside ? 0 : 1;
                    continue;
                }
                ASSERT_TRUE(isInside);
                ASSERT_TRUE(certificate.lastHoldsAt(point));
                ++held;
                LossTotals left;
                LossTotals all;
                SetCounts leftCounts;
                SetCounts allCounts;
                ASSERT_TRUE(engine->evaluateCounting(point, kGamma, kGamma, never, left, leftCounts));
                ASSERT_TRUE(whole->evaluateAll(point, kGamma, kGamma, never, all, allCounts));
                expectSameTotals(withScreened(left, screened, point), all);
                EXPECT_EQ(leftCounts.above + screened.zero, allCounts.above);
                EXPECT_EQ(leftCounts.below + screened.linear, allCounts.below);
            }
            certificate.spoil();
            EXPECT_FALSE(certificate.holdsAt(centre));
            EXPECT_FALSE(certificate.lastHoldsAt(centre));
        }
        if (GetParam().features > 1) { // else the cone is a ray, and all points may be near
            EXPECT_TRUE(held == 0 || beyond > 0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CertifiedSums, testing::ValuesIn(bothStructures()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets
