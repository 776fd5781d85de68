// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lambdascope {

Error unwritable(const std::filesystem::path& path, int errorNumber) {
    Fault fault;
    fault.message = "cannot write " + path.string() + ": " + std::generic_category().message(errorNumber);
    fault.remedy = errorNumber == ENOSPC || errorNumber == EDQUOT
                       ? "Free some space, or choose a folder on another disk."
                       : "Choose a folder that you may write to.";
    return singleFault(ErrorCode::FileUnwritable, std::move(fault));
}

Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return Failure{unwritable(path, errno)};
    }
    return AppendFile(path, descriptor);
}

Result<AppendFile> AppendFile::resume(const std::filesystem::path& path, std::size_t size) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) {
        return Failure{unwritable(path, errno)};
    }
    AppendFile file(path, descriptor);
    struct stat found {};
    if (::fstat(descriptor, &found) != 0 || found.st_size < static_cast<off_t>(size)) {
        return Failure{plainError(ErrorCode::FileUnreadable, path.string() + " is shorter than it was")};
    }
    if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
        return Failure{unwritable(path, errno)};
    }
    file.m_size = size;
    return file;
}

Result<void> AppendFile::sync() const {
    if (::fdatasync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS) { // pipes and the like cannot
        return Failure{unwritable(m_path, errno)};
    }
    return {};
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_pending(std::move(other.m_pending)), m_size(other.m_size) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_pending, other.m_pending);
    std::swap(m_size, other.m_size);
    return *this;
}

AppendFile::~AppendFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Result<void> AppendFile::flush() {
    std::size_t done = 0;
    while (done < m_pending.size()) {
        const ssize_t written = ::write(m_descriptor, m_pending.data() + done, m_pending.size() - done);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            const int reason = errno;
            m_pending.erase(0, done);
            return Failure{unwritable(m_path, reason)};
        }
        done += static_cast<std::size_t>(written);
        m_size += static_cast<std::size_t>(written);
    }
    m_pending.clear();
    return {};
}

bool AppendFile::isInPlace() const {
    struct stat named {};
    struct stat opened {};
    return ::stat(m_path.c_str(), &named) == 0 && ::fstat(m_descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

Result<void> AppendFile::writeAgainAt(const std::filesystem::path& path) {
    auto file = create(path);
    if (!file) {
        return Failure{std::move(file).error()};
    }
    std::array<char, 1 << 16> block{};
    for (std::size_t done = 0; done < m_size;) {
        const std::size_t wanted = std::min(block.size(), m_size - done);
        const ssize_t count = ::pread(m_descriptor, block.data(), wanted, static_cast<off_t>(done));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return Failure{plainError(ErrorCode::FileUnreadable, "cannot read again what was written to " +
                                                                     m_path.string() + ": " +
                                                                     std::generic_category().message(errno))};
        }
        if (count == 0) {
            break; // somebody cut it
        }
        file->append({block.data(), static_cast<std::size_t>(count)});
        if (auto flushed = file->flush(); !flushed) {
            return flushed;
        }
        done += static_cast<std::size_t>(count);
    }
    file->m_pending = std::move(m_pending);
    *this = std::move(*file);
    return {};
}

bool holdsAtMostDraftOf(const std::filesystem::path& path, std::error_code& error) {
    std::filesystem::directory_iterator entries(path.parent_path(), error);
    return !error && std::all_of(begin(entries), end(entries), [&](const std::filesystem::directory_entry& entry) {
        return entry.path().filename() == draftOf(path).filename();
    });
}

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view text, Durability durability) {
    const std::filesystem::path draft = draftOf(path);
    auto file = AppendFile::create(draft);
    if (!file) {
        return Failure{std::move(file).error()};
    }
    file->append(text);
    auto flushed = file->flush();
    if (flushed && durability == Durability::Synced) {
        flushed = file->sync();
    }
    if (!flushed) {
        ::unlink(draft.c_str());
        return flushed;
    }
    if (::rename(draft.c_str(), path.c_str()) != 0) {
        const int reason = errno;
        ::unlink(draft.c_str());
        return Failure{unwritable(path, reason)};
    }
    if (durability == Durability::Synced) {
        const std::filesystem::path folder = path.parent_path();
        if (const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
            (void)::fsync(descriptor); // the new name; some file systems keep names anyhow and cannot
            ::close(descriptor);
        }
    }
    return {};
}

} // namespace lambdascope
