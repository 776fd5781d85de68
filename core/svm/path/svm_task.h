// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/known_lane.h"
#include "core/run/path_task.h"
#include "core/svm/problem/svm_config.h"
#include "core/svm/solver/point_solver.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::svm {

class LiblinearSolver;
class LibsvmSolver;
class PreparedSvm;

/// What a solved point hands to the next: its solution, or for a path of references the reference.
struct SvmWarmStart final : WarmStart {
    SolvedSvm next;   ///< start and reference of the next point
    SolvedSvm solved; ///< the point's own solution; empty when it is `next`

    [[nodiscard]] const SolvedSvm& solution() const { return solved.alpha.size() > 0 ? solved : next; }
    void transfer(auto& archive) {
        auto& [reference, own] = *this;
        archive(reference, own);
    }
    /// With what ŝ takes: as much as α and margins together.
    [[nodiscard]] double bytes() const override {
        return static_cast<double>(sizeof(double)) *
                   static_cast<double>(3 * next.alpha.size() + 3 * next.margins.size() + next.weights.size() +
                                       solved.alpha.size() + solved.margins.size() + solved.weights.size()) +
               (next.ranges ? 5.0 * static_cast<double>(next.margins.size()) : 0.0);
    }
};

/// One lane, walking up the path.
class SvmTask final : public PathTask {
  public:
    /// Of a lane of `prepared`.
    SvmTask(const PreparedSvm& prepared, const Lane& lane);
    ~SvmTask() override;

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>&) const override { return false; }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

    /// From now on `observer` is shown every check (null to end that); for audits and explanations.
    void observe(ScreeningObserver* observer);

  private:
    /// The C that a point of the path is solved at.
    [[nodiscard]] double cAt(const PathPoint& point) const;
    /// The solvers of the lane's method, unless they are made already.
    void makeSolvers(int threads);
    void transferCut(StateArchive& archive, std::shared_ptr<const Nc3Cut>& cut) const;
    [[nodiscard]] bool hasReference() const;
    [[nodiscard]] std::vector<ColumnDescription> columns() const;
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const;
    [[nodiscard]] Result<PointOutcome> solveWithLibrary(double c, RunContext& context);
    [[nodiscard]] bool isOfLibrary() const { return m_config.method != MethodKind::Descent; }

    const PreparedSvm& m_prepared;
    std::string m_name;
    const LaneConfig& m_lane;
    const SolverConfig& m_config;
    std::unique_ptr<PointSolver> m_solver;
    std::unique_ptr<PointSolver> m_referenceSolver; ///< of a path of references
    std::unique_ptr<LiblinearSolver> m_liblinear;
    std::unique_ptr<LibsvmSolver> m_libsvm;
    std::unique_ptr<KnownLane> m_known; ///< of an oracle lane; else null
    FinishedPoints* m_finished;         ///< where others find the solutions of this one; null when none wants them
    ScreeningObserver* m_observer = nullptr;
};

} // namespace lambdascope::svm
