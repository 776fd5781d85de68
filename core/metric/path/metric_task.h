// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/path/learned_map.h"
#include "core/metric/path/path_plan.h"
#include "core/metric/solver/point_solver.h"
#include "core/run/known_lane.h"
#include "core/run/path_task.h"

#include <memory>
#include <string>

namespace lambdascope::metric {

class PreparedMetric;

/// What a solved point hands to the next.
struct MetricWarmStart final : WarmStart {
    SolvedPoint solved;

    void transfer(auto& archive) {
        auto& [point] = *this;
        archive(point);
    }
    [[nodiscard]] double bytes() const override {
        const auto numbers = solved.point.matrix.size() + solved.point.factor.size() + solved.totals.pull.size() +
                             solved.dual.pull.size();
        return static_cast<double>(static_cast<std::size_t>(numbers) * sizeof(double) +
                                   solved.memory.alphas.size() * sizeof(solved.memory.alphas.front()));
    }
};

/// One lane: engine, bounds and settings, walking down the path.
class MetricTask final : public PathTask {
  public:
    /// Of a lane of `prepared`.
    MetricTask(const PreparedMetric& prepared, const Lane& lane);
    ~MetricTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    [[nodiscard]] Error emptyPathError() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>& finished) const override;
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

    /// From now on decisions of the point solved last are written down in `states`, and `observer` is shown every check
    /// (null to end that); for audits and explanations.
    void record(TripletStates* states, ScreeningObserver* observer = nullptr);

  private:
    /// The lane's engine and solver, unless they are made already.
    void makeSolver(int threads);
    [[nodiscard]] std::vector<PathMark> marks(const std::vector<PointReport>& finished) const;
    /// What the solution decides as a reference further down the path; null when stopped.
    [[nodiscard]] std::shared_ptr<const RangeRow> rangeRow(const SolvedPoint& solved, RunContext& context) const;
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const;

    const PreparedMetric& m_prepared;
    std::string m_name;
    const LaneConfig& m_lane;
    const SolverConfig& m_solverConfig;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<PointSolver> m_solver;
    std::unique_ptr<KnownLane> m_known; ///< of an oracle lane; else null
    FinishedPoints* m_finished;         ///< where others find the solutions of this one; null when none wants them
    TripletStates* m_states = nullptr;
    ScreeningObserver* m_observer = nullptr;
    LearnedMap m_map;
};

} // namespace lambdascope::metric
