// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace lambdascope {

// What the rows of a run library say. Every function throws SqliteFailure or DamagedRow.

/// A row that was not written by this program, or was damaged since; the text says which.
class DamagedRow : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The JSON of a column that this program wrote; `what` completes "damaged: <what>: …".
[[nodiscard]] Json jsonOf(const std::string& text, const std::string& what);

/// Of an experiment, in lane order, without hidden ones.
[[nodiscard]] std::vector<LibraryRun> runsOf(SqliteDatabase& database, LibraryExperimentId experiment);
/// `row` has id, name, family and created_at.
[[nodiscard]] LibraryExperiment experimentOf(SqliteDatabase& database, const SqliteStatement& row);

[[nodiscard]] std::vector<RunEvent> finishedPointsOf(SqliteDatabase& database, LibraryRunId run);
[[nodiscard]] std::vector<RunEvent> otherEventsOf(SqliteDatabase& database, LibraryRunId run);

} // namespace lambdascope
