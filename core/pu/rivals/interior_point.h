// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

namespace lambdascope::pu {

/// What the interior-point baseline came to.
struct InteriorOutcome {
    SolvedPu solved;
    std::int64_t iterations = 0;
    bool hasConverged = false;
    double bytes = 0;
};

/// Memory of the whole Gram matrix with its factor, in bytes: 2 n² numbers.
[[nodiscard]] double interiorPointBytes(SampleIndex unlabeled);

/// The baseline of [7] in [P]: the whole dual as one quadratic program, by Mehrotra's predictor-corrector method on the
/// full Gram matrix. s = s₁ + s₂ with 0 ≤ s₁, s₂ ≤ 1 and cost −ε s₁ + ε s₂, so that each step factors one n × n matrix,
/// K + (D₁⁻¹ + D₂⁻¹)⁻¹. O(n³) per iteration, O(n²) memory; independent of the pair engines. `tolerance` is on the
/// relative complementarity.
[[nodiscard]] InteriorOutcome solveByInteriorPoint(const PuProblem& problem, double lambda, double tolerance,
                                                   StopCheck& stopCheck);

} // namespace lambdascope::pu
