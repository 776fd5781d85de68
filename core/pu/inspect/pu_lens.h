// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/predictor.h"
#include "core/inspect/sample_inspector.h"
#include "core/pu/inspect/plane_maker.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/path/pu_task.h"
#include "core/pu/solver/accurate_points.h"

#include <memory>
#include <string>

namespace lambdascope::pu {

struct UnlabeledSamples {
    using Task = PuTask;
    using Observer = ScreeningObserver;
    using Check = ScreeningCheck;
    using Decision = pu::Decision;
    static constexpr Decision kSets[] = {Decision::Zero, Decision::Half, Decision::Full, Decision::Keep};
    static constexpr const char* kNoun = "an unlabeled sample";
    static std::string nameOf(Decision decision);
};

/// Answers questions about the unlabeled samples of one lane by computing what is needed of it again. There are no
/// ranges, lifetimes and slices: the duality gap decides at its own λ only, in as many dimensions as there are samples.
class PuLens final : public SampleInspector<UnlabeledSamples>, public Predictor {
  public:
    PuLens(const PreparedPu& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    [[nodiscard]] std::int64_t items() const override { return m_prepared.samples().unlabeled; }
    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<Predictions> predict(std::int32_t point, const Dataset& rows, std::stop_token stop) override;
    [[nodiscard]] std::string certificateObstacle() const override;
    [[nodiscard]] Json certificateProblem() const override;

  private:
    [[nodiscard]] NotableItem notable(std::int64_t item, Decision decision, const PointReport& report) const override;
    [[nodiscard]] std::string titleOf(std::int64_t item) const override {
        return sampleTitle(m_prepared.samples(), item);
    }
    [[nodiscard]] double promisedGap() const override { return AccuratePoints::kPromisedGap; }
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                            AuditReport& sum, const std::stop_token& stop) override;
    [[nodiscard]] bool screens() const override { return !m_lane.bounds.empty(); }
    Result<CertifiedPoint> certifiedPoint(const PointReport& report, const Decisions& decisions, double axisValue,
                                          const std::stop_token& stop) override;
    [[nodiscard]] const Dataset& data() const override { return m_prepared.data(); }
    [[nodiscard]] bool isPrecomputed() const override { return m_prepared.config().kernel == KernelKind::Precomputed; }
    [[nodiscard]] Eigen::VectorXd sides() const override { return sidesOfRows(m_prepared); }
    Result<DecisionPlane> drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                    StopCheck& stopCheck) override;

    const PreparedPu& m_prepared;
    const LaneConfig& m_lane;
    std::shared_ptr<AccuratePoints> m_accurate;
};

} // namespace lambdascope::pu
