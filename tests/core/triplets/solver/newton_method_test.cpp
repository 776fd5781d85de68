// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/solver/newton_method.h"
#include "core/triplets/solver/point_solver.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::triplets {
namespace {

constexpr double kTolerance = 2e-9;

struct NewtonSteps {
    explicit NewtonSteps(const SmallShape& shape, double labGamma = 0.05, EngineKind kind = EngineKind::Pairs,
                         std::uint64_t seed = 1)
        : gamma(labGamma), set(solvableTriplets(shape, seed)), engine(makeEngine(kind, set)), context(RunId{1}, sink),
          start(startOf(set, gamma, *engine)), top(start.lambda) {}

    PointOutcome solve(double share, MethodKind method, std::vector<BoundKind> kinds = {}, int threads = 1) {
        PointSettings settings;
        settings.threads = threads;
        settings.gamma = gamma;
        settings.tolerance = kTolerance;
        settings.method = method;
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        return PointSolver(*engine, std::move(bounds), settings).solve(share * top, start, 0, context);
    }

    double gamma;
    TripletSet set;
    std::unique_ptr<Engine> engine;
    RecordingSink sink;
    RunContext context;
    SolvedPoint start;
    double top; ///< λ_max
};

TEST(NewtonMethod, FindsTheSameBitsWithMoreThreads) {
    NewtonSteps lab({.name = "wide", .rowsPerClass = 40, .features = 20, .k = 6});
    const PointOutcome alone = lab.solve(0.01, MethodKind::Newton);
    const PointOutcome shared = lab.solve(0.01, MethodKind::Newton, {}, 2);
    EXPECT_EQ(alone.solved.point.matrix, shared.solved.point.matrix);
    EXPECT_EQ(alone.iterations, shared.iterations);
    EXPECT_EQ(alone.solved.gap, shared.solved.gap);
}

TEST(NewtonMethod, FindsTheOptimumOfProjectedGradient) {
    for (const SmallShape& shape : bothStructures()) {
        for (const std::uint64_t seed : {1U, 2U}) {
            for (const double share : {0.3, 0.03, 0.003}) {
                NewtonSteps lab(shape, 0.05, EngineKind::Pairs, seed);
                const PointOutcome published = lab.solve(share, MethodKind::ProjectedGradient);
                for (const MethodKind method : {MethodKind::Newton, MethodKind::Automatic}) {
                    const PointOutcome outcome = lab.solve(share, method);
                    const std::string what = shape.name + " seed " + std::to_string(seed) + " share " +
                                             std::to_string(share) + " method " +
                                             std::to_string(static_cast<int>(method));
                    const double size = std::max(1.0, outcome.primal.value);
                    EXPECT_TRUE(outcome.termination == Termination::Converged ||
                                outcome.termination == Termination::ConvergedLoosely)
                        << what;
                    EXPECT_NEAR(outcome.primal.value, published.primal.value,
                                1e-8 * size + outcome.solved.gap + published.solved.gap)
                        << what;
                    // The certificate holds whoever found the point: no dual value is above a primal value.
                    EXPECT_LE(outcome.dual.lower(), published.primal.upper()) << what;
                    EXPECT_LE(published.dual.lower(), outcome.primal.upper()) << what;
                    if (published.termination == Termination::Converged) {
                        EXPECT_LE(outcome.solved.gap, std::max(kTolerance * size, 2 * published.solved.gap)) << what;
                    }
                }
            }
        }
    }
}

TEST(NewtonMethod, ServesEitherEngineAndAnyScreening) {
    for (const double gamma : {0.05, 0.0}) {
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
            NewtonSteps lab({.name = "plain", .rowsPerClass = 16, .k = 5}, gamma, kind);
            const double expected = lab.solve(0.01, MethodKind::Newton).primal.value;
            for (const auto& bounds :
                 std::vector<std::vector<BoundKind>>{{BoundKind::RelaxedPath},
                                                     {BoundKind::Gradient},
                                                     {BoundKind::RelaxedPath, BoundKind::DualityGap}}) {
                const PointOutcome outcome = lab.solve(0.01, MethodKind::Newton, bounds);
                EXPECT_EQ(outcome.termination, Termination::Converged);
                EXPECT_LE(outcome.solved.gap, kTolerance * std::max(1.0, expected));
                EXPECT_NEAR(outcome.primal.value, expected, 1e-8 * std::max(1.0, expected));
            }
        }
    }
}

/// Work between the steps is of neither method, and where a step of projected gradient, with its two decompositions,
/// takes a part of one on all items, work counts as many times: methods are compared by what is left to do.
TEST(NewtonMethod, CountsItsWorkInEvaluationsOfWhatIsLeft) {
    double factor = 1;
    const auto spent = [&factor](double before, double between, bool isScreened) {
        // An engine without product sets: all steps are on working sets.
        NewtonSteps lab({.name = "plain", .rowsPerClass = 16, .k = 5}, kGamma, EngineKind::Triplets);
        StopCheck never;
        CpuLedger ledger;
        ThreadTeam team(1);
        ReducedObjective objective(*lab.engine, never, ledger, 0.03 * lab.top);
        objective.smoothing = lab.gamma;
        objective.iterationsLeft = 100;
        objective.gapShare = 1e6;
        ReducedState state;
        EXPECT_TRUE(objective.evaluate(lab.start.point, state));
        const double visit = objective.visitWork();
        objective.wholeVisit = 10 * visit;
        const Eigen::Index d = lab.start.point.matrix.rows();
        const double beside = work::ofEigen(d) + work::ofEigen(d, false);
        factor = (10 * visit + beside) / (visit + beside);
        objective.screened.zero = isScreened ? 1 : 0; // as far as the method can tell
        NewtonMethod method(objective, lab.set, objective.lambda, false, team);
        method.start(lab.start.point, std::move(state), lab.start.memory);
        ledger.work += before;
        EXPECT_EQ(method.advance(), StepOutcome::Advanced);
        ledger.work += between;
        (void)method.advance();
        const auto record = method.memory().record;
        EXPECT_EQ(record->evaluationWork, isScreened ? 10 * visit : objective.visitWork());
        return record->spent;
    };
    const double alone = spent(0, 0, false);
    EXPECT_GT(alone, 0);
    EXPECT_EQ(spent(5000, 0, false), alone);
    EXPECT_EQ(spent(5000, 700, false), alone);
    EXPECT_NEAR(spent(5000, 700, true) / (factor * alone), 1, 0.2); // evaluations are not all alike
    EXPECT_GT(factor, 2);
}

/// Evaluations over a path down to where projected gradient takes long.
std::int64_t evaluationsOfPath(MethodKind method) {
    NewtonSteps lab(
        {.name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 40, .features = 6, .k = 8, .spread = 0.3});
    std::int64_t evaluations = 0;
    for (double share = 0.9; share > 1e-6; share *= 0.9) {
        const PointOutcome outcome = lab.solve(share, method);
        EXPECT_EQ(outcome.termination, Termination::Converged) << share;
        evaluations += outcome.ledger.evaluations - outcome.ledger.innerEvaluations;
        lab.start = outcome.solved;
    }
    return evaluations;
}

TEST(NewtonMethod, NeedsFewerVisitsToAllTripletsOnAPath) {
    const std::int64_t published = evaluationsOfPath(MethodKind::ProjectedGradient);
    EXPECT_LT(2.5 * static_cast<double>(evaluationsOfPath(MethodKind::Newton)), static_cast<double>(published));
    EXPECT_LE(evaluationsOfPath(MethodKind::Automatic), published); // equal when it is never slow
}

// Margins of large features move by thousands of units from λ to λ, and a hinge leaves few triplets between its edges:
// a working set may have to hold all triplets, and one kind of step may find nothing where the other does.
TEST(NewtonMethod, FindsItsWayFromAfarWhereFeaturesAreLarge) {
    for (const EngineKind engine : {EngineKind::Pairs, EngineKind::Sorted}) {
        for (const double scale : {30.0, 1000.0}) {
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                NewtonSteps lab({.name = "large", .rowsPerClass = 12, .features = 8, .scale = scale}, 0, engine, seed);
                PointSettings settings;
                settings.gamma = 0;
                settings.tolerance = 1e-7;
                settings.toleranceKind = ToleranceKind::Relative;
                settings.maxIterations = 20000;
                settings.method = MethodKind::Newton;
                PointSolver solver(*lab.engine, {}, settings);
                for (const double lambda : {1e-4 * lab.top, 1e-6 * lab.top}) {
                    const PointOutcome outcome = solver.solve(lambda, lab.start, 0, lab.context);
                    EXPECT_NE(outcome.termination, Termination::IterationLimit)
                        << scale << ' ' << seed << ' ' << lambda;
                    EXPECT_LT(outcome.iterations, 300) << scale << ' ' << seed << ' ' << lambda;
                }
            }
        }
    }
}

TEST(NewtonMethod, RepeatsItselfToTheBit) {
    NewtonSteps lab({.name = "plain"});
    const PointOutcome once = lab.solve(0.01, MethodKind::Newton);
    const PointOutcome again = lab.solve(0.01, MethodKind::Newton);
    EXPECT_EQ(once.solved.point.matrix, again.solved.point.matrix);
    EXPECT_EQ(once.iterations, again.iterations);
}

TEST(NewtonMethod, KeepsToTheIterationLimit) {
    NewtonSteps lab({.name = "plain"});
    PointSettings settings;
    settings.tolerance = 1e-13;
    settings.maxIterations = 4;
    settings.method = MethodKind::Newton;
    const PointOutcome outcome =
        PointSolver(*lab.engine, {}, settings).solve(1e-4 * lab.start.lambda, lab.start, 0, lab.context);
    EXPECT_EQ(outcome.termination, Termination::IterationLimit);
    EXPECT_EQ(outcome.iterations, 4);
}

} // namespace
} // namespace lambdascope::triplets
