// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/common/result.h"
#include "core/run/library_exceptions.h"
#include "core/store/library_file.h"
#include "core/store/library_rows.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace lambdascope {

// For what RunLibrary does: SQLite's exceptions become errors that say which file, and what to do.

inline Error libraryError(ErrorCode code, const std::filesystem::path& path, const std::string& reason) {
    Fault fault;
    fault.message = "run library " + path.string() + ": " + reason;
    fault.remedy = "Name another file with --library, or set XDG_DATA_HOME to a folder that you may write to.";
    return singleFault(code, std::move(fault));
}

inline Error unknownId(const char* what, std::int64_t id) {
    Fault fault;
    fault.message = "the library has no " + std::string(what) + " " + std::to_string(id);
    fault.remedy = "The runs command lists what it has.";
    return singleFault(ErrorCode::BadUsage, std::move(fault));
}

inline Error damagedLibrary(const std::filesystem::path& path, const std::string& reason) {
    Fault fault;
    fault.message = "run library " + path.string() + ": " + reason;
    fault.remedy = "Remove that run from the library; the others are not touched by it.";
    return singleFault(ErrorCode::InvalidData, std::move(fault));
}

/// Runs `work` under the lock; what SQLite throws becomes an Error of `code`.
template <class Work>
auto guarded(std::mutex& mutex, LibraryFile& file, ErrorCode code, Work&& work) -> decltype(work()) {
    const std::lock_guard lock(mutex);
    try {
        file.settle();
        return work();
    } catch (const SqliteFailure& failure) {
        return Failure{libraryError(code, file.path(), failure.what())};
    } catch (const DamagedRow& row) {
        return Failure{damagedLibrary(file.path(), row.what())};
    } catch (...) {
        return Failure{errorOfCurrentException("using the run library")};
    }
}

/// Runs an UPDATE that takes a value and an experiment's id; an error where there is no such experiment.
template <class Value>
Result<void> updateExperiment(SqliteDatabase& database, const char* sql, const Value& value, LibraryExperimentId id) {
    database.prepare(sql).bind(1, value).bind(2, id.value).run();
    return database.changedRows() > 0 ? Result<void>() : Failure{unknownId("experiment", id.value)};
}

} // namespace lambdascope
