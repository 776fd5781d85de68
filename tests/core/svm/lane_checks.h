// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <vector>

namespace lambdascope::svm {

/// What the last check of a lane decided.
struct LastDecisions final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        decisions.assign(check.decisions.begin(), check.decisions.end());
    }
    std::vector<Decision> decisions;
};

/// Ways to look: at each C and every second sweep, with shrinking or without, and where counted work says that it pays.
struct WayToLook {
    bool shrinks;
    ScheduleKind schedule;
};
inline constexpr WayToLook kWaysToLook[] = {
    {false, ScheduleKind::Every}, {true, ScheduleKind::Every}, {true, ScheduleKind::Auto}};
/// So late on a path that looks do not cost too much for what it has taken.
inline constexpr std::int32_t kLatePoint = 10'000;

inline PointSettings laneSettings(const std::vector<BoundKind>& bounds, const WayToLook& way) {
    PointSettings settings;
    settings.bounds = bounds;
    settings.shrinks = way.shrinks;
    settings.schedule = way.schedule;
    settings.screenEvery = 2;
    settings.tolerance = 1e-5;
    return settings;
}

inline void expectBothWithinGaps(const PointOutcome& outcome, const SolvedSvm& exact) {
    EXPECT_LE(outcome.dual.lower(), dualValue(exact).upper() + exact.gap);
    EXPECT_GE(dualValue(outcome.solved).upper() + outcome.solved.gap, dualValue(exact).lower());
}

/// Solves at the C of each exact solution in turn, in each way to look, and calls use(way, exact, outcome, decisions)
/// with the decisions of the last look, by sample; where none was taken, all are Keep.
template <class Use>
void forAllLanePoints(const SvmProblem& problem, const std::vector<BoundKind>& bounds,
                      const std::vector<SolvedSvm>& tight, Use&& use) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    for (const WayToLook& way : kWaysToLook) {
        PointSolver solver(problem, laneSettings(bounds, way));
        LastDecisions observer;
        solver.observe(&observer);
        SolvedSvm last = bottomOf(problem);
        for (const SolvedSvm& exact : tight) {
            observer.decisions.assign(static_cast<std::size_t>(problem.size()), Decision::Keep);
            const PointOutcome outcome = solver.solve(exact.c, last, kLatePoint, context);
            last = outcome.solved;
            expectBothWithinGaps(outcome, exact);
            use(way, exact, outcome, observer.decisions);
        }
    }
}

} // namespace lambdascope::svm
