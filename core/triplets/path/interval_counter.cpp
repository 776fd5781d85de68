// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/interval_counter.h"

#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/problem/triplet_norm.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lambdascope::triplets {

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
