// SPDX-License-Identifier: GPL-3.0-or-later
// No decision of the gap's ball with the bracket of the bias is wrong: shapes × kernels × λ × seeds × accuracy of the
// reference, against solutions of much higher accuracy.
#include "core/pu/inspect/decision_audit.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::pu {
namespace {

class PuSafety : public ::testing::TestWithParam<int> {};

struct LastDecisions final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        decisions.assign(check.decisions.begin(), check.decisions.end());
    }
    std::vector<Decision> decisions;
};

TEST_P(PuSafety, NoDecisionIsWrongWhateverTheReference) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    std::int64_t decided = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, seed);
            SolvedPu last = startOf(*problem);
            for (const double lambda : {1e-1, 3e-2, 1e-2, 1e-3, 1e-4}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", λ = " + std::to_string(lambda));
                const SolvedPu tight = solveAt(*problem, lambda, {.tolerance = 1e-11}).solved;
                for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-5}) {
                    const SolvedPu reference = solveAt(*problem, lambda, {.tolerance = accuracy}, &last).solved;
                    std::vector<Decision> decisions;
                    (void)setCountsOf(*problem, reference, &decisions);
                    const DecisionAudit audit = auditDecisions(*problem, decisions, tight);
                    EXPECT_EQ(audit.wrong, 0) << (audit.examples.empty() ? "" : audit.examples.front());
                    decided += audit.decided;
                    // Fixed samples have that σ at the accurate solution too, but for what its gap leaves open.
                    for (std::size_t k = 0; k < decisions.size(); ++k) {
                        if (decisions[k] != Decision::Keep && audit.smallestSlack > 1e-3) {
                            EXPECT_NEAR(tight.s(problem->positives() + static_cast<Eigen::Index>(k)),
                                        static_cast<double>(decisions[k]), 1e-3);
                        }
                    }
                }
                last = tight;
            }
        }
    }
    EXPECT_GT(decided, 20000) << "hardly decides anything";
}

TEST_P(PuSafety, LanesReachTheOptimumAndDecideNothingWrong) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    std::int64_t decided = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, seed + 100);
            for (const auto& [shrinks, isAuto] : {std::pair{false, false}, {true, false}, {true, true}}) {
                SolvedPu last = startOf(*problem);
                for (const double lambda : {1e-1, 2e-2, 5e-3, 1e-3}) {
                    SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", λ = " + std::to_string(lambda));
                    LastDecisions observer;
                    const SolvedPu tight = solveAt(*problem, lambda, {.tolerance = 1e-11}).solved;
                    const PointOutcome lane = solveAt(
                        *problem, lambda,
                        {.tolerance = 1e-6, .shrinks = shrinks, .screens = true, .screenFall = 0.5, .isAuto = isAuto},
                        &last, &observer);
                    const double size = std::max(1.0, std::abs(tight.primal));
                    EXPECT_NEAR(lane.solved.dual, tight.dual, 2e-6 * size);
                    const DecisionAudit audit = auditDecisions(*problem, observer.decisions, tight);
                    EXPECT_EQ(audit.wrong, 0) << (audit.examples.empty() ? "" : audit.examples.front());
                    decided += audit.decided;
                    last = lane.solved;
                }
            }
        }
    }
    EXPECT_GT(decided, 8000) << "hardly decides anything";
}

/// ‖ω − ω*‖ ≤ √gap at any feasible point, with any bias, and not by a margin that would hide a radius of half of that.
TEST_P(PuSafety, TheBallOfTheGapHoldsTheOptimum) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    int points = 0;
    double largest = 0; // of distance over radius
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, seed + 200);
            const Eigen::MatrixXd matrix = kernelMatrix(*problem);
            const SolvedPu uniform = startOf(*problem);
            for (const double lambda : {1e-1, 1e-2, 1e-3}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", λ = " + std::to_string(lambda));
                const SolvedPu tight = solveAt(*problem, lambda, {.tolerance = 1e-11}).solved;
                const auto expectInside = [&](const SolvedPu& point, double gap) {
                    // Positives have the same weights at all points.
                    const Eigen::VectorXd change = point.s - tight.s;
                    const double squared = change.dot(matrix * change);
                    const double rounding = 1e-13 * change.cwiseAbs().dot(matrix.cwiseAbs() * change.cwiseAbs());
                    const double distance = std::sqrt(std::max(squared - rounding, 0.0));
                    const double radius = gapRadius(gap);
                    EXPECT_LE(distance, radius + gapRadius(tight.gap));
                    largest = std::max(largest, radius > 0 ? (distance - gapRadius(tight.gap)) / radius : 0);
                    ++points;
                };
                for (const double accuracy : {1.0, 1e-1, 1e-2}) {
                    const SolvedPu point = solveAt(*problem, lambda, {.tolerance = accuracy}, &uniform).solved;
                    expectInside(point, point.gap);
                    const std::vector<SampleIndex> all = allUnlabeled(*problem);
                    const PuView view = viewOf(*problem, point, all);
                    for (const double shift : {-0.3, 0.2}) {
                        expectInside(point, gapUpperBound(view, point.bias + shift * view.epsilon));
                    }
                }
            }
        }
    }
    EXPECT_GE(points, 80);
    EXPECT_GT(largest, 0.5) << "half of the radius would go unnoticed";
}

INSTANTIATE_TEST_SUITE_P(Seeds, PuSafety, ::testing::Range(1, 4));

} // namespace
} // namespace lambdascope::pu
