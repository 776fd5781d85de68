// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"

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

inline PointSettings laneSettings(const std::vector<BoundKind>& bounds, bool shrinks) {
    PointSettings settings;
    settings.bounds = bounds;
    settings.shrinks = shrinks;
    settings.schedule = shrinks ? ScheduleKind::Auto : ScheduleKind::Every;
    settings.screenEvery = 2;
    settings.tolerance = 1e-5;
    return settings;
}

inline void expectBothWithinGaps(const PointOutcome& outcome, const SolvedSvm& exact) {
    EXPECT_LE(outcome.dual.lower(), dualValue(exact).upper() + exact.gap);
    EXPECT_GE(dualValue(outcome.solved).upper() + outcome.solved.gap, dualValue(exact).lower());
}

} // namespace lambdascope::svm
