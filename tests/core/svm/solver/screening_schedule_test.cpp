// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/screening_schedule.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

namespace lambdascope::svm {
namespace {

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
    for (double c = cMin; c < 3000 * cMin; c *= 1.5) {
        const PointOutcome outcome = solver.solve(c, last, 0, context);
        EXPECT_EQ(outcome.termination, Termination::Converged);
        work += outcome.ledger.operations;
        last = outcome.solved;
    }
    return work;
}

TEST(ScreeningSchedule, CostsNoMoreWorkThanItSaves) {
    const SmallShape shape{.name = "many samples", .rows = 1500, .features = 8, .spread = 1.5};
    for (const KernelFunction& kernel : {KernelFunction{}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.05}}) {
        const auto svm = smallSvm(shape, kernel, 6);
        for (const bool shrinks : {false, true}) {
            SCOPED_TRACE(kernelName(kernel) + (shrinks ? ", shrinking" : ""));
            const double none = workOfPath(*svm->problem, {}, shrinks);
            EXPECT_LE(workOfPath(*svm->problem, {BoundKind::Intersection, BoundKind::Gap}, shrinks), none);
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
    // A product of features for each margin of the start and of the proof, for each visit and for each update; a step
    // on the face, and a look at the gap after it, are less than all that.
    const double product = 2 * (1 + shape.features);
    const double least = product * static_cast<double>(3 * shape.rows + outcome.ledger.updates);
    EXPECT_GE(outcome.ledger.operations, least);
    EXPECT_LE(outcome.ledger.operations, 2 * least);
}

TEST(ScreeningSchedule, LooksWhenTheGapHasFallenAndTheWorkDonePays) {
    const auto svm = smallSvm({.name = "plain", .features = 11}, {}, 1);
    PointSettings settings;
    settings.schedule = ScheduleKind::Auto;
    settings.bounds.assign(1, BoundKind::Gap);
    ScreeningSchedule schedule(settings, *svm->problem);
    schedule.looked({.work = 100, .gap = 1});
    ScreeningSchedule::State now{.sweeps = 5, .work = 101, .open = 40, .gap = 0.2, .isWhole = true};
    EXPECT_FALSE(schedule.isDue(now)); // nothing has been done since
    now.isMeasured = true;
    EXPECT_TRUE(schedule.isDue(now)); // a look costs next to nothing
    now.gap = 0.5;
    EXPECT_FALSE(schedule.isDue(now));
    now = {.sweeps = 5, .work = 1e6, .open = 40, .gap = 0.2, .isWhole = true};
    EXPECT_TRUE(schedule.isDue(now));
}

TEST(ScreeningSchedule, KeepsItsDistanceOtherwise) {
    const auto svm = smallSvm({.name = "plain"}, {}, 1);
    PointSettings settings;
    settings.screenEvery = 3;
    settings.bounds.assign(1, BoundKind::Gap);
    ScreeningSchedule schedule(settings, *svm->problem);
    EXPECT_FALSE(schedule.isDue({.sweeps = 2}));
    EXPECT_TRUE(schedule.isDue({.sweeps = 3}));
    schedule.looked({.sweeps = 3});
    EXPECT_FALSE(schedule.isDue({.sweeps = 5}));
    EXPECT_TRUE(schedule.isDue({.sweeps = 6}));
}

} // namespace
} // namespace lambdascope::svm
