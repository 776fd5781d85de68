// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"

#include <Eigen/Core>

#include <optional>

namespace lambdascope {

/// Coordinates by classical (Torgerson's) multidimensional scaling: X = V√Λ of the `dimensions` largest eigenvalues of
/// B = −½ J D J, with D the squared distances and J = I − 11ᵀ/n; axes by falling variance, zero where an eigenvalue is
/// not positive. The entry of largest size of each axis is positive. Nothing when D is not finite, or when `stopCheck`
/// asked to stop. O(n³).
[[nodiscard]] std::optional<Eigen::MatrixXd> classicalScaling(const Eigen::MatrixXd& squaredDistances,
                                                              Eigen::Index dimensions, StopCheck& stopCheck);

/// The `dimensions` longest principal axes of rows: the centred points turned so that their variance falls from axis to
/// axis. Fewer columns than asked for are filled up by zeros. O(n p² + p³).
[[nodiscard]] Eigen::MatrixXd principalMap(const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::Index dimensions);

} // namespace lambdascope
