// SPDX-License-Identifier: GPL-3.0-or-later
// The published method and the interior-point baseline, which share nothing with the engines but the problem.
#include "core/common/random_stream.h"
#include "core/pu/rivals/interior_point.h"
#include "core/pu/rivals/usmo.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::pu {
namespace {

TEST(PuInteriorPoint, FindsTheObjectiveOfTheEngines) {
    StopCheck never;
    int all = 0;
    int converged = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, 3);
            for (const double lambda : {1e-3, 1e-2, 1e-1}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", " + std::to_string(lambda));
                const PointOutcome engine = solveAt(*problem, lambda, {.tolerance = 1e-8});
                const InteriorOutcome interior = solveByInteriorPoint(*problem, lambda, 1e-10, never);
                ++all;
                converged += interior.hasConverged ? 1 : 0;
                EXPECT_NEAR(interior.solved.dual, engine.solved.dual,
                            1e-6 * std::max(1.0, std::abs(engine.solved.dual)));
            }
        }
    }
    EXPECT_GE(20 * converged, 19 * all); // but for matrices without rank
}

/// The sweeps lead from the value of the start to that of the end without a fall.
void expectHistoryOf(const UsmoOutcome& outcome, const SolvedPu& start, double unit) {
    const SolvedPu& end = outcome.solved;
    const double doubt = 1e-9 * (1 + std::abs(end.dual) + unit * unit * std::max(start.squaredNorm, end.squaredNorm));
    EXPECT_NEAR(start.dual + unit * unit * outcome.gained, end.dual, doubt);
    ASSERT_EQ(static_cast<std::int64_t>(outcome.history.size()), outcome.sweeps);
    EXPECT_NEAR(outcome.history.back().dual, end.dual, doubt);
    for (std::size_t k = 1; k < outcome.history.size(); ++k) {
        EXPECT_GE(outcome.history[k].dual, outcome.history[k - 1].dual - doubt);
        EXPECT_GE(outcome.history[k].cpu, outcome.history[k - 1].cpu);
    }
}

TEST(PuUsmo, ReachesTauOptimalityFromAnyStart) {
    StopCheck never;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, 4);
            for (const double lambda : {1e-2, 1e-1}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", " + std::to_string(lambda));
                const double tau = 1e-3;
                Usmo usmo(*problem, lambda, tau);
                for (const bool isRanked : {false, true}) {
                    SolvedPu start = pointAt(*problem,
                                             isRanked ? rankedStart(*problem, problem->space().attraction())
                                                      : uniformStart(*problem),
                                             never);
                    completePoint(*problem, lambda, start);
                    const UsmoOutcome outcome = usmo.solve(start.s, 100000, never);
                    expectHistoryOf(outcome, start, problem->unit(lambda));
                    EXPECT_TRUE(outcome.hasConverged);
                    EXPECT_LE(outcome.solved.violation * problem->unit(lambda), tau * 1.01);
                    ExactSum sum;
                    for (Eigen::Index u = problem->positives(); u < problem->size(); ++u) {
                        sum.add(outcome.solved.s(u));
                    }
                    EXPECT_EQ(sum.minus(ExactSum::of(problem->mass())), 0);
                }
            }
        }
    }
}

TEST(PuUsmo, ThePairOfTableOneIsTheBest) {
    RandomStream random(2, "table");
    for (int trial = 0; trial < 3000; ++trial) {
        Usmo::Pair pair;
        pair.kii = random.uniform(0.5, 2);
        pair.kjj = random.uniform(0.5, 2);
        pair.kij = random.uniform(-1, 1) * 0.9 * std::sqrt(pair.kii * pair.kjj);
        pair.e1 = random.uniform(-3, 3);
        pair.e2 = random.uniform(-3, 3);
        pair.epsilon = random.uniform(0, 1.5);
        pair.total = quantized(random.uniform(0, 4));
        const double best = pair.bestSecond();
        const double low = std::max(0.0, pair.total - 2);
        const double high = std::min(2.0, pair.total);
        ASSERT_GE(best, low);
        ASSERT_LE(best, high);
        for (int k = 0; k <= 300; ++k) {
            EXPECT_LE(pair.objective(best), pair.objective(low + (high - low) * k / 300) + 1e-9);
        }
    }
}

} // namespace
} // namespace lambdascope::pu
