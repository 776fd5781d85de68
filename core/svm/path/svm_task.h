// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_task.h"
#include "core/svm/problem/svm_config.h"
#include "core/svm/solver/point_solver.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::svm {

class LiblinearSolver;
class PreparedSvm;

/// What a solved point hands to the next: its solution, or for a path of references the reference.
struct SvmWarmStart final : WarmStart {
    SolvedSvm next;   ///< start and reference of the next point
    SolvedSvm solved; ///< the point's own solution; empty when it is `next`

    [[nodiscard]] const SolvedSvm& solution() const { return solved.alpha.size() > 0 ? solved : next; }
    /// With what ŝ takes: as much as α and margins together.
    [[nodiscard]] double bytes() const override {
        return static_cast<double>(sizeof(double)) *
               static_cast<double>(3 * next.alpha.size() + 3 * next.margins.size() + next.weights.size() +
                                   solved.alpha.size() + solved.margins.size() + solved.weights.size());
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
    [[nodiscard]] bool endsPath(const std::vector<PointReport>&) const override { return false; }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

    /// From now on `observer` is shown every check (null to end that); for audits and explanations.
    void observe(ScreeningObserver* observer);

  private:
    [[nodiscard]] PointReport makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const;
    [[nodiscard]] PointOutcome solveWithLibrary(double c, RunContext& context);

    const PreparedSvm& m_prepared;
    const LaneConfig& m_lane;
    const SolverConfig& m_config;
    std::unique_ptr<PointSolver> m_solver;
    std::unique_ptr<PointSolver> m_referenceSolver; ///< of a path of references
    std::unique_ptr<LiblinearSolver> m_library;
    ScreeningObserver* m_observer = nullptr;
};

} // namespace lambdascope::svm
