// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lambdascope {

/// A text file that only grows. Text is gathered in memory and handed to the system by flush() in one piece, so that a
/// killed process leaves at most one unfinished line.
class AppendFile {
  public:
    /// Makes the file, or empties it.
    static Result<AppendFile> create(const std::filesystem::path& path);
    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&& other) noexcept;
    ~AppendFile();

    void append(std::string_view text) { m_pending += text; }
    /// Error: FileUnwritable.
    Result<void> flush();

  private:
    AppendFile(std::filesystem::path path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::string m_pending;
};

/// Replaces the whole file: readers see the old text or the new one, never a part.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view text);

/// FileUnwritable about `path`, with the system's reason (errno) and a remedy.
[[nodiscard]] Error unwritable(const std::filesystem::path& path, int errorNumber);

} // namespace lambdascope
