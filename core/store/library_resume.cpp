// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_resume.h"

#include <algorithm>

namespace lambdascope {

Result<LibraryRunToResume> readRunToResume(const RunLibrary& library, LibraryExperimentId id) {
    auto listed = library.experiment(id);
    auto document = library.experimentDocument(id);
    if (!listed || !document) {
        return Failure{!listed ? std::move(listed).error() : std::move(document).error()};
    }
    LibraryRunToResume run{id, std::move(*document), {}, {}};
    for (const Json& entry : run.document.value("lanes", Json::array())) {
        LaneToResume fresh;
        fresh.name = entry.value("name", std::string());
        run.lanes.push_back(std::move(fresh));
        run.runs.emplace_back();
    }
    for (const LibraryRun& kept : listed->runs) {
        if (kept.state == RunRecord::State::Running) {
            return Failure{singleFault(
                ErrorCode::BadUsage,
                {"", "lane \"" + kept.lane + "\" is computed at this moment", "Wait for it to end, or stop it.", {}})};
        }
        auto events = library.loadEvents(kept.id, RunId{});
        auto state = library.state(kept.id);
        if (!events || !state) {
            return Failure{!events ? std::move(events).error() : std::move(state).error()};
        }
        const auto* started = events->empty() ? nullptr : std::get_if<RunStarted>(&events->front().body);
        const auto place = static_cast<std::size_t>(
            std::find_if(run.lanes.begin(), run.lanes.end(),
                         [&](const LaneToResume& lane) { return started && lane.name == started->laneName; }) -
            run.lanes.begin());
        if (place == run.lanes.size()) {
            continue; // damaged, or of a lane that is no more
        }
        const StateOwner own = stateOwner(*started);
        auto lane = laneToResume(own, std::move(*events),
                                 *state ? std::vector<OwnedState>{**state} : std::vector<OwnedState>());
        if (!lane) {
            return Failure{std::move(lane).error()};
        }
        run.lanes[place] = std::move(*lane);
        run.runs[place] = kept.id;
    }
    return run;
}

} // namespace lambdascope
