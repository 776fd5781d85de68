// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_resume.h"

#include "core/record/event_log.h"
#include "core/store/build_facts.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_lane.h"
#include "core/store/run_folder_layout.h"

#include <algorithm>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// The lane came to the end that a whole run would have come to.
bool hasEnded(const std::vector<RunEvent>& events) {
    const auto* end = events.empty() ? nullptr : std::get_if<RunFinished>(&events.back().body);
    return end != nullptr && end->termination != Termination::StoppedByUser;
}

std::int32_t finishedPoints(const std::vector<RunEvent>& events) {
    return static_cast<std::int32_t>(std::count_if(events.begin(), events.end(), [](const RunEvent& event) {
        return std::holds_alternative<PointFinished>(event.body);
    }));
}

/// Cuts the events off behind the last one of a state; false when they are not those it was kept with.
bool cutTo(const KeptState& kept, std::vector<RunEvent>& events) {
    const auto last = std::find_if(events.begin(), events.end(),
                                   [&](const RunEvent& event) { return event.sequence == kept.sequence; });
    const auto* point = last == events.end() ? nullptr : std::get_if<PointFinished>(&last->body);
    if (point == nullptr || point->index + 1 != kept.points ||
        !std::holds_alternative<RunStarted>(events.front().body)) {
        return false;
    }
    events.erase(last + 1, events.end());
    return finishedPoints(events) == kept.points;
}

bool areThere(const std::array<std::uint64_t, 5>& wanted, const std::array<std::uint64_t, 5>& there) {
    return std::equal(wanted.begin(), wanted.end(), there.begin(), std::less_equal<>());
}

Result<LaneToResume> readLane(const fs::path& folder, const StateOwner& own) {
    LaneToResume lane;
    lane.name = own.lane;
    const fs::path laneFolder = folder / own.lane;
    std::error_code error;
    if (!fs::exists(laneFolder / layout::kEvents, error)) {
        return lane; // the run was left before the lane began
    }
    auto events = readEventLog(laneFolder / layout::kEvents);
    if (!events) {
        return Failure{std::move(events).error()};
    }
    return laneToResume(own, std::move(*events), readStates(laneFolder), RunFolderLane::sizesIn(laneFolder));
}

} // namespace

Result<LaneToResume> laneToResume(const StateOwner& own, std::vector<RunEvent> events,
                                  const std::vector<OwnedState>& states, const std::array<std::uint64_t, 5>& sizes) {
    LaneToResume lane;
    lane.name = own.lane;
    const std::int32_t points = finishedPoints(events);
    if (hasEnded(events)) {
        lane.at = KeptState{points, events.back().sequence, sizes, nullptr};
        lane.history.events = std::move(events);
        return lane;
    }
    for (const OwnedState& state : states) {
        if (auto foreign = foreignState(state.owner, own)) {
            return Failure{std::move(*foreign)};
        }
        if (areThere(state.kept.sizes, sizes) && cutTo(state.kept, events)) {
            lane.at = state.kept;
            lane.history = {std::move(events), state.kept.state};
            lane.lost = points - state.kept.points;
            return lane;
        }
    }
    lane.lost = points;
    lane.why = points == 0      ? ""
               : states.empty() ? "no state of it was kept that can be read"
                                : "its tables are shorter than when its state was kept";
    return lane;
}

bool haveEnded(const std::vector<LaneToResume>& lanes) {
    return std::all_of(lanes.begin(), lanes.end(), [](const LaneToResume& lane) { return lane.hasEnded(); });
}

void adoptIds(std::vector<LaneToResume>& lanes, const std::vector<RunId>& ids) {
    for (std::size_t i = 0; i < lanes.size() && i < ids.size(); ++i) {
        for (RunEvent& event : lanes[i].history.events) {
            event.run = ids[i];
        }
    }
}

std::map<std::string, LaneHistory> historiesOf(const std::vector<LaneToResume>& lanes) {
    std::map<std::string, LaneHistory> histories;
    for (const LaneToResume& lane : lanes) {
        if (lane.at) {
            histories.emplace(lane.name, lane.history);
        }
    }
    return histories;
}

Result<RunToResume> readRunToResume(const fs::path& folder) {
    auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{std::move(summary).error()};
    }
    if (isProcessAlive(summary->value(layout::kProcess, std::string()))) {
        return Failure{folderInUse(folder)};
    }
    auto lock = FolderLock::take(folder);
    if (!lock) {
        return Failure{std::move(lock).error()};
    }
    RunToResume run{folder, std::move(*lock), std::move(*summary), {}};
    const Json experiment = run.summary.value("experiment", Json::object());
    const std::string data = run.summary.value("data_sha256", std::string());
    for (const Json& entry : run.summary.value("lanes", Json::array())) {
        auto lane = readLane(folder, stateOwner(experiment, data, entry.value("name", std::string())));
        if (!lane) {
            return Failure{std::move(lane).error()};
        }
        run.lanes.push_back(std::move(*lane));
    }
    const std::vector<std::string> differences = buildDifferences(run.summary.value("build", Json()));
    if (!haveEnded(run.lanes) && !differences.empty()) {
        return Failure{singleFault(
            ErrorCode::InvalidData,
            {"",
             folder.string() + " was written by another build of this program (" + differences.front() +
                 "), so that going on would not give what a whole run gives",
             "Run the experiment anew: lambdascope-cli run " + (folder / layout::kSummary).string() + " --out NEW.",
             {}})};
    }
    return run;
}

} // namespace lambdascope
