// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_library.h"

#include "core/run/event_json.h"
#include "core/run/library_exceptions.h"
#include "core/run/path_runner.h"
#include "core/store/library_schema.h"
#include "core/store/process_mark.h"
#include "core/store/sqlite_database.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

Error libraryError(ErrorCode code, const fs::path& path, const std::string& reason) {
    Fault fault;
    fault.message = "run library " + path.string() + ": " + reason;
    fault.remedy = "Name another file with --library, or set XDG_DATA_HOME to a folder that you may write to.";
    return singleFault(code, std::move(fault));
}

Error unknownId(const char* what, std::int64_t id) {
    Fault fault;
    fault.message = "the library has no " + std::string(what) + " " + std::to_string(id);
    fault.remedy = "The runs command lists what it has.";
    return singleFault(ErrorCode::BadUsage, std::move(fault));
}

/// Runs `work` under the lock; what SQLite throws becomes an Error of `code`.
template <class Work>
auto guarded(std::mutex& mutex, const fs::path& path, ErrorCode code, Work&& work) -> decltype(work()) {
    const std::lock_guard lock(mutex);
    try {
        return work();
    } catch (const SqliteFailure& failure) {
        return Failure{libraryError(code, path, failure.what())};
    } catch (const Json::exception& failure) {
        return Failure{libraryError(ErrorCode::InvalidData, path, failure.what())};
    } catch (...) {
        return Failure{errorOfCurrentException("using the run library")};
    }
}

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

std::vector<LibraryRun> runsOf(SqliteDatabase& database, LibraryExperimentId experiment) {
    SqliteStatement rows = database.prepare(std::string("SELECT ") + kRunColumns +
                                            " FROM runs WHERE experiment_id = ? AND deleted_by IS NULL ORDER BY "
                                            "lane_index, id");
    rows.bind(1, experiment.value);
    std::vector<LibraryRun> runs;
    while (rows.step()) {
        runs.push_back(runOf(rows));
    }
    return runs;
}

LibraryExperiment experimentOf(SqliteDatabase& database, const SqliteStatement& row) {
    LibraryExperiment experiment;
    experiment.id = LibraryExperimentId{row.integer(0)};
    experiment.name = row.text(1);
    experiment.family = row.text(2);
    experiment.createdAt = row.text(3);
    experiment.runs = runsOf(database, experiment.id);
    return experiment;
}

std::vector<double> doublesOf(const std::string& blob) {
    std::vector<double> values(blob.size() / sizeof(double));
    std::memcpy(values.data(), blob.data(), values.size() * sizeof(double));
    return values;
}

std::shared_ptr<const Solution> solutionOf(SqliteDatabase& database, LibraryRunId run, std::int32_t point) {
    SqliteStatement rows = database.prepare("SELECT name, row_count, column_count, matrix FROM solutions "
                                            "WHERE run_id = ? AND point_index = ? ORDER BY position");
    rows.bind(1, run.value).bind(2, std::int64_t{point});
    auto solution = std::make_shared<Solution>();
    while (rows.step()) {
        const std::vector<double> values = doublesOf(rows.blob(3));
        const auto size = static_cast<std::size_t>(rows.integer(1) * rows.integer(2));
        if (values.size() == size) {
            solution->push_back(
                {rows.text(0), Eigen::Map<const Eigen::MatrixXd>(values.data(), rows.integer(1), rows.integer(2))});
        }
    }
    return solution->empty() ? nullptr : solution;
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
        point.termination = terminationFromName(rows.text(3)).value_or(Termination::Converged);
        point.decidableItems = rows.integer(4);
        point.values = doublesOf(rows.blob(5));
        if (!rows.isNull(6)) {
            Embedding embedding = embeddingFromJson(Json::parse(rows.text(6)));
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
    SqliteStatement rows = database.prepare("SELECT body FROM events WHERE run_id = ? ORDER BY sequence");
    rows.bind(1, run.value);
    std::vector<RunEvent> events;
    while (rows.step()) {
        if (auto event = eventFromJson(Json::parse(rows.text(0)))) {
            events.push_back(std::move(*event));
        }
    }
    return events;
}

void removeRunRows(SqliteDatabase& database, std::int64_t run) {
    database.prepare("DELETE FROM runs WHERE id = ?").bind(1, run).run();
    database.execute("DELETE FROM experiments WHERE id NOT IN (SELECT experiment_id FROM runs)");
}

/// Removes the hidden runs that nobody can bring back any more: their programs are gone.
void removeForgotten(SqliteDatabase& database) {
    std::vector<std::int64_t> forgotten;
    {
        SqliteStatement rows = database.prepare("SELECT id, deleted_by FROM runs WHERE deleted_by IS NOT NULL");
        while (rows.step()) {
            if (!isProcessAlive(rows.text(1))) {
                forgotten.push_back(rows.integer(0));
            }
        }
    }
    for (const std::int64_t run : forgotten) {
        database.transaction([&] { removeRunRows(database, run); });
    }
}

bool hasRun(SqliteDatabase& database, LibraryRunId run) {
    SqliteStatement row = database.prepare("SELECT 1 FROM runs WHERE id = ?");
    return row.bind(1, run.value).step();
}

} // namespace

RunLibrary::RunLibrary(fs::path path, std::unique_ptr<SqliteDatabase> database)
    : m_path(std::move(path)), m_database(std::move(database)) {}

RunLibrary::~RunLibrary() {
    try {
        for (const LibraryRunId run : m_hidden) {
            m_database->transaction([&] { removeRunRows(*m_database, run.value); });
        }
    } catch (const SqliteFailure&) {
        // The next program that opens the library does it.
    }
}

fs::path RunLibrary::defaultPath() {
    const fs::path inside = fs::path("lambdascope") / "library.sqlite";
    const char* data = std::getenv("XDG_DATA_HOME");
    if (data != nullptr && fs::path(data).is_absolute()) { // the standard says to ignore relative ones
        return data / inside;
    }
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') {
        const passwd* user = getpwuid(getuid());
        home = user != nullptr ? user->pw_dir : "/";
    }
    return fs::path(home) / ".local" / "share" / inside;
}

Result<std::shared_ptr<RunLibrary>> RunLibrary::open(const fs::path& path) {
    std::error_code error;
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
        if (error) {
            return Failure{libraryError(ErrorCode::FileUnwritable, path, error.message())};
        }
    }
    try {
        auto database = std::make_unique<SqliteDatabase>(path);
        prepareLibrarySchema(*database);
        removeForgotten(*database);
        return std::shared_ptr<RunLibrary>(new RunLibrary(path, std::move(database)));
    } catch (const SqliteFailure& failure) {
        return Failure{libraryError(ErrorCode::FileUnwritable, path, failure.what())};
    }
}

Result<std::vector<LibraryExperiment>> RunLibrary::experiments() const {
    return guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<std::vector<LibraryExperiment>> {
        SqliteStatement rows = m_database->prepare("SELECT id, name, family, created_at FROM experiments WHERE id IN "
                                                   "(SELECT experiment_id FROM runs WHERE deleted_by IS NULL) "
                                                   "ORDER BY id DESC");
        std::vector<LibraryExperiment> experiments;
        while (rows.step()) {
            experiments.push_back(experimentOf(*m_database, rows));
        }
        return experiments;
    });
}

Result<LibraryExperiment> RunLibrary::experiment(LibraryExperimentId id) const {
    return guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<LibraryExperiment> {
        SqliteStatement row = m_database->prepare("SELECT id, name, family, created_at FROM experiments WHERE id = ?");
        if (!row.bind(1, id.value).step()) {
            return Failure{unknownId("experiment", id.value)};
        }
        return experimentOf(*m_database, row);
    });
}

Result<Json> RunLibrary::experimentDocument(LibraryExperimentId id) const {
    return guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<Json> {
        SqliteStatement row = m_database->prepare("SELECT document FROM experiments WHERE id = ?");
        if (!row.bind(1, id.value).step()) {
            return Failure{unknownId("experiment", id.value)};
        }
        return Json::parse(row.text(0));
    });
}

Result<std::vector<RunEvent>> RunLibrary::loadEvents(LibraryRunId run, RunId as) const {
    return guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<std::vector<RunEvent>> {
        if (!hasRun(*m_database, run)) {
            return Failure{unknownId("run", run.value)};
        }
        std::vector<RunEvent> events = otherEventsOf(*m_database, run);
        std::vector<RunEvent> points = finishedPointsOf(*m_database, run);
        events.insert(events.end(), std::make_move_iterator(points.begin()), std::make_move_iterator(points.end()));
        std::sort(events.begin(), events.end(),
                  [](const RunEvent& a, const RunEvent& b) { return a.sequence < b.sequence; });
        for (RunEvent& event : events) {
            event.run = as;
        }
        return events;
    });
}

Result<RunRecord> RunLibrary::loadRecord(LibraryRunId run) const {
    const RunId id = RunIdSource::next();
    auto events = loadEvents(run, id);
    if (!events) {
        return Failure{std::move(events).error()};
    }
    RunRecord record(id);
    for (const RunEvent& event : *events) {
        record.apply(event);
    }
    if (!record.hasEnded()) {
        auto isRunning = guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<bool> {
            SqliteStatement row = m_database->prepare("SELECT process FROM runs WHERE id = ?");
            return row.bind(1, run.value).step() && isProcessAlive(row.text(0));
        });
        if (!isRunning || !*isRunning) {
            record.markInterrupted();
        }
    }
    const std::lock_guard lock(m_mutex);
    m_kept[id] = run;
    return record;
}

Result<void> RunLibrary::renameExperiment(LibraryExperimentId id, const std::string& name) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_database->prepare("UPDATE experiments SET name = ? WHERE id = ?").bind(1, name).bind(2, id.value).run();
        return m_database->changedRows() > 0 ? Result<void>() : Failure{unknownId("experiment", id.value)};
    });
}

Result<void> RunLibrary::renameRun(LibraryRunId id, const std::string& name) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_database->prepare("UPDATE runs SET name = ? WHERE id = ?").bind(1, name).bind(2, id.value).run();
        return m_database->changedRows() > 0 ? Result<void>() : Failure{unknownId("run", id.value)};
    });
}

Result<void> RunLibrary::removeExperiment(LibraryExperimentId id) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_database->prepare("DELETE FROM experiments WHERE id = ?").bind(1, id.value).run();
        return m_database->changedRows() > 0 ? Result<void>() : Failure{unknownId("experiment", id.value)};
    });
}

Result<void> RunLibrary::removeRun(LibraryRunId id) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        if (!hasRun(*m_database, id)) {
            return Failure{unknownId("run", id.value)};
        }
        m_database->transaction([&] { removeRunRows(*m_database, id.value); });
        return {};
    });
}

Result<void> RunLibrary::hideRun(LibraryRunId id) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_database->prepare("UPDATE runs SET deleted_by = ? WHERE id = ?")
            .bind(1, ownProcessMark())
            .bind(2, id.value)
            .run();
        if (m_database->changedRows() == 0) {
            return Failure{unknownId("run", id.value)};
        }
        m_hidden.insert(id);
        return {};
    });
}

Result<void> RunLibrary::restoreRun(LibraryRunId id) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_database->prepare("UPDATE runs SET deleted_by = NULL WHERE id = ?").bind(1, id.value).run();
        m_hidden.erase(id);
        return m_database->changedRows() > 0 ? Result<void>() : Failure{unknownId("run", id.value)};
    });
}

Result<void> RunLibrary::setAudit(LibraryRunId id, const LaneAudit& audit) {
    return guarded(m_mutex, m_path, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        if (!hasRun(*m_database, id)) {
            return Failure{unknownId("run", id.value)};
        }
        m_database->prepare("INSERT OR REPLACE INTO audits(run_id, body) VALUES(?, ?)")
            .bind(1, id.value)
            .bind(2, auditToJson(audit).dump(-1, ' ', false, Json::error_handler_t::replace))
            .run();
        return {};
    });
}

Result<std::optional<LaneAudit>> RunLibrary::audit(LibraryRunId id) const {
    return guarded(m_mutex, m_path, ErrorCode::FileUnreadable, [&]() -> Result<std::optional<LaneAudit>> {
        SqliteStatement row = m_database->prepare("SELECT body FROM audits WHERE run_id = ?");
        return row.bind(1, id.value).step() ? auditFromJson(Json::parse(row.text(0))) : std::nullopt;
    });
}

std::optional<LibraryRunId> RunLibrary::keptRun(RunId run) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_kept.find(run);
    return found == m_kept.end() ? std::nullopt : std::optional(found->second);
}

} // namespace lambdascope
