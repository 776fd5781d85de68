// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/metric_task.h"
#include "core/metric/prepared_metric.h"
#include "core/run/run_lens.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace lambdascope::metric {

/// Computes a lane again: the whole path once, and afterwards single points on demand, from the warm start they had.
/// Lanes are deterministic, so every iteration and every decision comes out as in the run, to the last bit.
///
/// Memory: warm starts up to a budget; beyond it every second (fourth, …) is kept, and points between are solved again
/// on the way. A lane that uses λ ranges is walked from the start each time.
class LaneReplay {
  public:
    LaneReplay(const PreparedMetric& prepared, const Lane& lane, double memoryBudget = kMemoryBudget);

    struct Listeners {
        TripletStates* states = nullptr; ///< gets the decisions of the point solved last
        ScreeningWatch* watch = nullptr; ///< is shown every check
        /// In replay() of a lane with λ ranges: is shown every check of the points before, which are walked again.
        ScreeningWatch* earlier = nullptr;
    };
    /// Sees each finished point in turn; an error ends the walk.
    using Visitor = std::function<Result<void>(const PathPoint&, const PointReport&)>;

    /// Walks the path from its start, at most `mostPoints` points (0: to its end), and remembers it. Errors: Stopped,
    /// and whatever the visitor says.
    Result<void> walk(std::int32_t mostPoints, Listeners listeners, const Visitor& visitor,
                      const RunLens::Progress& progress, std::stop_token stop);

    [[nodiscard]] bool isWalked() const { return m_isWalked; }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const { return m_path; }
    [[nodiscard]] const RunStarted& description() const { return m_description; }

    /// Solves a point of the walked path again, listening. Errors: Stopped.
    Result<PointReport> replay(std::int32_t point, Listeners listeners, const std::stop_token& stop);
    /// The solution of a walked point: kept, or solved again.
    Result<std::shared_ptr<const MetricWarmStart>> solution(std::int32_t point, const std::stop_token& stop);

    static constexpr double kMemoryBudget = 512e6;

  private:
    using Kept = std::shared_ptr<const MetricWarmStart>;

    Result<PointReport> solve(std::int32_t point, const Kept& from, Listeners listeners, const std::stop_token& stop);
    /// Fills the columns that only an evaluation knows.
    void measure(const PathPoint& point, PointReport& report, const std::stop_token& stop);
    void keep(std::int32_t point, const Kept& solution);

    const PreparedMetric& m_prepared;
    Lane m_lane;
    bool m_hasMemory; ///< decisions at a point depend on all points before it (λ ranges), not on its warm start alone
    std::unique_ptr<MetricTask> m_task;
    RunStarted m_description;
    std::vector<double> m_schedule;
    std::vector<RecomputedPoint> m_path;
    std::map<std::int32_t, Kept> m_kept; ///< by the point they are the solution of
    std::int32_t m_stride = 1;           ///< only multiples of it are kept
    double m_memoryBudget;
    bool m_isWalked = false;
};

} // namespace lambdascope::metric
