// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope::pu {

/// The piecewise quadratic that the dual value is along raising s by δ at one sample and lowering it by δ at another:
/// slope minus ηδ, and less by 2ε from where either passes s = 1.
struct PairStep {
    double slope = 0;     ///< at δ = 0, > 0
    double curvature = 0; ///< η = ‖φᵢ − φⱼ‖²
    double raised = 0;    ///< sᵢ
    double lowered = 0;   ///< sⱼ
    double epsilon = 0;

    struct Move {
        double length = 0; ///< δ, a multiple of the quantum that keeps both within [0, 2]
        double gain = 0;   ///< of the dual value
    };
    /// The best δ. [P, table I]: the four cases are the pieces between s = 0, 1 and 2 of either sample.
    [[nodiscard]] Move best() const;
};

} // namespace lambdascope::pu
