// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace lambdascope::metric {

/// Which M are allowed [T, §6.2]. It decides the shape of everything that lives in the space of M (M itself, Σ α H,
/// gradients, centres of balls), and nothing but the shape: inner products and norms are entrywise in both.
enum class Structure {
    Full,     ///< M ⪰ 0, symmetric d × d; H = aaᵀ − bbᵀ
    Diagonal, ///< M = diag(m), m ≥ 0, kept as the d × 1 column m; H is the column h = a∘a − b∘b
};

/// True of a column. A 1 × 1 matrix is both a matrix and a column, and means the same as either.
[[nodiscard]] inline bool isDiagonal(const Eigen::MatrixXd& matrix) {
    return matrix.cols() == 1;
}

/// The zero of the space that `structure` names, for d = `features`.
[[nodiscard]] inline Eigen::MatrixXd zeroMatrix(Eigen::Index features, Structure structure) {
    return Eigen::MatrixXd::Zero(features, structure == Structure::Diagonal ? 1 : features);
}

} // namespace lambdascope::metric
