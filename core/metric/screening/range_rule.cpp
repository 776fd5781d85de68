// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/screening/range_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

constexpr double kInwards = 8 * kUnitRoundoff;

} // namespace

RangeRule::RangeRule(const PathReference& reference, double gamma, double marginError)
    : m_lambda(reference.lambda), m_norm(reference.point->norm().upper()),
      m_epsilon(std::sqrt(2 * std::max(reference.gap, 0.0) / reference.lambda) * (1 + kInwards)), m_gamma(gamma),
      m_marginError(marginError) {}

LambdaRange RangeRule::between(double low, double high) const {
    const LambdaRange range{std::max(low, 0.0) * (1 + kInwards), high * (1 - kInwards)};
    return range.contains(m_lambda) ? range : LambdaRange{};
}

LambdaRange RangeRule::zero(double t, double squaredNorm, double threshold) const {
    const double h = std::sqrt(squaredNorm) * (1 + kInwards);
    const double mh = m_norm * h;
    const double spread = 2 * m_epsilon * h;
    const double rounding = m_marginError + kInwards * (mh + std::abs(t) + spread + 2 * std::abs(threshold));
    const double below = t - 2 * threshold + mh - rounding;
    const double above = mh - t + 2 * threshold + spread + rounding;
    if (below <= 0) {
        return {};
    }
    return between(m_lambda * ((mh - t + spread + rounding) / below),
                   above > 0 ? m_lambda * ((mh + t - rounding) / above) : std::numeric_limits<double>::infinity());
}

LambdaRange RangeRule::linear(double t, double squaredNorm, double threshold) const {
    const double h = std::sqrt(squaredNorm) * (1 + kInwards);
    const double mh = m_norm * h;
    const double spread = 2 * m_epsilon * h;
    const double rounding =
        m_marginError + kInwards * (mh + std::abs(t) + spread + 2 * (std::abs(threshold) + m_gamma));
    const double edge = threshold - m_gamma;
    const double below = 2 * edge - t + mh - rounding;
    const double above = t + mh + spread - 2 * edge + rounding;
    if (below <= 0) {
        return {};
    }
    return between(m_lambda * ((t + mh + spread + rounding) / below),
                   above > 0 ? m_lambda * ((mh - t - rounding) / above) : std::numeric_limits<double>::infinity());
}

Lifetime RangeRule::lifetime(double t, double squaredNorm, double threshold) const {
    if (const LambdaRange range = zero(t, squaredNorm, threshold); !range.isEmpty()) {
        return {Verdict::Zero, range};
    }
    const LambdaRange range = linear(t, squaredNorm, threshold);
    return {range.isEmpty() ? Verdict::Keep : Verdict::Linear, range};
}

} // namespace lambdascope::metric
