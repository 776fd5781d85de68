// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace lambdascope {

/// A text file that only grows. Text is gathered in memory and handed to the system by flush() in one piece, so that a
/// killed process leaves at most one unfinished line.
class AppendFile {
  public:
    /// Makes the file, or empties it.
    static Result<AppendFile> create(const std::filesystem::path& path);
    /// Goes on with a file behind its first `size` bytes; what stands behind them is cut off. Error: FileUnreadable
    /// when it is shorter, FileUnwritable.
    static Result<AppendFile> resume(const std::filesystem::path& path, std::size_t size);
    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&& other) noexcept;
    ~AppendFile();

    void append(std::string_view text) { m_pending += text; }
    /// Error: FileUnwritable; what could not be written is kept for the next call.
    Result<void> flush();
    /// Waits until what was flushed outlives a loss of power. Error: FileUnwritable.
    Result<void> sync() const;
    [[nodiscard]] std::size_t size() const { return m_size; } ///< bytes written

    /// Whether the file is still what its path names: false once it was removed, renamed or replaced.
    [[nodiscard]] bool isInPlace() const;
    /// The file is now to be found at `path`: its folder was renamed.
    void setPath(std::filesystem::path path) { m_path = std::move(path); }
    /// Goes on in a new file at `path`, which gets all that was written so far; a removed file can still be read here.
    /// Error: FileUnwritable or FileUnreadable; then nothing has changed but that the new file may exist.
    Result<void> writeAgainAt(const std::filesystem::path& path);

  private:
    AppendFile(std::filesystem::path path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::string m_pending;
    std::size_t m_size = 0; ///< bytes written
};

enum class Durability {
    Usual,  ///< outlives this process
    Synced, ///< outlives a loss of power
};
/// Where writeFileAtomically() writes a file before it takes its place.
[[nodiscard]] inline std::filesystem::path draftOf(const std::filesystem::path& path) {
    return path.string() + ".part";
}
/// Whether the folder of that file holds nothing but its draft, or nothing at all: what a process leaves that was
/// killed at once. False, with `error` set, for a folder that cannot be read.
[[nodiscard]] bool holdsAtMostDraftOf(const std::filesystem::path& path, std::error_code& error);
/// Replaces the whole file: readers see the old text or the new one, never a part.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view text,
                                 Durability durability = Durability::Usual);

/// FileUnwritable about `path`, with the system's reason (errno) and a remedy.
[[nodiscard]] Error unwritable(const std::filesystem::path& path, int errorNumber);

} // namespace lambdascope
