// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/solver/trial.h"
#include "core/run/path_task.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// An embedding on its way: what the evaluation of a point looks at.
struct OrdinalWarmStart : WarmStart {
    Points x;                 ///< of the trial with the least loss
    Eigen::MatrixXd perTrial; ///< trials × (loss, training error, test error, gradients, CPU seconds, failed)

    [[nodiscard]] double bytes() const override {
        return static_cast<double>(sizeof(double)) * static_cast<double>(x.size() + perTrial.size());
    }
};

/// Calls `work` for each number in [0, count) in up to `threads` threads, each call with a stop check of its own that
/// knows of stops and, in the calling thread, of pauses and time limits. False when the run was to stop.
bool inParallel(std::int64_t count, RunContext& context,
                const std::function<void(std::int64_t number, StopCheck& stopCheck)>& work);

/// What an evaluation shows of an embedding, where that is wished for: the next picture, and X as the solution, with
/// `perTrial` where there are several trials.
void showEmbedding(const Points& x, const Eigen::MatrixXd& perTrial, EmbeddingFrames& frames, RunContext& context,
                   PointEvaluation& evaluation);

/// One lane: a solver on a model, epoch by epoch, from one or several starts side by side.
class OrdinalTask final : public PathTask {
  public:
    /// Of a lane of `prepared`.
    OrdinalTask(const PreparedOrdinal& prepared, const Lane& lane);
    ~OrdinalTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>& finished) const override;
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

  private:
    /// All that are missing, at random starts.
    void makeTrials();
    /// The same, at the lane's own start. False when stopped.
    bool startTrials(RunContext& context);
    [[nodiscard]] std::vector<ColumnDescription> columns() const;
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const std::vector<double>& testErrors,
                                         double wall) const;

    const PreparedOrdinal& m_prepared;
    ModelSpec m_model;
    const SolverConfig& m_solver;
    Objective m_objective;
    std::vector<std::unique_ptr<Trial>> m_trials;
    EmbeddingFrames m_frames;
    double m_startSeconds = 0; ///< CPU of a convex start that no report has counted yet
};

} // namespace lambdascope::ordinal
