// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/metric_point.h"

namespace lambdascope::triplets {

/// Projections on the cone of feasible M, for either structure, told by shape (see structure.h): eigenvalues of a
/// d × d matrix, entries of a d × 1 column. A column is split without any error in O(d). Decompositions of large
/// matrices ask `stopCheck`, where there is one, and end at once when it says so: the split is not finite then, the
/// norm not a number.

/// Splits `a` into its projections on the cone and on its polar. For a column, `factor` is the column √[a]₊, and
/// `trace` the sum of [a]₊ as rounded.
[[nodiscard]] PsdSplit splitByCone(const Eigen::MatrixXd& a, StopCheck* stopCheck = nullptr);

/// ‖[A]₊‖_F², cheaper than the split.
[[nodiscard]] Bounded squaredNormInCone(const Eigen::MatrixXd& a, StopCheck* stopCheck = nullptr);

/// The projection [S]₊ of a symmetric S and its (generalized) derivative, for either structure. With S = U diag(s) Uᵀ,
/// the derivative maps D to U (Ω ∘ UᵀDU) Uᵀ, where Ω_ij = 1 if s_i, s_j > 0; 0 if both are ≤ 0; and
/// s_i/(s_i + |s_j|) if only s_i > 0 [Malick and Sendov 2006]. For a column Ω is 1 or 0 by the sign of each entry.
///
/// Cost O(d³), O(d) for a column.
class ConeProjection {
  public:
    /// Of S = scale · matrix, scale > 0. False when it is not finite, or when `stopCheck` asked to stop.
    bool compute(const Eigen::MatrixXd& matrix, double scale, StopCheck& stopCheck);

    [[nodiscard]] const MetricPoint& point() const { return m_point; }                ///< [S]₊
    [[nodiscard]] Bounded matrixNorm() const { return m_norm; }                       ///< ‖[matrix]₊‖_F
    [[nodiscard]] const Eigen::ArrayXXd& roots() const { return m_roots; }            ///< √Ω
    [[nodiscard]] const Eigen::MatrixXd& vectors() const { return m_system.vectors; } ///< U; empty for a column
    [[nodiscard]] bool isOfColumn() const { return m_roots.cols() == 1; }
    [[nodiscard]] Eigen::Index rank() const { return m_rank; } ///< positive eigenvalues: the last ones; or entries
    /// Entries of Ω that are not zero, of the upper triangle.
    [[nodiscard]] Eigen::Index freedom() const;

  private:
    void setRoots(const Eigen::MatrixXd& matrix);

    MetricPoint m_point;
    Bounded m_norm;
    EigenSystem m_system; ///< of S; unused for a column
    Eigen::ArrayXXd m_roots;
    Eigen::Index m_rank = 0;
};

} // namespace lambdascope::triplets
