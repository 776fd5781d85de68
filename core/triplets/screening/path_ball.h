// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/screening/primal_dual_pair.h"
#include "core/triplets/screening/sphere_bounds.h"

#include <vector>

namespace lambdascope::triplets {

/// The radius of a path ball in dependence on λ: with s = λ₀/λ, r² ≤ c + b y + a y² at s = 1 + y (λ below λ₀) and at s
/// = 1 − y (above it), y ≥ 0. Coefficients are upper bounds, so that they need no further padding.
struct PathRadius {
    struct Side {
        double constant = 0; ///< c
        double linear = 0;   ///< b
        double square = 0;   ///< a
    };

    double lambda = 0; ///< λ₀
    Side below;        ///< of λ < λ₀
    Side above;
    double dualError = 0; ///< bound on the error of M̂, which moves the centre

    /// At least the radius at λ, round the centre as computed.
    [[nodiscard]] double at(double target) const;
};

/// A ball that one reference (M₀, α₀), solved at λ₀, gives for every λ. With s = λ₀/λ and M̂ = M_λ₀(α₀) its centre is
/// Q = ½ (M₀ + s M̂). MGB (primal_dual_pair.h) is such a ball, and so is RRPB, with M₀ in place of M̂.
class PathBall {
  public:
    /// MGB if `bound` is that, else RRPB. The reference's point must outlive the ball. Decides nothing when `stopCheck`
    /// asked to stop.
    PathBall(const PathReference& reference, BoundKind bound, double gamma, StopCheck* stopCheck = nullptr);

    [[nodiscard]] const MetricPoint& point() const { return *m_point; } ///< M₀
    [[nodiscard]] const PathRadius& radius() const { return m_radius; }

    /// Whether M̂ is another matrix than M₀.
    [[nodiscard]] bool hasDual() const { return m_dual.size() > 0; }
    /// M̂, or else M₀. Margins of M̂ are taken from this matrix, up to radius().dualError; those of M₀ are exact.
    [[nodiscard]] const Eigen::MatrixXd& dual() const { return hasDual() ? m_dual : m_point->matrix; }

    /// ⟨H, Q⟩ = ½ (t + s t̂) at λ.
    [[nodiscard]] double margin(double t, double dual, double lambda) const {
        return 0.5 * (t + m_radius.lambda / lambda * dual);
    }

    /// δᵀM₀δ and δᵀM̂δ of pairs; `duals` is left alone when there is no dual. False when stopped.
    bool forms(PairQuadraticForms& space, PairQuadraticForms::PairList pairs, StopCheck& stopCheck,
               std::vector<double>& values, std::vector<double>& duals) const;

  private:
    void setRelaxed(double gap);
    void setMidpoint(const PrimalDualPair& pair);

    const MetricPoint* m_point;
    Eigen::MatrixXd m_dual;
    PathRadius m_radius;
};

} // namespace lambdascope::triplets
