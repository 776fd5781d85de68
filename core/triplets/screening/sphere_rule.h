// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"

namespace lambdascope::triplets {

enum class Decision {
    Keep,   ///< undecided: the triplet stays in the problem
    Zero,   ///< R̂: ⟨M*, H⟩ > 1, no loss
    Linear, ///< L̂: ⟨M*, H⟩ < 1 − γ, loss in its linear part
    Unsure, ///< only from a first look: the exact ‖H‖ is needed to tell
};

/// The spherical rule [T, §4.1]: with q = ⟨H, Q⟩ and h = ‖H‖_F, the margin of every M in the ball lies in
/// [q − r h, q + r h]; R̂ if q − r h > 1, L̂ if q + r h < 1 − γ. Compares squares, so no root is taken.
///
/// Every comparison leaves room for `marginError`, the bound on the error of q, and for the rounding of its own
/// operations: a decision may be lost to rounding, never gained.
class SphereRule {
  public:
    SphereRule(double radius, double gamma, double marginError)
        : m_radius(radius * (1 + 4 * kUnitRoundoff)),
          m_squaredRadius(radius * radius * (1 + 16 * kUnitRoundoff) + kUnderflow), m_lowerEdge(1 - gamma),
          m_marginError(marginError + 4 * kUnitRoundoff) {}

    /// Decision from h² or an upper bound of it.
    [[nodiscard]] Decision judge(double q, double squaredNorm) const {
        const double pad = m_marginError + 2 * kUnitRoundoff * (q < 0 ? -q : q);
        const double reach = m_squaredRadius * (squaredNorm + kUnderflow);
        const double above = q - pad - 1;
        const double below = m_lowerEdge - q - pad;
        const int zero = static_cast<int>(above > 0) & static_cast<int>(above * above > reach);
        const int linear = static_cast<int>(below > 0) & static_cast<int>(below * below > reach);
        return static_cast<Decision>(zero + 2 * linear); // never both; without a branch that nobody can foretell
    }

    /// First look with A = ‖a‖², B = ‖b‖² only: (A − B)² ≤ h² ≤ A² + B², since h² = A² + B² − 2 (aᵀb)².
    [[nodiscard]] Decision look(double q, double a, double b) const {
        const Decision sure = judge(q, mostSquaredNorm(a, b));
        if (sure != Decision::Keep) {
            return sure;
        }
        return judge(q, leastSquaredNorm(a, b)) == Decision::Keep ? Decision::Keep : Decision::Unsure;
    }
    [[nodiscard]] static double mostSquaredNorm(double a, double b) { return (a * a + b * b) * (1 + kLengthSlack); }
    [[nodiscard]] static double leastSquaredNorm(double a, double b) { return (a - b) * (a - b) * (1 - kLengthSlack); }

    /// Padded radius for rules about groups, which use h ≤ A + B.
    [[nodiscard]] double radius() const { return m_radius; }
    [[nodiscard]] double lowerEdge() const { return m_lowerEdge; }
    [[nodiscard]] double marginError() const { return m_marginError; }

  private:
    /// Covers the rounding of A² and B², sums over some thousand features.
    static constexpr double kLengthSlack = 1e-12;

    double m_radius;
    double m_squaredRadius;
    double m_lowerEdge;
    double m_marginError;
};

/// An upper bound of ‖H‖ that is a sum of a part of each pair, so that one comparison may decide many triplets:
/// (A² + B²)^½ ≤ f(A) + g(B) with f(A) = (A² + c²)/2c below c and A from c on, g(B) = min(B, B²/2c), for any c > 0 (the
/// mean of A is a good one). Parts come times a radius, padded for the rounding of A and B (sums over some thousand
/// features) and of f and g.
class SeparableNormBound {
  public:
    SeparableNormBound(double c, double radius) : m_c(c), m_divisor(c > 0 ? c : 1), m_radius(radius * (1 + kSlack)) {}

    /// Without a branch, so that a loop takes several at a time.
    [[nodiscard]] double ofOther(double a) const {
        const double bent = a < m_c ? a : m_c;
        return m_radius * (bent / m_divisor * bent / 2 + m_c / 2 + (a - bent));
    }
    [[nodiscard]] double ofSame(double b) const {
        const double bent = b / m_c * b / 2; // NaN when all lengths are 0: the comparison drops it
        return m_radius * (bent < b ? bent : b);
    }

    static constexpr double kSlack = 4e-12;

  private:
    double m_c;
    double m_divisor; ///< c, but for lengths that are all 0
    double m_radius;
};

} // namespace lambdascope::triplets
