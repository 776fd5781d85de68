// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/triplets/problem/item_title.h"

#include <string>

namespace lambdascope::triplets {

/// One item by itself, straight from the definition: H = a aᵀ − b bᵀ with a = x_i − x_l and b = x_i − x_j for a triplet
/// (i, j, l), else the differences of the far and of the near pair, 0 where there is none. For matrices of the diagonal
/// structure (d × 1) H is the vector a∘a − b∘b. O(d²) per question; for explanations and audits, not for solving.
class ItemGeometry {
  public:
    ItemGeometry(const ProblemItems& items, TripletIndex number);

    /// See itemTitle().
    [[nodiscard]] std::string title() const { return itemTitle(m_items, m_number); }
    /// Whether it is a triplet of neighbours.
    [[nodiscard]] bool isTriplet() const { return m_items.triplets() != nullptr; }
    [[nodiscard]] bool hasFar() const { return m_item.far != m_items.noPair(); }
    [[nodiscard]] bool hasNear() const { return m_item.near != m_items.noPair(); }
    [[nodiscard]] double threshold() const { return m_item.threshold; } ///< τ
    [[nodiscard]] double weight() const { return m_item.weight; }       ///< w

    [[nodiscard]] double squaredFar() const { return m_a.squaredNorm(); }  ///< ‖a‖²
    [[nodiscard]] double squaredNear() const { return m_b.squaredNorm(); } ///< ‖b‖²

    /// ⟨H, Q⟩ for a Q that is known up to `centreError` in the Frobenius norm.
    [[nodiscard]] Bounded margin(const Eigen::MatrixXd& q, double centreError = 0) const;
    /// H itself, of the shape of the structure.
    [[nodiscard]] Eigen::MatrixXd matrix() const;
    /// ‖H‖_F.
    [[nodiscard]] Bounded norm() const;

  private:
    ProblemItems m_items;
    TripletIndex m_number;
    ProblemItem m_item;
    Structure m_structure;
    Eigen::VectorXd m_a;
    Eigen::VectorXd m_b;
};

} // namespace lambdascope::triplets
