// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_rows.h"
#include "core/numeric/error_bound.h"
#include "core/numeric/feature_rows.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <span>

namespace lambdascope {
class StopCheck;
}

namespace lambdascope::svm {

using SampleIndex = std::int32_t;

/// The samples of a problem; vectors of one length, one or two numbers per row of the features.
struct SampleTerms {
    Eigen::VectorXd y;               ///< ±1
    Eigen::VectorXd weights;         ///< ω ≥ 0; 0: the sample is there to be asked about, not to learn from
    Eigen::VectorXd thresholds = {}; ///< t; empty: 1 for all
    double balance = 0;              ///< what yᵀα is, with a free bias
};

/// A vector o = Σ cᵢΦ(xᵢ) of at most kMostTerms terms, as distances from it need it.
struct OriginSize {
    static constexpr SampleIndex kMostTerms = 64;
    double square = 0; ///< ‖o‖²
    double length = 0; ///< Σ |cᵢ| ‖Φ(xᵢ)‖
};

/// Upper bounds of ‖Φ(x) − o‖, for x given by ‖Φ(x)‖² and oᵀΦ(x), both exact up to `error` of the lengths that they are
/// made of.
[[nodiscard]] Eigen::VectorXd distancesFrom(const OriginSize& origin, const Eigen::VectorXd& squaredNorms,
                                            const Eigen::VectorXd& withOrigin, double error);

/// The samples of an SVM [S, (1), (2)], each with a weight ωᵢ and a threshold tᵢ of its margin:
///   primal  ½‖w‖² + C Σ ωᵢ max(0, tᵢ − zᵢᵀw),    zᵢ = yᵢ Φ(xᵢ);
///   dual    tᵀα − ½ αᵀQα,  0 ≤ αᵢ ≤ C ωᵢ,         Qᵢⱼ = zᵢᵀzⱼ,  w = Σ αᵢzᵢ.
/// The margin of a sample is fᵢ = zᵢᵀw = (Qα)ᵢ. R: fᵢ > tᵢ, αᵢ = 0. E: fᵢ = tᵢ. L: fᵢ < tᵢ, αᵢ = Cωᵢ. Two classes have
/// t = 1 [S]; regression see tubeTerms.
///
/// With a free bias b the margin is fᵢ = zᵢᵀw + yᵢb, b is a variable of the primal that costs nothing, and the dual has
/// the constraint yᵀα = 0. With a balance s that is yᵀα = s, and b costs sb in the primal: see oneClassTerms.
///
/// Two samples may share a row of the features: with n rows, samples i and i + n do. Rows of the kernel are those of
/// the features. A linear kernel works on the features and never makes rows of Q, unless there is a free bias; the
/// others share one store of kernel rows. What `features` looks at must outlive the problem.
class SvmProblem {
  public:
    /// `rows` is null for the linear kernel, but never with a free bias, which takes a few of them: of no use where
    /// `stopCheck` (or null) asked to stop.
    SvmProblem(const FeatureRows& features, SampleTerms terms, std::shared_ptr<const KernelRows> rows,
               bool hasFreeBias = false, StopCheck* stopCheck = nullptr);
    /// Of two classes.
    SvmProblem(const FeatureRows& features, Eigen::VectorXd y, Eigen::VectorXd weights,
               std::shared_ptr<const KernelRows> rows, bool hasFreeBias = false, StopCheck* stopCheck = nullptr);

    [[nodiscard]] SampleIndex size() const { return static_cast<SampleIndex>(m_terms.y.size()); }
    /// Works on the features: a linear kernel without rows.
    [[nodiscard]] bool isLinear() const { return m_rows == nullptr; }
    [[nodiscard]] bool hasFreeBias() const { return m_hasFreeBias; }
    [[nodiscard]] const FeatureRows& features() const { return m_features; }
    [[nodiscard]] const KernelRows& rows() const { return *m_rows; } ///< asserts !isLinear()
    [[nodiscard]] const std::shared_ptr<const KernelRows>& sharedRows() const { return m_rows; } ///< null if linear
    [[nodiscard]] const Eigen::VectorXd& y() const { return m_terms.y; }
    [[nodiscard]] const Eigen::VectorXd& weights() const { return m_terms.weights; }
    [[nodiscard]] const Eigen::VectorXd& thresholds() const { return m_terms.thresholds; }
    [[nodiscard]] const SampleTerms& terms() const { return m_terms; }
    /// s of yᵀα = s.
    [[nodiscard]] double balance() const { return m_terms.balance; }
    /// What the values of the problem are at least measured by. The optimum of one class, −½‖w‖², is 0 where the origin
    /// is amid the samples, so that nothing is close to it: with a balance s, a millionth of ½s² mean ‖zᵢ‖². Else 0.
    [[nodiscard]] double leastSize() const { return m_leastSize; }
    /// max |tᵢ|: what rounding of t − f is measured by.
    [[nodiscard]] double largestThreshold() const { return m_largestThreshold; }
    /// Qᵢᵢ = ‖zᵢ‖².
    [[nodiscard]] const Eigen::VectorXd& diagonal() const { return m_diagonal; }
    /// Upper bounds of ‖zᵢ‖.
    [[nodiscard]] const Eigen::VectorXd& norms() const { return m_norms; }
    [[nodiscard]] double longestNorm() const { return m_longestNorm; } ///< the largest of them
    /// Upper bounds of how much a change of w by a vector of length 1 changes a margin: ‖zᵢ‖. With a free bias
    /// ‖Φ(xᵢ) − o‖ for the vector o of origin(), and b changes by oᵀu besides when w changes by u, for all samples
    /// alike: wᵀΦ(xᵢ) + b has no origin of its own, and seen from amid the samples they are shorter.
    [[nodiscard]] std::span<const double> reaches() const {
        return {m_reaches.data(), static_cast<std::size_t>(m_reaches.size())};
    }
    [[nodiscard]] double meanReach() const { return m_meanReach; }
    /// The same for any others: xᵢ given by ‖Φ(xᵢ)‖² and oᵀΦ(xᵢ), both exact up to `error` of the lengths that they
    /// are made of. Only with a free bias.
    [[nodiscard]] Eigen::VectorXd reachesOf(const Eigen::VectorXd& squaredNorms, const Eigen::VectorXd& withOrigin,
                                            double error) const {
        return distancesFrom(m_originSize, squaredNorms, withOrigin, error);
    }
    /// o = Σ originᵢΦ(xᵢ), a share of the mean of up to 64 samples; empty without a free bias.
    [[nodiscard]] const Eigen::VectorXd& origin() const { return m_origin; }

    /// Rows of the features, and the one that sample i is of.
    [[nodiscard]] SampleIndex rowCount() const { return m_rowCount; }
    [[nodiscard]] bool sharesRows() const { return size() > m_rowCount; }
    [[nodiscard]] SampleIndex rowOf(SampleIndex i) const { return i < m_rowCount ? i : i - m_rowCount; }
    /// Kernel values of sample i with all rows.
    [[nodiscard]] KernelRow kernelRow(SampleIndex i) const { return m_rows->row(rowOf(i)); }
    /// vᵀx of a linear kernel, and v += factor · x.
    [[nodiscard]] double dot(SampleIndex i, const double* v) const { return m_features.dot(rowOf(i), v); }
    void addTo(SampleIndex i, double factor, double* v) const { m_features.addTo(rowOf(i), factor, v); }
    /// Σ yᵢcᵢ over the samples of each row: the coefficients of Φ(x) in Σ cᵢzᵢ.
    [[nodiscard]] Eigen::VectorXd rowCoefficients(const Eigen::VectorXd& c) const;

    /// Error e of what the solver takes for zᵢᵀzⱼ: at most e ‖zᵢ‖‖zⱼ‖. 0 for the linear kernel, whose products are
    /// never made.
    [[nodiscard]] double productError() const { return m_rows ? m_rows->error() : 0.0; }

  private:
    /// Numbers of rows, for their samples.
    [[nodiscard]] Eigen::VectorXd ofSamples(Eigen::VectorXd ofRows) const;
    /// Chooses o. One row of the kernel for each sample that it is made of.
    void chooseOrigin(StopCheck* stopCheck);

    FeatureRows m_features;
    SampleTerms m_terms;
    std::shared_ptr<const KernelRows> m_rows;
    bool m_hasFreeBias;
    SampleIndex m_rowCount;
    double m_leastSize = 0;
    double m_largestThreshold = 0;
    Eigen::VectorXd m_diagonal;
    Eigen::VectorXd m_norms;
    Eigen::VectorXd m_reaches;
    double m_longestNorm = 0;
    double m_meanReach = 0;
    Eigen::VectorXd m_origin;
    OriginSize m_originSize;
};

/// ε-insensitive regression of `targets`, one per row, is an SVM of two samples per row [Vapnik 1995]: the loss
/// max(0, |target − f(x)| − ε) is the sum of
///   max(0, (target − ε) − f(x))     of sample i,     y = +1, t = target − ε: the side above f;
///   max(0, (−target − ε) + f(x))    of sample i + n, y = −1, t = −target − ε: the side below.
/// R is a target nearer than that end of the tube, L one beyond it, E one on it. `weights` are those of the rows.
[[nodiscard]] SampleTerms tubeTerms(const Eigen::VectorXd& targets, const Eigen::VectorXd& weights, double epsilon);

/// The one-class SVM [Schölkopf et al. 2001] of samples of one kind: f(x) = wᵀΦ(x) + b is to be above 0 on most of them
/// while the origin of the feature space is far below,
///   min ½‖w‖² + C Σ ωᵢ max(0, −f(xᵢ)) + b,   dual  −½ αᵀKα,  0 ≤ α ≤ Cω,  eᵀα = 1.
/// With C = 1/(νn) and ω = 1 that is LIBSVM's, whose α, w and ρ = −b are 1/C times ours: at most νn samples lie
/// outside (L), at least νn are support vectors.
[[nodiscard]] SampleTerms oneClassTerms(const Eigen::VectorXd& weights);

} // namespace lambdascope::svm
