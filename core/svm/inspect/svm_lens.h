// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_auditor.h"
#include "core/inspect/item_explainer.h"
#include "core/inspect/model_exporter.h"
#include "core/inspect/path_replay.h"
#include "core/inspect/plane_sampler.h"
#include "core/inspect/region_slicer.h"
#include "core/svm/path/prepared_svm.h"
#include "core/svm/path/svm_task.h"
#include "core/svm/solver/accurate_points.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::svm {

/// Answers questions about the samples of one lane by computing what is needed of it again. The ranges are those of
/// BT1, the test that one solution alone gives at every C; they are in svm_lens_ranges.cpp, the slice in
/// svm_lens_slice.cpp.
class SvmLens final : public RunLens,
                      public ItemExplainer,
                      public DecisionAuditor,
                      public RegionSlicer,
                      public PlaneSampler,
                      public ModelExporter {
  public:
    SvmLens(const PreparedSvm& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<void> computeAt(std::vector<double> axisValues) override {
        return m_replay.computeAt(std::move(axisValues));
    }
    [[nodiscard]] const LaneDescription& lane() const override { return m_replay.description(); }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    [[nodiscard]] std::int64_t items() const override { return m_problem.size(); }
    Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop) override;
    /// The sample itself is the only item there.
    Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                   std::stop_token stop) override;
    [[nodiscard]] Result<std::int64_t> findItem(const std::string& text) override;

    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<RangeGrid> ranges(const Progress& progress, std::stop_token stop) override;
    Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<BallSlice> slice(std::int32_t point, std::stop_token stop) override;
    Result<DecisionPlane> plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) override;
    Result<std::string> exportModel(std::int32_t point, std::stop_token stop) override;

  private:
    using OnCheck = std::function<void(const ScreeningCheck&)>;

    /// Solves a point again, showing every check to `observer`.
    Result<PointReport> replay(std::int32_t point, const OnCheck& observer, const std::stop_token& stop);
    /// The solution that a point hands on as a reference.
    Result<std::shared_ptr<const SvmWarmStart>> reference(std::int32_t point, const std::stop_token& stop);
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, std::span<const Decision> decisions,
                            AuditReport& sum, const std::stop_token& stop);
    /// Last decisions on all samples at a point, and its report.
    Result<PointReport> lastDecisions(std::int32_t point, std::vector<Decision>& decisions,
                                      const std::stop_token& stop);

    const PreparedSvm& m_prepared;
    const SvmProblem& m_problem;
    const LaneConfig& m_lane;
    PathReplay m_replay;
    std::shared_ptr<AccuratePoints> m_accurate;
};

} // namespace lambdascope::svm
