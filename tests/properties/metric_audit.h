// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/metric/small_problems.h"

#include <cstdint>
#include <limits>

namespace lambdascope::metric {

/// What an audit of screening decisions found, against a solution of much smaller gap.
struct Audit {
    std::int64_t decided = 0;
    std::int64_t wrong = 0;    ///< decided R but the exact optimum has margin < 1 for certain, or L but > 1 − γ
    std::int64_t doubtful = 0; ///< too near the edge for the tight solution to tell
    double smallestSlack = std::numeric_limits<double>::infinity(); ///< least distance of a decision to its edge
};

/// Compares decisions with margins at `tight`, whose distance to the optimum is at most (2 gap/λ)^½.
[[nodiscard]] Audit auditDecisions(const TripletSet& triplets, const TripletStates& states, const SolvedPoint& tight,
                                   double gamma);

} // namespace lambdascope::metric
