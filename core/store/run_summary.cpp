// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_summary.h"

#include "core/record/event_json.h"
#include "core/run/experiment.h"
#include "core/store/build_facts.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder_layout.h"

#include <utility>

namespace lambdascope {

RunSummary::RunSummary(RunFolderFacts facts) : m_facts(std::move(facts)) {
    if (!m_facts.startedAt.empty()) {
        m_startedAt = m_facts.startedAt;
    }
    for (const std::string& name : m_facts.lanes) {
        LaneTotals lane;
        lane.name = name;
        m_lanes.push_back(std::move(lane));
    }
}

RunSummary::RunSummary(RunFolderFacts facts, const Json& earlier) : RunSummary(std::move(facts)) {
    m_startedAt = earlier.value("started", m_startedAt);
    m_continuedAt = earlier.value("continued", Json::array());
    m_continuedAt.push_back(utcNow());
}

void RunSummary::note(const RunEvent& event) {
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            if (m_lanes[i].name == start->laneName) {
                m_laneOf[event.run] = i;
                m_lanes[i].facts = start->facts;
            }
        }
    }
    const auto position = m_laneOf.find(event.run);
    if (position == m_laneOf.end()) {
        return;
    }
    LaneTotals& lane = m_lanes[position->second];
    if (const auto* end = std::get_if<RunFinished>(&event.body)) {
        const bool isStop =
            end->termination == Termination::StoppedByUser || end->termination == Termination::TimeLimit;
        lane.state = isStop ? RunRecord::State::Stopped : RunRecord::State::Finished;
        lane.termination = end->termination;
        lane.finishedPoints = end->finishedPoints;
        lane.cpuSolve = end->cpuSolve;
        lane.cpuScreen = end->cpuScreen;
        lane.wall = end->wall;
    } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
        lane.state = RunRecord::State::Failed;
        lane.failure = failed->message;
    } else if (std::holds_alternative<PointFinished>(event.body)) {
        ++lane.finishedPoints;
    }
}

RunRecord::State RunSummary::overallState() const {
    RunRecord::State overall = RunRecord::State::Finished;
    for (const LaneTotals& lane : m_lanes) {
        if (lane.state == RunRecord::State::Running) {
            return lane.state;
        }
        if (lane.state == RunRecord::State::Failed || overall == RunRecord::State::Finished) {
            overall = lane.state;
        }
    }
    return overall;
}

Json RunSummary::json() const {
    const RunRecord::State state = overallState();
    Json document = Json::object();
    document["format"] = layout::kFormat;
    document["format_version"] = layout::kFormatVersion;
    document["version"] = m_facts.version;
    document["name"] = experimentTitle(m_facts.experiment);
    document["family"] = m_facts.experiment.value("family", std::string());
    document["state"] = recordStateName(state);
    document["started"] = m_startedAt;
    const bool isComputed = m_facts.startedAt.empty();
    document["ended"] = state == RunRecord::State::Running || !isComputed ? Json() : Json(utcNow());
    if (m_continuedAt.size() > 0) {
        document["continued"] = m_continuedAt;
    }
    if (state == RunRecord::State::Running && isComputed) {
        document[layout::kProcess] = ownProcessMark();
    }
    const Json run = m_facts.experiment.value("run", Json::object());
    document["seed"] = run.value("seed", Json());
    document["data_sha256"] = m_facts.dataSha256;
    if (isComputed) {
        const MachineFacts machine = machineFacts();
        document["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}};
        document["build"] = buildFacts();
    } else {
        document["written"] = utcNow();
    }
    document["threads"] = m_facts.threads;
    document["solutions"] = m_facts.solutions;
    document["lanes"] = Json::array();
    for (const LaneTotals& lane : m_lanes) {
        Json entry = Json::object();
        entry["name"] = lane.name;
        entry["state"] = recordStateName(lane.state);
        entry["termination"] = lane.termination ? Json(terminationName(*lane.termination)) : Json();
        if (!lane.failure.empty()) {
            entry["failure"] = lane.failure;
        }
        entry["points"] = lane.finishedPoints;
        entry["cpu_solve"] = numberToJson(lane.cpuSolve);
        entry["cpu_screen"] = numberToJson(lane.cpuScreen);
        entry["wall"] = numberToJson(lane.wall);
        entry["facts"] = lane.facts;
        document["lanes"].push_back(std::move(entry));
    }
    document["experiment"] = m_facts.experiment;
    return document;
}

} // namespace lambdascope
