// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/dual_iterate.h"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace lambdascope::svm {

/// A proximal point step [Rockafellar 1976] on the dual of a linear SVM, from ᾱ, over the samples that are visited, the
/// others held:
///   max tᵀα − ½‖Σ αᵢzᵢ‖² − ½δ Σ (αᵢ − ᾱᵢ)² / Uᵢ   over 0 ≤ αᵢ ≤ Uᵢ = Cωᵢ.
/// For a given w the best α is αᵢ(w) = clip(ᾱᵢ + Uᵢ(tᵢ − zᵢᵀw) / δ): δ is the width of the margins over which a sample
/// goes from one bound to the other. What is left is w = Σ αᵢ(w) zᵢ, which semismooth Newton solves [Niu et al. 2019]
/// [Yan and Li 2020] by systems I + Σ Uᵢzᵢzᵢᵀ / δ over the samples strictly between their bounds: as many equations as
/// features, however many samples are free. Where coordinate descent crawls, at large C and among more free samples
/// than features, a few such steps arrive.
class ProximalNewton {
  public:
    /// Over the members of `space` at the positions `visit`. Both must outlive this.
    ProximalNewton(DualIterate& space, const std::vector<std::int32_t>& visit);

    /// What a step is likely to take, in operations of a sweep.
    [[nodiscard]] double cost() const;
    /// Takes a step that is wide enough to take away most of `gap`, as exactly as a gap of `goodEnough` asks for. What
    /// the dual value gained: 0 when none helps or `stopCheck` asked to stop.
    double take(double gap, double goodEnough, StopCheck& stopCheck);
    /// What that took, in operations of a sweep.
    [[nodiscard]] double operations() const { return m_operations; }
    [[nodiscard]] double width() const { return m_width; } ///< δ of it

  private:
    /// False when `stopCheck` asked to stop.
    bool begin(double gap, StopCheck& stopCheck);
    /// αᵢ(w) of the sample at place k in `visit`, for tᵢ − zᵢᵀw.
    [[nodiscard]] double best(Eigen::Index k, double pull) const;
    /// α(w) for w as it stands, and what that moves; of no use when `stopCheck` asked to stop.
    void takeBest(StopCheck& stopCheck);
    /// Makes the system of α(w) and factors it. False when `stopCheck` asked to stop or there is no factor.
    bool makeSystem(StopCheck& stopCheck);
    /// m_products += sign · Σ Uᵢzᵢzᵢᵀ.
    void addProducts(const std::vector<Eigen::Index>& places, double sign, StopCheck& stopCheck);
    /// How far along the direction, whose products with the samples are `slopes`, the function of w falls that Newton
    /// minimizes, or nearly so: at most 1.
    [[nodiscard]] double lengthAlong(const Eigen::VectorXd& direction, const Eigen::VectorXd& slopes);

    DualIterate& m_space;
    const SvmProblem& m_problem;
    const std::vector<std::int32_t>& m_visit;
    double m_width = 0;
    double m_operations = 0;
    std::vector<SampleIndex> m_samples; ///< those visited; the vectors have as many entries
    Eigen::VectorXd m_start;            ///< ᾱ
    Eigen::VectorXd m_upper;
    Eigen::VectorXd m_pull;        ///< t − zᵀw for w as it stands
    Eigen::VectorXd m_alpha;       ///< α(w)
    std::vector<bool> m_isBetween; ///< its product is in m_products
    Eigen::VectorXd m_way;         ///< w less the one that belongs to ᾱ
    Eigen::VectorXd m_moved;       ///< Σ (αᵢ(w) − ᾱᵢ) zᵢ
    Eigen::MatrixXd m_products;    ///< lower triangle
    Eigen::MatrixXd m_factor;
};

} // namespace lambdascope::svm
