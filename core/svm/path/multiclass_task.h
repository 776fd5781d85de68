// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/path/svm_task.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lambdascope::svm {

class PreparedMulticlass;

/// The solutions of all parts.
struct MulticlassWarmStart final : WarmStart {
    std::vector<std::shared_ptr<const WarmStart>> parts; ///< each an SvmWarmStart

    [[nodiscard]] const SolvedSvm& solution(std::size_t part) const {
        return dynamic_cast<const SvmWarmStart&>(*parts[part]).solution();
    }
    [[nodiscard]] std::vector<const SolvedSvm*> solutions() const;
    [[nodiscard]] double bytes() const override;
};

/// What was decided so far at a point, after a check of one part: of the samples of all parts, one part after another.
struct MulticlassCheck {
    std::span<const Decision> decisions;
};

class MulticlassObserver {
  public:
    virtual ~MulticlassObserver() = default;
    virtual void checked(const MulticlassCheck& check) = 0;
};

/// One lane of several classes: at each C the lane of every part solves it, one part after another, from its own
/// solution at the C before. Values of a point are sums over parts, rates are shares of all samples that could be
/// decided in any part, and the error is that of the classes that all parts choose together. The parts' own values,
/// those that a run of the part alone would have, are in PartsSolved.
class MulticlassTask final : public PathTask {
  public:
    MulticlassTask(const PreparedMulticlass& prepared, std::size_t lane);
    ~MulticlassTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override { return m_parts.front()->schedule(); }
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>&) const override { return false; }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override {
        return m_parts.front()->estimatedPointCount(finished);
    }

    /// From now on `observer` is shown every check (null to end that).
    void observe(MulticlassObserver* observer);

  private:
    class PartObserver;

    [[nodiscard]] PointReport sumOf(const std::vector<PointReport>& parts) const;
    void publishParts(std::int32_t point, RunContext& context) const;
    /// w of a linear kernel, y α of each row, b of a free bias: a column, or a number, for each part.
    [[nodiscard]] Solution solutionOf(const std::vector<const SolvedSvm*>& solved) const;

    const PreparedMulticlass& m_prepared;
    std::vector<std::unique_ptr<SvmTask>> m_parts;
    LaneDescription m_ofPart; ///< of the first one
    std::vector<ColumnDescription> m_columns;
    std::vector<std::vector<double>> m_values; ///< of the parts at the point just solved
    std::vector<Decision> m_decisions;         ///< for the observer
    std::vector<std::unique_ptr<PartObserver>> m_observers;
    MulticlassObserver* m_observer = nullptr;
};

} // namespace lambdascope::svm
