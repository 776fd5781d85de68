// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/accurate_points.h"
#include "tests/core/svm/small_svms.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {
namespace {

/// What the definition says of an α, in quad precision.
struct ExactValues {
    Quad gap = 0;
    Quad primal = 0;
    /// By so much may the gap of α differ from that of an α that rounds to it.
    double roundingOfAlpha = 0;
};

ExactValues exactValues(const SmallSvm& svm, const KernelFunction& kernel, double c, const Eigen::VectorXd& alpha) {
    const SvmProblem& problem = *svm.problem;
    ExactValues values;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        Quad margin = 0;
        double size = 0;
        for (SampleIndex j = 0; j < problem.size(); ++j) {
            if (alpha(j) != 0) {
                const Quad term = static_cast<Quad>(problem.y()(i) * problem.y()(j)) * static_cast<Quad>(alpha(j)) *
                                  kernelByDefinition<Quad>(kernel, svm.dense, i, j);
                margin += term;
                size += std::abs(static_cast<double>(term));
            }
        }
        const double upper = c * problem.weights()(i);
        const Quad loss = margin < 1 ? static_cast<Quad>(upper) * (1 - margin) : 0;
        values.gap += static_cast<Quad>(alpha(i)) * (margin - 1) + loss;
        values.primal += static_cast<Quad>(alpha(i)) * margin / 2 + loss;
        values.roundingOfAlpha += kUnitRoundoff * (std::max(alpha(i), upper) * size + alpha(i));
    }
    return values;
}

struct AccurateCase {
    const SmallShape& shape;
    const KernelFunction& kernel;
    double c;
};

void checkPoint(const AccurateCase& given, const SmallSvm& svm, AccuratePoints& accurate, int& refined) {
    SCOPED_TRACE(given.shape.name + ", " + kernelName(given.kernel) + ", C = " + std::to_string(given.c));
    const SvmProblem& problem = *svm.problem;
    const PointOutcome loose = solveAt(problem, given.c, 1e-6);
    const auto point = accurate.at(given.c, loose.solved, {});
    ASSERT_NE(point, nullptr);
    const SolvedSvm& solved = point->solved;
    const double primal = std::max(1.0, std::abs(point->primal.value));
    // Where C K is beyond that, doubles do not lead near enough to the optimum for refinement to begin.
    constexpr double kSteepest = 1e22;
    if (given.c * problem.diagonal().maxCoeff() < kSteepest) {
        EXPECT_LE(solved.gap, AccuratePoints::kPromisedGap * primal);
    }
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        ASSERT_GE(solved.alpha(i), 0);
        ASSERT_LE(solved.alpha(i), given.c * problem.weights()(i));
    }
    const ExactValues exact = exactValues(svm, given.kernel, given.c, solved.alpha);
    EXPECT_LE(static_cast<double>(exact.gap), solved.gap + exact.roundingOfAlpha);
    const double off = std::abs(static_cast<double>(exact.primal - static_cast<Quad>(point->primal.value)));
    EXPECT_LE(off, point->primal.error + exact.roundingOfAlpha);
    refined += solveAt(problem, given.c, AccuratePoints::kPromisedGap, &loose.solved).solved.gap >
                       AccuratePoints::kPromisedGap * primal
                   ? 1
                   : 0;
}

TEST(AccuratePoints, KeepTheirPromiseWithGapsThatAreUpperBounds) {
    int refined = 0;
    std::vector<SmallShape> shapes = smallShapes();
    // A constant feature stands for a bias.
    shapes.push_back({.name = "bias feature", .rows = 50, .features = 4, .offset = 3});
    shapes.push_back({.name = "weighted duplicates", .rows = 45, .hasDuplicates = true, .isWeighted = true});
    for (const SmallShape& shape : shapes) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 5);
            AccuratePoints accurate(*svm->problem);
            for (const double c : {1e-2, 1.0, 1e2, 1e4, 1e6}) {
                checkPoint({shape, kernel, c}, *svm, accurate, refined);
            }
        }
    }
    EXPECT_GT(refined, 20) << "too few of the cases are hard enough to need refinement";
}

} // namespace
} // namespace lambdascope::svm
