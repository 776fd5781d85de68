// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/pu/rivals/box_descent.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::pu {
namespace {

/// A random box around a random start over all samples, or over the positives alone, with a random linear term.
struct RandomBox {
    RandomBox(const PuSpace& space, const Eigen::MatrixXd& k, bool isPart, RandomStream& random)
        : kernel(k), count(isPart ? space.positives() : space.size()),
          linear(space.size()), box{.space = space, .low = {}, .high = {}, .alpha = {}, .slope = {}} {
        box.low = box.high = box.alpha = Eigen::VectorXd::Zero(count);
        for (Eigen::Index u = 0; u < count; ++u) {
            // Some coefficients start at a bound, and some have no room at all.
            box.alpha(u) = random.uniform(-1, 1);
            box.low(u) = box.alpha(u) - (random.uniform() < 0.3 ? 0 : random.uniform(0, 2));
            box.high(u) = box.alpha(u) + (random.uniform() < 0.3 ? 0 : random.uniform(0, 2));
        }
        for (Eigen::Index u = 0; u < space.size(); ++u) {
            linear(u) = random.uniform(-1, 1) * std::sqrt(1 + kernel.diagonal().maxCoeff());
        }
        box.slope = slopeAt(box.alpha);
    }
    [[nodiscard]] Eigen::VectorXd slopeAt(const Eigen::VectorXd& alpha) const {
        return linear - kernel.leftCols(count) * alpha;
    }
    [[nodiscard]] double objective(const Eigen::VectorXd& alpha) const {
        return -0.5 * alpha.dot(linear.head(count) + slopeAt(alpha).head(count));
    }

    const Eigen::MatrixXd& kernel;
    Eigen::Index count;
    Eigen::VectorXd linear;
    BoxProblem box;
};

/// Feasible, slopes as they say, and the KKT conditions: no sample below its upper bound has a slope above that of a
/// sample above its lower bound.
void expectSolution(const RandomBox& random, const BoxOutcome& found, double tolerance) {
    const double scale = 1 + random.linear.cwiseAbs().maxCoeff() + random.box.slope.cwiseAbs().maxCoeff();
    EXPECT_TRUE(found.hasConverged);
    EXPECT_TRUE((found.alpha.array() >= random.box.low.array()).all());
    EXPECT_TRUE((found.alpha.array() <= random.box.high.array()).all());
    EXPECT_NEAR(found.alpha.sum(), random.box.alpha.sum(), 1e-11 * static_cast<double>(random.count));
    const Eigen::VectorXd slope = random.slopeAt(found.alpha);
    EXPECT_LE((slope - found.slope).cwiseAbs().maxCoeff(), 1e-9 * scale);
    double highest = -std::numeric_limits<double>::infinity();
    double lowest = -highest;
    for (Eigen::Index u = 0; u < random.count; ++u) {
        highest = found.alpha(u) < random.box.high(u) ? std::max(highest, slope(u)) : highest;
        lowest = found.alpha(u) > random.box.low(u) ? std::min(lowest, slope(u)) : lowest;
    }
    EXPECT_LE(highest - lowest, tolerance + 2e-9 * scale);
}

TEST(PuBoxDescent, EndsWhereTheConditionsOfOptimalityHold) {
    StopCheck never;
    RandomStream random(11, "boxes");
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto problem = smallPu(shape, kernel, 5);
            const Eigen::MatrixXd matrix = kernelMatrix(*problem);
            for (const bool isPart : {false, true}) {
                const RandomBox made(problem->space(), matrix, isPart, random);
                const double tolerance = 1e-5 * (1 + made.linear.cwiseAbs().maxCoeff());
                double objectives[2] = {};
                for (const LoweredSample lowered : {LoweredSample::Steepest, LoweredSample::LargestGain}) {
                    BoxProblem box = made.box;
                    box.lowered = lowered;
                    const BoxOutcome found = solveBox(box, {.absolute = tolerance}, 5'000'000, never);
                    expectSolution(made, found, tolerance);
                    objectives[lowered == LoweredSample::Steepest ? 0 : 1] = made.objective(found.alpha);
                }
                // By convexity, neither is further from the optimum than its gap of slopes times the size of the box.
                const double most = tolerance * (made.box.high - made.box.low).sum();
                EXPECT_NEAR(objectives[0], objectives[1], most + 1e-9 * std::abs(objectives[0]));
            }
        }
    }
}

/// Two samples leave one number free, whose best value has a closed form.
TEST(PuBoxDescent, SolvesTwoSamplesInOneStep) {
    StopCheck never;
    RandomStream random(12, "two");
    const auto space = spaceOf(smallSamples({.name = "two", .positives = 1, .unlabeled = 1}, 1),
                               {.kind = KernelKind::Rbf, .gamma = 0.1});
    const auto problem = PuProblem(space, 0.4);
    const Eigen::MatrixXd k = kernelMatrix(problem);
    for (int trial = 0; trial < 200; ++trial) {
        const RandomBox made(*space, k, false, random);
        const BoxOutcome found = solveBox(made.box, {.absolute = 1e-12}, 10, never);
        EXPECT_LE(found.steps, 1);
        const double free = (made.box.slope(0) - made.box.slope(1)) / (k(0, 0) + k(1, 1) - 2 * k(0, 1));
        const double least = std::max(made.box.low(0) - made.box.alpha(0), made.box.alpha(1) - made.box.high(1));
        const double most = std::min(made.box.high(0) - made.box.alpha(0), made.box.alpha(1) - made.box.low(1));
        EXPECT_NEAR(found.alpha(0) - made.box.alpha(0), std::clamp(free, least, most), 1e-12);
    }
}

TEST(PuBoxDescent, EndsByRelativeToleranceAndByTheNumberOfSteps) {
    StopCheck never;
    const auto problem = smallPu({.name = "ends"}, {.kind = KernelKind::Rbf, .gamma = 0.05}, 5);
    const PuSpace& space = problem->space();
    const SampleIndex p = space.positives();
    const BoxProblem box{.space = space,
                         .low = Eigen::VectorXd::Zero(p),
                         .high = Eigen::VectorXd::Ones(p),
                         .alpha = Eigen::VectorXd::Constant(p, 1.0 / p),
                         .slope = -space.attraction() / p};
    const BoxOutcome found = solveBox(box, {.relative = 1e-3}, 10000, never);
    EXPECT_TRUE(found.hasConverged);
    EXPECT_LE(found.highest - found.lowest, 1e-3 * std::abs(found.lowest));
    EXPECT_GT(found.steps, 2);
    const BoxOutcome two = solveBox(box, {.relative = 1e-3}, 2, never);
    EXPECT_FALSE(two.hasConverged);
    EXPECT_EQ(two.steps, 2);
}

TEST(PuBoxDescent, StopsWhenAskedTo) {
    RandomStream random(13, "stop");
    const auto problem = smallPu({.name = "stop", .unlabeled = 2000}, {.kind = KernelKind::Rbf, .gamma = 0.05}, 5);
    const Eigen::MatrixXd matrix = kernelMatrix(*problem);
    const RandomBox made(problem->space(), matrix, false, random);
    bool wasAsked = false;
    StopCheck soon([&] { return std::exchange(wasAsked, true); }); // the second time
    const BoxOutcome part = solveBox(made.box, {.absolute = 1e-12}, 1'000'000, soon);
    EXPECT_FALSE(part.hasConverged);
    EXPECT_LE(part.steps, 2 * StopCheck::kOperationsPerQuestion / (10 * problem->size()) + 2);
    EXPECT_LE((part.slope - made.slopeAt(part.alpha)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT(made.objective(part.alpha), made.objective(made.box.alpha));
    // A stop check that has stopped before leaves the start as it is.
    const BoxOutcome none = solveBox(made.box, {.absolute = 1e-12}, 1'000'000, soon);
    EXPECT_EQ(none.steps, 0);
    EXPECT_TRUE(none.alpha == made.box.alpha);
}

} // namespace
} // namespace lambdascope::pu
