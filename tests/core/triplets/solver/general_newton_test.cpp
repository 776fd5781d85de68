// SPDX-License-Identifier: GPL-3.0-or-later
// Newton on problems in the general form: comparisons with weights and thresholds, a linear term.
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/working_set.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

namespace lambdascope::triplets {
namespace {

constexpr std::size_t kNoLimit = 1000000;

struct GeneralLab {
    GeneralLab(const SmallShape& shape, const FormMix& mix, std::uint64_t seed, double labGamma = kGamma)
        : problem(solvableProblem(shape, mix, seed)), engine(problem.engine()), gamma(labGamma),
          start(problem.start(gamma)) {}

    PointOutcome solve(double share, MethodKind method, const std::vector<BoundKind>& kinds = {}) {
        PointSettings settings;
        settings.gamma = gamma;
        settings.tolerance = 1e-9;
        settings.method = method;
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        RunContext context(RunId{1}, sink);
        return PointSolver(*engine, std::move(bounds), settings).solve(share * start.lambda, start, 0, context);
    }

    GeneralProblem problem;
    std::unique_ptr<Engine> engine;
    double gamma;
    SolvedPoint start;
    NullSink sink;
};

TEST(GeneralWorkingSet, IsTheWholeProblemWhenItHoldsAllItems) {
    for (const SmallShape& shape : bothStructures()) {
        for (const FormMix& mix : formMixes()) {
            GeneralLab lab(shape, mix, 1);
            StopCheck stopCheck;
            CpuLedger ledger;
            const double lambda = 0.1 * lab.start.lambda;
            ReducedObjective objective(*lab.engine, stopCheck, ledger, lambda);
            objective.smoothing = kGamma;
            WorkingSet working(lab.problem.set, lambda);
            WorkingSet::State state;
            const MetricPoint point = pointFor(lab.problem.set, 3);
            ASSERT_EQ(working.collect(objective, point, 1e9, kNoLimit, state.alphas), WorkingSet::Outcome::Collected);
            ASSERT_EQ(static_cast<TripletIndex>(working.near().size()), lab.problem.set.size());
            for (std::size_t t = 0; t < state.alphas.size(); ++t) {
                state.alphas[t] = 0.2 + 0.6 * static_cast<double>((7 * t) % 11) / 10;
            }
            ASSERT_TRUE(working.evaluateDual(objective, state) && working.evaluatePrimal(objective, state));
            ReducedState whole;
            ASSERT_TRUE(objective.evaluate(state.cone.point(), whole));
            const double size = 1 + std::abs(whole.value);
            EXPECT_NEAR(state.value, whole.value, 1e-8 * size) << mix.name;
            EXPECT_GE(state.gap(), -1e-8 * size) << mix.name;
            const double h = 1e-4;
            for (std::size_t t = 0; t < state.alphas.size(); t += 1 + state.alphas.size() / 5) {
                WorkingSet::State up = state;
                WorkingSet::State down = state;
                up.alphas[t] += h;
                down.alphas[t] -= h;
                ASSERT_TRUE(working.evaluateDual(objective, up) && working.evaluateDual(objective, down));
                EXPECT_NEAR((up.dual - down.dual) / (2 * h), state.ascent[t],
                            1e-3 * (1 + std::abs(state.ascent[t]) + 1e-9 * std::abs(state.dual)))
                    << mix.name;
            }
        }
    }
}

TEST(GeneralWorkingSet, HasTheDualValueOfTheWholeProblem) {
    for (const SmallShape& shape : bothStructures()) {
        for (const FormMix& mix : formMixes()) {
            GeneralLab lab(shape, mix, 2);
            StopCheck stopCheck;
            CpuLedger ledger;
            const double lambda = 0.1 * lab.start.lambda;
            ReducedObjective objective(*lab.engine, stopCheck, ledger, lambda);
            objective.smoothing = kGamma;
            WorkingSet working(lab.problem.set, lambda);
            WorkingSet::State state;
            const MetricPoint point = pointFor(lab.problem.set, 5);
            ReducedState whole;
            ASSERT_TRUE(objective.evaluate(point, whole));
            ASSERT_EQ(working.collect(objective, point, 0.2, kNoLimit, state.alphas), WorkingSet::Outcome::Collected);
            ASSERT_TRUE(working.evaluateDual(objective, state));
            const Bounded dual = dualValue(whole.totals, squaredNormInCone(whole.totals.pull), lambda, kGamma);
            const Bounded own = working.dual(state, kGamma);
            EXPECT_NEAR(own.value, dual.value, own.error + dual.error + 1e-8 * std::abs(dual.value)) << mix.name;
            EXPECT_LE(own.error, 1e-6 * (1 + std::abs(own.value))) << mix.name;
        }
    }
}

TEST(GeneralNewton, FindsTheOptimumOfProjectedGradient) {
    for (const SmallShape& shape : bothStructures()) {
        for (const FormMix& mix : formMixes()) {
            for (const double share : {0.3, 0.01}) {
                GeneralLab lab(shape, mix, 1);
                const PointOutcome published = lab.solve(share, MethodKind::ProjectedGradient);
                const std::vector<std::vector<BoundKind>> screenings = {
                    {}, {BoundKind::RelaxedPath, BoundKind::ProjectedGradient}};
                for (const auto& bounds : screenings) {
                    const PointOutcome outcome = lab.solve(share, MethodKind::Newton, bounds);
                    const std::string what = shape.name + ' ' + mix.name + " share " + std::to_string(share);
                    const double size = std::max(1.0, outcome.primal.value);
                    EXPECT_NEAR(outcome.primal.value, published.primal.value,
                                1e-8 * size + outcome.solved.gap + published.solved.gap)
                        << what;
                    EXPECT_LE(outcome.dual.lower(), published.primal.upper()) << what;
                    EXPECT_LE(published.dual.lower(), outcome.primal.upper()) << what;
                    if (published.termination == Termination::Converged) {
                        EXPECT_LE(outcome.solved.gap, std::max(1e-9 * size, 2 * published.solved.gap)) << what;
                    }
                    EXPECT_GT(outcome.ledger.innerEvaluations, 0) << what; // it was Newton indeed
                }
            }
        }
    }
}

// Where projected gradient takes thousands of steps.
TEST(GeneralNewton, NeedsFewSums) {
    const SmallShape shape{.name = "overlapping", .classes = 2, .rowsPerClass = 30, .features = 6, .spread = 0.3};
    std::int64_t published = 0;
    std::int64_t visits = 0;
    for (const FormMix& mix : formMixes()) {
        GeneralLab lab(shape, mix, 1);
        published += lab.solve(1e-4, MethodKind::ProjectedGradient).ledger.evaluations;
        const CpuLedger ledger = lab.solve(1e-4, MethodKind::Newton).ledger;
        visits += ledger.evaluations - ledger.innerEvaluations;
    }
    EXPECT_LT(5 * visits, published);
}

} // namespace
} // namespace lambdascope::triplets
