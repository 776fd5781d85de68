// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/run/path_task.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lambdascope {

/// An oracle lane knows, before each path point, what the solution of another lane at that point proves, and pays
/// nothing for knowing: what is left of its time is what no rule can save. What follows is how it comes to know.

/// Fact of an oracle lane (LaneDescription::facts): the name of the lane whose sets it knows.
inline constexpr const char* kOracleFact = "oracle";

/// A lane as the rules between lanes see it.
struct OracleLane {
    std::string name;
    std::string oracle; ///< the lane whose sets it knows; empty for a lane that has to find them
    bool screens = false;
    bool hasBounds = false; ///< its own bounds are named
};

/// Appends a fault for each lane whose "oracle" names no earlier lane that screens by itself, or that names bounds.
void checkOracles(const std::vector<OracleLane>& lanes, std::vector<Fault>& faults);

/// The solutions that lanes have left at their path points, newest kept, up to a budget of bytes. Thread-safe.
class FinishedPoints {
  public:
    static constexpr double kBudget = 256e6;
    explicit FinishedPoints(double budget = kBudget) : m_budget(budget) {}

    void keep(const std::string& lane, const PathPoint& point, std::shared_ptr<const WarmStart> solution);
    /// Null when the lane has not been there, or that was long ago.
    [[nodiscard]] std::shared_ptr<const WarmStart> find(const std::string& lane, const PathPoint& point) const;

  private:
    struct Entry {
        std::string lane;
        PathPoint point;
        std::shared_ptr<const WarmStart> solution;
    };
    mutable std::mutex m_mutex;
    double m_budget;
    double m_bytes = 0;
    std::deque<Entry> m_entries; ///< oldest first
};

/// A family's configuration with the bounds that its oracle lanes go by, which are not for the user to choose.
template <class Config, class Bounds>
[[nodiscard]] std::shared_ptr<const Config> withOracleBounds(const std::shared_ptr<const Config>& config,
                                                             const Bounds& bounds) {
    auto completed = std::make_shared<Config>(*config);
    for (auto& lane : completed->lanes) {
        if (!lane.settings.oracle.empty()) {
            lane.settings.bounds = bounds;
        }
    }
    return completed;
}

/// Whether one of `lanes` is an oracle that knows the sets of the lane of this name.
template <class Lanes>
[[nodiscard]] bool isKnownToOracle(const std::string& name, const Lanes& lanes) {
    return !name.empty() &&
           std::any_of(lanes.begin(), lanes.end(), [&](const auto& lane) { return lane.settings.oracle == name; });
}

/// The lane whose solutions an oracle lane knows: those that it has left, where it ran before; else it is computed
/// here, from its start, since its solutions may depend on all points before.
class KnownLane {
  public:
    using MakeTask = std::function<std::unique_ptr<PathTask>()>;

    /// `makeTask` makes a task of that lane, whose solvePoint() keeps its solutions in `finished`.
    KnownLane(std::string lane, MakeTask makeTask, std::shared_ptr<FinishedPoints> finished)
        : m_lane(std::move(lane)), m_makeTask(std::move(makeTask)), m_finished(std::move(finished)) {}

    /// For the oracle lane `oracle` of `prepared`, whose lanes are `lanes`, by tasks of type Task; null for other
    /// lanes.
    template <class Task, class Prepared, class Lane>
    static std::unique_ptr<KnownLane> of(const Lane& oracle, const Prepared& prepared, const std::vector<Lane>& lanes,
                                         const std::shared_ptr<FinishedPoints>& finished) {
        const std::string& name = oracle.settings.oracle;
        const auto known =
            std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.name == name; });
        if (name.empty() || known == lanes.end()) {
            return nullptr;
        }
        return std::make_unique<KnownLane>(
            name, [&prepared, &lane = *known] { return std::make_unique<Task>(prepared, lane); }, finished);
    }

    /// The lane's solution at a point; null when `context` asked to stop. Errors: those of the lane.
    Result<std::shared_ptr<const WarmStart>> at(const PathPoint& point, RunContext& context);

  private:
    /// The value of the path parameter at a point: as asked for, else of the lane's own schedule.
    [[nodiscard]] double valueAt(std::size_t index, const std::vector<double>& schedule) const;

    std::string m_lane;
    MakeTask m_makeTask;
    std::shared_ptr<FinishedPoints> m_finished;
    std::vector<double> m_values;     ///< of the points asked for; NaN for others
    std::unique_ptr<PathTask> m_task; ///< null until a point has to be computed
    std::int32_t m_next = 0;          ///< point that it computes next
    std::shared_ptr<const WarmStart> m_last;
};

} // namespace lambdascope
