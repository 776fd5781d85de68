// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/svm/problem/svm_config.h"
#include "core/svm/solver/point_solver.h"

#include <functional>
#include <span>
#include <vector>

namespace lambdascope::svm {

/// The largest C up to which C/C₀ times the solution at C₀ stays within a share ε of the dual optimum [S, (35)], for a
/// reference that need not be exact: ½A(ρ − 1)² + ρ gap₀ ≤ ε(ρS − ½ρ²A), A = ‖w₀‖², S = tᵀα₀, ρ = C/C₀. C₀ itself when
/// the reference is not even that good.
[[nodiscard]] double nextC(const SolvedSvm& reference, double epsilon);

/// One of the problems that are solved at each C, and where its path begins.
struct PathProblem {
    const SvmProblem& problem;
    const SolvedSvm& bottom;
};

/// Values of the path parameter: C, or references as shares of C for PathKind::Reference. `cMin` may be infinite. The
/// ε-path is walked here, by a lane of its own with IT (with a free bias GAP), so that all lanes get the same values;
/// of several problems each step is the shortest that one of them needs. It ends at max_c, at the most points, or when
/// no sample is left in L. `progress` may be empty; on a stop the values are incomplete.
[[nodiscard]] std::vector<double> pathSchedule(const PathConfig& config, std::span<const PathProblem> problems,
                                               double cMin, RunContext& context,
                                               const std::function<void(double share)>& progress);
[[nodiscard]] inline std::vector<double> pathSchedule(const PathConfig& config, const SvmProblem& problem,
                                                      const SolvedSvm& bottom, double cMin, RunContext& context,
                                                      const std::function<void(double share)>& progress) {
    const PathProblem only{problem, bottom};
    return pathSchedule(config, {&only, 1}, cMin, context, progress);
}

/// One class has no α below C_min, where ν would be above 1: InvalidData for such a value; one that is C_min but for
/// rounding becomes it.
Result<void> checkShares(double cMin, std::vector<double>& schedule);

} // namespace lambdascope::svm
