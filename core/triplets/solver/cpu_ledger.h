// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace lambdascope::triplets {

/// Where the CPU time of one path point went, in seconds, and what work that was. The four times add up to the time of
/// solving and screening together.
struct CpuLedger {
    double rule = 0;     ///< making balls, judging triplets, taking them out
    double evaluate = 0; ///< sums over triplets: values, gradients, curvature
    double eigen = 0;    ///< eigen-decompositions of the method: projections and dual values
    double other = 0;    ///< the rest: small matrices, bookkeeping

    std::int64_t pairsVisited = 0;     ///< over all evaluations
    std::int64_t evaluations = 0;      ///< sums over the triplets still in the problem or over some of them
    std::int64_t innerEvaluations = 0; ///< of these, inside Newton steps: over a working set, products with curvature
    std::int64_t eigenDecompositions = 0; ///< with or without vectors
    double work = 0;                      ///< of all these and of systems solved, in the units of counted_work.h
    double sums = 0;                      ///< of that, of sums over what is left
    double lastEvaluation = 0;            ///< of that, what the last evaluation of what is left took; 0 without one

    /// The rest of `total` seconds is `other`.
    void close(double total) { other = std::max(0.0, total - rule - evaluate - eigen); }
};

} // namespace lambdascope::triplets
