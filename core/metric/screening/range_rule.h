// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/screening/sphere_bounds.h"
#include "core/metric/screening/sphere_rule.h"

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
/// [T, §6.1, Thm 10; the case of L̂ is derived the same way]. With t = ⟨H,M₀⟩, m = ‖M₀‖, h = ‖H‖, the item's threshold τ
/// (1 for triplets, [T, §6.3]) and c = τ − γ:
///
///     R̂: λ₀ (mh − t + 2εh)/(t − 2τ + mh) < λ < λ₀ (mh + t)/(mh − t + 2τ + 2εh)
///     L̂: λ₀ (t + mh + 2εh)/(2c − t + mh) < λ < λ₀ (mh − t)/(t + mh + 2εh − 2c)
///
/// where an interval that does not hold λ₀ is empty. Of the two fractions of a line the first one's denominator must be
/// positive (its numerator is never negative, since |t| ≤ mh, so else no λ ≤ λ₀ is decided); where the second one's is
/// not, as τ < 0 or c > 0 allow, there is no upper end. A linear term changes nothing: RRPB's ball does not know it
/// (loss_totals.h). Ends are moved inwards by the errors of t, m, ε and by the rounding of their own
/// computation.
class RangeRule {
  public:
    /// `marginError` bounds the error of t.
    RangeRule(const PathReference& reference, double gamma, double marginError);

    /// From t and h² or an upper bound of it.
    [[nodiscard]] LambdaRange zero(double t, double squaredNorm, double threshold = 1) const;
    [[nodiscard]] LambdaRange linear(double t, double squaredNorm, double threshold = 1) const;

    /// Whichever of the two is not empty; at λ₀ an item cannot be in both.
    [[nodiscard]] Lifetime lifetime(double t, double squaredNorm, double threshold = 1) const;

  private:
    [[nodiscard]] LambdaRange between(double low, double high) const;

    double m_lambda;
    double m_norm;    ///< upper bound of m
    double m_epsilon; ///< upper bound of ε
    double m_gamma;
    double m_marginError;
};

} // namespace lambdascope::metric
