// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace lambdascope::metric {

/// A ball that holds the optimum: ‖M*(λ) − centre‖_F ≤ radius, in floating point as it stands (the radius is padded).
struct Sphere {
    Eigen::MatrixXd centre;
    double radius = 0;
};

} // namespace lambdascope::metric
