// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
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
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return Failure{unwritable(path, errno)};
    }
    return AppendFile(path, descriptor);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_pending(std::move(other.m_pending)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_pending, other.m_pending);
    return *this;
}

AppendFile::~AppendFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Result<void> AppendFile::flush() {
    std::string_view rest = m_pending;
    while (!rest.empty()) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return Failure{unwritable(m_path, errno)};
        }
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    m_pending.clear();
    return {};
}

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view text) {
    const std::filesystem::path draft = path.string() + ".part";
    auto file = AppendFile::create(draft);
    if (!file) {
        return Failure{std::move(file).error()};
    }
    file->append(text);
    if (auto flushed = file->flush(); !flushed) {
        ::unlink(draft.c_str());
        return flushed;
    }
    if (::rename(draft.c_str(), path.c_str()) != 0) {
        const int reason = errno;
        ::unlink(draft.c_str());
        return Failure{unwritable(path, reason)};
    }
    return {};
}

} // namespace lambdascope
