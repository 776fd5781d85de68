// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <vector>

namespace lambdascope {

/// Knows a folder by its inode, which it holds open, and so notices when the folder is not where it was.
class FolderWatch {
  public:
    enum class Whereabouts { InPlace, Moved, Removed };

    FolderWatch() = default; ///< watches nothing: always in place
    explicit FolderWatch(const std::filesystem::path& folder);
    FolderWatch(FolderWatch&& other) noexcept;
    FolderWatch& operator=(FolderWatch&& other) noexcept;
    ~FolderWatch();

    [[nodiscard]] Whereabouts look();
    /// The folder's name now: another one after look() said Moved.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

  private:
    std::filesystem::path m_path; ///< absolute
    int m_descriptor = -1;
};

/// Where results can be kept when they cannot be in the folder or file `asked`: there again, beside it, in the data
/// folder of this program, in the folder for temporary files; only names that do not exist yet.
[[nodiscard]] std::vector<std::filesystem::path> fallbackPlaces(const std::filesystem::path& asked);

} // namespace lambdascope
