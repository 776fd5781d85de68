// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/pu/problem/exact_sum.h"
#include "core/pu/problem/pu_space.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace lambdascope::pu {

/// Positive-unlabeled learning with the double hinge loss [P, (3), (5), (6)]:
///   primal  −c₁Σ_P f + c₂Σ_U max(0, f, (1+f)/2) + ½‖w‖²,   f = ⟨w, φ⟩ + β,  c₁ = π/(2λp), c₂ = 1/(2λn);
///   dual    −½‖w‖² + Σ min(σ, c₂−σ),  Σσ = c₁p, 0 ≤ σ ≤ c₂,  w = c₁Σ_Pφ − Σσφ.
///
/// All work is done in units of q = c₂/2 = 1/(4λn): σ = q s, w = q ω, β = q b, f = q z. Then
///   min_s  ½ sᵀKs − tᵀs + ε Σ|s − 1|,   0 ≤ s ≤ 2,  Σs = m,     t = (m/p) h,  m = 2πn,  ε = 4λn,
/// which is an ε-SVR in v = s − 1, and λ is in ε alone: a solution at one λ is feasible, with the same zᵤ − b, at all
/// others. The kinks of the loss, f = ∓1, are z = ∓ε, and σ = 0, c₂/2, c₂ are s = 0, 1, 2: exact numbers.
///
/// s are multiples of kQuantum and so is m, so that Σs = m holds exactly in every step; π is rounded for that by at
/// most kQuantum.
class PuProblem {
  public:
    PuProblem(std::shared_ptr<const PuSpace> space, double prior);

    [[nodiscard]] const PuSpace& space() const { return *m_space; }
    [[nodiscard]] double prior() const { return m_prior; }
    [[nodiscard]] SampleIndex positives() const { return m_space->positives(); }
    [[nodiscard]] SampleIndex unlabeled() const { return m_space->unlabeled(); }
    [[nodiscard]] SampleIndex size() const { return m_space->size(); }

    [[nodiscard]] double mass() const { return m_mass; } ///< m = Σs
    /// m/p: the weight of each positive, s being that of the unlabeled.
    [[nodiscard]] double pull() const { return m_mass / static_cast<double>(positives()); }
    [[nodiscard]] double epsilon(double lambda) const { return 4 * lambda * static_cast<double>(unlabeled()); }
    [[nodiscard]] double unit(double lambda) const { return 1 / epsilon(lambda); } ///< q

    /// Rounding of tᵤ − Σ sⱼ k(xⱼ, xᵤ) that comes from kernel values alone, per ‖φᵤ‖.
    [[nodiscard]] double kernelValueError() const { return m_valueError; }
    /// ‖ω‖ is never more, whatever the s.
    [[nodiscard]] double largestNorm() const { return m_largestNorm; }

  private:
    std::shared_ptr<const PuSpace> m_space;
    double m_prior;
    double m_mass;
    double m_valueError;
    double m_largestNorm;
};

inline PuProblem::PuProblem(std::shared_ptr<const PuSpace> space, double prior)
    : m_space(std::move(space)), m_prior(prior) {
    const auto n = static_cast<double>(unlabeled());
    double mass = 2 * prior * n;
    // A share of whole samples is one to the last bit, so that solutions without fractional s exist.
    if (std::abs(mass - std::round(mass)) <= 1e-12 * mass) {
        mass = std::round(mass);
    }
    m_mass = std::clamp(quantized(mass), kQuantum, 2 * n);
    const double largest = m_space->norms().tail(unlabeled()).size() > 0 ? m_space->norms().maxCoeff() : 0.0;
    const double length = m_mass * largest; // of Σ sφ, and of the positives' part, at most
    m_largestNorm = 2 * length * (1 + 8 * kUnitRoundoff);
    m_valueError = pull() * m_space->attractionError() + 4 * kUnitRoundoff * length +
                   (m_space->isLinear() ? 0.0 : m_space->valueError() * length);
}

} // namespace lambdascope::pu
