// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

class NeighbourTripletsAsAList : public testing::TestWithParam<SmallShape> {
  protected:
    StopCheck never;
};

TEST_P(NeighbourTripletsAsAList, GiveTheSumsAndDecisionsOfTheTripletEngines) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet triplets = smallTriplets(GetParam(), seed);
        const auto data = smallData(GetParam(), seed);
        auto built = ComparisonSet::build(data->dense(), listOf(triplets), {}, GetParam().structure);
        ASSERT_TRUE(built);
        const ComparisonSet set = std::move(built).value();
        ASSERT_EQ(set.size(), triplets.triplets());
        ASSERT_EQ(set.repeated(), 0);
        ASSERT_EQ(set.pairs(), triplets.pairs());
        ComparisonEngine ours(set);
        PairsEngine pairs(triplets);
        TripletsEngine naive(triplets);
        const MetricPoint point = pointFor(set, seed);
        for (const double smoothing : {0.05, 0.5, 1e-9}) {
            LossTotals a;
            LossTotals b;
            LossTotals c;
            SetCounts countA;
            SetCounts countB;
            ASSERT_TRUE(ours.evaluateAll(point, smoothing, 0.05, never, a, countA));
            ASSERT_TRUE(pairs.evaluateAll(point, smoothing, 0.05, never, b, countB));
            ASSERT_TRUE(naive.evaluate(point, smoothing, never, c));
            expectSameTotals(a, b);
            expectSameTotals(a, c);
            EXPECT_NEAR(a.totalWeight(), b.totalWeight(), kAgreement * b.totalWeight());
            EXPECT_EQ(countA.above, countB.above);
            EXPECT_EQ(countA.below, countB.below);
        }
        const std::vector<Region> regions = {{.sphere = middlingSphere(point)},
                                             {.sphere = {point.matrix, 0.3 * point.matrix.norm()}}};
        const auto [byUs, a] = checkBy(regions, ours, set.size());
        const auto [byPairs, b] = checkBy(regions, pairs, set.size());
        // Pairs keeps its norms in single precision, rounded up, which may cost it a decision on the very edge.
        TripletIndex fewer = 0;
        for (TripletIndex t = 0; t < set.size(); ++t) {
            if (byUs.at(t) != byPairs.at(t)) {
                ASSERT_EQ(byPairs.at(t), Decision::Keep) << t;
                ++fewer;
            }
        }
        EXPECT_LE(fewer, set.size() / 10'000);
        EXPECT_EQ(a.zero + a.linear, b.zero + b.linear + fewer);
        LossTotals left;
        LossTotals right;
        ASSERT_TRUE(ours.evaluate(point, 0.05, never, left));
        ASSERT_TRUE(pairs.evaluate(point, 0.05, never, right));
        if (fewer == 0) {
            EXPECT_EQ(ours.pairsPerEvaluation(), pairs.pairsPerEvaluation());
            expectSameTotals(left, right);
        }
        expectSameTotals(withScreened(left, a, point), withScreened(right, b, point));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, NeighbourTripletsAsAList, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

class GeneralForms : public testing::TestWithParam<std::tuple<SmallShape, FormMix>> {
  protected:
    [[nodiscard]] GeneralProblem problem(std::uint64_t seed) const {
        return {std::get<0>(GetParam()), std::get<1>(GetParam()), seed};
    }
    LossTotals totalsAt(const GeneralProblem& problem, const MetricPoint& point, double smoothing) {
        LossTotals totals;
        EXPECT_TRUE(problem.engine()->evaluate(point, smoothing, never, totals));
        return totals;
    }
    StopCheck never;
};

TEST_P(GeneralForms, SumWhatTheFormulasSay) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const GeneralProblem general = problem(seed);
        const MetricPoint point = pointFor(general.set, seed);
        for (const double smoothing : {0.05, 0.5}) {
            const LossTotals totals = totalsAt(general, point, smoothing);
            double loss = 0;
            double alphas = 0;
            double squares = 0;
            double dualLinear = 0;
            Eigen::MatrixXd pull = Eigen::MatrixXd::Zero(point.matrix.rows(), point.matrix.cols());
            double size = 0;
            for (TripletIndex c = 0; c < general.set.size(); ++c) {
                const auto at = static_cast<std::size_t>(c);
                const double w = general.set.items().weight[at];
                const double tau = general.set.items().threshold[at];
                const double shifted = general.margin(c, point.matrix) - tau + 1;
                const double alpha = w * lossSlope(shifted, smoothing);
                loss += w * smoothedLoss(shifted, smoothing);
                alphas += alpha;
                squares += alpha * alpha / w;
                dualLinear += alpha * tau;
                pull += alpha * general.matrixOf(c);
                size += alpha * general.matrixOf(c).norm();
            }
            if (general.linear.size() > 0) {
                loss += general.linear.cwiseProduct(point.matrix).sum();
                pull -= general.linear;
                size += general.linear.norm();
            }
            const double scale = 1 + std::abs(loss) + alphas;
            EXPECT_NEAR(totals.loss.value, loss, kAgreement * scale);
            EXPECT_NEAR(totals.alphaSum.value, alphas, kAgreement * scale);
            EXPECT_NEAR(totals.alphaSquares.value, squares, kAgreement * scale);
            EXPECT_NEAR(totals.alphaSum.value + totals.thresholdShift.value, dualLinear, kAgreement * scale);
            EXPECT_LE((totals.pull - pull).norm(), kAgreement * size);
            EXPECT_EQ(totals.triplets, general.set.size());
        }
    }
}

TEST_P(GeneralForms, GradientMatchesFiniteDifferences) {
    const GeneralProblem general = problem(5);
    const double rho = general.set.largestNorm();
    Eigen::MatrixXd m = pointFor(general.set, 6).matrix;
    m += 0.3 / (rho * rho) * identityLike(m);
    const LossTotals totals = totalsAt(general, MetricPoint::fromSplit(splitByCone(m)), 0.5);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Eigen::MatrixXd direction = pointFor(general.set, 100 + seed).matrix;
        const double h = 1e-6;
        const double up = totalsAt(general, MetricPoint::fromSplit(splitByCone(m + h * direction)), 0.5).loss.value;
        const double down = totalsAt(general, MetricPoint::fromSplit(splitByCone(m - h * direction)), 0.5).loss.value;
        const double slope = -totals.pull.cwiseProduct(direction).sum();
        EXPECT_NEAR((up - down) / (2 * h), slope, 1e-5 * (std::abs(slope) + totals.loss.value + 1));
    }
}

TEST_P(GeneralForms, WeakDualityHoldsForEveryPointAndEveryLambda) {
    const GeneralProblem general = problem(7);
    const double unit = 1 / std::pow(general.set.largestNorm(), 4);
    for (const double gamma : {0.05, 0.5, 0.0}) {
        const double smoothing = gamma > 0 ? gamma : 0.01;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const MetricPoint point = pointFor(general.set, seed);
            const LossTotals one = totalsAt(general, point, smoothing);
            const LossTotals other = totalsAt(general, pointFor(general.set, seed + 50), smoothing);
            for (const double lambda : {0.01 / unit, 1 / unit, 100 / unit}) {
                const Bounded primal = primalValue(one, point, lambda, gamma);
                const Bounded dual = dualValue(other, squaredNormInCone(other.pull), lambda, gamma);
                EXPECT_GE(primal.upper(), dual.lower());
                EXPECT_LE(primal.error, 1e-9 * (1 + std::abs(primal.value)));
            }
        }
    }
}

TEST_P(GeneralForms, TheGapClosesAtTheOptimum) {
    const GeneralProblem general = solvableProblem(std::get<0>(GetParam()), std::get<1>(GetParam()), 9);
    const double lambdaMax = general.start(0.05).lambda;
    for (const double share : {0.5, 0.05}) {
        const PointOutcome outcome = general.solveTightly(share * lambdaMax, 0.05);
        EXPECT_LE(outcome.solved.gap, 1e-9 * std::max(1.0, std::abs(outcome.primal.value))) << share;
    }
}

TEST_P(GeneralForms, RulesDecideByTheConstantsOfEachItem) {
    std::int64_t decided = 0;
    std::int64_t decidable = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const GeneralProblem general = problem(seed);
        const auto engine = general.engine();
        TripletStates states(general.set.size());
        engine->record(&states);
        Sphere sphere = middlingSphere(pointFor(general.set, seed + 10));
        sphere.radius *= 0.3;
        ScreenedPart screened;
        const std::vector<Region> regions = {{.sphere = sphere}};
        ASSERT_TRUE(engine->screen(regions, 0.05, never, screened));
        EXPECT_EQ(engine->activeTriplets(), general.set.size() - screened.zero - screened.linear);
        for (TripletIndex c = 0; c < general.set.size(); ++c) {
            const double tau = general.set.items().threshold[static_cast<std::size_t>(c)];
            const double q = general.margin(c, sphere.centre);
            const double reach = sphere.radius * general.matrixOf(c).norm();
            // In exact arithmetic; within rounding either decision will do.
            const double doubt = 1e-9 * (1 + std::abs(q) + reach);
            const bool isZero = q - reach > tau;
            const bool isLinear = q + reach < tau - 0.05;
            decidable += isZero || isLinear ? 1 : 0;
            decided += states.at(c) != Decision::Keep ? 1 : 0;
            if (std::abs(q - reach - tau) > doubt && std::abs(q + reach - tau + 0.05) > doubt) {
                const Decision expected = isZero ? Decision::Zero : isLinear ? Decision::Linear : Decision::Keep;
                EXPECT_EQ(states.at(c), expected) << "item " << c << " q " << q << " reach " << reach << " τ " << tau;
            }
        }
    }
    EXPECT_GT(decidable, 0);
    EXPECT_NEAR(static_cast<double>(decided), static_cast<double>(decidable), 2);
}

TEST_P(GeneralForms, ScreenedItemsKeepTheirShareOfTheSums) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const GeneralProblem general = problem(seed);
        const auto engine = general.engine();
        const MetricPoint point = pointFor(general.set, seed + 20);
        const LossTotals whole = totalsAt(general, point, 0.05);
        // A ball round the point itself decides only what is so at the point: the reduced sums are the whole ones.
        ScreenedPart screened;
        const std::vector<Region> regions = {{.sphere = {point.matrix, 0.05 * point.matrix.norm()}},
                                             {.sphere = {point.matrix, 0.01 * point.matrix.norm()}}};
        ASSERT_TRUE(engine->screen(regions, 0.05, never, screened));
        EXPECT_GT(screened.zero + screened.linear, 0);
        LossTotals active;
        ASSERT_TRUE(engine->evaluate(point, 0.05, never, active));
        const LossTotals reduced = withScreened(active, screened, point);
        const double scale = 1 + std::abs(whole.loss.value) + whole.alphaSum.value;
        EXPECT_NEAR(reduced.loss.value, whole.loss.value, kAgreement * scale);
        EXPECT_NEAR(reduced.alphaSum.value, whole.alphaSum.value, kAgreement * scale);
        EXPECT_NEAR(reduced.alphaSquares.value, whole.alphaSquares.value, kAgreement * scale);
        EXPECT_NEAR(reduced.thresholdShift.value, whole.thresholdShift.value, kAgreement * scale);
        EXPECT_LE((reduced.pull - whole.pull).norm(), kAgreement * whole.pull.norm() + reduced.pullError);
        engine->activateAll();
        EXPECT_EQ(engine->activeTriplets(), general.set.size());
        EXPECT_EQ(engine->pairsPerEvaluation(), general.set.pairs());
    }
}

TEST_P(GeneralForms, StopWhenAsked) {
    const GeneralProblem general = problem(1);
    const auto engine = general.engine();
    StopCheck stopped([] { return true; });
    EXPECT_TRUE(stopped.ask());
    LossTotals totals;
    SetCounts setCounts;
    ScreenedPart screened;
    const MetricPoint point = pointFor(general.set, 1);
    EXPECT_FALSE(engine->evaluate(point, 0.05, stopped, totals));
    EXPECT_FALSE(engine->evaluateAll(point, 0.05, 0.05, stopped, totals, setCounts));
    const std::vector<Region> regions = {{.sphere = {point.matrix, 1}}};
    EXPECT_FALSE(engine->screen(regions, 0.05, stopped, screened));
}

INSTANTIATE_TEST_SUITE_P(Mixes, GeneralForms,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::ValuesIn(formMixes())),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_" + std::get<1>(entry.param).name;
                         });

} // namespace
} // namespace lambdascope::triplets
