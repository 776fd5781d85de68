// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <optional>

namespace lambdascope {

/// Step length of projected gradient as in [T, §7]: ½ |⟨ΔX,ΔG⟩/⟨ΔG,ΔG⟩ + ⟨ΔX,ΔX⟩/⟨ΔX,ΔG⟩|, the mean of the two steps of
/// [Barzilai and Borwein 1988]. Nothing when the curvature ⟨ΔX,ΔG⟩ is not positive or anything is not finite: the two
/// quotients then say nothing about the function.
[[nodiscard]] inline std::optional<double> barzilaiBorweinStep(const Eigen::MatrixXd& deltaX,
                                                               const Eigen::MatrixXd& deltaG) {
    const double xx = deltaX.squaredNorm();
    const double gg = deltaG.squaredNorm();
    const double xg = deltaX.cwiseProduct(deltaG).sum();
    if (!(xg > 0) || !(gg > 0) || !(xx > 0)) {
        return std::nullopt;
    }
    const double step = 0.5 * (xg / gg + xx / xg);
    return std::isfinite(step) && step > 0 ? std::optional(step) : std::nullopt;
}

} // namespace lambdascope
