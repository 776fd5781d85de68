// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lambdascope {

Error folderInUse(const std::filesystem::path& folder) {
    return singleFault(ErrorCode::FileUnwritable, {"",
                                                   "another process is writing a run to " + folder.string(),
                                                   "Choose another folder, or wait for that run to end.",
                                                   {}});
}

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
    FolderLock lock;
    lock.m_descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock.m_descriptor >= 0 && ::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return Failure{folderInUse(folder)};
    }
    return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FolderLock::~FolderLock() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

} // namespace lambdascope
