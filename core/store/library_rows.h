// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"

#include <optional>
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

/// Which experiments are meant: those in the lists, those that can be brought back, or both.
enum class ExperimentRows { Kept, Discarded, All };
/// Newest first, each with its runs in lane order, without hidden ones. Without those that have no such run, unless one
/// is asked for by its `id`.
[[nodiscard]] std::vector<LibraryExperiment> experimentsOf(SqliteDatabase& database, ExperimentRows which,
                                                           std::optional<LibraryExperimentId> id = std::nullopt);

[[nodiscard]] std::vector<RunEvent> finishedPointsOf(SqliteDatabase& database, LibraryRunId run);
[[nodiscard]] std::vector<RunEvent> otherEventsOf(SqliteDatabase& database, LibraryRunId run);

} // namespace lambdascope
