// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace {

/// Owns an open file.
class Descriptor {
  public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return m_number; }

  private:
    int m_number;
};

Failure refused(ErrorCode code, const std::filesystem::path& path, std::string message, std::string remedy) {
    return Failure{singleFault(code, {"", std::move(message), std::move(remedy), {path.string(), 0, 0}})};
}

Failure notReadable(const std::filesystem::path& path, int errorNumber) {
    if (errorNumber == ENOENT || errorNumber == ENOTDIR) {
        return refused(ErrorCode::FileNotFound, path, "there is no such file", "Check the path.");
    }
    if (errorNumber == ENXIO) {
        return refused(ErrorCode::FileUnreadable, path, "is a socket, not a file",
                       "Save its contents to a file first.");
    }
    return refused(ErrorCode::FileUnreadable, path,
                   "cannot read the file: " + std::generic_category().message(errorNumber),
                   "Check the name and the permissions.");
}

/// Whether the name stands for a file that this process has open already, so that opening it cannot wait.
bool isOpenAlready(const std::string& path) {
    return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode)) {
        return "is a folder, not a file";
    }
    if (S_ISFIFO(mode)) {
        return "is a named pipe, not an ordinary file";
    }
    return S_ISSOCK(mode) ? "is a socket, not a file" : "is a device, not a file";
}

std::string megabytes(std::size_t bytes) {
    return std::to_string(bytes >> 20U) + " MB";
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t largest, std::string_view what) {
    const bool isStandardInput = path == "/dev/stdin";
    // Without O_NONBLOCK a named pipe that nobody writes to would hold the program in open().
    const Descriptor file(isStandardInput ? ::dup(STDIN_FILENO)
                                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
        return notReadable(path, errno);
    }
    const bool isPipe = isOpenAlready(path.string()) && !S_ISDIR(status.st_mode) && !S_ISBLK(status.st_mode);
    if (!S_ISREG(status.st_mode) && !isPipe) {
        return refused(ErrorCode::FileUnreadable, path, kindOf(status.st_mode),
                       S_ISDIR(status.st_mode) ? "Name a file in it." : "Save its contents to a file first.");
    }
    if (!isStandardInput) {
        ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) & ~O_NONBLOCK);
    }
    const auto tooLarge = [&] {
        return refused(ErrorCode::FileUnreadable, path,
                       "is larger than " + megabytes(largest) + ", the most that " + std::string(what) + " may have",
                       "Check that this is the file you mean.");
    };
    if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > largest) {
        return tooLarge();
    }
    std::string text;
    std::array<char, 1 << 16> block{};
    while (true) {
        const ssize_t count = ::read(file.number(), block.data(), block.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return notReadable(path, errno);
        }
        if (count == 0) {
            return text;
        }
        text.append(block.data(), static_cast<std::size_t>(count));
        if (text.size() > largest) {
            return tooLarge();
        }
    }
}

} // namespace lambdascope
