// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/folder_watch.h"

#include "core/store/run_library.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr int kNamesTried = 100;

/// Whether `path` names the file that `descriptor` is open on.
bool isAt(const fs::path& path, int descriptor) {
    struct stat named {};
    struct stat opened {};
    return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

/// `base`, or with the first number behind it that gives a new name; empty when all are taken.
fs::path newName(const fs::path& base) {
    std::error_code error;
    for (int i = 1; i <= kNamesTried; ++i) {
        fs::path name = i == 1 ? base : fs::path(base.string() + "-" + std::to_string(i));
        if (fs::symlink_status(name, error).type() == fs::file_type::not_found) {
            return name;
        }
    }
    return {};
}

} // namespace

FolderWatch::FolderWatch(const fs::path& folder) {
    std::error_code error;
    m_path = fs::absolute(folder, error).lexically_normal();
    m_descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

FolderWatch::FolderWatch(FolderWatch&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FolderWatch& FolderWatch::operator=(FolderWatch&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FolderWatch::~FolderWatch() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

FolderWatch::Whereabouts FolderWatch::look() {
    if (m_descriptor < 0 || isAt(m_path, m_descriptor)) {
        return Whereabouts::InPlace;
    }
    // The system knows the name of an open folder; of a removed one it is no name that leads anywhere.
    std::error_code error;
    const fs::path now = fs::read_symlink("/proc/self/fd/" + std::to_string(m_descriptor), error);
    if (error || !isAt(now, m_descriptor)) {
        return Whereabouts::Removed;
    }
    m_path = now;
    return Whereabouts::Moved;
}

std::vector<fs::path> fallbackPlaces(const fs::path& asked) {
    std::error_code error;
    const fs::path whole = fs::absolute(asked, error).lexically_normal();
    const fs::path named = whole.has_filename() ? whole : whole.parent_path(); // a slash at the end
    const std::string name = named.filename().string();
    std::vector<fs::path> folders;
    if (fs::symlink_status(named, error).type() == fs::file_type::not_found) {
        folders.push_back(named);
    }
    std::vector<fs::path> bases = {fs::path(named.string() + "-kept"),
                                   RunLibrary::defaultPath().parent_path() / "kept" / name};
    if (const fs::path temporary = fs::temp_directory_path(error); !error) {
        bases.push_back(temporary / ("lambdascope-kept-" + std::to_string(::getpid())) / name);
    }
    for (const fs::path& base : bases) {
        if (fs::path path = newName(base); !path.empty()) {
            folders.push_back(std::move(path));
        }
    }
    return folders;
}

} // namespace lambdascope
