// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <span>

namespace lambdascope::svm {

/// Compares decisions with margins at `tight`, whose w lies within gap^½ of the optimum: a decision is wrong when even
/// that distance times ‖z‖, and what a free bias is known up to, cannot excuse it. `possible` of the answer counts R
/// and L. O(n).
[[nodiscard]] DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions,
                                           const SolvedSvm& tight);

} // namespace lambdascope::svm
