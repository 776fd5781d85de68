// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <span>

namespace lambdascope::svm {

/// Where the optimum lies as far as a solution tells: w* within `distance` of its w, and β = b* + (w* − w)ᵀo of one
/// best bias in the bracket (o: SvmProblem::origin()).
struct OptimumRegion {
    double distance = 0;
    BiasBracket bias{0, 0};
};

/// gap^½ and the bracket that goes with it. O(n) on average.
[[nodiscard]] OptimumRegion optimumNear(const SvmProblem& problem, const SolvedSvm& solved);

/// Compares decisions with margins at `tight`, when the optimum lies in `region`: a decision is wrong when even that
/// distance times the reach of a sample, the error of products, and what a free bias is known up to, cannot excuse it.
/// `possible` of the answer counts R and L. O(n).
[[nodiscard]] DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions,
                                           const SolvedSvm& tight, const OptimumRegion& region);

} // namespace lambdascope::svm
