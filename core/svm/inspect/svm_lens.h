// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/model_exporter.h"
#include "core/inspect/predictor.h"
#include "core/inspect/region_slicer.h"
#include "core/inspect/sample_inspector.h"
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/path/prepared_svm.h"
#include "core/svm/path/svm_task.h"
#include "core/svm/solver/accurate_points.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lambdascope::svm {

struct SvmSamples {
    using Task = SvmTask;
    using Observer = ScreeningObserver;
    using Check = ScreeningCheck;
    using Decision = svm::Decision;
    static constexpr Decision kSets[] = {Decision::Zero, Decision::Full, Decision::Keep};
    static constexpr const char* kNoun = "a sample";
    static std::string nameOf(Decision decision) {
        return decision == Decision::Zero ? "R" : decision == Decision::Full ? "L" : "";
    }
};

/// How far inside its set a sample lies at a solution, or how far from the edge between the sets when it stayed.
[[nodiscard]] double slackAt(const SvmProblem& problem, const SolvedSvm& solved, Decision decision, SampleIndex i);

/// Answers questions about the samples of one lane by computing what is needed of it again. The ranges are those of
/// BT1, the test that one solution alone gives at every C; they are in svm_lens_ranges.cpp, the slice in
/// svm_lens_slice.cpp.
class SvmLens final : public SampleInspector<SvmSamples>, public RegionSlicer, public ModelExporter, public Predictor {
  public:
    SvmLens(const PreparedSvm& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    [[nodiscard]] std::int64_t items() const override { return m_problem.size(); }
    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<RangeGrid> ranges(const Progress& progress, std::stop_token stop) override;
    Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<BallSlice> slice(std::int32_t point, std::stop_token stop) override;
    Result<std::string> exportModel(std::int32_t point, std::stop_token stop) override;
    Result<Predictions> predict(std::int32_t point, const Dataset& rows, std::stop_token stop) override;
    [[nodiscard]] std::string certificateObstacle() const override;
    [[nodiscard]] Json certificateProblem() const override;
    [[nodiscard]] std::vector<std::filesystem::path> certificateFiles() const override;

    /// What the accurate solution at the C of `solved`, the solution of a point, says of the last decisions there.
    struct Audited {
        double gap = 0; ///< of the accurate solution, as a share of max(1, objective)
        ValueBounds value;
        DecisionAudit audit;
    };
    Result<Audited> audited(const SolvedSvm& solved, std::span<const Decision> decisions, const std::stop_token& stop);
    /// What columns may say when so many samples may lie in R and in L.
    [[nodiscard]] static std::vector<CountLimit> limitsOf(const std::vector<std::int64_t>& possible);

  private:
    Result<LibsvmModel> modelAt(std::int32_t point, const std::stop_token& stop);
    /// The solution that a point hands on as a reference.
    Result<std::shared_ptr<const SvmWarmStart>> reference(std::int32_t point, const std::stop_token& stop);
    /// The earlier solution whose BT1 holds the sample decided from some C up to `end`, and what it says at `c`;
    /// nothing when none is found.
    [[nodiscard]] std::optional<FixingReference> holderOf(SampleIndex i, const std::string& set, std::int32_t point,
                                                          double c, double end, const std::stop_token& stop);

    /// Of regression: says of f itself what `why` says of the problem's numbers.
    void tellOfValues(SampleIndex i, ItemExplanation& why) const;

    [[nodiscard]] std::vector<std::int64_t> itemsOfRow(std::int64_t row) const override;
    [[nodiscard]] NotableItem notable(std::int64_t item, Decision decision, const PointReport& report) const override;
    [[nodiscard]] std::string titleOf(std::int64_t item) const override;
    [[nodiscard]] double promisedGap() const override { return AccuratePoints::kPromisedGap; }
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                            AuditReport& sum, const std::stop_token& stop) override;
    [[nodiscard]] bool screens() const override { return !m_lane.bounds.empty(); }
    Result<CertifiedPoint> certifiedPoint(const PointReport& report, const Decisions& decisions, double axisValue,
                                          const std::stop_token& stop) override;
    [[nodiscard]] const Dataset& data() const override { return m_prepared.data(); }
    [[nodiscard]] bool isPrecomputed() const override { return m_prepared.config().kernel == KernelKind::Precomputed; }
    [[nodiscard]] Eigen::VectorXd sides() const override {
        return fitsNumbers() ? m_prepared.targets() : m_problem.y();
    }
    [[nodiscard]] bool fitsNumbers() const override { return m_prepared.config().isRegression(); }
    Result<DecisionPlane> drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                    StopCheck& stopCheck) override;

    const PreparedSvm& m_prepared;
    const SvmProblem& m_problem;
    const LaneConfig& m_lane;
    std::shared_ptr<AccuratePoints> m_accurate;
};

} // namespace lambdascope::svm
