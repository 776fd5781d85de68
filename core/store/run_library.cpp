// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_library.h"

#include "core/record/event_check.h"
#include "core/run/path_runner.h"
#include "core/store/library_guard.h"
#include "core/store/process_mark.h"
#include "core/store/sqlite_database.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

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

/// Removes the experiments that were discarded too long ago to be brought back.
void removeLongDiscarded(SqliteDatabase& database) {
    const std::string age = "-" + std::to_string(RunLibrary::kDaysOfDiscarded) + " days";
    database
        .prepare("DELETE FROM experiments WHERE id IN (SELECT experiment_id FROM labels WHERE discarded_at < "
                 "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?))")
        .bind(1, age)
        .run();
}

bool hasRun(SqliteDatabase& database, LibraryRunId run) {
    SqliteStatement row = database.prepare("SELECT 1 FROM runs WHERE id = ?");
    return row.bind(1, run.value).step();
}

} // namespace

RunLibrary::RunLibrary(std::unique_ptr<LibraryFile> file) : m_file(std::move(file)) {}

RunLibrary::~RunLibrary() {
    try {
        for (const LibraryRunId run : m_hidden) {
            m_file->database().transaction([&] { removeRunRows(m_file->database(), run.value); });
        }
    } catch (const SqliteFailure&) {
        // The next program that opens the library does it.
    }
}

fs::path RunLibrary::path() const {
    const std::lock_guard lock(m_mutex);
    return m_file->path();
}

void RunLibrary::setNotice(std::function<void(const Error&)> notice) {
    const std::lock_guard lock(m_mutex);
    m_file->setNotice(std::move(notice));
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
        auto file = std::make_unique<LibraryFile>(path);
        removeForgotten(file->database());
        removeLongDiscarded(file->database());
        return std::shared_ptr<RunLibrary>(new RunLibrary(std::move(file)));
    } catch (const SqliteFailure& failure) {
        return Failure{libraryError(ErrorCode::FileUnwritable, path, failure.what())};
    }
}

Result<std::vector<LibraryExperiment>> RunLibrary::experiments() const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::vector<LibraryExperiment>> {
        return experimentsOf(m_file->database(), ExperimentRows::Kept);
    });
}

Result<LibraryExperiment> RunLibrary::experiment(LibraryExperimentId id) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<LibraryExperiment> {
        std::vector<LibraryExperiment> found = experimentsOf(m_file->database(), ExperimentRows::All, id);
        return found.empty() ? Result<LibraryExperiment>(Failure{unknownId("experiment", id.value)})
                             : std::move(found.front());
    });
}

Result<Json> RunLibrary::experimentDocument(LibraryExperimentId id) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<Json> {
        SqliteStatement row = m_file->database().prepare("SELECT document FROM experiments WHERE id = ?");
        if (!row.bind(1, id.value).step()) {
            return Failure{unknownId("experiment", id.value)};
        }
        return jsonOf(row.text(0), "the document of experiment " + std::to_string(id.value));
    });
}

Result<std::vector<RunEvent>> RunLibrary::loadEvents(LibraryRunId run, RunId as) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::vector<RunEvent>> {
        if (!hasRun(m_file->database(), run)) {
            return Failure{unknownId("run", run.value)};
        }
        std::vector<RunEvent> events = otherEventsOf(m_file->database(), run);
        std::vector<RunEvent> points = finishedPointsOf(m_file->database(), run);
        events.insert(events.end(), std::make_move_iterator(points.begin()), std::make_move_iterator(points.end()));
        std::sort(events.begin(), events.end(),
                  [](const RunEvent& a, const RunEvent& b) { return a.sequence < b.sequence; });
        EventCheck check;
        for (RunEvent& event : events) {
            if (auto checked = check.take(event); !checked) {
                throw DamagedRow("damaged: run " + std::to_string(run.value) + ": " + checked.error().message);
            }
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
        auto isRunning = guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<bool> {
            SqliteStatement row = m_file->database().prepare("SELECT process FROM runs WHERE id = ?");
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
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&] {
        return updateExperiment(m_file->database(), "UPDATE experiments SET name = ? WHERE id = ?", name, id);
    });
}

Result<void> RunLibrary::renameRun(LibraryRunId id, const std::string& name) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_file->database().prepare("UPDATE runs SET name = ? WHERE id = ?").bind(1, name).bind(2, id.value).run();
        return m_file->database().changedRows() > 0 ? Result<void>() : Failure{unknownId("run", id.value)};
    });
}

Result<void> RunLibrary::removeExperiment(LibraryExperimentId id) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_file->database().prepare("DELETE FROM experiments WHERE id = ?").bind(1, id.value).run();
        return m_file->database().changedRows() > 0 ? Result<void>() : Failure{unknownId("experiment", id.value)};
    });
}

Result<void> RunLibrary::removeRun(LibraryRunId id) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        if (!hasRun(m_file->database(), id)) {
            return Failure{unknownId("run", id.value)};
        }
        m_file->database().transaction([&] { removeRunRows(m_file->database(), id.value); });
        return {};
    });
}

Result<void> RunLibrary::hideRun(LibraryRunId id) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_file->database()
            .prepare("UPDATE runs SET deleted_by = ? WHERE id = ?")
            .bind(1, ownProcessMark())
            .bind(2, id.value)
            .run();
        if (m_file->database().changedRows() == 0) {
            return Failure{unknownId("run", id.value)};
        }
        m_hidden.insert(id);
        return {};
    });
}

Result<void> RunLibrary::restoreRun(LibraryRunId id) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        m_file->database().prepare("UPDATE runs SET deleted_by = NULL WHERE id = ?").bind(1, id.value).run();
        m_hidden.erase(id);
        return m_file->database().changedRows() > 0 ? Result<void>() : Failure{unknownId("run", id.value)};
    });
}

Result<void> RunLibrary::setAudit(LibraryRunId id, const LaneAudit& audit) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        if (!hasRun(m_file->database(), id)) {
            return Failure{unknownId("run", id.value)};
        }
        m_file->database()
            .prepare("INSERT OR REPLACE INTO audits(run_id, body) VALUES(?, ?)")
            .bind(1, id.value)
            .bind(2, auditToJson(audit).dump(-1, Json::BadUtf8::Replace))
            .run();
        return {};
    });
}

Result<std::optional<LaneAudit>> RunLibrary::audit(LibraryRunId id) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::optional<LaneAudit>> {
        SqliteStatement row = m_file->database().prepare("SELECT body FROM audits WHERE run_id = ?");
        return row.bind(1, id.value).step()
                   ? auditFromJson(jsonOf(row.text(0), "the audit of run " + std::to_string(id.value)))
                   : std::nullopt;
    });
}

Result<std::optional<OwnedState>> RunLibrary::state(LibraryRunId id) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::optional<OwnedState>> {
        SqliteStatement row = m_file->database().prepare("SELECT body FROM states WHERE run_id = ?");
        return row.bind(1, id.value).step() ? decodedState(row.blob(0)) : std::nullopt;
    });
}

Result<std::int32_t> RunLibrary::plannedPoints(LibraryRunId id) const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::int32_t> {
        SqliteStatement row = m_file->database().prepare(
            "SELECT body FROM events WHERE run_id = ? AND body LIKE '%\"estimated_points\"%' "
            "ORDER BY sequence DESC LIMIT 1");
        if (!row.bind(1, id.value).step()) {
            return 0;
        }
        const Json event = jsonOf(row.text(0), "an event of run " + std::to_string(id.value));
        return static_cast<std::int32_t>(event.value("estimated_points", std::int64_t{0}));
    });
}

void RunLibrary::forget(RunId run) {
    const std::lock_guard lock(m_mutex);
    m_kept.erase(run);
}

std::optional<LibraryRunId> RunLibrary::keptRun(RunId run) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_kept.find(run);
    return found == m_kept.end() ? std::nullopt : std::optional(found->second);
}

} // namespace lambdascope
