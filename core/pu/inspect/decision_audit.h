// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/pu/solver/point_solver.h"

#include <span>

namespace lambdascope::pu {

/// How far inside the set of `decision` a sample lies whose value is z (in the units of PuProblem); < 0: outside.
[[nodiscard]] double slackOf(Decision decision, double z, double epsilon);

/// Compares decisions on all unlabeled samples with `tight`, whose ω lies within √gap of the optimum and whose
/// optimal biases lie in the bracket that follows: a decision is wrong when no value within that reach agrees with it.
/// O(n).
[[nodiscard]] DecisionAudit auditDecisions(const PuProblem& problem, std::span<const Decision> decisions,
                                           const SolvedPu& tight);

} // namespace lambdascope::pu
