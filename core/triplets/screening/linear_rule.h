// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/region.h"
#include "core/triplets/screening/sphere_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

/// The rule over the part of a ball where ⟨P, M⟩ ≥ 0, P ⪰ 0 [T, §4.3, Thm 9]. With q = ⟨H,Q⟩, s = ⟨P,H⟩, p = ⟨P,Q⟩ and
/// any β ≥ 0, ⟨H,M⟩ ≥ ⟨H − βP, M⟩ ≥ q − βp − r (‖H‖² − 2βs + β²‖P‖²)^½ (weak duality). The best β,
/// (s − p k/(r²‖P‖² − p²)^½)/‖P‖² with k² = ‖H‖²‖P‖² − s², makes it the theorem's minimum, and β = 0 the sphere rule.
///
/// Safe in floating point: whatever β came out, the lower bound there is compared with room for the errors of q, s, p,
/// and for P ⪰ 0 only up to rounding. Nothing is divided by, so P = 0, H along P or a half-space that only touches the
/// ball are no special cases: they find no β that helps.
class LinearRule {
  public:
    /// `marginError`, `normalError`: bounds on the errors of q and s.
    LinearRule(const Region& region, double gamma, double marginError, double normalError)
        : m_lowerEdge(1 - gamma), m_radius(region.sphere.radius * (1 + 4 * kUnitRoundoff)), m_marginError(marginError),
          m_normalError(normalError) {
        const Eigen::MatrixXd& p = region.normal;
        const double norm = p.norm();
        const double centre = region.sphere.centre.norm();
        const double sums = roundingFactor(static_cast<double>(p.size()) + 4);
        m_squares = norm * norm * (1 + 4 * sums);
        m_product = p.cwiseProduct(region.sphere.centre).sum();
        // P is N Nᵀ as rounded: ⟨P, M⟩ ≥ −‖P − N Nᵀ‖ ‖M‖, and ‖M‖ ≤ ‖Q‖ + r.
        const double defect = roundingFactor(static_cast<double>(p.rows()) + 4) * std::sqrt(double(p.rows())) * norm;
        m_productBound = m_product + 2 * (sums * norm * centre + defect * (centre + m_radius));
    }

    /// Decision from q, s and an upper bound of ‖H‖².
    [[nodiscard]] Decision judge(double q, double s, double squaredNorm) const {
        if (proves(q, s, 1, squaredNorm)) {
            return Decision::Zero;
        }
        return proves(-q, -s, -m_lowerEdge, squaredNorm) ? Decision::Linear : Decision::Keep;
    }

  private:
    /// Is ⟨H, M⟩ > edge everywhere?
    [[nodiscard]] bool proves(double q, double s, double edge, double squaredNorm) const {
        const double k = std::sqrt(std::max(squaredNorm * m_squares - s * s, 0.0));
        const double root = std::sqrt(m_radius * m_radius * m_squares - m_product * m_product);
        const double best = (s - m_product * k / root) / m_squares;
        const double beta = best > 0 && std::isfinite(best) ? best : 0; // at 0 it is the sphere rule
        const double pad = m_marginError + 8 * kUnitRoundoff * (std::abs(q) + 1 + beta * std::abs(m_productBound));
        const double left = q - edge - beta * m_productBound - pad;
        const double terms = squaredNorm + 2 * beta * std::abs(s) + beta * beta * m_squares;
        const double reach =
            squaredNorm - 2 * beta * s + beta * beta * m_squares + 2 * beta * m_normalError + 8 * kUnitRoundoff * terms;
        return left > 0 && left * left > m_radius * m_radius * std::max(reach, 0.0) * (1 + 16 * kUnitRoundoff);
    }

    double m_lowerEdge;
    double m_radius;
    double m_marginError;
    double m_normalError;
    double m_squares;      ///< ‖P‖², an upper bound
    double m_product;      ///< ⟨P, Q⟩
    double m_productBound; ///< an upper bound of ⟨P, Q⟩ that also pays for the rounding of P
};

} // namespace lambdascope::triplets
