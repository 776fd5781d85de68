// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/pair_table.h"
#include "core/triplets/screening/region.h"
#include "core/triplets/screening/sphere_rule.h"

#include <Eigen/Core>

#include <cstdint>
#include <utility>

namespace lambdascope::triplets {

/// The rule for diagonal M that knows m ≥ 0 besides the ball [T, §6.2, problem P4]: with h = diag(H) = a∘a − b∘b,
///   R̂ if min hᵀx > τ,  L̂ if max hᵀx < τ − γ,  both over x ≥ 0, ‖x − q‖² ≤ r²,
/// where the threshold τ is 1 for triplets.
///
/// Minimizers have the form x(u) = [q − u h]₊, where u = 1/2α ≥ 0 is set by ‖x(u) − q‖² = r² [T, Thm 11; the text drops
/// the square]. That length grows with u and is (u² A + B)^½ between two breakpoints q_k = u h_k, with A = Σ h_k² over
/// x_k > 0 and B = Σ q_k² over the rest. Solving this for u with the A and B at hand, and looking where the result
/// lies, ends at the exact u after a few steps of O(d); algorithm 3 tours all breakpoints in O(d²). When ‖x(u) − q‖
/// never reaches r, min hᵀx is 0 [T, Thm 12], which proves nothing.
///
/// Safe at every step, not only at the end: by weak duality g(u) = hᵀx(u) + (‖x(u) − q‖² − r²)/2u ≤ min hᵀx for any
/// u > 0, so a decision needs no exact u; SDLS's D(u) > r² says the same, D(u) − r² = 2u (g(u) − edge). Giving up is
/// quick too: an x(u) inside the ball has hᵀx(u) ≥ min hᵀx. All sums carry their rounding errors.
///
/// RuleKind::Analytic looks for the exact u, RuleKind::Semidefinite climbs D(u) by Newton steps until it exceeds r²
/// (SDLS); both decide the same triplets. O(d) a step. Not thread-safe.
class DiagonalRule {
  public:
    DiagonalRule(const PairTable& table, const Region& region, double gamma);

    /// Decision on h = a∘a − b∘b with the differences a and b of two pairs of rows: (anchor, other) and (anchor, same)
    /// of a triplet, two equal rows where a comparison has no such pair.
    [[nodiscard]] Decision judge(const RowPair& far, const RowPair& near, double threshold = 1);

    /// Floating-point operations since the last call, roughly.
    [[nodiscard]] std::int64_t takeOperations() { return std::exchange(m_operations, 0); }

  private:
    /// Sums at one u over k with x_k(u) > 0, "inside", and over the rest.
    struct Pass {
        double u = 0;
        double slopes = 0;                                                               ///< A = Σ_inside h_k²
        double constant = 0;                                                             ///< B = Σ_rest q_k²
        double linear = 0;                                                               ///< Σ_inside h_k q_k
        [[nodiscard]] double squaredLength() const { return u * u * slopes + constant; } ///< ‖x − q‖²
        [[nodiscard]] double value() const { return linear - u * slopes; }               ///< hᵀx
    };

    void setSlopes(const RowPair& far, const RowPair& near);
    [[nodiscard]] bool proves(double sign, double edge);
    [[nodiscard]] Pass passAt(double sign, double u);
    [[nodiscard]] double lowerBound(const Pass& pass) const;
    [[nodiscard]] double next(const Pass& pass, double edge) const;

    const PairTable& m_table;
    bool m_isAscent; ///< SDLS
    double m_gamma;
    double m_radius;
    double m_squaredRadius;  ///< padded
    Eigen::ArrayXd m_centre; ///< q, padded by zeros like the rows
    double m_centreNorm;     ///< ‖q‖, an upper bound
    Eigen::ArrayXd m_slopes; ///< h of the item at work, padded
    double m_slopeNorm = 0;  ///< ‖h‖
    double m_slopeError = 0; ///< bound on ‖h − exact h‖
    std::int64_t m_operations = 0;
};

} // namespace lambdascope::triplets
