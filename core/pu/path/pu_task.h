// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_model.h"
#include "core/pu/path/memory_feasible_points.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/solver/point_solver.h"
#include "core/run/path_task.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::pu {

/// What a solved point hands to the next: its solution, and what it predicts by.
struct PuWarmStart final : WarmStart {
    SolvedPu solved; ///< empty for methods that solve another problem
    PuModel model;
    [[nodiscard]] double bytes() const override { return solved.bytes() + model.bytes(); }

    void transfer(auto& archive) {
        auto& [point, f] = *this;
        archive(point, f);
    }
};

/// One lane, walking along the path.
class PuTask final : public PathTask {
  public:
    /// Of a lane of `prepared`.
    PuTask(const PreparedPu& prepared, const Lane& lane);
    ~PuTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    [[nodiscard]] Error emptyPathError() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>&) const override { return false; }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>&) const override;

    /// From now on `observer` is shown every check (null to end that); for audits and explanations.
    void observe(ScreeningObserver* observer) { m_observer = observer; }

  private:
    /// What any method leaves behind.
    struct Solve {
        PointOutcome outcome;
        PuModel model;
        double objective = 0;
    };

    [[nodiscard]] SolvedPu firstPoint(const PuProblem& problem, double lambda, StopCheck& stopCheck) const;
    [[nodiscard]] Solve solvePairs(const std::shared_ptr<const PuProblem>& problem, double lambda,
                                   const SolvedPu* previous, std::int32_t index, RunContext& context);
    [[nodiscard]] PointSettings pointSettings() const;
    [[nodiscard]] Solve solvePublished(const PuProblem& problem, double lambda, std::int32_t index,
                                       RunContext& context) const;
    [[nodiscard]] Solve solveBaseline(const PuProblem& problem, double lambda, RunContext& context) const;
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const PuProblem& problem, double lambda,
                                         const Solve& solve, double wall) const;

    const PreparedPu& m_prepared;
    const std::string& m_laneName;
    const LaneConfig& m_lane;
    const SolverConfig& m_config;
    MemoryFeasiblePoints m_fitting;
    std::shared_ptr<const PuProblem> m_problem; ///< that m_solver solves
    std::unique_ptr<PointSolver> m_solver;
    std::shared_ptr<const PuSamples> m_lastSamples; ///< of the point just solved, for its evaluation
    ScreeningObserver* m_observer = nullptr;
};

} // namespace lambdascope::pu
