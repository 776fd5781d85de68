// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/metric/problem/problem_items.h"
#include "core/metric/screening/path_ball.h"

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

    /// ⟨H, M₀⟩ and ⟨H, M̂⟩ of each, the second only where the ball has a dual; the errors bound those of any of them.
    /// False when stopped.
    bool margins(const PathBall& ball, StopCheck& stopCheck, std::vector<double>& values, std::vector<double>& duals,
                 double& error, double& dualError) const;

  private:
    /// Differences of a value per pair.
    [[nodiscard]] std::vector<double> differences(std::vector<double> ofPairs) const;

    ProblemItems m_items;
    std::vector<TripletIndex> m_numbers;
    std::vector<PairIndex> m_near;
    std::vector<PairIndex> m_far;
    std::vector<PairIndex> m_pairs; ///< of all, sorted
    std::vector<double> m_norms;
    std::vector<double> m_thresholds;
};

} // namespace lambdascope::metric
