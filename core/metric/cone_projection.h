// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/metric_point.h"

namespace lambdascope::metric {

/// The projection [S]₊ of a symmetric S and its (generalized) derivative, for either structure. With S = U diag(s) Uᵀ,
/// the derivative maps D to U (Ω ∘ UᵀDU) Uᵀ, where Ω_ij = 1 if s_i, s_j > 0; 0 if both are ≤ 0; and
/// s_i/(s_i + |s_j|) if only s_i > 0 [Malick and Sendov 2006]. For a column Ω is 1 or 0 by the sign of each entry.
///
/// Its square root, D ↦ U (√Ω ∘ UᵀDU) Uᵀ, is offered in two halves, to and from the basis U, because a solver that
/// stays in that basis saves half of the products. Cost O(d³) each, O(d) for a column.
class ConeProjection {
  public:
    /// False when S is not finite.
    bool compute(const Eigen::MatrixXd& matrix);
    /// S := [S]₊ + factor [S]₋, known without a new decomposition.
    void scaleNegativePart(double factor);

    [[nodiscard]] const Eigen::MatrixXd& source() const { return m_source; }   ///< S
    [[nodiscard]] const MetricPoint& point() const { return m_point; }         ///< [S]₊
    [[nodiscard]] const Eigen::ArrayXXd& weights() const { return m_weights; } ///< Ω
    /// √Ω ∘ UᵀDU.
    [[nodiscard]] Eigen::MatrixXd toBasis(const Eigen::MatrixXd& d) const;
    /// U (√Ω ∘ W) Uᵀ.
    [[nodiscard]] Eigen::MatrixXd fromBasis(const Eigen::MatrixXd& w) const;

  private:
    void setWeights();

    Eigen::MatrixXd m_source;
    MetricPoint m_point;
    EigenSystem m_system; ///< of S; unused for a column
    Eigen::ArrayXXd m_weights;
    Eigen::ArrayXXd m_roots; ///< √Ω
};

} // namespace lambdascope::metric
