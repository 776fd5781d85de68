// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace lambdascope {

/// A block of a row-major matrix.
using RowBlock =
    Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;

/// sum += factor · A Aᵀ, of which the lower triangle is kept. Cost O(m² n) for A of size m × n, by BLAS.
void addRowProducts(const RowBlock& a, double factor, Eigen::MatrixXd& sum);
/// sum += factor · AᵀA, of which the lower triangle is kept. Cost O(m n²).
void addColumnProducts(const RowBlock& a, double factor, Eigen::MatrixXd& sum);

/// Cholesky factor of a symmetric positive definite matrix, by LAPACK (some 1.8 times as fast as the Eigen library's).
class Cholesky {
  public:
    /// Only the lower triangle is read. False when the matrix is not positive definite in floating point; solve() then
    /// gives NaN. Cost O(n³/3).
    bool compute(Eigen::MatrixXd matrix);
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const; ///< O(n²)
    [[nodiscard]] Eigen::Index rows() const { return m_factor.rows(); }

  private:
    Eigen::MatrixXd m_factor;
    bool m_succeeded = false;
};

} // namespace lambdascope
