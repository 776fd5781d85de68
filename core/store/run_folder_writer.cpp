// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder_writer.h"

#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/run/event_json.h"
#include "core/run/event_log.h"
#include "core/run/library_exceptions.h"
#include "core/store/append_file.h"
#include "core/store/machine_facts.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder_layout.h"

#include <cerrno>
#include <map>
#include <mutex>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// Removes what an earlier run left: the files a run folder has, nothing else.
void removeEarlierRun(const fs::path& folder) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return;
    }
    std::error_code ignored;
    fs::remove(folder / layout::kSummary, ignored);
    for (const Json& lane : summary->value("lanes", Json::array())) {
        const std::string name = lane.value("name", std::string());
        if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..") {
            continue; // not a name that a run of ours can have
        }
        const fs::path laneFolder = folder / name;
        for (const char* file : {layout::kPath, layout::kDynamic, layout::kEvents, layout::kRanges, layout::kAudit}) {
            fs::remove(laneFolder / file, ignored);
        }
        std::vector<fs::path> solutions;
        for (const auto& entry : fs::directory_iterator(laneFolder, ignored)) {
            if (entry.path().filename().string().starts_with(layout::kSolutionStem)) {
                solutions.push_back(entry.path());
            }
        }
        for (const fs::path& solution : solutions) {
            fs::remove(solution, ignored);
        }
        fs::remove(laneFolder, ignored); // goes only when empty
    }
}

} // namespace

struct RunFolderWriter::State {
    struct LaneFiles {
        fs::path folder;
        AppendFile path;
        AppendFile dynamic;
        AppendFile events;
        std::optional<AppendFile> ranges; ///< from the first row on
        RunStarted start;
        PointBuffer buffer;
    };
    struct LaneTotals {
        std::string name;
        RunRecord::State state = RunRecord::State::Running;
        std::optional<Termination> termination;
        std::string failure;
        Json facts = Json::object();
        std::int32_t finishedPoints = 0;
        double cpuSolve = 0;
        double cpuScreen = 0;
        double wall = 0;
    };

    fs::path folder;
    RunFolderFacts facts;
    std::string startedAt = utcNow();
    std::map<RunId, LaneFiles> files;
    std::map<RunId, std::size_t> laneOf;
    std::vector<LaneTotals> totals;
    mutable std::mutex errorMutex;
    std::optional<Error> firstError;

    void note(Error error) {
        const std::lock_guard lock(errorMutex);
        if (!firstError) {
            firstError = std::move(error);
        }
    }
    void note(const Result<void>& result) {
        if (!result) {
            note(result.error());
        }
    }
    [[nodiscard]] bool hasFailed() const {
        const std::lock_guard lock(errorMutex);
        return firstError.has_value();
    }

    void take(const RunEvent& event);
    void begin(RunId run, const RunStarted& start);
    void writePoint(LaneFiles& lane, const std::vector<RunEvent>& events);
    void writeSolution(const LaneFiles& lane, const PointFinished& point);
    void writeRanges(LaneFiles& lane, const RangeRow& row);
    void flush(LaneFiles& lane);
    [[nodiscard]] RunRecord::State overallState() const;
    [[nodiscard]] Json summary() const;
    Result<void> writeSummary() const {
        return writeFileAtomically(folder / layout::kSummary,
                                   summary().dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
    }
};

void RunFolderWriter::State::begin(RunId run, const RunStarted& start) {
    const fs::path laneFolder = folder / start.laneName;
    std::error_code error;
    fs::create_directory(laneFolder, error);
    if (error) {
        note(unwritable(laneFolder, error.value()));
        return;
    }
    auto path = AppendFile::create(laneFolder / layout::kPath);
    auto dynamic = AppendFile::create(laneFolder / layout::kDynamic);
    auto events = AppendFile::create(laneFolder / layout::kEvents);
    for (const auto* file : {&path, &dynamic, &events}) {
        if (!*file) {
            note(file->error());
            return;
        }
    }
    std::vector<std::string> header;
    for (const ColumnDescription& column : start.columns) {
        header.push_back(column.key);
    }
    path->append(csvRow(header));
    dynamic->append("index,check,iteration,R,L,rate,gap,radius,cpu\n");
    files.emplace(run, LaneFiles{laneFolder, std::move(*path), std::move(*dynamic), std::move(*events), {}, start, {}});
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i].name == start.laneName) {
            laneOf[run] = i;
            totals[i].facts = start.facts;
        }
    }
}

void RunFolderWriter::State::take(const RunEvent& event) {
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        begin(event.run, *start);
    }
    const auto found = files.find(event.run);
    if (found == files.end()) {
        return;
    }
    LaneFiles& lane = found->second;
    lane.buffer.add(event);
    if (std::holds_alternative<Iterated>(event.body) || std::holds_alternative<Screened>(event.body) ||
        std::holds_alternative<PointStarted>(event.body)) {
        return;
    }
    writePoint(lane, lane.buffer.take());
    flush(lane);
    const auto position = laneOf.find(event.run);
    if (position == laneOf.end()) {
        return;
    }
    LaneTotals& total = totals[position->second];
    if (const auto* end = std::get_if<RunFinished>(&event.body)) {
        const bool isStop =
            end->termination == Termination::StoppedByUser || end->termination == Termination::TimeLimit;
        total.state = isStop ? RunRecord::State::Stopped : RunRecord::State::Finished;
        total.termination = end->termination;
        total.finishedPoints = end->finishedPoints;
        total.cpuSolve = end->cpuSolve;
        total.cpuScreen = end->cpuScreen;
        total.wall = end->wall;
    } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
        total.state = RunRecord::State::Failed;
        total.failure = failed->message;
    } else if (std::holds_alternative<PointFinished>(event.body)) {
        ++total.finishedPoints;
    }
}

void RunFolderWriter::State::writePoint(LaneFiles& lane, const std::vector<RunEvent>& events) {
    const auto* finished = events.empty() ? nullptr : std::get_if<PointFinished>(&events.back().body);
    for (const RunEvent& event : events) {
        lane.events.append(eventLine(event));
        const auto* screened = std::get_if<Screened>(&event.body);
        if (screened == nullptr || finished == nullptr || screened->pointIndex != finished->index) {
            continue;
        }
        const auto fixed = static_cast<double>(screened->fixedLow + screened->fixedHigh);
        const double rate = finished->decidableItems > 0 ? fixed / static_cast<double>(finished->decidableItems) : 0;
        lane.dynamic.append(csvRow(
            {std::to_string(screened->pointIndex), std::to_string(screened->check), std::to_string(screened->iteration),
             std::to_string(screened->fixedLow), std::to_string(screened->fixedHigh), exactText(rate),
             exactText(screened->optimality), exactText(screened->radius), exactText(screened->cpu)}));
    }
    if (finished != nullptr) {
        std::vector<std::string> cells;
        for (const double value : finished->values) {
            cells.push_back(exactText(value));
        }
        lane.path.append(csvRow(cells));
        if (facts.solutions && finished->solution) {
            writeSolution(lane, *finished);
        }
        if (finished->ranges) {
            writeRanges(lane, *finished->ranges);
        }
    }
}

void RunFolderWriter::State::writeSolution(const LaneFiles& lane, const PointFinished& point) {
    std::string text;
    for (const NamedMatrix& matrix : *point.solution) {
        text += "# " + matrix.name + ' ' + std::to_string(matrix.values.rows()) + ' ' +
                std::to_string(matrix.values.cols()) + '\n';
        for (Eigen::Index row = 0; row < matrix.values.rows(); ++row) {
            std::vector<std::string> cells;
            for (Eigen::Index column = 0; column < matrix.values.cols(); ++column) {
                cells.push_back(exactText(matrix.values(row, column)));
            }
            text += csvRow(cells);
        }
    }
    note(writeFileAtomically(lane.folder / (layout::kSolutionStem + std::to_string(point.index) + ".csv"), text));
}

void RunFolderWriter::State::writeRanges(LaneFiles& lane, const RangeRow& row) {
    if (!lane.ranges) {
        auto file = AppendFile::create(lane.folder / layout::kRanges);
        if (!file) {
            note(file.error());
            return;
        }
        lane.ranges = std::move(*file);
        lane.ranges->append("reference,target,rate\n");
    }
    for (std::size_t i = 0; i < row.targets.size(); ++i) {
        lane.ranges->append(csvRow({exactText(row.reference), exactText(row.targets[i]), exactText(row.rates[i])}));
    }
}

void RunFolderWriter::State::flush(LaneFiles& lane) {
    // The log is what readers rely on; a row of path.csv without its events would be worse than the other way round.
    for (AppendFile* file : {&lane.events, &lane.dynamic, &lane.path, lane.ranges ? &*lane.ranges : nullptr}) {
        if (file == nullptr) {
            continue;
        }
        if (auto flushed = file->flush(); !flushed) {
            note(flushed);
            return;
        }
    }
}

RunRecord::State RunFolderWriter::State::overallState() const {
    RunRecord::State overall = RunRecord::State::Finished;
    for (const LaneTotals& lane : totals) {
        if (lane.state == RunRecord::State::Running) {
            return lane.state;
        }
        if (lane.state == RunRecord::State::Failed || overall == RunRecord::State::Finished) {
            overall = lane.state;
        }
    }
    return overall;
}

Json RunFolderWriter::State::summary() const {
    const RunRecord::State state = overallState();
    const MachineFacts machine = machineFacts();
    Json document = Json::object();
    document["format"] = layout::kFormat;
    document["format_version"] = layout::kFormatVersion;
    document["version"] = facts.version;
    document["name"] = facts.experiment.value("name", std::string());
    document["family"] = facts.experiment.value("family", std::string());
    document["state"] = recordStateName(state);
    document["started"] = startedAt;
    document["ended"] = state == RunRecord::State::Running ? Json() : Json(utcNow());
    if (state == RunRecord::State::Running) {
        document[layout::kProcess] = ownProcessMark();
    }
    const Json run = facts.experiment.value("run", Json::object());
    document["seed"] = run.value("seed", Json());
    document["data_sha256"] = facts.dataSha256;
    document["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}};
    document["threads"] = facts.threads;
    document["lanes"] = Json::array();
    for (const LaneTotals& lane : totals) {
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
    document["experiment"] = facts.experiment;
    return document;
}

Result<std::unique_ptr<RunFolderWriter>> RunFolderWriter::create(const fs::path& folder, RunFolderFacts facts,
                                                                 ExistingRun existing) {
    if (auto checked = checkRunFolder(folder, existing); !checked) {
        return Failure{checked.error()};
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return Failure{unwritable(folder, error.value())};
    }
    removeEarlierRun(folder);
    auto state = std::make_unique<State>();
    state->folder = folder;
    for (const std::string& lane : facts.lanes) {
        State::LaneTotals totals;
        totals.name = lane;
        state->totals.push_back(std::move(totals));
    }
    state->facts = std::move(facts);
    if (auto written = state->writeSummary(); !written) {
        return Failure{written.error()};
    }
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(std::move(state)));
}

RunFolderWriter::RunFolderWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}

RunFolderWriter::~RunFolderWriter() = default;

void RunFolderWriter::publish(const RunEvent& event) noexcept {
    if (m_state->hasFailed()) {
        return;
    }
    try {
        m_state->take(event);
    } catch (...) {
        m_state->note(errorOfCurrentException("writing " + m_state->folder.string()));
    }
}

Result<void> RunFolderWriter::finish() {
    m_state->note(m_state->writeSummary());
    if (auto failure = error()) {
        return Failure{std::move(*failure)};
    }
    return {};
}

std::optional<Error> RunFolderWriter::error() const {
    const std::lock_guard lock(m_state->errorMutex);
    return m_state->firstError;
}

const fs::path& RunFolderWriter::folder() const {
    return m_state->folder;
}

} // namespace lambdascope
