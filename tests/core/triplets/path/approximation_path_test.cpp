// SPDX-License-Identifier: GPL-3.0-or-later
// What a fixed solution claims of smaller λ, against sums and optima there, and the ε-approximation path as lanes see
// it.
#include "core/triplets/path/approximation_path.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <tuple>

namespace lambdascope::triplets {
namespace {

/// A problem as these tests need it.
struct Case {
    Engine& engine;
    double gamma = 0;
    SolvedPoint top;
    std::function<PointOutcome(double lambda)> optimum;
};

SolvedPoint solvedAt(const Case& of, double lambda, double tolerance) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(
        of.engine, {},
        {.gamma = of.gamma, .tolerance = tolerance, .maxIterations = 3000, .method = MethodKind::Automatic});
    return solver.solve(lambda, of.top, 0, context).solved;
}

MetricPoint scaled(const MetricPoint& point, double scale) {
    return {scale * point.matrix, std::sqrt(scale) * point.factor, scale * point.trace};
}

/// The claims of `fixed` at one λ: the primal value at sM by the engine, and the optimum.
void checkClaims(const Case& of, const SolvedPoint& solved, const FixedSolution& fixed, double lambda, double epsilon) {
    StopCheck never;
    const FixedSolution::Pair pair = fixed.at(lambda);
    EXPECT_LE(pair.primal, (1 + epsilon) * pair.dual);
    EXPECT_GE(pair.scale, 1);
    EXPECT_LE(pair.dualScale, 1);
    const MetricPoint point = scaled(solved.point, pair.scale);
    LossTotals totals;
    SetCounts setCounts;
    of.engine.activateAll();
    ASSERT_TRUE(of.engine.evaluateAll(point, solved.totals.smoothing, of.gamma, never, totals, setCounts));
    const Bounded primal = primalValue(totals, point, lambda, of.gamma);
    EXPECT_LE(primal.lower(), pair.primal) << "scale " << pair.scale;
    if (pair.side == 0) { // α(M), whose sums are at hand
        const double rho = pair.dualScale;
        LossTotals duals = solved.totals;
        duals.alphaSum = exactly(rho) * duals.alphaSum;
        duals.alphaSquares = exactly(rho * rho) * duals.alphaSquares;
        duals.thresholdShift = exactly(rho) * duals.thresholdShift;
        const Bounded squares = squaredNormInCone(rho * solved.totals.pull);
        EXPECT_GE(dualValue(duals, squares, lambda, of.gamma).upper(), pair.dual) << "scale " << rho;
    }
    const PointOutcome best = of.optimum(lambda);
    EXPECT_LE(pair.dual, best.primal.upper());
    EXPECT_LE(primal.lower(), (1 + epsilon) * best.primal.upper());
}

/// Reaches from several λ₀; how many went beyond λ₀ itself.
struct Reached {
    int beyond = 0;
    int all = 0;
};

void checkReaches(const Case& of, std::uint64_t seed, Reached& reached) {
    StopCheck never;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    for (const double at : {1.0, 0.3, 0.01}) {
        const double lambda0 = at * of.top.lambda;
        for (const double epsilon : {0.1, 1e-3}) {
            SCOPED_TRACE("λ₀ at " + std::to_string(at) + ", ε " + std::to_string(epsilon));
            const SolvedPoint solved = at == 1.0 ? of.top : solvedAt(of, lambda0, 1e-3 * epsilon);
            FixedSolution fixed(solved, of.gamma, never);
            const double plain = fixed.reach(epsilon);
            ASSERT_LE(plain, lambda0);
            ASSERT_TRUE(
                fixed.addScale(std::max(1.0, fixed.wantedScale(std::max(plain, 1e-3 * lambda0))), of.engine, never));
            const double reach = fixed.reach(epsilon);
            EXPECT_LE(reach, plain * (1 + 1e-9));
            ++reached.all;
            reached.beyond += plain < lambda0 * (1 - 1e-3) ? 1 : 0;
            const double from = std::max(reach, 1e-4 * lambda0);
            for (int i = 0; i < 2 && from < lambda0; ++i) {
                const double lambda = i == 0 ? from : from * std::pow(lambda0 / from, share(random));
                checkClaims(of, solved, fixed, lambda, epsilon);
            }
            if (reach > from * (1 - 1e-9) && reach < lambda0) { // and no farther than that
                const FixedSolution::Pair below = fixed.at(reach * (1 - 1e-3));
                EXPECT_GT(below.primal, (1 + epsilon) * below.dual);
            }
        }
    }
}

class FixedSolutionOf : public testing::TestWithParam<std::tuple<SmallShape, double, EngineKind>> {};

TEST_P(FixedSolutionOf, IsWithinEpsilonOfTheOptimumAsFarAsItReaches) {
    const auto& [shape, smoothing, kind] = GetParam();
    const double gamma = smoothing; // lambdas capture no names of a structured binding
    Reached reached;
    const auto seed = static_cast<std::uint64_t>(kind) + 1;
    const TripletSet set = solvableTriplets(shape, seed);
    const auto engine = makeEngine(kind, set);
    const Case of{*engine, gamma, startOf(set, gamma, *engine),
                  [&](double lambda) { return solveTightly(set, lambda, gamma, gamma > 0 ? 1e-8 : 1e-5); }};
    checkReaches(of, seed, reached);
    EXPECT_GT(2 * reached.beyond, reached.all);
}

INSTANTIATE_TEST_SUITE_P(Shapes, FixedSolutionOf,
                         testing::Combine(testing::ValuesIn(bothStructures()), testing::Values(kGamma, 0.0),
                                          testing::Values(EngineKind::Pairs, EngineKind::Sorted,
                                                          EngineKind::Triplets)));

class FixedSolutionOfComparisons : public testing::TestWithParam<std::tuple<FormMix, double>> {};

TEST_P(FixedSolutionOfComparisons, IsWithinEpsilonOfTheOptimumAsFarAsItReaches) {
    const auto& [mix, smoothing] = GetParam();
    const double gamma = smoothing;
    Reached reached;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const GeneralProblem problem = solvableProblem({.name = "plain"}, mix, seed);
        const auto engine = problem.engine();
        const Case of{*engine, gamma, problem.start(gamma),
                      [&](double lambda) { return problem.solveTightly(lambda, gamma, gamma > 0 ? 1e-8 : 1e-5); }};
        checkReaches(of, seed, reached);
    }
    EXPECT_GT(2 * reached.beyond, reached.all);
}

INSTANTIATE_TEST_SUITE_P(Forms, FixedSolutionOfComparisons,
                         testing::Combine(testing::ValuesIn(formMixes()), testing::Values(kGamma, 0.0)));

TEST(FixedSolution, ClaimsNothingWhereTheSolutionIsNotThatGood) {
    const TripletSet set = solvableTriplets({.name = "plain"}, 1);
    const auto engine = makeEngine(EngineKind::Pairs, set);
    StopCheck never;
    const SolvedPoint top = startOf(set, kGamma, *engine);
    SolvedPoint coarse = top; // as it is at half of that λ, whose optimum it is not
    coarse.lambda = 0.5 * top.lambda;
    coarse.gap = (primalValue(coarse.totals, coarse.point, coarse.lambda, kGamma) -
                  dualValue(coarse.totals, squaredNormInCone(coarse.totals.pull), coarse.lambda, kGamma))
                     .upper();
    EXPECT_EQ(FixedSolution(coarse, kGamma, never).reach(1e-6), coarse.lambda);
    EXPECT_EQ(reachOf(coarse, kGamma, 1e-6, *engine, never), coarse.lambda);
    SolvedPoint unfinished;
    unfinished.lambda = 3;
    EXPECT_EQ(reachOf(unfinished, kGamma, 0.1, *engine, never), 3);
}

// At λ_max all triplets are in L, where the optimum goes with 1/λ until the first one leaves.
TEST(FixedSolution, ScalesAlongTheClosedFormSolutions) {
    const TripletSet set = solvableTriplets({.name = "plain"}, 1);
    const auto engine = makeEngine(EngineKind::Pairs, set);
    StopCheck never;
    const LambdaMaxSolution closed = lambdaMaxSolution(set, kGamma, never);
    const SolvedPoint top = topPoint(closed, 8 * closed.lambdaMax, kGamma, *engine, never);
    const double epsilon = 1e-4;
    EXPECT_GT(FixedSolution(top, kGamma, never).reach(epsilon), 1.5 * closed.lambdaMax);
    FixedSolution fixed(top, kGamma, never);
    ASSERT_TRUE(fixed.addScale(8, *engine, never));
    EXPECT_LT(fixed.reach(epsilon), 1.001 * closed.lambdaMax);
    EXPECT_NEAR(fixed.at(2 * closed.lambdaMax).scale, 4, 1e-9);
}

} // namespace
} // namespace lambdascope::triplets
