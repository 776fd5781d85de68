// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/ranking_measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lambdascope {
namespace {

using Eigen::VectorXd;

VectorXd vectorOf(const std::vector<double>& values) {
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The definition, pair by pair.
double areaByPairs(const VectorXd& scores, const VectorXd& y, const VectorXd& weights) {
    double inOrder = 0, all = 0;
    for (Eigen::Index p = 0; p < y.size(); ++p) {
        for (Eigen::Index n = 0; n < y.size(); ++n) {
            if (y(p) > 0 && y(n) <= 0) {
                const double weight = weights.size() > 0 ? weights(p) * weights(n) : 1;
                inOrder += weight * (scores(p) > scores(n) ? 1 : scores(p) == scores(n) ? 0.5 : 0);
                all += weight;
            }
        }
    }
    return all > 0 ? inOrder / all : std::numeric_limits<double>::quiet_NaN();
}

struct Samples {
    VectorXd scores;
    VectorXd y;
    VectorXd weights;
};

/// Scores in few steps, so that many are tied; weights with zeros among them. All sums of products of weights are
/// exact, so the area is the rounded quotient of the same numbers whatever the order of summation.
Samples drawn(std::uint64_t seed) {
    RandomStream random(seed, "ranking");
    const auto size = static_cast<Eigen::Index>(2 + random.below(60));
    const std::size_t steps = 1 + random.below(12);
    Samples samples{VectorXd(size), VectorXd(size), VectorXd(size)};
    for (Eigen::Index i = 0; i < size; ++i) {
        samples.scores(i) = 0.125 * static_cast<double>(random.below(steps)) - 0.5;
        samples.y(i) = random.below(3) == 0 ? 1 : -1;
        samples.weights(i) = 0.25 * static_cast<double>(random.below(6));
    }
    return samples;
}

void expectSame(double found, double expected) {
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(found) : found == expected) << found << " for " << expected;
}

TEST(AreaUnderCurve, CountsPairsInOrder) {
    const VectorXd y = vectorOf({1, -1, 1, -1, 1});
    EXPECT_EQ(areaUnderCurve(vectorOf({3, 1, 4, 2, 5}), y), 1);
    EXPECT_EQ(areaUnderCurve(VectorXd::Zero(5), y), 0.5);
    EXPECT_DOUBLE_EQ(areaUnderCurve(vectorOf({1, 2, 3, 2, 0}), y), 2.0 / 6);
    EXPECT_EQ(areaUnderCurve(vectorOf({2, -1, 1, -2}), vectorOf({1, 1, -1, -1})), 0.75);
    EXPECT_EQ(areaUnderCurve(vectorOf({2, -1, 1, -2}), vectorOf({1, 1, -1, -1}), vectorOf({3, 1, 2, 0})),
              0.75); // 3 · 2 of (3 + 1) · 2
}

TEST(AreaUnderCurve, IsTheShareOfPairsByDefinition) {
    int withBothClasses = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        const Samples samples = drawn(seed);
        expectSame(areaUnderCurve(samples.scores, samples.y), areaByPairs(samples.scores, samples.y, {}));
        const double weighted = areaUnderCurve(samples.scores, samples.y, samples.weights);
        expectSame(weighted, areaByPairs(samples.scores, samples.y, samples.weights));
        withBothClasses += std::isnan(weighted) ? 0 : 1;
    }
    EXPECT_GT(withBothClasses, 300);
}

TEST(AreaUnderCurve, DependsOnTheOrderOfScoresAlone) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const Samples samples = drawn(seed);
        const double area = areaUnderCurve(samples.scores, samples.y, samples.weights);
        const VectorXd risen = samples.scores.array().exp() + 7;
        expectSame(areaUnderCurve(risen, samples.y, samples.weights), area);
        const double reversed = areaUnderCurve(-samples.scores, samples.y, samples.weights);
        EXPECT_TRUE(std::isnan(area) ? std::isnan(reversed) : std::abs(reversed - (1 - area)) < 1e-15) << area;
        Samples shuffled = samples;
        const std::vector<std::size_t> places =
            RandomStream(seed, "shuffle").permutation(static_cast<std::size_t>(samples.y.size()));
        for (Eigen::Index i = 0; i < samples.y.size(); ++i) {
            const auto from = static_cast<Eigen::Index>(places[static_cast<std::size_t>(i)]);
            shuffled.scores(i) = samples.scores(from);
            shuffled.y(i) = samples.y(from);
            shuffled.weights(i) = samples.weights(from);
        }
        expectSame(areaUnderCurve(shuffled.scores, shuffled.y, shuffled.weights), area);
    }
}

TEST(AreaUnderCurve, IsNoNumberWhereThereIsNothingToOrder) {
    const VectorXd scores = vectorOf({3, 1, 2});
    EXPECT_TRUE(std::isnan(areaUnderCurve(scores, VectorXd::Ones(3))));
    EXPECT_TRUE(std::isnan(areaUnderCurve(scores, -VectorXd::Ones(3))));
    EXPECT_TRUE(std::isnan(areaUnderCurve(scores, vectorOf({1, -1, 1}), vectorOf({1, 0, 1})))) << "no weight at all";
    EXPECT_TRUE(std::isnan(areaUnderCurve({}, {})));
    EXPECT_TRUE(std::isnan(areaUnderCurve(vectorOf({3, std::nan(""), 2}), vectorOf({1, -1, 1}))));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(areaUnderCurve(vectorOf({infinity, -infinity, infinity}), vectorOf({1, -1, -1})), 0.75);
}

} // namespace
} // namespace lambdascope
