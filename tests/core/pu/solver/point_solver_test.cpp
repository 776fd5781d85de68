// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/pu/engines/pair_step.h"
#include "core/pu/rivals/interior_point.h"
#include "core/pu/rivals/svm_baselines.h"
#include "core/pu/rivals/usmo.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

namespace lambdascope::pu {
namespace {

Eigen::VectorXd sigmaOf(const PuProblem& problem, const SolvedPu& solved) {
    return problem.unit(solved.lambda) * solved.s.tail(problem.unlabeled());
}

TEST(PuPointSolver, ReachesTheOptimumWithValuesOfTheDefinitions) {
    int all = 0;
    int loose = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, 1);
            for (const double lambda : {1e-4, 1e-3, 1e-2, 1e-1}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", " + std::to_string(lambda));
                const PointOutcome outcome = solveAt(*problem, lambda, {.tolerance = 1e-9});
                const SolvedPu& solved = outcome.solved;
                const double size = std::max(1.0, std::abs(solved.primal));
                // Where kernel values are poorly known their rounding is what is left of the gap.
                EXPECT_LE(solved.gap * std::pow(problem->unit(lambda), 2), 1e-6 * size);
                EXPECT_NEAR(solved.primal, solved.dual, 2e-9 * size);
                loose += outcome.termination == Termination::Converged ? 0 : 1;
                ++all;
                const Eigen::VectorXd sigma = sigmaOf(*problem, solved);
                const double beta = problem->unit(lambda) * solved.bias;
                // ‖w‖² may be much larger than what is left of it in the values.
                const double norm = solved.squaredNorm * std::pow(problem->unit(lambda), 2);
                const double doubt = 1e-11 * (size + norm +
                                              std::pow(problem->mass() * problem->unit(lambda), 2) *
                                                  problem->space().diagonal().maxCoeff());
                EXPECT_NEAR(primalByDefinition(*problem, lambda, sigma, beta), solved.primal, doubt);
                EXPECT_NEAR(dualByDefinition(*problem, lambda, sigma), solved.dual, doubt);
            }
        }
    }
    EXPECT_LE(10 * loose, all);
}

TEST(PuPointSolver, TellsTheValuesOfThePointItIsAt) {
    int told = 0;
    for (const KernelFunction& kernel : smallKernels()) {
        const SmallShape shape{.name = "told", .unlabeled = 300};
        if (isHopeless(shape, kernel)) {
            continue;
        }
        const auto problem = smallPu(shape, kernel, 1);
        const double lambda = 1e-3;
        const double unit = problem->unit(lambda);
        RecordingSink sink;
        RunContext context(RunId{0}, sink);
        (void)PointSolver(*problem, {}).solve(lambda, startOf(*problem), 0, context);
        for (const RunEvent& event : sink.events()) {
            const auto* iterated = std::get_if<Iterated>(&event.body);
            if (iterated == nullptr || iterated->iteration == 0) {
                continue;
            }
            SCOPED_TRACE(kernelName(kernel) + ", " + std::to_string(iterated->iteration));
            const PointOutcome there = solveAt(*problem, lambda, {.maxSteps = iterated->iteration});
            StopCheck never;
            SolvedPu anew = pointAt(*problem, there.solved.s, never);
            completePoint(*problem, lambda, anew);
            const double doubt = 1e-8 * std::max(1.0, std::abs(anew.primal));
            EXPECT_NEAR(iterated->objective, anew.dual, doubt);
            EXPECT_NEAR(iterated->optimality.value, anew.gap * unit * unit, doubt + 1e-3 * (anew.primal - anew.dual));
            ++told;
        }
    }
    EXPECT_GE(told, 10);
}

TEST(PuPointSolver, StopsWhenAskedWithoutHarm) {
    for (const KernelFunction& kernel : smallKernels()) {
        SCOPED_TRACE(kernelName(kernel));
        const auto problem = smallPu({.name = "stopped", .unlabeled = 300}, kernel, 1);
        const SolvedPu start = startOf(*problem);
        std::stop_source source;
        source.request_stop();
        NullSink sink;
        RunContext context(RunId{0}, sink, source.get_token());
        for (const bool screens : {false, true}) {
            PointSolver solver(*problem, {.tolerance = 1e-9, .screens = screens});
            // Problems this small may be solved, and proved to be, before the first question.
            const Termination termination = solver.solve(1e-3, start, 0, context).termination;
            EXPECT_TRUE(termination == Termination::StoppedByUser || termination == Termination::Converged);
        }
        StopCheck stopCheck([] { return true; });
        ASSERT_TRUE(stopCheck.ask());
        EXPECT_FALSE(Usmo(*problem, 1e-3, 1e-3).solve(uniformStart(*problem), 1000, stopCheck).hasConverged);
        EXPECT_FALSE(solveByInteriorPoint(*problem, 1e-3, 1e-6, stopCheck).hasConverged);
        (void)solveRamp(*problem, 1e-3, 1e-6, 1000, stopCheck);
        (void)solveBiased(*problem, 1e-3, 1e-6, 1000, stopCheck);
    }
}

TEST(PuPointSolver, KeepsTheSumOfSigmaToTheLastBit) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto problem = smallPu({.name = "uneven", .unlabeled = 97, .prior = 0.3712345678}, kernel, 3);
        for (const bool screens : {false, true}) {
            const PointOutcome outcome = solveAt(*problem, 1e-2, {.tolerance = 1e-7, .screens = screens});
            ExactSum sum;
            for (Eigen::Index u = problem->positives(); u < problem->size(); ++u) {
                EXPECT_GE(outcome.solved.s(u), 0);
                EXPECT_LE(outcome.solved.s(u), 2);
                sum.add(outcome.solved.s(u));
            }
            EXPECT_EQ(sum.minus(ExactSum::of(problem->mass())), 0);
        }
    }
}

TEST(PuPointSolver, ScreeningAndShrinkingChangeNoOptimum) {
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto problem = smallPu(shape, kernel, 2);
            for (const double lambda : {1e-3, 1e-1}) {
                const PointOutcome plain = solveAt(*problem, lambda, {.tolerance = 1e-8, .shrinks = false});
                const PointOutcome shrunk = solveAt(*problem, lambda, {.tolerance = 1e-8});
                const PointOutcome screened = solveAt(*problem, lambda, {.tolerance = 1e-8, .screens = true});
                const double size = std::max(1.0, std::abs(plain.solved.primal));
                EXPECT_NEAR(shrunk.solved.primal, plain.solved.primal, 3e-8 * size);
                EXPECT_NEAR(screened.solved.primal, plain.solved.primal, 3e-8 * size);
            }
        }
    }
}

TEST(PuPointSolver, EverySampleIsWhereItsValueSays) {
    const auto problem = smallPu({.name = "kkt", .positives = 20, .unlabeled = 200}, {.kind = KernelKind::Rbf}, 5);
    const PointOutcome outcome =
        solveAt(*problem, 1e-2, {.tolerance = 1e-8, .toleranceKind = ToleranceKind::Violation});
    ASSERT_EQ(outcome.termination, Termination::Converged);
    const double unit = problem->unit(1e-2);
    int fractional = 0;
    for (Eigen::Index u = problem->positives(); u < problem->size(); ++u) {
        const double f = unit * (outcome.solved.scores(u) + outcome.solved.bias);
        const double s = outcome.solved.s(u);
        const double slack = 1e-7;
        if (s == 0) {
            EXPECT_LE(f, -1 + slack);
        } else if (s < 1) {
            EXPECT_NEAR(f, -1, slack);
        } else if (s == 1) {
            EXPECT_LE(std::abs(f), 1 + slack);
        } else if (s < 2) {
            EXPECT_NEAR(f, 1, slack);
        } else {
            EXPECT_GE(f, 1 - slack);
        }
        fractional += s != std::floor(s) ? 1 : 0;
    }
    EXPECT_GT(fractional, 0);
}

TEST(PuPointSolver, GivesTheSameWithFewRowsInMemory) {
    const auto samples = smallSamples({.name = "memory", .positives = 10, .unlabeled = 150}, 7);
    const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 0.5};
    const PuProblem all(spaceOf(samples, kernel), 0.4);
    const PuProblem few(spaceOf(samples, kernel, 8 * KernelRows::bytesPerRow(samples->size())), 0.4);
    const PointOutcome one = solveAt(all, 1e-3, {.tolerance = 1e-9});
    const PointOutcome other = solveAt(few, 1e-3, {.tolerance = 1e-9});
    EXPECT_NEAR(one.solved.primal, other.solved.primal, 1e-8 * std::abs(one.solved.primal));
    EXPECT_LE(few.space().kernelBytes(), 8 * KernelRows::bytesPerRow(samples->size()));
}

TEST(PuPointSolver, StaysWithinTheMemoryForRowsWhenItCopiesThem) {
    const auto samples = smallSamples({.name = "memory", .positives = 10, .unlabeled = 800}, 7);
    const double budget = 4 * KernelRows::bytesPerRow(samples->size());
    for (const double gamma : {0.5, 5.0, 50.0}) {
        const PuProblem few(spaceOf(samples, {.kind = KernelKind::Rbf, .gamma = gamma}, budget), 0.4);
        for (const double lambda : {1e-2, 1e-3, 1e-4}) {
            const PointOutcome outcome = solveAt(few, lambda, {.tolerance = 1e-9});
            EXPECT_LE(outcome.bytes, 2 * budget + 100.0 * static_cast<double>(samples->size()));
        }
    }
}

TEST(PuPointSolver, WarmStartsAtOtherPriorsAreFeasible) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto space = spaceOf(smallSamples({.name = "priors"}, 4), kernel);
        const PuProblem first(space, 0.3);
        const PuProblem second(space, 0.55);
        const SolvedPu at = solveAt(first, 1e-2, {.tolerance = 1e-8}).solved;
        StopCheck never;
        const SolvedPu moved = movedTo(second, at, 1e-2, never);
        const PointOutcome warm = solveAt(second, 1e-2, {.tolerance = 1e-8}, &moved);
        const PointOutcome cold = solveAt(second, 1e-2, {.tolerance = 1e-8});
        EXPECT_NEAR(warm.solved.primal, cold.solved.primal, 3e-8 * std::max(1.0, std::abs(cold.solved.primal)));
    }
}

TEST(PuPairStep, IsTheBestOfAllSteps) {
    RandomStream random(1, "pairs");
    for (int trial = 0; trial < 2000; ++trial) {
        const auto anyS = [&] {
            const double kinds[] = {0, 1, 2, quantized(random.uniform(0, 2))};
            return kinds[random.below(4)];
        };
        PairStep step{random.uniform(0, 3), random.uniform(0.01, 4), anyS(), anyS(), random.uniform(0, 1)};
        const double most = std::min(2 - step.raised, step.lowered);
        // ε(|s| around the kink at 1) by definition: what raising i and lowering j costs beyond the smooth part.
        const auto extra = [&](double t) {
            const double start = step.raised < 1 ? -1 : 1;
            const double down = step.lowered > 1 ? 1 : -1;
            const auto cost = [&](double s) { return step.epsilon * std::abs(s - 1); };
            return cost(step.raised + t) - cost(step.raised) - start * step.epsilon * t + cost(step.lowered - t) -
                   cost(step.lowered) + down * step.epsilon * t;
        };
        const auto gain = [&](double t) { return t * (step.slope - 0.5 * step.curvature * t) - extra(t); };
        const PairStep::Move move = step.best();
        EXPECT_GE(move.length, 0);
        EXPECT_LE(move.length, most);
        EXPECT_NEAR(move.gain, gain(move.length), 1e-9);
        for (int k = 0; k <= 200; ++k) {
            EXPECT_LE(gain(most * k / 200.0), gain(move.length) + 1e-9);
        }
    }
}

} // namespace
} // namespace lambdascope::pu
