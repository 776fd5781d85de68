// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_sink.h"

#include "core/common/clocks.h"
#include "core/record/event_json.h"
#include "core/record/event_log.h"
#include "core/run/library_exceptions.h"
#include "core/store/library_file.h"
#include "core/store/library_resume.h"
#include "core/store/machine_facts.h"
#include "core/store/process_mark.h"

#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace lambdascope {

namespace {

/// The library is one file: what would swell it beyond use is not kept there, and such a lane begins anew.
constexpr std::size_t kLargestState = std::size_t{512} << 20U;

} // namespace

struct LibrarySink::State {
    struct Run {
        LibraryRunId id;
        PointBuffer buffer;
        std::vector<ColumnDescription> columns;
        StateOwner owner;
        RunRecord::State state = RunRecord::State::Running;
        std::optional<Termination> termination;
        std::string failure;
        std::int32_t finishedPoints = 0;
        double cpuSolve = 0;
        double cpuScreen = 0;
        double wall = 0;
    };

    State(std::shared_ptr<RunLibrary> l, std::string created) : library(std::move(l)), createdAt(std::move(created)) {}

    void take(const RunEvent& event);
    void write(const std::function<void(SqliteDatabase&)>& work);
    [[nodiscard]] std::pair<LibraryExperimentId, LibraryRunId> insertRun(const RunStarted& start,
                                                                         SqliteDatabase& database) const;
    static void writeEvents(const Run& run, const std::vector<RunEvent>& events, SqliteDatabase& database);
    static void writePoint(const Run& run, const RunEvent& event, SqliteDatabase& database);
    static void countTotals(Run& run, const RunEvent& last);
    static void writeTotals(const Run& run, SqliteDatabase& database);
    static void cutOff(const LaneToResume& lane, LibraryRunId id, SqliteDatabase& database);
    void adopt(const LaneToResume& lane, LibraryRunId id);

    std::shared_ptr<RunLibrary> library;
    std::string createdAt; ///< of a run that was computed before; else empty
    std::map<RunId, Run> runs;
    double lastLook = 0;
    /// Guards what other threads may ask for; the rest belongs to the worker.
    mutable std::mutex mutex;
    std::optional<Error> firstError;
    std::optional<LibraryExperimentId> experiment;
    std::map<RunId, LibraryRunId> ids;
};

std::pair<LibraryExperimentId, LibraryRunId> LibrarySink::State::insertRun(const RunStarted& start,
                                                                           SqliteDatabase& database) const {
    LibraryExperimentId experimentId = experiment.value_or(LibraryExperimentId{});
    if (!experiment) {
        database.prepare("INSERT INTO experiments(name, family, created_at, document) VALUES(?, ?, ?, ?)")
            .bind(1, start.experimentName)
            .bind(2, start.family)
            .bind(3, createdAt.empty() ? utcNow() : createdAt)
            .bind(4, start.experiment.dump(-1, Json::BadUtf8::Replace))
            .run();
        experimentId.value = database.lastInsertedRow();
    }
    database
        .prepare("INSERT INTO runs(experiment_id, name, lane_index, is_baseline, process, state) "
                 "VALUES(?, ?, ?, ?, ?, ?)")
        .bind(1, experimentId.value)
        .bind(2, start.laneName)
        .bind(3, std::int64_t{start.laneIndex})
        .bind(4, std::int64_t{start.isBaseline})
        .bind(5, createdAt.empty() ? ownProcessMark() : std::string())
        .bind(6, recordStateName(RunRecord::State::Running))
        .run();
    return {experimentId, LibraryRunId{database.lastInsertedRow()}};
}

void LibrarySink::State::writeEvents(const Run& run, const std::vector<RunEvent>& events, SqliteDatabase& database) {
    SqliteStatement insert = database.prepare("INSERT INTO events(run_id, sequence, body) VALUES(?, ?, ?)");
    for (const RunEvent& event : events) {
        if (std::holds_alternative<PointFinished>(event.body)) {
            writePoint(run, event, database);
            continue;
        }
        insert.bind(1, run.id.value)
            .bind(2, event.sequence)
            .bind(3, eventToJson(event).dump(-1, Json::BadUtf8::Replace))
            .run();
    }
}

void LibrarySink::State::writePoint(const Run& run, const RunEvent& event, SqliteDatabase& database) {
    const auto& point = std::get<PointFinished>(event.body);
    SqliteStatement insert =
        database.prepare("INSERT INTO points(run_id, point_index, sequence, axis_value, termination, "
                         "decidable_items, column_values, embedding, coordinates) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, run.id.value)
        .bind(2, std::int64_t{point.index})
        .bind(3, event.sequence)
        .bind(4, point.axisValue)
        .bind(5, terminationName(point.termination))
        .bind(6, point.decidableItems)
        .bindBlob(7, point.values.data(), point.values.size() * sizeof(double));
    if (point.embedding) {
        // The coordinates are kept apart, as bytes.
        Embedding labels = *point.embedding;
        labels.coordinates.clear();
        insert.bind(8, embeddingToJson(labels).dump(-1, Json::BadUtf8::Replace));
        insert.bindBlob(9, point.embedding->coordinates.data(), point.embedding->coordinates.size() * sizeof(float));
    } else {
        insert.bindNull(8).bindNull(9);
    }
    insert.run();
    if (point.state && point.state->size() <= kLargestState) {
        const std::string body = encodedState(run.owner, {point.index + 1, event.sequence, {}, point.state});
        database.prepare("INSERT OR REPLACE INTO states(run_id, body) VALUES(?, ?)")
            .bind(1, run.id.value)
            .bindBlob(2, body.data(), body.size())
            .run();
    }
    if (!point.solution) {
        return;
    }
    SqliteStatement matrices = database.prepare("INSERT INTO solutions(run_id, point_index, position, name, row_count, "
                                                "column_count, matrix) VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < point.solution->size(); ++i) {
        const NamedMatrix& matrix = (*point.solution)[i];
        matrices.bind(1, run.id.value)
            .bind(2, std::int64_t{point.index})
            .bind(3, static_cast<std::int64_t>(i))
            .bind(4, matrix.name)
            .bind(5, static_cast<std::int64_t>(matrix.values.rows()))
            .bind(6, static_cast<std::int64_t>(matrix.values.cols()))
            .bindBlob(7, matrix.values.data(), static_cast<std::size_t>(matrix.values.size()) * sizeof(double))
            .run();
    }
}

void LibrarySink::State::countTotals(Run& run, const RunEvent& last) {
    if (const auto* point = std::get_if<PointFinished>(&last.body)) {
        ++run.finishedPoints;
        for (std::size_t i = 0; i < run.columns.size() && i < point->values.size(); ++i) {
            switch (run.columns[i].role) {
            case ColumnRole::CpuSolve: run.cpuSolve += point->values[i]; break;
            case ColumnRole::CpuScreen: run.cpuScreen += point->values[i]; break;
            case ColumnRole::Wall: run.wall += point->values[i]; break;
            default: break;
            }
        }
    } else if (const auto* end = std::get_if<RunFinished>(&last.body)) {
        const bool isStop =
            end->termination == Termination::StoppedByUser || end->termination == Termination::TimeLimit;
        run.state = isStop ? RunRecord::State::Stopped : RunRecord::State::Finished;
        run.termination = end->termination;
        run.cpuSolve = end->cpuSolve;
        run.cpuScreen = end->cpuScreen;
        run.wall = end->wall;
    } else if (const auto* failed = std::get_if<RunFailed>(&last.body)) {
        run.state = RunRecord::State::Failed;
        run.failure = failed->message;
    }
}

void LibrarySink::State::writeTotals(const Run& run, SqliteDatabase& database) {
    SqliteStatement update =
        database.prepare("UPDATE runs SET state = ?, termination = ?, failure = ?, finished_points = ?, cpu_solve = ?, "
                         "cpu_screen = ?, wall = ? WHERE id = ?");
    update.bind(1, recordStateName(run.state)).bind(3, run.failure).bind(4, std::int64_t{run.finishedPoints});
    update.bind(5, run.cpuSolve).bind(6, run.cpuScreen).bind(7, run.wall).bind(8, run.id.value);
    if (run.termination) {
        update.bind(2, terminationName(*run.termination));
    } else {
        update.bindNull(2);
    }
    update.run();
    if (run.state == RunRecord::State::Finished || run.termination == Termination::TimeLimit) {
        database.prepare("DELETE FROM states WHERE run_id = ?").bind(1, run.id.value).run();
    }
}

/// One transaction; when the library cannot take it, in another file that can.
void LibrarySink::State::write(const std::function<void(SqliteDatabase&)>& work) {
    LibraryFile& file = *library->m_file;
    file.settle();
    const auto attempt = [&] { file.database().transaction([&] { work(file.database()); }); };
    try {
        attempt();
    } catch (const SqliteFailure& failure) {
        file.moveOver(failure);
        attempt();
    }
}

void LibrarySink::State::take(const RunEvent& event) {
    const auto* start = std::get_if<RunStarted>(&event.body);
    Run fresh;
    const auto found = runs.find(event.run);
    if (start == nullptr && found == runs.end()) {
        return;
    }
    Run& run = start != nullptr ? fresh : found->second;
    run.buffer.add(event);
    const std::lock_guard lock(library->m_mutex);
    if (std::holds_alternative<Iterated>(event.body) || std::holds_alternative<Screened>(event.body) ||
        std::holds_alternative<PointStarted>(event.body)) {
        if (const double now = wallSeconds(); now - lastLook >= 0.5) { // so that a long point does not hide a loss
            lastLook = now;
            library->m_file->settle();
        }
        return;
    }
    if (start != nullptr) {
        run.columns = start->columns;
        run.owner = stateOwner(*start);
    }
    const std::vector<RunEvent> events = run.buffer.take();
    countTotals(run, event);
    LibraryExperimentId experimentId;
    write([&](SqliteDatabase& database) {
        if (start != nullptr) {
            std::tie(experimentId, run.id) = insertRun(*start, database);
        }
        writeEvents(run, events, database);
        writeTotals(run, database);
    });
    if (start != nullptr) {
        library->m_kept[event.run] = run.id;
        const std::lock_guard ownLock(mutex);
        experiment = experimentId;
        ids[event.run] = run.id;
        runs.insert_or_assign(event.run, std::move(fresh));
    }
}

/// What the lane has after the event that it goes on from, and what an audit said of it.
void LibrarySink::State::cutOff(const LaneToResume& lane, LibraryRunId id, SqliteDatabase& database) {
    if (!lane.at) {
        database.prepare("DELETE FROM runs WHERE id = ?").bind(1, id.value).run();
        return;
    }
    for (const char* table : {"events", "points"}) {
        database.prepare(std::string("DELETE FROM ") + table + " WHERE run_id = ? AND sequence > ?")
            .bind(1, id.value)
            .bind(2, lane.at->sequence)
            .run();
    }
    database.prepare("DELETE FROM solutions WHERE run_id = ? AND point_index >= ?")
        .bind(1, id.value)
        .bind(2, std::int64_t{lane.at->points})
        .run();
    if (!lane.hasEnded()) {
        database.prepare("DELETE FROM audits WHERE run_id = ?").bind(1, id.value).run();
        database.prepare("UPDATE runs SET process = ? WHERE id = ?").bind(1, ownProcessMark()).bind(2, id.value).run();
    }
}

void LibrarySink::State::adopt(const LaneToResume& lane, LibraryRunId id) {
    Run run;
    run.id = id;
    for (const RunEvent& event : lane.history.events) {
        if (const auto* start = std::get_if<RunStarted>(&event.body)) {
            run.columns = start->columns;
            run.owner = stateOwner(*start);
        }
        countTotals(run, event);
    }
    const RunId own = lane.history.events.front().run;
    library->m_kept[own] = id;
    ids[own] = id;
    runs.insert_or_assign(own, std::move(run));
}

Result<void> LibrarySink::resume(const LibraryRunToResume& earlier) {
    State& state = *m_state;
    const std::lock_guard lock(state.library->m_mutex);
    const std::lock_guard ownLock(state.mutex);
    state.experiment = earlier.id;
    for (std::size_t i = 0; i < earlier.lanes.size(); ++i) {
        if (earlier.lanes[i].at && earlier.runs[i]) {
            state.adopt(earlier.lanes[i], *earlier.runs[i]);
        }
    }
    try {
        state.write([&](SqliteDatabase& database) {
            for (std::size_t i = 0; i < earlier.lanes.size(); ++i) {
                if (earlier.runs[i]) {
                    State::cutOff(earlier.lanes[i], *earlier.runs[i], database);
                }
            }
            for (const auto& [own, run] : state.runs) {
                State::writeTotals(run, database);
            }
        });
    } catch (const SqliteFailure& failure) {
        return Failure{plainError(ErrorCode::FileUnwritable, std::string("run library: ") + failure.what())};
    }
    return {};
}

LibrarySink::LibrarySink(std::shared_ptr<RunLibrary> library, std::string createdAt)
    : m_state(std::make_unique<State>(std::move(library), std::move(createdAt))) {}

LibrarySink::~LibrarySink() = default;

void LibrarySink::publish(const RunEvent& event) noexcept {
    if (error()) {
        return;
    }
    std::optional<Error> failure;
    try {
        m_state->take(event);
    } catch (const SqliteFailure& problem) {
        failure = singleFault(ErrorCode::FileUnwritable,
                              {"",
                               "run library " + m_state->library->path().string() + ": " + problem.what() +
                                   "; nothing more of this run is kept there",
                               "Give the run a folder with --out, and free some space or name another --library.",
                               {}});
    } catch (...) {
        failure = errorOfCurrentException("writing to the run library");
    }
    if (failure) {
        {
            const std::lock_guard lock(m_state->library->m_mutex);
            m_state->library->m_file->tell(*failure);
        }
        const std::lock_guard lock(m_state->mutex);
        m_state->firstError = std::move(failure);
    }
}

std::optional<Error> LibrarySink::error() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->firstError;
}

std::optional<LibraryExperimentId> LibrarySink::experimentId() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->experiment;
}

std::optional<LibraryRunId> LibrarySink::libraryRun(RunId run) const {
    const std::lock_guard lock(m_state->mutex);
    const auto found = m_state->ids.find(run);
    return found == m_state->ids.end() ? std::nullopt : std::optional(found->second);
}

} // namespace lambdascope
