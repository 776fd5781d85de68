// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_rows.h"

#include "core/config/json_text.h"
#include "core/record/event_json.h"
#include "core/store/process_mark.h"

#include <cstring>
#include <sstream>
#include <utility>

namespace lambdascope {

namespace {

RunRecord::State stateFromName(const std::string& name) {
    for (const auto state :
         {RunRecord::State::Running, RunRecord::State::Finished, RunRecord::State::Stopped, RunRecord::State::Failed}) {
        if (recordStateName(state) == name) {
            return state;
        }
    }
    return RunRecord::State::Interrupted;
}

constexpr const char* kRunColumns = "id, name, lane_index, is_baseline, process, state, termination, failure, "
                                    "finished_points, cpu_solve, cpu_screen, wall";
constexpr int kRunColumnCount = 12;

std::vector<std::string> wordsOf(const std::string& text, char separator) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);) {
        if (!word.empty()) {
            words.push_back(std::move(word));
        }
    }
    return words;
}

/// The newest guess at the number of points of a run, from the events of its last point.
std::int32_t plannedPointsOf(SqliteDatabase& database, LibraryRunId run) {
    SqliteStatement row = database.prepare("SELECT body FROM events WHERE run_id = ? AND body LIKE '%point-started%' "
                                           "ORDER BY sequence DESC LIMIT 1");
    if (!row.bind(1, run.value).step()) {
        return 0;
    }
    const auto event = eventFromJson(jsonOf(row.text(0), "an event of run " + std::to_string(run.value)));
    const auto* started = event ? std::get_if<PointStarted>(&event->body) : nullptr;
    return started == nullptr ? 0 : started->estimatedPointCount;
}

LibraryRun runOf(const SqliteStatement& row) {
    LibraryRun run;
    run.id = LibraryRunId{row.integer(0)};
    run.lane = row.text(1);
    run.laneIndex = static_cast<std::int32_t>(row.integer(2));
    run.isBaseline = row.integer(3) != 0;
    run.state = stateFromName(row.text(5));
    if (run.state == RunRecord::State::Running && !isProcessAlive(row.text(4))) {
        run.state = RunRecord::State::Interrupted;
    }
    run.termination = row.isNull(6) ? std::nullopt : terminationFromName(row.text(6));
    run.failure = row.text(7);
    run.finishedPoints = static_cast<std::int32_t>(row.integer(8));
    run.cpuSolve = row.real(9);
    run.cpuScreen = row.real(10);
    run.wall = row.real(11);
    return run;
}

std::vector<double> doublesOf(const std::string& blob) {
    std::vector<double> values(blob.size() / sizeof(double));
    if (!values.empty()) { // memcpy() takes no null pointer
        std::memcpy(values.data(), blob.data(), values.size() * sizeof(double));
    }
    return values;
}

std::shared_ptr<const Solution> solutionOf(SqliteDatabase& database, LibraryRunId run, std::int32_t point) {
    SqliteStatement rows = database.prepare("SELECT name, row_count, column_count, matrix FROM solutions "
                                            "WHERE run_id = ? AND point_index = ? ORDER BY position");
    rows.bind(1, run.value).bind(2, std::int64_t{point});
    auto solution = std::make_shared<Solution>();
    while (rows.step()) {
        const std::vector<double> values = doublesOf(rows.blob(3));
        const std::int64_t height = rows.integer(1);
        const std::int64_t width = rows.integer(2);
        const auto size = static_cast<std::int64_t>(values.size());
        const bool isSound =
            height >= 0 && width >= 0 && (height == 0 || width <= size / height) && height * width == size;
        if (!isSound) {
            throw DamagedRow("damaged: a matrix of point " + std::to_string(point) + " of run " +
                             std::to_string(run.value) + " has not the size that it is said to have");
        }
        solution->push_back({rows.text(0), MatrixValues(height, width)});
        std::copy(values.begin(), values.end(), solution->back().values.data());
    }
    return solution->empty() ? nullptr : solution;
}

/// An embedding without its coordinates, which are kept apart.
Embedding labelsOf(const Json& json, const std::string& what) {
    try {
        return embeddingFromJson(json);
    } catch (const std::invalid_argument& problem) {
        throw DamagedRow("damaged: the picture of " + what + ": " + problem.what());
    }
}

} // namespace

Json jsonOf(const std::string& text, const std::string& what) {
    auto json = parseOwnJson(text, {});
    if (!json) {
        throw DamagedRow("damaged: " + what + ": " + json.error().message);
    }
    return std::move(*json);
}

std::vector<LibraryExperiment> experimentsOf(SqliteDatabase& database, ExperimentRows which,
                                             std::optional<LibraryExperimentId> id) {
    // Documents, most of the file, are not read for this: what searches need of them stands in labels.
    std::string sql = "SELECT id, name, family, created_at, source, bounds, tags, notes, is_starred "
                      "FROM experiments JOIN labels ON experiment_id = id WHERE ";
    sql += which == ExperimentRows::Kept        ? "discarded_at IS NULL"
           : which == ExperimentRows::Discarded ? "discarded_at IS NOT NULL"
                                                : "1";
    SqliteStatement rows = database.prepare(sql + (id ? " AND id = ?" : "") + " ORDER BY id DESC");
    std::string lanes = std::string("SELECT ") + kRunColumns + ", experiment_id FROM runs WHERE deleted_by IS NULL";
    SqliteStatement runs =
        database.prepare(lanes + (id ? " AND experiment_id = ?" : "") + " ORDER BY experiment_id DESC, lane_index, id");
    if (id) {
        rows.bind(1, id->value);
        runs.bind(1, id->value);
    }
    std::vector<LibraryExperiment> experiments;
    bool hasRun = runs.step();
    while (rows.step()) {
        LibraryExperiment experiment;
        experiment.id = LibraryExperimentId{rows.integer(0)};
        experiment.name = rows.text(1);
        experiment.family = rows.text(2);
        experiment.createdAt = rows.text(3);
        experiment.source = rows.text(4);
        experiment.bounds = wordsOf(rows.text(5), ',');
        experiment.tags = wordsOf(rows.text(6), ' ');
        experiment.notes = rows.text(7);
        experiment.isStarred = rows.integer(8) != 0;
        for (; hasRun && runs.integer(kRunColumnCount) >= experiment.id.value; hasRun = runs.step()) {
            if (runs.integer(kRunColumnCount) == experiment.id.value) { // else of one that is not asked for
                experiment.runs.push_back(runOf(runs));
            }
        }
        if (!experiment.runs.empty() || id) {
            experiments.push_back(std::move(experiment));
        }
    }
    for (LibraryExperiment& experiment : experiments) {
        for (LibraryRun& run : experiment.runs) {
            if (run.state == RunRecord::State::Stopped || run.state == RunRecord::State::Interrupted) {
                run.plannedPoints = plannedPointsOf(database, run.id);
            }
        }
    }
    return experiments;
}

std::vector<RunEvent> finishedPointsOf(SqliteDatabase& database, LibraryRunId run) {
    SqliteStatement rows =
        database.prepare("SELECT point_index, sequence, axis_value, termination, decidable_items, column_values, "
                         "embedding, coordinates FROM points WHERE run_id = ? ORDER BY sequence");
    rows.bind(1, run.value);
    std::vector<RunEvent> events;
    while (rows.step()) {
        PointFinished point;
        point.index = static_cast<std::int32_t>(rows.integer(0));
        point.axisValue = rows.real(2);
        const std::string what = "point " + std::to_string(point.index) + " of run " + std::to_string(run.value);
        const auto termination = terminationFromName(rows.text(3));
        if (!termination) {
            throw DamagedRow("damaged: " + what + " ended in a way that is not known");
        }
        point.termination = *termination;
        point.decidableItems = rows.integer(4);
        point.values = doublesOf(rows.blob(5));
        if (!rows.isNull(6)) {
            Embedding embedding = labelsOf(jsonOf(rows.text(6), what), what);
            const std::string coordinates = rows.blob(7);
            embedding.coordinates.resize(coordinates.size() / sizeof(float));
            std::memcpy(embedding.coordinates.data(), coordinates.data(), embedding.coordinates.size() * sizeof(float));
            point.embedding = std::make_shared<const Embedding>(std::move(embedding));
        }
        point.solution = solutionOf(database, run, point.index);
        RunEvent event;
        event.sequence = rows.integer(1);
        event.body = std::move(point);
        events.push_back(std::move(event));
    }
    return events;
}

std::vector<RunEvent> otherEventsOf(SqliteDatabase& database, LibraryRunId run) {
    SqliteStatement rows = database.prepare("SELECT body, sequence FROM events WHERE run_id = ? ORDER BY sequence");
    rows.bind(1, run.value);
    std::vector<RunEvent> events;
    while (rows.step()) {
        const std::string what = "event " + std::to_string(rows.integer(1)) + " of run " + std::to_string(run.value);
        auto event = eventFromJson(jsonOf(rows.text(0), what));
        if (!event) {
            throw DamagedRow("damaged: " + what + ": " + event.error().message);
        }
        events.push_back(std::move(*event));
    }
    return events;
}

} // namespace lambdascope
