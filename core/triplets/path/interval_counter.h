// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/problem_items.h"
#include "core/triplets/screening/range_rule.h"

#include <span>
#include <vector>

namespace lambdascope::triplets {

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
