// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/linear_term.h"
#include "core/triplets/solver/lambda_max_solution.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

/// Gap of the closed form at a λ, relative to the primal value.
double relativeGap(const GeneralProblem& general, double lambda, double gamma) {
    StopCheck never;
    const auto engine = general.engine();
    const SolvedPoint solved = topPoint(general.top(gamma), lambda, gamma, *engine, never);
    return solved.gap / std::max(1e-300, std::abs(primalValue(solved.totals, solved.point, lambda, gamma).value));
}

class ComparisonTop : public testing::TestWithParam<std::tuple<SmallShape, FormMix>> {};

TEST_P(ComparisonTop, IsSolvedInClosedFormFromLambdaMaxOnAndNotBelow) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const GeneralProblem general = solvableProblem(std::get<0>(GetParam()), std::get<1>(GetParam()), seed);
        const double lambdaMax = general.top(0.05).lambdaMax;
        EXPECT_LE(relativeGap(general, lambdaMax, 0.05), 1e-10);
        EXPECT_LE(relativeGap(general, 10 * lambdaMax, 0.05), 1e-10);
        EXPECT_GT(relativeGap(general, 0.05 * lambdaMax, 0.05), 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, ComparisonTop,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::ValuesIn(formMixes())),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_" + std::get<1>(entry.param).name;
                         });

TEST(ComparisonTopOfTriplets, IsThatOfTheTripletSetWithAndWithoutLinearTerm) {
    StopCheck never;
    const SmallShape shape{.name = "plain"};
    const TripletSet triplets = solvableTriplets(shape, 1);
    auto set = ComparisonSet::build(smallData(shape, 1)->dense(), listOf(triplets));
    ASSERT_TRUE(set);
    std::vector<double> weights(static_cast<std::size_t>(triplets.pairs()), 0.0);
    for (std::int64_t s = 0; s < triplets.sameOffset(triplets.rows()); ++s) {
        weights[static_cast<std::size_t>(triplets.samePair(s))] += 1;
    }
    for (const double factor : {0.0, 0.5, 2.0}) {
        const Eigen::MatrixXd linear = factor > 0 ? linearTerm(triplets, weights, factor, never) : Eigen::MatrixXd();
        const LambdaMaxSolution ofTriplets = lambdaMaxSolution(triplets, 0.05, never, linear);
        const LambdaMaxSolution ofList = comparisonLambdaMax(*set, linear, 0.05, never);
        EXPECT_NEAR(ofList.lambdaMax, ofTriplets.lambdaMax, 1e-10 * ofTriplets.lambdaMax);
        EXPECT_LE((ofList.sum - ofTriplets.sum).norm(), 1e-10 * ofTriplets.sum.norm());
    }
}

TEST(ComparisonTopOfTriplets, IsZeroWhenTheLinearTermOutweighsAll) {
    const GeneralProblem general({.name = "plain"}, {.name = "linear_term", .hasTriplets = true, .linear = 1e6}, 1);
    EXPECT_EQ(general.top(0.05).lambdaMax, 0);
    EXPECT_EQ(general.top(0.05).split.trace, 0);
}

/// Lower bounds below γ are between the ends at M = 0: N/λ is nearly, not exactly, optimal.
TEST(ComparisonTopOfBounds, LeavesItemsBetweenTheEndsOutAndTellsTheGap) {
    DenseRows x(4, 1);
    x << 0, 1, 3, 7;
    ComparisonList list;
    list.comparisons = {{RowPair{0, 1}, std::nullopt, 0.02}, {RowPair{0, 3}, RowPair{0, 1}}};
    auto set = ComparisonSet::build(x, list);
    ASSERT_TRUE(set);
    StopCheck never;
    const LambdaMaxSolution top = comparisonLambdaMax(*set, {}, 0.05, never);
    // H₀ = 0.02/0.05 · 1 + (49 − 1), s = 48 H₀ of the triplet alone.
    EXPECT_NEAR(top.sum(0, 0), 48.4, 1e-12);
    EXPECT_NEAR(top.lambdaMax, 48 * 48.4 / 0.95, 1e-9);
    ComparisonList alone;
    alone.comparisons = {list.comparisons.front()};
    auto only = ComparisonSet::build(x, alone);
    ASSERT_TRUE(only);
    const LambdaMaxSolution none = comparisonLambdaMax(*only, {}, 0.05, never);
    EXPECT_EQ(none.lambdaMax, 0);
    EXPECT_GT(none.split.trace, 0);
}

} // namespace
} // namespace lambdascope::triplets
