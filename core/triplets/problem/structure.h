// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/kinds.h"

#include <Eigen/Core>

namespace lambdascope::triplets {

/// True of a column. A 1 × 1 matrix is both a matrix and a column, and means the same as either.
[[nodiscard]] inline bool isDiagonal(const Eigen::MatrixXd& matrix) {
    return matrix.cols() == 1;
}

/// The zero of the space that `structure` names, for d = `features`.
[[nodiscard]] inline Eigen::MatrixXd zeroMatrix(Eigen::Index features, Structure structure) {
    return Eigen::MatrixXd::Zero(features, structure == Structure::Diagonal ? 1 : features);
}

} // namespace lambdascope::triplets
