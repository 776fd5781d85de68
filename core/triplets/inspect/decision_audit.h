// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/triplets/problem/problem_items.h"
#include "core/triplets/screening/triplet_states.h"
#include "core/triplets/solver/point_solver.h"

namespace lambdascope::triplets {

/// Compares decisions with margins at `tight`, whose distance to the optimum is at most (2 gap/λ)^½ because the
/// objective is λ-strongly convex: a decision is wrong when even that distance times ‖H‖ cannot excuse it. `possible`
/// of the answer counts R and L. O(items), unfinished when `stopCheck` asked to stop.
[[nodiscard]] DecisionAudit auditDecisions(const ProblemItems& items, const TripletStates& states,
                                           const SolvedPoint& tight, double gamma, StopCheck& stopCheck);

} // namespace lambdascope::triplets
