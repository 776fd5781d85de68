// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/triplet_set.h"

#include <Eigen/Core>

namespace lambdascope::metric {

/// ⟨aaᵀ, bbᵀ⟩ = (aᵀb)², or ⟨a∘a, b∘b⟩ = Σ a_k² b_k² for the diagonal, with a = x − other and b as it stands; rows of
/// `stride` numbers, a multiple of four.
[[nodiscard]] double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride,
                                 Structure structure);

/// ‖H‖² of the difference of two pairs' parts, from their norms A, B and inner product P ≤ A B, up to the rounding of
/// P, a sum over `features`: A² + B² − 2 P in a form that cancels less, and an upper bound.
[[nodiscard]] double squaredNormBound(double a, double b, double product, Eigen::Index features);

/// ‖H‖² of single triplets in O(d), for either structure. Keeps the difference of the same-class pair, so triplets that
/// share it should come one after the other. Not thread-safe.
class TripletNorm {
  public:
    explicit TripletNorm(const TripletSet& triplets) : m_triplets(triplets) {}

    /// An upper bound of ‖H‖², exact up to rounding, of the triplet of an anchor and its two pairs.
    [[nodiscard]] double squared(RowIndex anchor, PairIndex samePair, PairIndex otherPair);

  private:
    const TripletSet& m_triplets;
    RowIndex m_anchor = -1;
    PairIndex m_pair = -1;
    Eigen::VectorXd m_difference; ///< b = x_i − x_j, padded
};

} // namespace lambdascope::metric
