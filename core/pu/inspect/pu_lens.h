// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_auditor.h"
#include "core/inspect/item_explainer.h"
#include "core/inspect/path_replay.h"
#include "core/inspect/plane_sampler.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/path/pu_task.h"
#include "core/pu/solver/accurate_points.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::pu {

/// Answers questions about the unlabeled samples of one lane by computing what is needed of it again.
class PuLens final : public RunLens, public ItemExplainer, public DecisionAuditor, public PlaneSampler {
  public:
    PuLens(const PreparedPu& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<void> computeAt(std::vector<double> axisValues) override {
        return m_replay.computeAt(std::move(axisValues));
    }
    [[nodiscard]] const LaneDescription& lane() const override { return m_replay.description(); }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    [[nodiscard]] std::int64_t items() const override { return m_prepared.samples().unlabeled; }
    Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop) override;
    /// The sample itself is the only item there.
    Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                   std::stop_token stop) override;
    [[nodiscard]] Result<std::int64_t> findItem(const std::string& text) override;

    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<DecisionPlane> plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) override;

  private:
    using OnCheck = std::function<void(const ScreeningCheck&)>;

    /// Solves a point again, showing every check to `observer`.
    Result<PointReport> replay(std::int32_t point, const OnCheck& observer, const std::stop_token& stop);
    Result<PointReport> lastDecisions(std::int32_t point, std::vector<Decision>& decisions,
                                      const std::stop_token& stop);
    /// Without its title.
    [[nodiscard]] NotableItem notable(std::int64_t item, Decision decision, const SolvedPu& solved) const;

    const PreparedPu& m_prepared;
    const LaneConfig& m_lane;
    PathReplay m_replay;
    std::shared_ptr<AccuratePoints> m_accurate;
};

} // namespace lambdascope::pu
