// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of kernel values made in tiles, and the start from a smaller problem.
#include "core/pu/solver/subsample_start.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::pu {
namespace {

/// More rows than a tile has columns, and no multiple of its sides.
std::vector<SmallShape> tiledShapes() {
    return {{.name = "tiles", .positives = 70, .unlabeled = 330, .features = 5},
            {.name = "tiles without positives to speak of", .positives = 1, .unlabeled = 257},
            {.name = "sparse tiles", .positives = 20, .unlabeled = 290, .features = 6, .isSparse = true},
            {.name = "tiles far off", .positives = 65, .unlabeled = 64, .offset = 3}};
}

TEST(PuTiles, SumUpWhatTheKernelIs) {
    StopCheck never;
    for (const SmallShape& shape : tiledShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (kernel.kind == KernelKind::Linear) {
                continue;
            }
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto samples = smallSamples(shape, 4);
            const PuProblem problem(spaceOf(samples, kernel, 1e9, false), shape.prior);
            const PuSpace& space = problem.space();
            ASSERT_TRUE(space.makesTiles());
            EXPECT_FALSE(spaceOf(samples, kernel)->makesTiles());
            const Eigen::MatrixXd matrix = kernelMatrix(problem);
            const double rounding = 1e-12 * matrix.cwiseAbs().maxCoeff() * static_cast<double>(matrix.rows());
            const Eigen::VectorXd pulls = matrix.leftCols(problem.positives()).rowwise().sum();
            EXPECT_LE((space.attraction() - pulls).cwiseAbs().maxCoeff(), rounding);

            Eigen::VectorXd s = Eigen::VectorXd::Zero(problem.size());
            std::vector<PuSpace::Weighted> parts;
            for (SampleIndex u = problem.positives(); u < problem.size(); ++u) {
                s(u) = 0.25 * (u % 9);
                parts.emplace_back(u, s(u));
            }
            Eigen::VectorXd sum = Eigen::VectorXd::Constant(problem.size(), 3);
            EXPECT_GT(space.addAllTiles(s, sum, never), 1);
            const Eigen::VectorXd wanted = (matrix * s).array() + 3;
            EXPECT_LE((sum - wanted).cwiseAbs().maxCoeff(), rounding);
            sum.setConstant(3);
            space.addTiles(parts, sum, never);
            EXPECT_LE((sum - wanted).cwiseAbs().maxCoeff(), rounding);
            EXPECT_EQ(space.rowsMade(), 0);
        }
    }
}

TEST(PuNestedStart, IsFeasibleWhateverTheProblem) {
    StopCheck never;
    std::vector<SmallShape> shapes = smallShapes();
    for (SmallShape& shape : shapes) {
        shape.unlabeled += 400;
    }
    for (const SmallShape& shape : shapes) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const PuProblem problem(spaceOf(smallSamples(shape, 5), kernel, 1e9, false), shape.prior);
            const Eigen::VectorXd s = subsampleStart(problem, 1e-2, never);
            ExactSum sum;
            for (Eigen::Index u = 0; u < problem.size(); ++u) {
                EXPECT_TRUE(s(u) >= 0 && s(u) <= (u < problem.positives() ? 0 : 2));
                sum.add(s(u));
            }
            EXPECT_EQ(sum.minus(ExactSum::of(problem.mass())), 0);
        }
    }
}

TEST(PuNestedStart, IsNearTheOptimumAndLeavesItWhereItIs) {
    StopCheck never;
    const auto samples = smallSamples({.name = "nested", .positives = 60, .unlabeled = 1200, .features = 4}, 7);
    for (const bool fills : {false, true}) {
        const PuProblem problem(spaceOf(samples, {.kind = KernelKind::Rbf, .gamma = 0.3}, 1e9, fills), 0.4);
        for (const double lambda : {1e-2, 1e-3}) {
            SolvedPu ranked = pointAt(problem, rankedStart(problem, problem.space().attraction()), never);
            SolvedPu nested = pointAt(problem, subsampleStart(problem, lambda, never), never);
            const PointOutcome fromRanked = solveAt(problem, lambda, {.tolerance = 1e-8}, &ranked);
            const PointOutcome fromNested = solveAt(problem, lambda, {.tolerance = 1e-8}, &nested);
            EXPECT_LT((lambda > 5e-3 ? 2 : 1) * fromNested.steps, fromRanked.steps);
            const double size = std::max(1.0, std::abs(fromRanked.solved.primal));
            EXPECT_NEAR(fromNested.solved.primal, fromRanked.solved.primal, 2e-8 * size);
            completePoint(problem, lambda, ranked);
            completePoint(problem, lambda, nested);
            EXPECT_GT(nested.dual, ranked.dual);
            EXPECT_LT(nested.gap, 0.5 * ranked.gap);
        }
    }
}

TEST(PuNestedStart, EndsWhenAsked) {
    const auto samples = smallSamples({.name = "stopped", .unlabeled = 900}, 8);
    const PuProblem problem(spaceOf(samples, {.kind = KernelKind::Rbf, .gamma = 0.3}, 1e9, false), 0.4);
    for (int questions = 0; questions < 4; ++questions) {
        int asked = 0;
        StopCheck stopCheck([&] { return ++asked > questions; });
        if (questions == 0) {
            (void)stopCheck.ask();
        }
        EXPECT_EQ(subsampleStart(problem, 1e-3, stopCheck).size(), problem.size());
    }
}

} // namespace
} // namespace lambdascope::pu
