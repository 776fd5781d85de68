// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/point_solver.h"
#include "core/metric/triplet_states.h"

#include <limits>
#include <string>
#include <vector>

namespace lambdascope::metric {

/// What an audit of screening decisions at one λ found, against a solution of much smaller gap.
struct DecisionAudit {
    std::int64_t decided = 0;
    std::int64_t wrong = 0;    ///< decided R but the exact optimum has margin < 1 for certain, or L but > 1 − γ
    std::int64_t doubtful = 0; ///< too near the edge for the tight solution to tell
    double smallestSlack = std::numeric_limits<double>::infinity(); ///< least distance of a decision to its edge
    TripletIndex closest = -1;                                      ///< the triplet with that slack
    std::vector<std::string> examples;                              ///< of wrong decisions, at most kMostExamples

    static constexpr std::size_t kMostExamples = 10;
};

/// Compares decisions with margins at `tight`, whose distance to the optimum is at most (2 gap/λ)^½ because the
/// objective is λ-strongly convex: a decision is wrong when even that distance times ‖H‖ cannot excuse it. O(triplets),
/// unfinished when `poll` asked to stop.
[[nodiscard]] DecisionAudit auditDecisions(const TripletSet& triplets, const TripletStates& states,
                                           const SolvedPoint& tight, double gamma, WorkPoll& poll);

} // namespace lambdascope::metric
