// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/screening/path_ball.h"
#include "core/triplets/screening/sphere_rule.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lambdascope::triplets {

class ProblemItems;

/// An open interval of λ; empty by default.
struct LambdaRange {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;

    [[nodiscard]] bool isEmpty() const { return !(low < high); }
    [[nodiscard]] bool contains(double lambda) const { return low < lambda && lambda < high; }
};

/// What one reference decides about a triplet, and over which λ; Keep and empty when nothing.
struct Lifetime {
    Decision decision = Decision::Keep;
    LambdaRange range;
};

/// For which λ the ball of one reference (path_ball.h) decides an item by the sphere rule [T, §6.1, Thm 10 for RRPB and
/// R̂; the rest is derived the same way]. With t = ⟨H,M₀⟩, t̂ = ⟨H,M̂⟩, h = ‖H‖ and the item's threshold τ (1 for
/// triplets, [T, §6.3]), R̂ needs ½ (t + s t̂) − τ > h r(s). At s = 1 ± y that is g = ½ (t + t̂) − τ > h √c and
///
///     (g ± ½ y t̂)² − h² (c + b y + a y²) > 0
///
/// from y = 0 on: up to the first root of a quadratic, beyond which the left side of the first inequality may no longer
/// be positive. L̂ is the same with −H and γ − τ for τ. An interval that does not hold λ₀ is empty. A linear term
/// changes nothing: the balls do not know it (loss_totals.h). Ends are moved inwards by the errors of the margins and
/// by the rounding of their own computation.
class RangeRule {
  public:
    /// The errors bound those of t and of t̂.
    RangeRule(const PathBall& ball, double gamma, double marginError, double dualMarginError);

    /// Errors from those of any margin ⟨H, Q⟩ by spectralBound(Q).
    template <class ErrorOf>
    RangeRule(const PathBall& ball, double gamma, const ErrorOf& errorOf)
        : RangeRule(ball, gamma, errorOf(ball.point().spectralBound()),
                    errorOf(ball.hasDual() ? spectralBound(ball.dual()) : ball.point().spectralBound())) {}

    /// From t, t̂ and h² or an upper bound of it.
    [[nodiscard]] LambdaRange zero(double t, double dual, double squaredNorm, double threshold = 1) const;
    [[nodiscard]] LambdaRange linear(double t, double dual, double squaredNorm, double threshold = 1) const;

    /// The sphere rule of the ball at one λ, for margins PathBall::margin(): a first look that needs no exact ‖H‖.
    [[nodiscard]] SphereRule at(double lambda) const;

    /// Whichever of the two is not empty; at λ₀ an item cannot be in both.
    [[nodiscard]] Lifetime lifetime(double t, double dual, double squaredNorm, double threshold = 1) const;

  private:
    /// Where ½ (t + s t̂) − edge > h r(s).
    [[nodiscard]] LambdaRange beyond(double t, double dual, double squaredNorm, double edge) const;

    PathRadius m_radius;
    double m_firstRadius; ///< at λ₀
    double m_gamma;
    double m_marginError;
    double m_dualMarginError;
};

/// Counts, for each of a falling list of targets, the intervals that hold it. O(log targets) an interval.
class IntervalCounter {
  public:
    /// `targets` must stay alive.
    explicit IntervalCounter(std::span<const double> targets) : m_targets(targets), m_steps(targets.size() + 1, 0) {}

    void add(const LambdaRange& range);
    [[nodiscard]] std::vector<std::int64_t> counts() const;

  private:
    std::span<const double> m_targets;
    std::vector<std::int64_t> m_steps; ///< count at a target less that at the one before
};

/// How much one reference decides elsewhere: rates[i] is the share of all items, in [0, 1], whose interval
/// (range_rule.h) holds targets[i]. `targets` in falling order. Cost O(items d); false when stopped.
bool rangeRates(const ProblemItems& items, const PathBall& ball, double gamma, std::span<const double> targets,
                StopCheck& stopCheck, std::vector<double>& rates);

} // namespace lambdascope::triplets
