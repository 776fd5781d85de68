// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/range_census.h"

#include "core/metric/pair_space.h"
#include "core/metric/range_rule.h"
#include "core/metric/triplet_norm.h"

#include <algorithm>
#include <functional>

namespace lambdascope::metric {

namespace {

/// Counts intervals over a falling list of targets by where they begin and end.
class IntervalCounts {
  public:
    explicit IntervalCounts(std::span<const double> targets) : m_targets(targets), m_steps(targets.size() + 1, 0) {}

    void add(const LambdaRange& range) {
        if (range.isEmpty()) {
            return;
        }
        // Targets t with high > t > low.
        const auto first = std::upper_bound(m_targets.begin(), m_targets.end(), range.high, std::greater<>());
        const auto last = std::lower_bound(first, m_targets.end(), range.low, std::greater<>());
        ++m_steps[static_cast<std::size_t>(first - m_targets.begin())];
        --m_steps[static_cast<std::size_t>(last - m_targets.begin())];
    }
    [[nodiscard]] std::vector<double> shares(TripletIndex whole) const {
        std::vector<double> result;
        std::int64_t count = 0;
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            count += m_steps[i];
            result.push_back(static_cast<double>(count) / static_cast<double>(whole));
        }
        return result;
    }

  private:
    std::span<const double> m_targets;
    std::vector<std::int64_t> m_steps;
};

} // namespace

bool rangeRates(const TripletSet& triplets, const PathReference& reference, double gamma,
                std::span<const double> targets, WorkPoll& poll, std::vector<double>& rates) {
    PairSpace space(triplets);
    std::vector<double> z;
    if (!space.distances(*reference.point, nullptr, poll, z)) {
        return false;
    }
    const RangeRule rule(reference, gamma, 2 * space.valueError(reference.point->spectralBound()));
    IntervalCounts counts(targets);
    TripletNorm norm(triplets);
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            const PairIndex same = triplets.samePair(s);
            for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o) {
                const PairIndex other = triplets.otherPair(o);
                const double t = z[static_cast<std::size_t>(other)] - z[static_cast<std::size_t>(same)];
                const double squared = norm.squared(i, same, other);
                const LambdaRange zero = rule.zero(t, squared);
                counts.add(zero.isEmpty() ? rule.linear(t, squared) : zero);
            }
            if (poll.spend((triplets.otherOffset(i + 1) - triplets.otherOffset(i)) * (60 + 4 * triplets.stride()))) {
                return false;
            }
        }
    }
    rates = counts.shares(triplets.triplets());
    return true;
}

} // namespace lambdascope::metric
