// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_model.h"

namespace lambdascope::pu {

/// What a baseline came to; `objective` is its own.
struct BaselineOutcome {
    PuModel model;
    double objective = 0;
    std::int64_t steps = 0;
    std::int64_t rounds = 1;
    bool hasConverged = false;
};

/// The naive baseline: unlabeled samples count as negatives,
///   ½‖w‖² + π/(2λp) Σ_P max(0, 1−f) + (1−π)/(2λn) Σ_U max(0, 1+f).
[[nodiscard]] BaselineOutcome solveBiased(const PuProblem& problem, double lambda, double tolerance,
                                          std::int64_t mostSteps, StopCheck& stopCheck);

/// The ramp loss of [6] in [P], ½‖w‖² + π/(2λp) Σ_P R(f) + 1/(4λn) Σ_U R(−f), R(z) = min(2, max(0, 1−z)), by the
/// concave-convex procedure [69]: R = H₁ − H₋₁, and where a sample is beyond the second hinge its box moves. A local
/// minimum, from the hinge loss on.
[[nodiscard]] BaselineOutcome solveRamp(const PuProblem& problem, double lambda, double tolerance,
                                        std::int64_t mostSteps, StopCheck& stopCheck);

} // namespace lambdascope::pu
