// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/known_lane.h"
#include "core/run/path_task.h"
#include "core/run/report_row.h"
#include "core/triplets/path/path_plan.h"
#include "core/triplets/path/path_problem.h"
#include "core/triplets/solver/point_solver.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::triplets {

/// What a solved point hands to the next.
struct TripletWarmStart final : WarmStart {
    SolvedPoint solved;

    void transfer(auto& archive) {
        auto& [point] = *this;
        archive(point);
    }
    [[nodiscard]] double bytes() const override {
        const auto numbers = solved.point.matrix.size() + solved.point.factor.size() + solved.totals.pull.size() +
                             solved.dual.pull.size() + solved.path.matrix.size();
        const auto& alphas = solved.memory.alphas;
        return static_cast<double>(static_cast<std::size_t>(numbers) * sizeof(double) +
                                   alphas->size() * sizeof(alphas->front()));
    }
};

/// One lane over λ: engine, bounds and settings, walking down the path. Families say what they measure of a solution
/// and how it is shown: evaluate().
class TripletTask : public PathTask {
  public:
    /// `measures`: columns of what evaluate() finds, which stand behind those of screening. `known`: what an oracle
    /// lane knows; null for others. `finished`: where others find the solutions of this one; null when none wants them.
    TripletTask(const PathProblem& problem, const Lane& lane, std::vector<ColumnDescription> measures,
                std::unique_ptr<KnownLane> known, FinishedPoints* finished);
    ~TripletTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    [[nodiscard]] Error emptyPathError() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>& finished) const override;
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

    /// From now on decisions of the point solved last are written down in `states`, and `observer` is shown every check
    /// (null to end that); for audits and explanations.
    void record(TripletStates* states, ScreeningObserver* observer = nullptr);

  protected:
    /// What describe() tells of the problem and of the lane besides what it screens by.
    [[nodiscard]] virtual Json facts() const = 0;
    /// Sets the columns of `measures` that are always known, and leaves the others to evaluate(): all of them here.
    virtual void measure(const SolvedPoint& solved, ReportRow& row) const;
    [[nodiscard]] const std::vector<ColumnDescription>& columns() const { return m_columns; }
    /// What the solution decides as a reference further down the path; null when nobody wishes for it, in lanes without
    /// ranges, and when stopped.
    [[nodiscard]] std::shared_ptr<const RangeRow> rangesOf(const SolvedPoint& solved, RunContext& context) const;

    /// Adds, along an ε-approximation path, down to which λ the solution is within ε; when measures are wished for.
    void addReach(const SolvedPoint& solved, RunContext& context, PointEvaluation& evaluation);

  private:
    /// The lane's engine and solver, unless they are made already.
    void makeSolver(int threads);
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const;

    const PathProblem& m_problem;
    std::string m_name;
    const LaneConfig& m_lane;
    const SolverConfig& m_solverConfig;
    std::vector<ColumnDescription> m_measures;
    std::vector<ColumnDescription> m_columns;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<PointSolver> m_solver;
    std::unique_ptr<KnownLane> m_known; ///< of an oracle lane; else null
    FinishedPoints* m_finished;
    TripletStates* m_states = nullptr;
    ScreeningObserver* m_observer = nullptr;
};

} // namespace lambdascope::triplets
