// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

#include <cstdint>

namespace lambdascope::pu {

/// Which sample is lowered, when the one of highest slope is raised.
enum class LoweredSample {
    Steepest,    ///< the one of lowest slope: no kernel row is needed to choose it
    LargestGain, ///< the one with the largest gain (gᵢ − gⱼ)² / (Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ), of second order
};

/// min ½αᵀKα − lᵀα, low ≤ α ≤ high, Σα as it is at the start, over the first samples of a space; the others have no α,
/// but their slopes are kept too.
struct BoxProblem {
    const PuSpace& space;
    Eigen::VectorXd low;
    Eigen::VectorXd high;
    Eigen::VectorXd alpha; ///< where to start, within the box
    Eigen::VectorXd slope; ///< g = l − Kα at the start, of all samples of the space
    LoweredSample lowered = LoweredSample::LargestGain;
};

/// Slopes count as equal when the highest that can rise is above the lowest that can fall by no more than
/// max(absolute, relative · |lowest|): this bounds every KKT violation.
struct BoxTolerance {
    double absolute = 0;
    double relative = 0;
};

struct BoxOutcome {
    Eigen::VectorXd alpha; ///< feasible, and exactly at a bound where it is at one
    Eigen::VectorXd slope; ///< g = l − Kα of all samples of the space
    double highest = 0;    ///< slope among samples below `high`; −∞ if there are none
    double lowest = 0;     ///< slope among samples above `low`; ∞ if there are none
    std::int64_t steps = 0;
    bool hasConverged = false;
};

/// Steps of two samples, each exact on its segment of the box: O(samples of the space) and two kernel rows each. Ends
/// when slopes are equal, after `mostSteps`, or when `stopCheck` says so.
[[nodiscard]] BoxOutcome solveBox(BoxProblem problem, const BoxTolerance& tolerance, std::int64_t mostSteps,
                                  StopCheck& stopCheck);

} // namespace lambdascope::pu
