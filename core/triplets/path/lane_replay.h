// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/path_replay.h"
#include "core/triplets/path/triplet_task.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lambdascope::triplets {

/// A lane computed again (see PathReplay), with its decisions and checks. A lane that uses λ ranges is walked from the
/// start each time.
class LaneReplay {
  public:
    using MakeTask = std::function<std::unique_ptr<TripletTask>()>;

    /// `makeTask` makes a task of `lane`.
    LaneReplay(MakeTask makeTask, const Lane& lane, double memoryBudget = PathReplay::kMemoryBudget);

    struct Listeners {
        TripletStates* states = nullptr;       ///< gets the decisions of the point solved last
        ScreeningObserver* observer = nullptr; ///< is shown every check
        /// In replay() of a lane with λ ranges: is shown every check of the points before, which are walked again.
        ScreeningObserver* earlier = nullptr;
    };
    using Visitor = PathReplay::Visitor;

    /// See PathReplay::computeAt.
    Result<void> computeAt(std::vector<double> axisValues) { return m_replay.computeAt(std::move(axisValues)); }

    /// See PathReplay::walk.
    Result<void> walk(std::int32_t mostPoints, Listeners listeners, const Visitor& visitor,
                      const RunLens::Progress& progress, std::stop_token stop);

    /// See PathReplay::visit.
    Result<void> visit(std::int32_t mostPoints, Listeners listeners, const Visitor& visitor,
                       const RunLens::Progress& progress, const std::stop_token& stop);

    [[nodiscard]] bool isWalked() const { return m_replay.isWalked(); }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const { return m_replay.path(); }
    [[nodiscard]] const LaneDescription& description() const { return m_replay.description(); }
    [[nodiscard]] Result<void> checkPoint(std::int32_t point) const { return m_replay.checkPoint(point); }

    /// Solves a point of the walked path again, listening. Errors: Stopped.
    Result<PointReport> replay(std::int32_t point, Listeners listeners, const std::stop_token& stop);
    /// The solution of a walked point: kept, or solved again.
    Result<std::shared_ptr<const TripletWarmStart>> solution(std::int32_t point, const std::stop_token& stop);

  private:
    PathReplay m_replay;
};

} // namespace lambdascope::triplets
