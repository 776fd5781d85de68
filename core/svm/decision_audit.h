// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/region.h"
#include "core/svm/solved_svm.h"

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace lambdascope::svm {

/// What an audit of screening decisions at one C found, against a solution of much smaller gap.
struct DecisionAudit {
    std::int64_t decided = 0;
    std::int64_t wrong = 0;    ///< decided R but the exact optimum has f < 1 for certain, or L but f > 1
    std::int64_t doubtful = 0; ///< too near the edge for the tight solution to tell
    double smallestSlack = std::numeric_limits<double>::infinity(); ///< least distance of a decision to its edge
    SampleIndex closestSample = -1;                                 ///< the one with that slack
    std::vector<std::string> examples;                              ///< of wrong decisions, at most kMostExamples

    static constexpr std::size_t kMostExamples = 10;
};

/// Compares decisions with margins at `tight`, whose w lies within gap^½ of the optimum: a decision is wrong when even
/// that distance times ‖z‖ cannot excuse it. O(n).
[[nodiscard]] DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Verdict> verdicts,
                                           const SolvedSvm& tight);

} // namespace lambdascope::svm
