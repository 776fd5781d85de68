// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/metric/problem/metric_config.h"
#include "core/run/run_event.h"
#include "core/triplets/problem/metric_point.h"
#include "core/triplets/problem/pair_table.h"

#include <memory>
#include <optional>

namespace lambdascope::metric {

/// The data in the plane of the learned metric: with M = Σ λ_c v_c v_cᵀ, row x goes to (√λ₁ v₁ᵀx, √λ₂ v₂ᵀx), x centred;
/// squared distances in the plane are the part of (x − y)ᵀM(x − y) that two directions can show. For a diagonal M,
/// whose eigenvectors are single features, the two first principal components of the weighted features √m_k x_k, by
/// subspace iteration in O(rows · d).
///
/// Eigenvectors are free up to sign, and up to rotation where eigenvalues meet. Each map is turned (by an orthogonal
/// Procrustes step over the points) to lie as close as it can to the one before, so that a path is a smooth motion.
class LearnedMap {
  public:
    /// `triplets` and `data` must have the same rows.
    LearnedMap(const PairTable& triplets, const Dataset& data) : m_triplets(triplets), m_data(data) {}

    /// Null when the eigen-decomposition failed or `stopCheck` asked to stop.
    [[nodiscard]] std::shared_ptr<const Embedding> embed(const Eigen::MatrixXd& metric, StopCheck& stopCheck);

    void transfer(auto& archive) {
        auto& [triplets, data, previous, directions] = *this;
        archive(previous, directions);
    }

  private:
    /// Rows in the plane, before the turn; nothing when the eigen-decomposition failed.
    [[nodiscard]] std::optional<Eigen::MatrixX2d> eigenPlane(const Eigen::MatrixXd& metric, StopCheck& stopCheck) const;
    [[nodiscard]] Eigen::MatrixX2d principalPlane(const Eigen::MatrixXd& weights);

    const PairTable& m_triplets;
    const Dataset& m_data;
    Eigen::MatrixX2d m_previous;
    Eigen::MatrixXd m_directions; ///< diagonal: where the subspace iteration ended last, d × 2
};

} // namespace lambdascope::metric
