// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_task.h"

#include <functional>
#include <memory>
#include <vector>

namespace lambdascope {

/// Makes the task of a lane.
using TaskFactory = std::function<std::unique_ptr<PathTask>()>;

/// Computes the points of a lane again, for their times alone: n − 1 tasks like the lane's own, each with its own warm
/// starts, so that none profits from another. Nobody hears of what they do, and they must find the same, bit for bit.
/// Lanes take turns between two computations of a point, so that what disturbs the machine for a while disturbs all of
/// them. Memory: that of n − 1 tasks.
class TimingRepeats {
  public:
    /// `repeats` ≥ 2: how often each point is computed in all.
    TimingRepeats(const TaskFactory& makeTask, std::int64_t repeats, const RunContext& context);

    /// Adds the quartiles of each time, "cpu_solve_q1" and "cpu_solve_q3", behind the columns of the lane.
    void addColumns(std::vector<ColumnDescription>& columns);

    /// Takes what the lane itself has found at a point, in `wall` seconds.
    void begin(const PathPoint& point, PointReport report, double wall);
    /// Whether the point taken has to be computed again.
    [[nodiscard]] bool isUnderWay() const { return !m_passes.empty() && m_passes.size() <= m_tasks.size(); }
    /// Computes it once more, within `timeLimit` seconds (0: no limit). Errors: those of the task, Internal where what
    /// it found is not what the lane found; the termination of one that was stopped is an interruption.
    Result<Termination> advance(double timeLimit);

    /// A point with the times of all its computations.
    struct Timed {
        PointReport report; ///< the lane's own, but for its times: medians, quartiles behind them
        double wall = 0;    ///< seconds, median
    };
    /// Parts of a time are scaled so that they still add up. Nothing is under way then.
    [[nodiscard]] Timed take();

    [[nodiscard]] const PathPoint& point() const { return m_point; }
    [[nodiscard]] double pausedSeconds() const { return m_context.pausedSeconds(); }
    /// What the points to come depend on, of each task.
    void transfer(StateArchive& archive);

  private:
    struct Task {
        std::unique_ptr<PathTask> task;
        std::shared_ptr<const WarmStart> warmStart;
    };
    struct Pass {
        PointReport report;
        double wall = 0;
    };
    [[nodiscard]] double quantileOf(std::size_t column, double share) const;
    [[nodiscard]] bool isSame(const PointReport& report) const;

    RunContext m_context; ///< muted
    std::vector<Task> m_tasks;
    std::vector<ColumnDescription> m_columns; ///< of the lane
    PathPoint m_point;
    std::vector<Pass> m_passes; ///< of the point under way; the lane's own first
};

} // namespace lambdascope
