// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/store/sqlite_database.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace lambdascope {

/// The open file of a run library, which a user can remove, rename or fill the disk of at any time. SQLite would go on
/// writing into the removed file, from which nobody can read. Every function throws SqliteFailure. Not thread-safe.
class LibraryFile {
  public:
    using Notice = std::function<void(const Error&)>;

    /// Opens the library, making it when absent, but not its folder.
    explicit LibraryFile(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] SqliteDatabase& database() { return *m_database; }
    void setNotice(Notice notice) { m_notice = std::move(notice); }
    void tell(const Error& error) const;

    /// If the file was removed or renamed, writes all that the library held to a new one and goes on there.
    void settle();
    /// Writes all that the library holds to the first new file that can be written, and goes on there; tells it with
    /// `why`. Throws `why` when there is no such file.
    void moveOver(const SqliteFailure& why);

  private:
    bool copyTo(const std::filesystem::path& place);

    std::filesystem::path m_path; ///< absolute
    std::unique_ptr<SqliteDatabase> m_database;
    Notice m_notice;
};

} // namespace lambdascope
