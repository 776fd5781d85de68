// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/numeric/psd_projection.h"
#include "core/triplets/problem/structure.h"

#include <Eigen/Core>

#include <cmath>
#include <utility>

namespace lambdascope::triplets {

/// A feasible M. Full: defined as exactly L Lᵀ; `matrix` is that product as rounded, d u tr(M) away at most. Diagonal:
/// defined as exactly diag(matrix).
struct MetricPoint {
    Eigen::MatrixXd matrix; ///< d × d, or d × 1
    Eigen::MatrixXd factor; ///< L, d × r; of a diagonal M the column √m, L = diag(√m)
    double trace = 0;       ///< tr M = ‖L‖_F²

    /// The projection [A]₊ of a split, times `scale` ≥ 0.
    static MetricPoint fromSplit(PsdSplit split, double scale = 1) {
        MetricPoint point{std::move(split.positive), std::move(split.factor), split.trace * scale};
        if (scale != 1) {
            point.matrix *= scale;
            point.factor *= std::sqrt(scale);
        }
        return point;
    }
    static MetricPoint zero(Eigen::Index features, Structure structure = Structure::Full) {
        Eigen::MatrixXd matrix = zeroMatrix(features, structure);
        Eigen::MatrixXd factor = structure == Structure::Diagonal ? matrix : Eigen::MatrixXd(features, 0);
        return {std::move(matrix), std::move(factor), 0};
    }

    /// Bound on ‖matrix − L Lᵀ‖_F.
    [[nodiscard]] double matrixError() const {
        return isDiagonal(matrix) ? 0 : roundingFactor(static_cast<double>(matrix.rows()) + 4) * trace;
    }
    /// At least the largest eigenvalue: δᵀMδ ≤ spectralBound() ‖δ‖².
    [[nodiscard]] double spectralBound() const { return isDiagonal(matrix) ? matrix.maxCoeff() : trace; }
    /// ‖M‖_F.
    [[nodiscard]] Bounded norm() const {
        const double value = matrix.norm();
        return {value, matrixError() + roundingFactor(static_cast<double>(matrix.size()) + 2) * value};
    }

    void transfer(auto& archive) {
        auto& [m, l, tr] = *this;
        archive(m, l, tr);
    }
};

/// At least |δᵀQδ| / ‖δ‖² for any δ.
[[nodiscard]] inline double spectralBound(const Eigen::MatrixXd& q) {
    return isDiagonal(q) ? q.cwiseAbs().maxCoeff() : q.norm();
}

/// ⟨A, B⟩ for matrices known up to `errorA`, `errorB` in the Frobenius norm.
[[nodiscard]] inline Bounded innerProduct(const Eigen::MatrixXd& a, double errorA, const Eigen::MatrixXd& b,
                                          double errorB) {
    const double normA = a.norm();
    const double normB = b.norm();
    const double rounding = roundingFactor(static_cast<double>(a.size()) + 2) * normA * normB;
    return {a.cwiseProduct(b).sum(), rounding + normA * errorB + normB * errorA + errorA * errorB};
}

} // namespace lambdascope::triplets
