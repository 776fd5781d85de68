// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/sphere_bounds.h"
#include "core/metric/sphere_rule.h"

#include <limits>

namespace lambdascope::metric {

/// An open interval of λ; empty by default.
struct LambdaRange {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;

    [[nodiscard]] bool isEmpty() const { return !(low < high); }
    [[nodiscard]] bool contains(double lambda) const { return low < lambda && lambda < high; }
};

/// What one reference decides about a triplet, and over which λ; Keep and empty when nothing.
struct Lifetime {
    Verdict verdict = Verdict::Keep;
    LambdaRange range;
};

/// For which λ one reference M₀, solved at λ₀ to ‖M₀ − M₀*‖ ≤ ε, decides a triplet by RRPB and the sphere rule
/// [T, §6.1, Thm 10; the case of L̂ is derived the same way]. With t = ⟨H,M₀⟩, m = ‖M₀‖, h = ‖H‖ and c = 1 − γ:
///
///     R̂: λ₀ (mh − t + 2εh)/(t − 2 + mh) < λ < λ₀ (mh + t)/(mh − t + 2 + 2εh)
///     L̂: λ₀ (t + mh + 2εh)/(2c − t + mh) < λ < λ₀ (mh − t)/(t + mh + 2εh − 2c), or no upper end
///
/// where an interval that does not hold λ₀ is empty. Ends are moved inwards by the errors of t, m, ε and by the
/// rounding of their own computation.
class RangeRule {
  public:
    /// `marginError` bounds the error of t.
    RangeRule(const PathReference& reference, double gamma, double marginError);

    /// From t and h² or an upper bound of it.
    [[nodiscard]] LambdaRange zero(double t, double squaredNorm) const;
    [[nodiscard]] LambdaRange linear(double t, double squaredNorm) const;

    /// Whichever of the two is not empty; at λ₀ a triplet cannot be in both.
    [[nodiscard]] Lifetime lifetime(double t, double squaredNorm) const;

  private:
    [[nodiscard]] LambdaRange between(double low, double high) const;

    double m_lambda;
    double m_norm;    ///< upper bound of m
    double m_epsilon; ///< upper bound of ε
    double m_edge;    ///< c
    double m_marginError;
};

} // namespace lambdascope::metric
