// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_rows.h"
#include "core/numeric/error_bound.h"
#include "core/numeric/feature_rows.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <span>

namespace lambdascope::svm {

using SampleIndex = std::int32_t;

/// The samples of an SVM [S, (1), (2)], each with a weight ωᵢ:
///   primal  ½‖w‖² + C Σ ωᵢ max(0, 1 − zᵢᵀw),    zᵢ = yᵢ Φ(xᵢ);
///   dual    Σ α − ½ αᵀQα,  0 ≤ αᵢ ≤ C ωᵢ,        Qᵢⱼ = zᵢᵀzⱼ,  w = Σ αᵢzᵢ.
/// The margin of a sample is fᵢ = zᵢᵀw = (Qα)ᵢ. R: fᵢ > 1, αᵢ = 0. E: fᵢ = 1. L: fᵢ < 1, αᵢ = Cωᵢ.
///
/// With a free bias b the margin is fᵢ = zᵢᵀw + yᵢb, b is a variable of the primal that costs nothing, and the dual has
/// the constraint yᵀα = 0.
///
/// A linear kernel works on the features and never makes rows of Q, unless there is a free bias; the others share one
/// store of kernel rows. What `features` looks at must outlive the problem.
class SvmProblem {
  public:
    /// `y` holds ±1, `weights` numbers ≥ 0 (0: the sample is there to be asked about, not to learn from); `rows` is
    /// null for the linear kernel, but never with a free bias.
    SvmProblem(const FeatureRows& features, Eigen::VectorXd y, Eigen::VectorXd weights,
               std::shared_ptr<const KernelRows> rows, bool hasFreeBias = false);

    [[nodiscard]] SampleIndex size() const { return static_cast<SampleIndex>(m_y.size()); }
    /// Works on the features: a linear kernel without rows.
    [[nodiscard]] bool isLinear() const { return m_rows == nullptr; }
    [[nodiscard]] bool hasFreeBias() const { return m_hasFreeBias; }
    [[nodiscard]] const FeatureRows& features() const { return m_features; }
    [[nodiscard]] const KernelRows& rows() const { return *m_rows; } ///< asserts !isLinear()
    [[nodiscard]] const std::shared_ptr<const KernelRows>& sharedRows() const { return m_rows; } ///< null if linear
    [[nodiscard]] const Eigen::VectorXd& y() const { return m_y; }
    [[nodiscard]] const Eigen::VectorXd& weights() const { return m_weights; }
    /// Qᵢᵢ = ‖zᵢ‖².
    [[nodiscard]] const Eigen::VectorXd& diagonal() const { return m_diagonal; }
    /// Upper bounds of ‖zᵢ‖.
    [[nodiscard]] const Eigen::VectorXd& norms() const { return m_norms; }
    /// Upper bounds of how much a change of w by a vector of length 1 changes a margin: ‖zᵢ‖. With a free bias
    /// ‖Φ(xᵢ) − o‖ for the vector o of origin(), and b changes by oᵀu besides when w changes by u, for all samples
    /// alike: wᵀΦ(xᵢ) + b has no origin of its own, and seen from amid the samples they are shorter.
    [[nodiscard]] std::span<const double> reaches() const {
        return {m_reaches.data(), static_cast<std::size_t>(m_reaches.size())};
    }
    /// The same for any others: xᵢ given by ‖Φ(xᵢ)‖² and oᵀΦ(xᵢ), both exact up to `error` of the lengths that they
    /// are made of. Asserts a free bias.
    [[nodiscard]] Eigen::VectorXd reachesOf(const Eigen::VectorXd& squaredNorms, const Eigen::VectorXd& withOrigin,
                                            double error) const;
    /// o = Σ originᵢΦ(xᵢ), a share of the mean of up to 64 samples; empty without a free bias.
    [[nodiscard]] const Eigen::VectorXd& origin() const { return m_origin; }

    /// Error e of what the solver takes for zᵢᵀzⱼ: at most e ‖zᵢ‖‖zⱼ‖. 0 for the linear kernel, whose products are
    /// never made.
    [[nodiscard]] double productError() const { return m_rows ? m_rows->error() : 0.0; }

  private:
    /// Chooses o. One row of the kernel for each sample that it is made of.
    void chooseOrigin();

    FeatureRows m_features;
    Eigen::VectorXd m_y;
    Eigen::VectorXd m_weights;
    std::shared_ptr<const KernelRows> m_rows;
    bool m_hasFreeBias;
    Eigen::VectorXd m_diagonal;
    Eigen::VectorXd m_norms;
    Eigen::VectorXd m_reaches;
    Eigen::VectorXd m_origin;
    double m_squaredOrigin = 0; ///< ‖o‖²
    double m_originLength = 0;  ///< Σ |originᵢ| ‖Φ(xᵢ)‖
};

} // namespace lambdascope::svm
