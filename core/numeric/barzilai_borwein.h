// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <optional>

namespace lambdascope {

/// Step length of projected gradient as in [T, §7]: ½ |⟨ΔX,ΔG⟩/⟨ΔG,ΔG⟩ + ⟨ΔX,ΔX⟩/⟨ΔX,ΔG⟩|, the mean of the two steps of
/// [Barzilai and Borwein 1988]. Nothing when the curvature ⟨ΔX,ΔG⟩ is not positive or anything is not finite: the two
/// quotients then say nothing about the function.
[[nodiscard]] std::optional<double> barzilaiBorweinStep(const Eigen::MatrixXd& deltaX, const Eigen::MatrixXd& deltaG);

} // namespace lambdascope
