// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/function_observer.h"
#include "core/svm/problem/work_units.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lambdascope::svm {
namespace {

struct Case {
    SmallShape shape;
    KernelFunction kernel;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.shape.name << ' ' << kernelName(one.kernel); }
};

std::vector<Case> allCases() {
    std::vector<Case> cases;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            cases.push_back({shape, kernel});
        }
    }
    return cases;
}

std::string caseName(const ::testing::TestParamInfo<Case>& info) {
    std::string name = ::testing::PrintToString(info.param);
    for (char& letter : name) {
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return name;
}

class SvmPointSolver : public ::testing::TestWithParam<Case> {
  protected:
    /// The gap straight from its definition, in extended precision: primal of w(α) minus dual of α.
    static long double exactGap(const SmallSvm& svm, const KernelFunction& kernel, const SolvedSvm& solved) {
        const auto margins = exactMargins(svm, kernel, solved.alpha);
        long double gap = 0;
        for (SampleIndex i = 0; i < svm.problem->size(); ++i) {
            const long double f = margins[static_cast<std::size_t>(i)];
            const long double upper = static_cast<long double>(solved.c) * svm.problem->weights()(i);
            gap += solved.alpha(i) * (f - 1) + upper * std::max(0.0L, 1 - f);
        }
        return gap;
    }
    std::vector<double> cs(const SvmProblem& problem) const {
        const double least = cMinOf(problem);
        return {0.5 * least, 3 * least, 100 * least};
    }
};

TEST_P(SvmPointSolver, StatesAGapThatCoversTheExactOne) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 1);
    for (const double c : cs(*svm->problem)) {
        const PointOutcome outcome = solveAt(*svm->problem, c, 1e-6);
        const long double gap = exactGap(*svm, GetParam().kernel, outcome.solved);
        EXPECT_GE(outcome.solved.gap, gap) << c;
        EXPECT_LE(gap, 1e-6 * outcome.primal.value) << c;
        // Values far from the origin leave so much rounding in a kernel that 1e-6 cannot be promised.
        if (svm->problem->productError() < 1e-10) {
            EXPECT_EQ(outcome.termination, Termination::Converged) << c;
        }
        for (SampleIndex i = 0; i < svm->problem->size(); ++i) {
            EXPECT_GE(outcome.solved.alpha(i), 0);
            EXPECT_LE(outcome.solved.alpha(i), c * svm->problem->weights()(i));
        }
    }
}

TEST_P(SvmPointSolver, KnowsItsMarginsUpToTheirError) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 2);
    for (const double c : cs(*svm->problem)) {
        const PointOutcome outcome = solveAt(*svm->problem, c, 1e-4);
        const auto margins = exactMargins(*svm, GetParam().kernel, outcome.solved.alpha);
        long double square = 0;
        for (SampleIndex i = 0; i < svm->problem->size(); ++i) {
            const long double exact = margins[static_cast<std::size_t>(i)];
            const double error = outcome.solved.marginError * svm->problem->norms()(i);
            EXPECT_LE(std::abs(outcome.solved.margins(i) - exact), error) << i;
            square += outcome.solved.alpha(i) * exact;
        }
        EXPECT_LE(std::abs(outcome.solved.squaredNorm.value - square), outcome.solved.squaredNorm.error);
    }
}

TEST_P(SvmPointSolver, ScreensNothingOnceThePointIsSolved) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 3);
    for (const double c : cs(*svm->problem)) {
        for (const std::int64_t every : {0, 1, 2, 3}) {
            PointSettings settings;
            settings.tolerance = 1e-4;
            settings.schedule = every == 0 ? ScheduleKind::Auto : ScheduleKind::Every;
            settings.screenEvery = every;
            settings.bounds = {BoundKind::Intersection, BoundKind::Gap};
            std::vector<std::pair<std::int64_t, double>> checks; // sweep and gap
            std::int64_t decided = 0;
            FunctionObserver<ScreeningObserver, ScreeningCheck> observer([&](const ScreeningCheck& check) {
                checks.emplace_back(check.sweep, check.reference.gap);
                decided = std::count_if(check.decisions.begin(), check.decisions.end(),
                                        [](Decision decision) { return decision != Decision::Keep; });
            });
            NullSink sink;
            RunContext context(RunId{0}, sink);
            PointSolver solver(*svm->problem, settings);
            solver.observe(&observer);
            const PointOutcome outcome = solver.solve(c, bottomOf(*svm->problem), 0, context);
            for (const auto& [sweep, gap] : checks) {
                EXPECT_TRUE(sweep == 0 || gap > 0.99 * settings.tolerance * outcome.primal.value ||
                            sweep < outcome.sweeps)
                    << "C = " << c << ", sweep " << sweep << " of " << outcome.sweeps;
            }
            EXPECT_LE(outcome.pathScreened.zero, outcome.finalScreened.zero);
            EXPECT_LE(outcome.pathScreened.full, outcome.finalScreened.full);
            EXPECT_EQ(outcome.finalScreened.sum(), decided);
        }
    }
}

/// Without those whose values lie so far from the origin that rounding of the kernel hides the optimum.
std::vector<Case> casesWithAClearOptimum() {
    std::vector<Case> cases = allCases();
    std::erase_if(cases,
                  [](const Case& one) { return smallSvm(one.shape, one.kernel, 4)->problem->productError() >= 1e-10; });
    return cases;
}

class SvmKnownSolutions : public SvmPointSolver {};

TEST_P(SvmKnownSolutions, AreTakenForWhatTheyProveAndTheResultIsProvenOnAllSamples) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 4);
    const SvmProblem& problem = *svm->problem;
    const double c = 20 * cMinOf(problem);
    const PointOutcome accurate = solveAt(problem, c, 1e-10);
    std::int64_t known = 0;
    std::ptrdiff_t farthest = -1; // the sample that is most clearly in R
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double margin = accurate.solved.margins(i);
        // Tiny values leave a ball that is large beside them.
        const double reach = 2 * std::sqrt(accurate.solved.gap) * problem.norms()(i);
        known += std::abs(margin - 1) > std::max(1e-3, 2 * reach) ? 1 : 0;
        if (problem.weights()(i) > 0 && margin > 1 && (farthest < 0 || margin > accurate.solved.margins(farthest))) {
            farthest = i;
        }
    }
    PointSettings settings;
    settings.maxSweeps = 5000;
    settings.bounds = kOracleBounds;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    const PointOutcome taken = PointSolver(problem, settings).solve(c, bottomOf(problem), 0, context, &accurate.solved);
    EXPECT_EQ(taken.termination, Termination::Converged);
    EXPECT_GE(taken.finalScreened.sum(), known);
    EXPECT_EQ(taken.pathScreened.sum(), taken.finalScreened.sum());
    EXPECT_EQ(taken.cpuScreen, 0);
    EXPECT_LE(std::abs(taken.primal.value - accurate.primal.value), 2e-6 * accurate.primal.value);
    if (farthest >= 0) { // false knowledge does not go unnoticed
        SolvedSvm lie = accurate.solved;
        lie.margins(farthest) = -1;
        const PointOutcome wrong = PointSolver(problem, settings).solve(c, bottomOf(problem), 0, context, &lie);
        EXPECT_NE(wrong.termination, Termination::Converged);
        EXPECT_GT(wrong.solved.gap, settings.tolerance * wrong.primal.value);
    }
}

TEST_P(SvmPointSolver, FindsTheSameOptimumWithAndWithoutShrinkingAndFromAnyStart) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 3);
    const SvmProblem& problem = *svm->problem;
    const double c = 20 * cMinOf(problem);
    PointSettings settings;
    settings.tolerance = 1e-9;
    settings.maxSweeps = 5000; // enough but for the worst conditioned; the gap tells
    NullSink sink;
    RunContext context(RunId{0}, sink);
    const PointOutcome from = solveAt(problem, 2 * c, 1e-3);
    std::vector<SolvedSvm> points;
    for (const bool shrinks : {false, true}) {
        settings.shrinks = shrinks;
        PointSolver solver(problem, settings);
        for (const SolvedSvm& start : {bottomOf(problem), from.solved}) {
            const PointOutcome outcome = solver.solve(c, start, 0, context);
            points.push_back(outcome.solved);
        }
    }
    for (const SolvedSvm& point : points) {
        // Both dual values lie below the optimum by no more than their gaps.
        const double difference = dualValue(point).value - dualValue(points.front()).value;
        EXPECT_LE(difference, points.front().gap);
        EXPECT_GE(difference, -point.gap);
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            // ‖w − w*‖ ≤ gap^½ for either.
            const double reach = std::sqrt(point.gap) + std::sqrt(points.front().gap) + 2 * point.marginError;
            EXPECT_LE(std::abs(point.margins(i) - points.front().margins(i)), 1.001 * reach * problem.norms()(i));
        }
    }
}

TEST_P(SvmPointSolver, LeavesAllSamplesAtTheirBoundUpToCMin) {
    const auto svm = smallSvm(GetParam().shape, GetParam().kernel, 4);
    const double c = cMinOf(*svm->problem);
    const PointOutcome outcome = solveAt(*svm->problem, c, 1e-6);
    EXPECT_LE(outcome.sweeps, 1); // none, or one that moves nothing where rounding hides the gap
    for (SampleIndex i = 0; i < svm->problem->size(); ++i) {
        EXPECT_DOUBLE_EQ(outcome.solved.alpha(i), c * svm->problem->weights()(i));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SvmPointSolver, ::testing::ValuesIn(allCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Shapes, SvmKnownSolutions, ::testing::ValuesIn(casesWithAClearOptimum()), caseName);

TEST(SvmPointSolver, StopsWhenAsked) {
    const auto svm = smallSvm({.name = "plain"}, {.kind = KernelKind::Rbf, .gamma = 1}, 5);
    std::stop_source stop;
    stop.request_stop();
    NullSink sink;
    RunContext context(RunId{0}, sink, stop.get_token());
    PointSolver solver(*svm->problem, {});
    EXPECT_EQ(solver.solve(10, bottomOf(*svm->problem), 0, context).termination, Termination::StoppedByUser);
}

TEST(SvmPointSolver, ComesToItsEndWhenShrunkSamplesHoldTheRestOfTheGap) {
    // Shrunk samples that are too few to be moved away from the others are still in the gap that is measured.
    for (const std::uint64_t seed : {6u, 28u, 32u, 39u}) {
        const auto svm = smallSvm({.name = "many", .rows = 200, .features = 40, .spread = 0.5}, {}, seed);
        const double least = cMinOf(*svm->problem);
        PointSettings settings;
        settings.tolerance = 1e-9;
        settings.maxSweeps = 3000;
        PointSolver solver(*svm->problem, settings);
        NullSink sink;
        RunContext context(RunId{0}, sink);
        SolvedSvm last = bottomOf(*svm->problem);
        for (const double factor : {10.0, 100.0, 1000.0}) {
            PointOutcome outcome = solver.solve(factor * least, last, 0, context);
            EXPECT_EQ(outcome.termination, Termination::Converged) << seed << " " << factor;
            last = std::move(outcome.solved);
        }
    }
}

TEST(SvmPointSolver, NeverRoundsAnAlphaOutOfItsBox) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const auto svm = smallSvm({.name = "plain"}, {}, seed);
        const double least = cMinOf(*svm->problem);
        PointSolver solver(*svm->problem, {});
        NullSink sink;
        RunContext context(RunId{0}, sink);
        SolvedSvm last = bottomOf(*svm->problem);
        for (int point = 1; point <= 60; ++point) {
            const double c = least * std::pow(1.17, point);
            last = solver.solve(c, last, 0, context).solved;
            for (SampleIndex i = 0; i < svm->problem->size(); ++i) {
                ASSERT_GE(last.alpha(i), 0);
                ASSERT_LE(last.alpha(i), c * svm->problem->weights()(i));
            }
        }
    }
}

TEST(SvmPointSolver, GivesTheSameBitsWithRowsThatComeAndGo) {
    const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 0.5};
    const auto whole = smallSvm({.name = "plain"}, kernel, 6);
    const auto few = smallSvm({.name = "plain"}, kernel, 6, 3 * KernelRows::bytesPerRow(40));
    const auto more = smallSvm({.name = "plain"}, kernel, 6, 9 * KernelRows::bytesPerRow(40));
    const PointOutcome a = solveAt(*few->problem, 10, 1e-6);
    const PointOutcome b = solveAt(*more->problem, 10, 1e-6);
    EXPECT_EQ(a.solved.alpha, b.solved.alpha);
    EXPECT_NEAR(solveAt(*whole->problem, 10, 1e-6).dual.value / a.dual.value, 1, 2e-6);
    EXPECT_LE(few->problem->rows().bytes(), 3 * KernelRows::bytesPerRow(40));
    EXPECT_GT(few->problem->rows().rowsMade(), more->problem->rows().rowsMade());
}

/// Counted operations of a path that rises from C_min, with a start from the point before.
double workOfPath(const SvmProblem& problem, const std::vector<BoundKind>& bounds, bool shrinks) {
    PointSettings settings;
    settings.bounds = bounds;
    settings.shrinks = shrinks;
    settings.schedule = ScheduleKind::Auto;
    settings.tolerance = 1e-6;
    PointSolver solver(problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    SolvedSvm last = bottomOf(problem);
    double work = 0;
    const double cMin = cMinOf(problem);
    std::int32_t index = 0;
    for (double c = cMin; c < 3000 * cMin; c *= 1.5) {
        const PointOutcome outcome = solver.solve(c, last, index++, context);
        EXPECT_EQ(outcome.termination, Termination::Converged);
        work += outcome.ledger.operations;
        last = outcome.solved;
    }
    return work;
}

std::vector<SmallShape> shapesOfSomeSize() {
    return {{.name = "one feature", .rows = 150, .features = 1},
            {.name = "far apart", .rows = 200, .features = 5, .spread = 3},
            {.name = "overlapping", .rows = 250, .features = 4, .spread = 0.5},
            {.name = "one in ten", .rows = 300, .features = 6, .share = 0.1},
            {.name = "weighted", .rows = 200, .features = 4, .isWeighted = true},
            {.name = "tube", .rows = 150, .features = 3, .isTube = true}};
}

TEST(CountedWork, OfLanesThatLookWhereItPaysIsNoMoreThanWithoutLooks) {
    using enum BoundKind;
    // Most over the work of none, of each problem and of all: a look that does not pay costs a little, once.
    for (const auto& [bounds, each, all] : std::vector<std::tuple<std::vector<BoundKind>, double, double>>{
             {{Intersection, Gap}, 1.02, 1}, {{BallOne}, 1.03, 1}, {{Intersection}, 1.02, 1.001}, {{Delta}, 1, 1}}) {
        double ofNone = 0, ofScreened = 0;
        for (SmallShape shape : shapesOfSomeSize()) {
            for (const bool hasFreeBias : {false, true}) {
                shape.hasFreeBias = hasFreeBias;
                for (const KernelFunction& kernel : smallKernels()) {
                    SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + (hasFreeBias ? ", free bias" : ""));
                    double none = 0, screened = 0; // of several samples: one path takes a few steps more by chance
                    for (const std::uint64_t seed : {6U, 7U, 8U}) {
                        const auto svm = smallSvm(shape, kernel, seed);
                        none += workOfPath(*svm->problem, {}, true);
                        screened += workOfPath(*svm->problem, bounds, true);
                    }
                    EXPECT_LE(screened, each * none) << boundName(bounds.front());
                    ofNone += none;
                    ofScreened += screened;
                }
            }
        }
        EXPECT_LE(ofScreened, all * ofNone) << boundName(bounds.front());
    }
}

TEST(CountedWork, IsSavedWhereThereAreManySamples) {
    const SmallShape shape{.name = "many samples", .rows = 1500, .features = 8, .spread = 1.5};
    for (const KernelFunction& kernel : {KernelFunction{}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.05}}) {
        const auto svm = smallSvm(shape, kernel, 6);
        for (const bool shrinks : {false, true}) {
            SCOPED_TRACE(kernelName(kernel) + (shrinks ? ", shrinking" : ""));
            const double none = workOfPath(*svm->problem, {}, shrinks);
            EXPECT_LE(workOfPath(*svm->problem, {BoundKind::Intersection, BoundKind::Gap}, shrinks), 0.95 * none);
        }
    }
}

TEST(CountedWork, IsThatOfSweepsAndMargins) {
    const SmallShape shape{.name = "many features", .rows = 60, .features = 20};
    const auto svm = smallSvm(shape, {}, 2);
    PointSettings settings;
    settings.maxSweeps = 1;
    settings.shrinks = false;
    PointSolver solver(*svm->problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    const PointOutcome outcome = solver.solve(100 * cMinOf(*svm->problem), bottomOf(*svm->problem), 0, context);
    ASSERT_EQ(outcome.sweeps, 1);
    ASSERT_GT(outcome.ledger.updates, 0);
    // A product of features for each margin of start and proof, each visit and each update; a step on the face, and a
    // look at the gap after it, are less than all that.
    const double product = 2 * (1 + shape.features);
    const double least = product * static_cast<double>(3 * shape.rows + outcome.ledger.updates);
    EXPECT_GE(outcome.ledger.operations, least);
    EXPECT_LE(outcome.ledger.operations, 2 * least + work_units::ofFaceStep(shape.rows * shape.rows));
}

} // namespace
} // namespace lambdascope::svm
