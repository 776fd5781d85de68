// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/problem/ordinal_config.h"
#include "core/run/path_task.h"

#include <string>
#include <vector>

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// One lane over p = 1, 2, 3, …: at each p an embedding of all training comparisons, and one per fold that leaves a
/// part of them out and is measured on it.
class DimensionTask final : public PathTask {
  public:
    /// Of a lane of `prepared`.
    DimensionTask(const PreparedOrdinal& prepared, const Lane& lane);

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>&) const override { return false; }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

  private:
    const PreparedOrdinal& m_prepared;
    const LaneConfig& m_lane;
    const SolverConfig& m_solver;
    EmbeddingFrames m_frames;
};

} // namespace lambdascope::ordinal
