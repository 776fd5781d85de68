// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/numeric/psd_projection.h"

#include <Eigen/Core>

#include <utility>

namespace lambdascope::metric {

/// A feasible M ⪰ 0, defined as exactly L Lᵀ; `matrix` is that product as rounded, d u tr(M) away at most.
struct MetricPoint {
    Eigen::MatrixXd matrix; ///< d × d
    Eigen::MatrixXd factor; ///< L, d × r
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
    static MetricPoint zero(Eigen::Index d) { return {Eigen::MatrixXd::Zero(d, d), Eigen::MatrixXd(d, 0), 0}; }

    /// Bound on ‖matrix − L Lᵀ‖_F.
    [[nodiscard]] double matrixError() const { return roundingFactor(static_cast<double>(matrix.rows()) + 4) * trace; }
    /// ‖M‖_F.
    [[nodiscard]] Bounded norm() const {
        const double value = matrix.norm();
        return {value, matrixError() + roundingFactor(static_cast<double>(matrix.size()) + 2) * value};
    }
};

/// ⟨A, B⟩ for matrices known up to `errorA`, `errorB` in the Frobenius norm.
[[nodiscard]] inline Bounded innerProduct(const Eigen::MatrixXd& a, double errorA, const Eigen::MatrixXd& b,
                                          double errorB) {
    const double normA = a.norm();
    const double normB = b.norm();
    const double rounding = roundingFactor(static_cast<double>(a.size()) + 2) * normA * normB;
    return {a.cwiseProduct(b).sum(), rounding + normA * errorB + normB * errorA + errorA * errorB};
}

} // namespace lambdascope::metric
