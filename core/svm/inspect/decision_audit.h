// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <span>

namespace lambdascope::svm {

/// Where the optimum lies as far as a solution tells: w* within `distance` of its w, one best bias in the bracket.
struct OptimumRegion {
    double distance = 0;
    /// By how much a margin changes when w does by 1: SvmProblem::reaches(), where the bracket is of the bias as the
    /// origin amid the samples sees it, or ‖z‖.
    std::span<const double> reaches;
    BiasBracket bias{0, 0};
};

/// gap^½ and the bracket that goes with it. O(n) on average.
[[nodiscard]] OptimumRegion optimumNear(const SvmProblem& problem, const SolvedSvm& solved);

/// Compares decisions with margins at `tight`, when the optimum lies in `region`: a decision is wrong when even that
/// distance, the error of products, and what a free bias is known up to, cannot excuse it. `possible` of the answer
/// counts R and L. O(n).
[[nodiscard]] DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions,
                                           const SolvedSvm& tight, const OptimumRegion& region);

} // namespace lambdascope::svm
