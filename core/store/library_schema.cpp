// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_schema.h"

#include <sqlite3.h>

#include <chrono>
#include <string>
#include <thread>

namespace lambdascope {

namespace {

/// "LbSc": marks the file as a run library.
constexpr std::int64_t kApplicationId = 0x4c625363;
constexpr std::int64_t kSchemaVersion = 4;

constexpr const char* kTables = R"sql(
CREATE TABLE experiments(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    family TEXT NOT NULL,
    created_at TEXT NOT NULL,
    document TEXT NOT NULL);
CREATE TABLE runs(
    id INTEGER PRIMARY KEY,
    experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    lane_index INTEGER NOT NULL,
    is_baseline INTEGER NOT NULL,
    process TEXT NOT NULL,
    state TEXT NOT NULL,
    termination TEXT,
    failure TEXT NOT NULL DEFAULT '',
    finished_points INTEGER NOT NULL DEFAULT 0,
    cpu_solve REAL NOT NULL DEFAULT 0,
    cpu_screen REAL NOT NULL DEFAULT 0,
    wall REAL NOT NULL DEFAULT 0);
CREATE INDEX runs_of_experiment ON runs(experiment_id, lane_index);
CREATE TABLE events(
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY(run_id, sequence)) WITHOUT ROWID;
CREATE TABLE points(
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    point_index INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    axis_value REAL NOT NULL,
    termination TEXT NOT NULL,
    decidable_items INTEGER NOT NULL,
    column_values BLOB NOT NULL,
    embedding TEXT,
    coordinates BLOB,
    PRIMARY KEY(run_id, point_index));
CREATE TABLE solutions(
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    point_index INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    column_count INTEGER NOT NULL,
    matrix BLOB NOT NULL,
    PRIMARY KEY(run_id, point_index, position));
)sql";

/// What version 2 added: certificates, and runs that a program deleted and may still bring back.
constexpr const char* kVersion2 = R"sql(
CREATE TABLE audits(
    run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    body TEXT NOT NULL);
ALTER TABLE runs ADD COLUMN deleted_by TEXT;
)sql";

/// What version 3 added: the newest state of lanes that have not ended, from which they can go on.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE states(
    run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    body BLOB NOT NULL);
)sql";

/// What version 4 added: what searches need of experiments, and what the user says of them. `%` is an experiment's
/// document, which a damaged library may hold something else in.
constexpr const char* kLabels = R"sql(
CREATE TABLE labels(
    experiment_id INTEGER PRIMARY KEY REFERENCES experiments(id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    bounds TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    is_starred INTEGER NOT NULL DEFAULT 0,
    discarded_at TEXT,
    discard INTEGER);
CREATE TRIGGER labels_of_new AFTER INSERT ON experiments BEGIN
    INSERT INTO labels(experiment_id, source, bounds) SELECT NEW.id, %;
END;
INSERT INTO labels(experiment_id, source, bounds) SELECT id, % FROM experiments AS NEW;
)sql";
constexpr const char* kSourceAndBounds = R"sql(
    CASE WHEN json_valid(NEW.document) THEN coalesce(json_extract(NEW.document, '$.data.source'), '') ELSE '' END,
    coalesce((SELECT group_concat(DISTINCT bound.value) FROM
        json_each(CASE WHEN json_valid(NEW.document) THEN NEW.document ELSE '{}' END, '$.lanes') AS lane,
        json_each(CASE WHEN lane.type = 'object' THEN lane.value ELSE '{}' END, '$.bounds') AS bound), '')
)sql";

std::string version4() {
    std::string sql = kLabels;
    for (std::size_t at = 0; (at = sql.find('%', at)) != std::string::npos;) {
        sql.replace(at, 1, kSourceAndBounds);
    }
    return sql;
}

std::int64_t number(SqliteDatabase& database, const char* sql) {
    SqliteStatement statement = database.prepare(sql);
    statement.step();
    return statement.integer(0);
}

bool isEmpty(SqliteDatabase& database) {
    return number(database, "SELECT count(*) FROM sqlite_master") == 0;
}

/// Changing the journal mode does not wait for other processes by itself, and another one may be at it just now.
void switchToWal(SqliteDatabase& database) {
    constexpr int kTries = 100;
    for (int i = 1;; ++i) {
        try {
            database.execute("PRAGMA journal_mode = WAL");
            return;
        } catch (const SqliteFailure& failure) {
            if (failure.code() != SQLITE_BUSY || i == kTries) {
                throw;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

} // namespace

void prepareLibrarySchema(SqliteDatabase& database) {
    if (!isEmpty(database)) {
        if (number(database, "PRAGMA application_id") != kApplicationId) {
            throw SqliteFailure(SQLITE_NOTADB, "the file is a database of another program");
        }
        const std::int64_t version = number(database, "PRAGMA user_version");
        if (version > kSchemaVersion) {
            throw SqliteFailure(SQLITE_SCHEMA, "the file was written by a newer version of the program");
        }
    }
    switchToWal(database);
    // A power failure may cost the newest points, but never the file; a killed process costs nothing.
    database.execute("PRAGMA synchronous = NORMAL");
    database.execute("PRAGMA foreign_keys = ON");
    if (isEmpty(database) || number(database, "PRAGMA user_version") < kSchemaVersion) {
        database.transaction([&] {
            if (isEmpty(database)) { // another process may have been faster
                database.execute(kTables);
                database.execute(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
                database.execute("PRAGMA user_version = 1");
            }
            if (number(database, "PRAGMA user_version") < 2) {
                database.execute(kVersion2);
            }
            if (number(database, "PRAGMA user_version") < 3) {
                database.execute(kVersion3);
            }
            if (number(database, "PRAGMA user_version") < kSchemaVersion) {
                database.execute(version4().c_str());
                database.execute(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
            }
        });
    }
}

} // namespace lambdascope
