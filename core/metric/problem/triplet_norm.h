// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/pair_table.h"

#include <Eigen/Core>

namespace lambdascope::metric {

/// ⟨aaᵀ, bbᵀ⟩ = (aᵀb)², or ⟨a∘a, b∘b⟩ = Σ a_k² b_k² for the diagonal, with a = x − other and b as it stands; rows of
/// `stride` numbers, a multiple of four.
[[nodiscard]] double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride,
                                 Structure structure);

/// ‖H‖² of the difference of two pairs' parts, from their norms A, B and inner product P ≤ A B, up to the rounding of
/// P, a sum over `features`: A² + B² − 2 P in a form that cancels less, and an upper bound.
[[nodiscard]] double squaredNormBound(double a, double b, double product, Eigen::Index features);

/// ‖H‖² of single triplets and comparisons in O(d), for either structure. Keeps the difference of the near pair, so
/// items that share it should come one after the other. Not thread-safe.
class TripletNorm {
  public:
    explicit TripletNorm(const PairTable& table) : m_table(table) {}

    /// An upper bound of ‖H‖², exact up to rounding, of an item by its pairs: that of the other class and that of the
    /// same one for triplets. table.pairs() stands for no pair.
    [[nodiscard]] double squared(PairIndex far, PairIndex near);

  private:
    const PairTable& m_table;
    PairIndex m_near = -1;
    Eigen::VectorXd m_difference; ///< of the near pair, padded
};

} // namespace lambdascope::metric
