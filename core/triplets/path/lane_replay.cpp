// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/lane_replay.h"

namespace lambdascope::triplets {

namespace {

/// Nothing in this room is random.
constexpr std::uint64_t kNoSeed = 1;

/// Whether decisions at a λ depend on those at earlier ones: λ intervals do, and what engines have decided for all
/// points near an earlier one.
bool carriesDecisions(const Lane& lane) {
    return lane.settings.keepsRanges() || (lane.solver.engine != EngineKind::Triplets && !lane.settings.bounds.empty());
}

PathReplay::Listen listenWith(TripletStates* states, ScreeningObserver* observer) {
    if (states == nullptr && observer == nullptr) {
        return {};
    }
    return [states, observer](PathTask& task, bool isOn) {
        dynamic_cast<TripletTask&>(task).record(isOn ? states : nullptr, isOn ? observer : nullptr);
    };
}

} // namespace

LaneReplay::LaneReplay(MakeTask makeTask, const Lane& lane, double memoryBudget)
    : m_replay(std::move(makeTask), kNoSeed, carriesDecisions(lane), memoryBudget) {}

Result<void> LaneReplay::walk(std::int32_t mostPoints, Listeners listeners, const Visitor& visitor,
                              const RunLens::Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, listenWith(listeners.states, listeners.observer), visitor, progress, stop);
}

Result<void> LaneReplay::visit(std::int32_t mostPoints, Listeners listeners, const Visitor& visitor,
                               const RunLens::Progress& progress, const std::stop_token& stop) {
    return m_replay.visit(mostPoints, listenWith(listeners.states, listeners.observer), visitor, progress, stop);
}

Result<PointReport> LaneReplay::replay(std::int32_t point, Listeners listeners, const std::stop_token& stop) {
    return m_replay.replay(point, listenWith(listeners.states, listeners.observer),
                           listenWith(nullptr, listeners.earlier), stop);
}

Result<std::shared_ptr<const TripletWarmStart>> LaneReplay::solution(std::int32_t point, const std::stop_token& stop) {
    auto found = m_replay.solution(point, stop);
    if (!found) {
        return Failure{found.error()};
    }
    return std::dynamic_pointer_cast<const TripletWarmStart>(*found);
}

} // namespace lambdascope::triplets
