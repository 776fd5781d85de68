// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/gram_descent.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

namespace lambdascope::ordinal {
namespace {

/// The largest difference between ∇F and central differences of F, over the norm of ∇F.
double gradientError(const Objective& objective, const Points& x, double step) {
    StopCheck stopCheck;
    Points gradient;
    objective.evaluate(x, &gradient, nullptr, stopCheck);
    double worst = 0;
    Points moved = x;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        moved.data()[i] = x.data()[i] + step;
        const double above = objective.evaluate(moved, nullptr, nullptr, stopCheck).loss;
        moved.data()[i] = x.data()[i] - step;
        const double below = objective.evaluate(moved, nullptr, nullptr, stopCheck).loss;
        moved.data()[i] = x.data()[i];
        worst = std::max(worst, std::abs((above - below) / (2 * step) - gradient.data()[i]));
    }
    return worst / gradient.norm();
}

TEST(Objective, IsTheMeanOfTheLossesByDefinition) {
    for (const Eigen::Index p : {1, 2, 5, 10}) {
        for (const bool isWeighted : {false, true}) {
            const ComparisonSet set = randomComparisons(randomPoints(12, 3, 1, 5), 80, 6, isWeighted);
            const Points x = randomPoints(12, p, 1, 7);
            for (const ModelSpec& model : allModels(p)) {
                StopCheck stopCheck;
                const double expected = lossByDefinition(set, model, x);
                EXPECT_NEAR(Objective(set, model).evaluate(x, nullptr, nullptr, stopCheck).loss, expected,
                            1e-12 * expected)
                    << modelName(model.kind) << " p = " << p;
            }
        }
    }
}

TEST(Objective, GradientAgreesWithDifferences) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        for (const Eigen::Index p : {1, 2, 3, 10, 13}) {
            for (const double scale : {1e-2, 1.0, 30.0}) {
                const ComparisonSet set = randomComparisons(randomPoints(8, 3, 1, seed), 40, seed, seed == 2);
                const Points x = randomPoints(8, p, scale, seed + 10);
                for (const ModelSpec& model : allModels(p)) {
                    EXPECT_LE(gradientError(Objective(set, model), x, 1e-5 * scale), 1e-6)
                        << modelName(model.kind) << " p = " << p << " scale " << scale << " seed " << seed;
                }
            }
        }
    }
}

TEST(Objective, StaysFiniteForPointsOfAnySizeUpTo1e150) {
    const ComparisonSet set = randomComparisons(randomPoints(9, 3, 1, 1), 60, 2, true);
    for (const double scale : {0.0, 1e-170, 1e-150, 1e-10, 1e20, 1e80, 1e150}) {
        Points x = randomPoints(9, 10, 1, 3);
        x = (x / std::max(x.cwiseAbs().maxCoeff(), 1.0) * scale).eval();
        x.row(4) = x.row(5); // a distance of zero beside large ones
        for (const ModelSpec& model : allModels(10)) {
            StopCheck stopCheck;
            Points gradient;
            const ObjectiveValue value = Objective(set, model).evaluate(x, &gradient, nullptr, stopCheck);
            EXPECT_TRUE(std::isfinite(value.loss)) << modelName(model.kind) << " " << scale;
            EXPECT_TRUE(gradient.allFinite()) << modelName(model.kind) << " " << scale;
            EXPECT_GE(value.error, 0);
            EXPECT_LE(value.error, 1 + 1e-12);
        }
    }
}

TEST(Objective, DoesNotChangeWhenAllPointsMoveOrTurn) {
    const ComparisonSet set = randomComparisons(randomPoints(10, 2, 1, 1), 50, 2);
    const Points x = randomPoints(10, 2, 1, 3);
    Points moved(10, 2);
    moved.col(0) = -0.6 * x.col(0) + 0.8 * x.col(1);
    moved.col(1) = 0.8 * x.col(0) + 0.6 * x.col(1);
    moved.rowwise() += Eigen::RowVector2d(3, -4);
    for (const ModelSpec& model : allModels(2)) {
        StopCheck stopCheck;
        const Objective objective(set, model);
        Points gradient;
        const double loss = objective.evaluate(x, &gradient, nullptr, stopCheck).loss;
        EXPECT_NEAR(objective.evaluate(moved, nullptr, nullptr, stopCheck).loss, loss, 1e-12 * (1 + loss));
        EXPECT_LE(gradient.colwise().sum().norm(), 1e-13 * gradient.norm() * 10);
    }
}

TEST(Objective, CountsViolatedComparisonsByWeight) {
    WeightedComparisons answers;
    answers.add({0, 1, 0, 2}, 1); // true below
    answers.add({0, 2, 0, 1}, 3); // false
    const ComparisonSet set(std::move(answers), 3);
    Points x(3, 1);
    x << 0, 1, 5;
    StopCheck stopCheck;
    EXPECT_DOUBLE_EQ(violatedShare(set, x, stopCheck), 0.75);
    EXPECT_DOUBLE_EQ(Objective(set, {}).evaluate(x, nullptr, nullptr, stopCheck).error, 0.75);
    x << 1, 1, 1; // a tie answers nothing
    EXPECT_DOUBLE_EQ(violatedShare(set, x, stopCheck), 1);
}

TEST(Objective, GramFormHasTheSameValueAndItsGradientAgreesWithDifferences) {
    const ComparisonSet set = randomComparisons(randomPoints(7, 3, 1, 4), 40, 5, true);
    const Points x = randomPoints(7, 3, 1, 6);
    const Eigen::MatrixXd gram = x * x.transpose();
    for (const ModelSpec& model : allModels(3)) {
        const Objective objective(set, model);
        StopCheck stopCheck;
        Eigen::MatrixXd gradient;
        const double loss = evaluateGram(objective, gram, &gradient, stopCheck).loss;
        EXPECT_NEAR(loss, objective.evaluate(x, nullptr, nullptr, stopCheck).loss, 1e-12 * (1 + loss));
        const Points raw = randomPoints(7, 7, 1, 8);
        const Eigen::MatrixXd direction = raw + raw.transpose();
        const double h = 1e-6;
        const double slope = (evaluateGram(objective, gram + h * direction, nullptr, stopCheck).loss -
                              evaluateGram(objective, gram - h * direction, nullptr, stopCheck).loss) /
                             (2 * h);
        EXPECT_NEAR(slope, gradient.cwiseProduct(direction).sum(), 1e-6 * gradient.norm() * direction.norm())
            << modelName(model.kind);
    }
}

TEST(ComparisonSet, IsSortedByAnchorAndTakesMemoryOfComparisonsOnly) {
    const ComparisonSet set = randomComparisons(randomPoints(2000, 2, 1, 1), 5000, 2, true);
    for (std::size_t q = 1; q < set.items().size(); ++q) {
        EXPECT_LE(set.items()[q - 1].i, set.items()[q].i);
    }
    EXPECT_LE(set.bytes(), 24.0 * 5000 * 1.1);
    double sum = 0;
    for (std::size_t q = 0; q < set.items().size(); ++q) {
        sum += set.relativeWeight(q);
    }
    EXPECT_NEAR(sum, 5000, 1e-8);
}

} // namespace
} // namespace lambdascope::ordinal
