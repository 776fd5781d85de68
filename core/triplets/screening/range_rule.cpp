// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/range_rule.h"

#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/problem/problem_items.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/screening/range_store.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace lambdascope::triplets {

namespace {

constexpr double kInwards = 8 * kUnitRoundoff;

/// A lower bound of the first y > 0 at which (g + ½ y slope)² − h² (c + b y + a y²) is 0; infinite when there is none.
/// `start` > 0 is g² − h² c, rounded down, as are the other coefficients of the quadratic: that moves the root towards
/// 0.
double firstRoot(double start, double g, double slope, double h, const PathRadius::Side& side) {
    const double squaredNorm = h * h * (1 + kInwards);
    const double linear =
        g * slope - squaredNorm * side.linear - kInwards * (g * std::abs(slope) + squaredNorm * std::abs(side.linear));
    const double square = std::min(
        0.25 * slope * slope - squaredNorm * side.square - kInwards * (slope * slope + squaredNorm * side.square), 0.0);
    // The discriminant is a sum of terms ≥ 0; of the two forms of the root the one without a difference.
    const double root = std::max(std::sqrt(linear * linear - 4 * start * square), std::abs(linear));
    const double y = linear > 0 ? (root + linear) / (-2 * square) : 2 * start / (root - linear);
    return std::isnan(y) ? 0 : y < 0 ? std::numeric_limits<double>::infinity() : y * (1 - 2 * kInwards);
}

} // namespace

RangeRule::RangeRule(const PathBall& ball, double gamma, double marginError, double dualMarginError)
    : m_radius(ball.radius()), m_firstRadius(std::sqrt(m_radius.below.constant) * (1 + kInwards)), m_gamma(gamma),
      m_marginError(marginError), m_dualMarginError(dualMarginError) {}

SphereRule RangeRule::at(double lambda) const {
    const double scale = m_radius.lambda / lambda * (1 + kInwards);
    return SphereRule(m_radius.at(lambda), m_gamma, 0.5 * m_marginError + 0.5 * scale * m_dualMarginError);
}

LambdaRange RangeRule::beyond(double t, double dual, double squaredNorm, double edge) const {
    const double h = std::sqrt(squaredNorm) * (1 + kInwards);
    const double dualError = (m_dualMarginError + h * m_radius.dualError) * (1 + kInwards) + kInwards * std::abs(dual);
    const double g = 0.5 * (t + dual) - edge - 0.5 * (m_marginError + dualError) -
                     kInwards * (std::abs(t) + std::abs(dual) + std::abs(edge));
    const double lambda0 = m_radius.lambda;
    const double reach = h * m_firstRadius;
    const double room = g - reach - kInwards * (std::abs(g) + reach);
    if (!(room > 0)) {
        return {};
    }
    const double start = room * (g + reach) * (1 - 2 * kInwards);
    const double below = firstRoot(start, g, dual - dualError, h, m_radius.below);
    const double above = firstRoot(start, g, -dual - dualError, h, m_radius.above);
    const LambdaRange range{lambda0 / (1 + below) * (1 + kInwards), above < 1
                                                                        ? lambda0 / (1 - above) * (1 - kInwards)
                                                                        : std::numeric_limits<double>::infinity()};
    return range.contains(lambda0) ? range : LambdaRange{};
}

LambdaRange RangeRule::zero(double t, double dual, double squaredNorm, double threshold) const {
    return beyond(t, dual, squaredNorm, threshold);
}

LambdaRange RangeRule::linear(double t, double dual, double squaredNorm, double threshold) const {
    return beyond(-t, -dual, squaredNorm, m_gamma - threshold);
}

Lifetime RangeRule::lifetime(double t, double dual, double squaredNorm, double threshold) const {
    if (const LambdaRange range = zero(t, dual, squaredNorm, threshold); !range.isEmpty()) {
        return {Decision::Zero, range};
    }
    const LambdaRange range = linear(t, dual, squaredNorm, threshold);
    return {range.isEmpty() ? Decision::Keep : Decision::Linear, range};
}

void RangeStore::moveTo(double lambda) {
    if (lambda > m_lambda) {
        m_fixed.reset();
        m_batches.clear();
        m_batch.clear();
    }
    m_lambda = lambda;
    for (std::vector<Entry>& batch : m_batches) {
        while (!batch.empty() && batch.back().low >= lambda) {
            m_fixed.clear(batch.back().number);
            batch.pop_back();
        }
        if (batch.size() < batch.capacity() / 2) {
            batch.shrink_to_fit();
        }
    }
    std::erase_if(m_batches, [](const std::vector<Entry>& batch) { return batch.empty(); });
}

void RangeStore::seal() {
    std::sort(m_batch.begin(), m_batch.end(),
              [](const Entry& a, const Entry& b) { return a.low != b.low ? a.low < b.low : a.number < b.number; });
    if (!m_batch.empty()) {
        m_batches.push_back(std::move(m_batch));
        m_batch = {};
    }
}

std::size_t RangeStore::bytes() const {
    std::size_t entries = m_batch.capacity();
    for (const std::vector<Entry>& batch : m_batches) {
        entries += batch.capacity();
    }
    return entries * sizeof(Entry) + static_cast<std::size_t>(m_fixed.size()) / 4;
}

void IntervalCounter::add(const LambdaRange& range) {
    if (range.isEmpty()) {
        return;
    }
    // Targets t with high > t > low.
    const auto first = std::upper_bound(m_targets.begin(), m_targets.end(), range.high, std::greater<>());
    const auto last = std::lower_bound(first, m_targets.end(), range.low, std::greater<>());
    ++m_steps[static_cast<std::size_t>(first - m_targets.begin())];
    --m_steps[static_cast<std::size_t>(last - m_targets.begin())];
}

std::vector<std::int64_t> IntervalCounter::counts() const {
    std::vector<std::int64_t> result(m_targets.size());
    std::partial_sum(m_steps.begin(), std::prev(m_steps.end()), result.begin());
    return result;
}

bool rangeRates(const ProblemItems& items, const PathBall& ball, double gamma, std::span<const double> targets,
                StopCheck& stopCheck, std::vector<double>& rates) {
    const PairTable& table = items.table();
    PairQuadraticForms space(table);
    std::vector<double> z;
    std::vector<double> ofDual;
    if (!ball.forms(space, nullptr, stopCheck, z, ofDual)) {
        return false;
    }
    z.push_back(0); // noPair
    ofDual.push_back(0);
    const std::vector<double>& duals = ball.hasDual() ? ofDual : z;
    const RangeRule rule(ball, gamma, [&](double size) {
        return table.marginError(space.valueError(size), size, items.largestThreshold());
    });
    IntervalCounter counts(targets);
    TripletNorm norm(table);
    const auto visit = [&](TripletIndex, const ProblemItem& item) {
        const double t = z[static_cast<std::size_t>(item.far)] - z[static_cast<std::size_t>(item.near)];
        const double dual = duals[static_cast<std::size_t>(item.far)] - duals[static_cast<std::size_t>(item.near)];
        counts.add(rule.lifetime(t, dual, norm.squared(item.far, item.near), item.threshold).range);
    };
    if (!items.visitAll(60 + 4 * table.stride(), stopCheck, visit)) {
        return false;
    }
    rates.clear();
    for (const std::int64_t count : counts.counts()) {
        rates.push_back(static_cast<double>(count) / static_cast<double>(items.size()));
    }
    return true;
}

} // namespace lambdascope::triplets
