// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>

namespace lambdascope {

/// Keeps other processes from writing a run to a folder. The system takes it back when the process ends, however it
/// ends.
class FolderLock {
  public:
    FolderLock() = default; ///< locks nothing
    /// Error: FileUnwritable when another one holds it. On file systems without locks it locks nothing.
    static Result<FolderLock> take(const std::filesystem::path& folder);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    ~FolderLock();

  private:
    int m_descriptor = -1;
};

/// That another process is writing to the folder.
[[nodiscard]] Error folderInUse(const std::filesystem::path& folder);

} // namespace lambdascope
