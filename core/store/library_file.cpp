// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_file.h"

#include "core/store/folder_watch.h"
#include "core/store/library_schema.h"

#include <sqlite3.h>

#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

std::unique_ptr<SqliteDatabase> opened(const fs::path& path) {
    auto database = std::make_unique<SqliteDatabase>(path);
    prepareLibrarySchema(*database);
    return database;
}

} // namespace

LibraryFile::LibraryFile(const fs::path& path) : m_database(opened(path)) {
    std::error_code error;
    m_path = fs::absolute(path, error);
}

void LibraryFile::tell(const Error& error) const {
    if (m_notice) {
        m_notice(error);
    }
}

void LibraryFile::settle() {
    if (m_database->hasMoved()) {
        moveOver(SqliteFailure(SQLITE_READONLY, "the file was removed or renamed while it was in use"));
    }
}

void LibraryFile::moveOver(const SqliteFailure& why) {
    const fs::path before = m_path;
    for (const fs::path& place : fallbackPlaces(m_path)) {
        if (copyTo(place)) {
            tell(singleFault(ErrorCode::FileUnwritable,
                             {"",
                              "run library " + before.string() + ": " + why.what() +
                                  "; all that it held is written to " + place.string(),
                              place == before ? "Leave the file as it is while a run is computed."
                                              : "Find the run there, with --library.",
                              {}}));
            return;
        }
    }
    throw why;
}

/// Copies by way of a draft, so that no other process opens half a library.
bool LibraryFile::copyTo(const fs::path& place) {
    const fs::path draft = place.string() + ".part";
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    fs::remove(draft, error);
    try {
        m_database->copyTo(draft);
        // The log of a removed library would be taken for that of the new one.
        fs::remove(place.string() + "-wal", error);
        fs::remove(place.string() + "-shm", error);
        fs::create_hard_link(draft, place, error); // fails, other than renaming, when there is a file by now
        const bool isFree = !error;
        fs::remove(draft, error);
        if (!isFree) {
            return false;
        }
        m_database = opened(place);
    } catch (const SqliteFailure&) {
        fs::remove(draft, error);
        return false;
    }
    m_path = place;
    return true;
}

} // namespace lambdascope
