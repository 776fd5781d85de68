// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/barzilai_borwein.h"

#include <cmath>

namespace lambdascope {

std::optional<double> barzilaiBorweinStep(const Eigen::MatrixXd& deltaX, const Eigen::MatrixXd& deltaG) {
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
