// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/work_poll.h"
#include "core/metric/problem/metric_point.h"
#include "core/metric/problem/problem_items.h"

#include <vector>

namespace lambdascope::metric {

/// Some items of a problem, drawn evenly with a fixed seed (all of them when there are no more than wanted), and their
/// pairs, so that margins at many points are cheap: O(rows d r) for the data and O(r) per pair and point.
class ItemSample {
  public:
    ItemSample(const ProblemItems& items, std::int64_t most);

    [[nodiscard]] const std::vector<TripletIndex>& numbers() const { return m_numbers; }
    [[nodiscard]] std::size_t size() const { return m_numbers.size(); }
    /// ‖H‖_F of each, rounded up.
    [[nodiscard]] const std::vector<double>& norms() const { return m_norms; }
    /// τ of each.
    [[nodiscard]] const std::vector<double>& thresholds() const { return m_thresholds; }

    /// ⟨H, M⟩ of each; `error` bounds the error of any of them. False when stopped.
    bool margins(const MetricPoint& point, WorkPoll& poll, std::vector<double>& values, double& error) const;

  private:
    ProblemItems m_items;
    std::vector<TripletIndex> m_numbers;
    std::vector<PairIndex> m_near;
    std::vector<PairIndex> m_far;
    std::vector<PairIndex> m_pairs; ///< of all, sorted
    std::vector<double> m_norms;
    std::vector<double> m_thresholds;
};

} // namespace lambdascope::metric
