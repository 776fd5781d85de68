// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/model_exporter.h"
#include "core/inspect/predictor.h"
#include "core/inspect/sample_inspector.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/multiclass_task.h"
#include "core/svm/path/prepared_multiclass.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope::svm {

struct MulticlassSamples {
    using Task = MulticlassTask;
    using Observer = MulticlassObserver;
    using Check = MulticlassCheck;
    using Decision = svm::Decision;
    static constexpr Decision kSets[] = {Decision::Zero, Decision::Full, Decision::Keep};
    static constexpr const char* kNoun = "a sample";
    static std::string nameOf(Decision decision) { return SvmSamples::nameOf(decision); }
};

/// Answers questions about the samples of all parts of several classes, numbered one part after another. Why a sample
/// was decided the lens of its part tells, which computes the part's lane again when it is first asked. There are no
/// planes, slices and certificates of several problems at once.
class MulticlassLens final : public SampleInspector<MulticlassSamples>, public ModelExporter, public Predictor {
  public:
    MulticlassLens(const PreparedMulticlass& prepared, std::size_t lane);

    [[nodiscard]] std::int64_t items() const override { return m_first.back(); }
    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<ItemSet> itemsOf(const ItemSet& samples, std::stop_token stop) override;
    Result<ItemSet> samplesOf(const ItemSet& items, std::stop_token stop) override;
    [[nodiscard]] std::string belonging() const override { return "that are of them, in any of the problems"; }
    Result<std::string> exportModel(std::int32_t point, std::stop_token stop) override;
    Result<Predictions> predict(std::int32_t point, const Dataset& rows, std::stop_token stop) override;
    [[nodiscard]] std::string certificateObstacle() const override;
    [[nodiscard]] Json certificateProblem() const override { return {}; }

  private:
    /// Where an item is.
    struct Place {
        std::size_t part = 0;
        SampleIndex sample = 0;
    };
    [[nodiscard]] Place placeOf(std::int64_t item) const;
    [[nodiscard]] const SvmProblem& problemOf(std::size_t part) const;
    /// Opened: with the lane of the part computed at the points of this lane.
    Result<SvmLens*> openedLens(std::size_t part, const std::stop_token& stop);
    Result<std::shared_ptr<const WarmStart>> solutionsAt(std::int32_t point, const std::stop_token& stop);

    [[nodiscard]] std::int64_t rows() const override { return m_prepared.data().rows(); }
    [[nodiscard]] std::vector<std::int64_t> itemsOfRow(std::int64_t row) const override;
    [[nodiscard]] NotableItem notable(std::int64_t item, Decision decision, const PointReport& report) const override;
    [[nodiscard]] std::string titleOf(std::int64_t item) const override;
    [[nodiscard]] double promisedGap() const override { return AccuratePoints::kPromisedGap; }
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                            AuditReport& sum, const std::stop_token& stop) override;
    [[nodiscard]] bool screens() const override;
    Result<CertifiedPoint> certifiedPoint(const PointReport& report, const Decisions& decisions, double axisValue,
                                          const std::stop_token& stop) override;
    [[nodiscard]] const Dataset& data() const override { return m_prepared.data(); }
    [[nodiscard]] bool isPrecomputed() const override { return m_prepared.config().kernel == KernelKind::Precomputed; }
    [[nodiscard]] Eigen::VectorXd sides() const override;
    Result<DecisionPlane> drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                    StopCheck& stopCheck) override;

    const PreparedMulticlass& m_prepared;
    std::size_t m_lane;
    std::vector<std::int64_t> m_first; ///< item of each part, and their number
    std::vector<std::unique_ptr<SvmLens>> m_parts;
    std::vector<std::size_t> m_openedPoints; ///< points that the lens of a part has walked; 0 for none
};

} // namespace lambdascope::svm
