// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/range_census.h"

#include "core/metric/pair_space.h"
#include "core/metric/triplet_norm.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lambdascope::metric {

void IntervalCounts::add(const LambdaRange& range) {
    if (range.isEmpty()) {
        return;
    }
    // Targets t with high > t > low.
    const auto first = std::upper_bound(m_targets.begin(), m_targets.end(), range.high, std::greater<>());
    const auto last = std::lower_bound(first, m_targets.end(), range.low, std::greater<>());
    ++m_steps[static_cast<std::size_t>(first - m_targets.begin())];
    --m_steps[static_cast<std::size_t>(last - m_targets.begin())];
}

std::vector<std::int64_t> IntervalCounts::counts() const {
    std::vector<std::int64_t> result(m_targets.size());
    std::partial_sum(m_steps.begin(), std::prev(m_steps.end()), result.begin());
    return result;
}

bool rangeRates(const TripletSet& triplets, const PathReference& reference, double gamma,
                std::span<const double> targets, WorkPoll& poll, std::vector<double>& rates) {
    PairSpace space(triplets);
    std::vector<double> z;
    if (!space.distances(*reference.point, nullptr, poll, z)) {
        return false;
    }
    const double size = reference.point->spectralBound();
    const RangeRule rule(reference, gamma, triplets.marginError(space.valueError(size), size));
    IntervalCounts counts(targets);
    TripletNorm norm(triplets);
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            const PairIndex same = triplets.samePair(s);
            for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o) {
                const PairIndex other = triplets.otherPair(o);
                const double t = z[static_cast<std::size_t>(other)] - z[static_cast<std::size_t>(same)];
                counts.add(rule.lifetime(t, norm.squared(i, same, other)).range);
            }
            if (poll.spend((triplets.otherOffset(i + 1) - triplets.otherOffset(i)) * (60 + 4 * triplets.stride()))) {
                return false;
            }
        }
    }
    rates.clear();
    for (const std::int64_t count : counts.counts()) {
        rates.push_back(static_cast<double>(count) / static_cast<double>(triplets.triplets()));
    }
    return true;
}

} // namespace lambdascope::metric
