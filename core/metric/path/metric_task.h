// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/path/learned_map.h"
#include "core/metric/problem/metric_config.h"
#include "core/triplets/path/triplet_task.h"

namespace lambdascope::metric {

class PreparedMetric;

/// One lane: the map of the data that a learned metric makes, and its errors on held-out rows.
class MetricTask final : public TripletTask {
  public:
    /// Of a lane of `prepared`.
    MetricTask(const PreparedMetric& prepared, const Lane& lane);

    [[nodiscard]] LaneDescription describe() const override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;

  private:
    [[nodiscard]] Json facts() const override;

    const PreparedMetric& m_prepared;
    const SolverConfig& m_solver;
    LearnedMap m_map;
};

} // namespace lambdascope::metric
