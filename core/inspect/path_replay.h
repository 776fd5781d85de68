// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_task.h"
#include "core/run/run_lens.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace lambdascope {

/// Computes a lane again: the whole path once, and afterwards single points on demand, from the warm start they had.
/// Lanes are deterministic, so every iteration and every decision comes out as in the run, to the last bit, in the
/// build that ran it.
///
/// Memory: warm starts up to a budget; beyond it every second (fourth, …) is kept, and points between are solved again
/// on the way. A lane with memory is walked from the start each time.
class PathReplay {
  public:
    using MakeTask = std::function<std::unique_ptr<PathTask>()>;
    /// Called with true before a point is solved that somebody listens to, and with false afterwards: to tell the task
    /// where to write down what it decides. Empty for nobody.
    using Listen = std::function<void(PathTask& task, bool isOn)>;
    /// Sees each finished point in turn; an error ends the walk.
    using Visitor = std::function<Result<void>(const PathPoint&, const PointReport&)>;

    /// `hasMemory`: decisions at a point depend on all points before it, not on its warm start alone. `seed` is that of
    /// the run.
    PathReplay(MakeTask makeTask, std::uint64_t seed, bool hasMemory = false, double memoryBudget = kMemoryBudget);

    /// See RunLens::computeAt. What was walked elsewhere is forgotten.
    Result<void> computeAt(std::vector<double> axisValues);

    /// Walks the path from its start, at most `mostPoints` points (0: to its end), and remembers it. Errors: Stopped,
    /// and whatever task and visitor say.
    Result<void> walk(std::int32_t mostPoints, const Listen& listen, const Visitor& visitor,
                      const RunLens::Progress& progress, const std::stop_token& stop);

    /// Shows every point to `visitor`: walks the path, or, when it is walked already, walks it once more without
    /// forgetting it. Either way by a new task, since solvers keep more from point to point than a warm start holds.
    Result<void> visit(std::int32_t mostPoints, const Listen& listen, const Visitor& visitor,
                       const RunLens::Progress& progress, const std::stop_token& stop);

    [[nodiscard]] bool isWalked() const { return m_isWalked; }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const { return m_path; }
    [[nodiscard]] const LaneDescription& description() const { return m_description; }
    /// BadUsage when the walked path has no such point.
    [[nodiscard]] Result<void> checkPoint(std::int32_t point) const;

    /// Solves a point of the walked path again, listening; `earlier` listens to the points before where those are
    /// walked again. Errors: Stopped.
    Result<PointReport> replay(std::int32_t point, const Listen& listen, const Listen& earlier,
                               const std::stop_token& stop);
    /// The warm start that a walked point hands on: kept, or solved again.
    Result<std::shared_ptr<const WarmStart>> solution(std::int32_t point, const std::stop_token& stop);

    static constexpr double kMemoryBudget = 512e6;

  private:
    using Kept = std::shared_ptr<const WarmStart>;

    Result<PointReport> solve(std::int32_t point, const Kept& from, const Listen& listen, const std::stop_token& stop);
    /// Fills the columns that only an evaluation knows.
    void measure(const PathPoint& point, PointReport& report, const std::stop_token& stop);
    void keep(std::int32_t point, const Kept& solution);

    MakeTask m_makeTask;
    std::uint64_t m_seed;
    bool m_hasMemory;
    std::unique_ptr<PathTask> m_task;
    LaneDescription m_description;
    std::vector<double> m_schedule; ///< the task's own
    std::vector<double> m_points;   ///< values of the path parameter that are computed
    bool m_hasStopRule = true;      ///< false when all of m_points are to be computed
    std::vector<RecomputedPoint> m_path;
    std::map<std::int32_t, Kept> m_kept; ///< by the point they are the solution of
    std::int32_t m_stride = 1;           ///< only multiples of it are kept
    double m_memoryBudget;
    bool m_isWalked = false;
};

} // namespace lambdascope
