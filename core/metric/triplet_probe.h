// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/triplet_set.h"
#include "core/numeric/error_bound.h"

#include <string>

namespace lambdascope::metric {

/// One triplet by itself, straight from the definition: H = a aᵀ − b bᵀ with a = x_i − x_l, b = x_i − x_j. For matrices
/// of the diagonal structure (d × 1) H is the vector a∘a − b∘b. O(d²) per question; for explanations and audits, not
/// for solving.
class TripletProbe {
  public:
    TripletProbe(const TripletSet& triplets, TripletIndex number);

    [[nodiscard]] const Triplet& triplet() const { return m_triplet; }
    /// "triplet (4, 9, 71)": anchor, same class, other class, as rows of the data from 0.
    [[nodiscard]] std::string title() const;

    [[nodiscard]] double squaredOther() const { return m_a.squaredNorm(); } ///< ‖x_i − x_l‖²
    [[nodiscard]] double squaredSame() const { return m_b.squaredNorm(); }  ///< ‖x_i − x_j‖²

    /// ⟨H, Q⟩ for a Q that is known up to `centreError` in the Frobenius norm.
    [[nodiscard]] Bounded margin(const Eigen::MatrixXd& q, double centreError = 0) const;
    /// H itself, of the shape of the structure.
    [[nodiscard]] Eigen::MatrixXd matrix() const;
    /// ‖H‖_F.
    [[nodiscard]] Bounded norm() const;

  private:
    Triplet m_triplet;
    Structure m_structure;
    Eigen::VectorXd m_a;
    Eigen::VectorXd m_b;
};

/// The number of triplet (anchor, same, other). Errors (BadUsage) say which part is no row or no neighbour.
Result<TripletIndex> findTriplet(const TripletSet& triplets, const Triplet& wanted);

/// Reads "4, 9, 71", "(4 9 71)" or "4/9/71".
Result<Triplet> readTriplet(const std::string& text);

} // namespace lambdascope::metric
