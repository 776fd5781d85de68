// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/experiment_runner.h"

#include "core/run/known_lane.h"
#include "core/run/library_exceptions.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace lambdascope {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

ExperimentRunner::ExperimentRunner(Validated<Experiment> experiment, const Family& family, ExperimentOptions options)
    : m_experiment(std::move(experiment)), m_family(family), m_options(std::move(options)) {
    for (std::size_t i = 0; i < m_experiment->laneNames.size(); ++i) {
        const std::string& name = m_experiment->laneNames[i];
        if (m_options.lanes.empty() ? m_experiment->laneRuns[i].enabled : contains(m_options.lanes, name)) {
            m_laneNumbers.push_back(i);
            m_laneNames.push_back(name);
            m_runIds.push_back(RunIdSource::next());
        }
    }
}

Result<void> ExperimentRunner::checkLaneNames() const {
    const std::vector<std::string>& known = m_experiment->laneNames;
    Error error = plainError(ErrorCode::BadUsage, "an unknown lane was asked for");
    for (const std::string& name : m_options.lanes) {
        if (contains(known, name)) {
            continue;
        }
        Fault fault;
        fault.key = "lanes";
        fault.message = "the experiment has no lane \"" + name + "\"";
        const auto guess = closestWord(name, known);
        if (guess) {
            fault.remedy = "Did you mean \"" + *guess + "\"?";
        } else {
            for (const std::string& word : known) {
                fault.remedy += (fault.remedy.empty() ? "Choose among: " : ", ") + word;
            }
            fault.remedy += ".";
        }
        error.faults.push_back(std::move(fault));
    }
    for (const std::size_t number : m_laneNumbers) {
        const Json& lane = m_experiment->document["lanes"][number];
        const std::string oracle = lane.value(kOracleFact, std::string());
        if (!oracle.empty() && !contains(m_laneNames, oracle)) {
            error.message = "a lane needs another one";
            error.faults.push_back({"lanes",
                                    "\"" + m_experiment->laneNames[number] + "\" knows the sets of \"" + oracle +
                                        "\", which is not among the lanes that run",
                                    "Run \"" + oracle + "\" too, or leave it out.",
                                    {}});
        }
    }
    if (error.faults.empty()) {
        return {};
    }
    return Failure{std::move(error)};
}

Result<void> ExperimentRunner::prepare(const ProgressFunction& progress, std::stop_token stop) {
    if (auto checked = checkLaneNames(); !checked) {
        return checked;
    }
    try {
        auto data = loadDataset(m_experiment->data, m_options.places, progress, stop);
        if (!data) {
            return Failure{std::move(data).error()};
        }
        auto problem = m_family.prepare(*m_experiment, *data, m_options.places, progress, stop);
        if (!problem) {
            return Failure{std::move(problem).error()};
        }
        m_dataset = std::move(*data);
        m_problem = std::move(*problem);
        return checkHistories();
    } catch (...) {
        return Failure{errorOfCurrentException("preparing the problem")};
    }
}

/// Numbers and digests of files must be what they were; names of places may differ.
Result<void> ExperimentRunner::checkHistories() const {
    for (std::size_t i = 0; i < m_laneNames.size(); ++i) {
        const auto found = m_options.histories.find(m_laneNames[i]);
        if (found == m_options.histories.end() || !found->second.state || found->second.events.empty()) {
            continue;
        }
        const auto* then = std::get_if<RunStarted>(&found->second.events.front().body);
        const LaneDescription now = m_problem->makeTask(m_laneNumbers[i])->describe();
        for (const auto& [key, value] : now.facts.items()) {
            const Json before = then != nullptr ? then->facts.value(key, Json()) : Json();
            const bool isMemory = key.ends_with("_bytes"); // which lanes before may have taken
            if (((value.isNumber() && !isMemory) || key.ends_with("sha256")) && before.dump() != value.dump()) {
                return Failure{
                    singleFault(ErrorCode::InvalidData, {"lanes." + m_laneNames[i],
                                                         "cannot go on: the problem is not what it was; " + key +
                                                             " was " + before.dump() + ", is " + value.dump(),
                                                         "Restore the data files, or run the experiment anew.",
                                                         {}})};
            }
        }
    }
    return {};
}

const Dataset& ExperimentRunner::dataset() const {
    assert(m_dataset != nullptr);
    return *m_dataset;
}

std::string ExperimentRunner::lensObstacle() const {
    return m_problem->lensObstacle();
}

std::unique_ptr<RunLens> ExperimentRunner::makeLens(std::size_t position) const {
    assert(m_problem != nullptr);
    return m_problem->makeLens(m_laneNumbers[position]);
}

Result<PlacedObjects> ExperimentRunner::placeObjects(std::size_t position, std::int32_t point,
                                                     const std::filesystem::path& answers,
                                                     const ProgressFunction& progress, std::stop_token stop) const {
    assert(m_problem != nullptr);
    try {
        return m_problem->placeObjects(m_laneNumbers[position], point, answers, progress, std::move(stop));
    } catch (...) {
        return Failure{errorOfCurrentException("placing new objects")};
    }
}

Json ExperimentRunner::resolvedDocument() const {
    Json document = m_experiment->document;
    Json lanes = Json::array();
    for (const std::size_t number : m_laneNumbers) {
        Json lane = document["lanes"][number];
        lane["enabled"] = true; // it was named where it is not
        lanes.push_back(std::move(lane));
    }
    document["lanes"] = std::move(lanes);
    return document;
}

const std::string& ExperimentRunner::groupOf(std::size_t position) const {
    return m_experiment->laneRuns[m_laneNumbers[position]].group;
}

PathRunner ExperimentRunner::makeLane(std::size_t position, bool mayBeBaseline, RunContext context) const {
    LaneIdentity lane{.experimentName = m_experiment->name,
                      .family = m_experiment->family,
                      .laneName = m_laneNames[position],
                      .laneGroup = groupOf(position),
                      .laneIndex = static_cast<std::int32_t>(position),
                      .laneCount = static_cast<std::int32_t>(m_laneNumbers.size()),
                      .experiment = resolvedDocument()};
    return PathRunner([this, number = m_laneNumbers[position]] { return m_problem->makeTask(number); }, std::move(lane),
                      std::move(context), m_experiment->run.timeLimit, mayBeBaseline, m_experiment->run.timingRepeats);
}

Result<ExperimentOutcome> ExperimentRunner::run(EventSink& sink, std::stop_token stop, PauseGate* pause) {
    if (m_problem == nullptr) {
        return Failure{plainError(ErrorCode::Internal, "the experiment was not prepared")};
    }
    const RunConfig& config = m_experiment->run;
    std::vector<PathRunner> lanes;
    lanes.reserve(m_laneNumbers.size());
    std::set<std::string> groupsWithBaseline;
    for (std::size_t i = 0; i < m_laneNumbers.size(); ++i) {
        RunContext context(m_runIds[i], sink, stop, pause, m_options.wishes, config.seed);
        lanes.push_back(makeLane(i, !groupsWithBaseline.contains(groupOf(i)), std::move(context)));
        if (const auto history = m_options.histories.find(m_laneNames[i]); history != m_options.histories.end()) {
            lanes.back().resume(history->second);
        } else {
            lanes.back().start();
        }
        if (lanes.back().isBaseline()) {
            groupsWithBaseline.insert(groupOf(i));
        }
        if (config.order == LaneOrder::Sequential) {
            while (lanes.back().advance()) {
            }
        }
    }
    bool anyMoved = true;
    while (anyMoved) {
        anyMoved = false;
        for (PathRunner& lane : lanes) {
            anyMoved = lane.advance() || anyMoved;
        }
    }
    ExperimentOutcome outcome;
    for (const PathRunner& lane : lanes) {
        outcome.lanes.push_back(lane.outcome());
    }
    return outcome;
}

} // namespace lambdascope
