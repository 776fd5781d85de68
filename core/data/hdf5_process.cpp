// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_process.h"

#include "core/data/hdf5_messages.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

#ifdef LAMBDASCOPE_SANITIZED
constexpr bool kIsSanitized = true; // and takes terabytes of addresses
#else
constexpr bool kIsSanitized = false;
#endif

constexpr int kTick = 20; ///< milliseconds between looks at the stop token and the CPU time

Hdf5Trouble noProcess(int error, const fs::path& program) {
    if (error == ENOENT || error == EACCES) {
        return {ErrorCode::FileUnreadable,
                "cannot be read: the program that reads HDF5 files, " + program.string() + ", " +
                    (error == ENOENT ? "is not there" : "may not be started"),
                "Install Lambdascope again, or build all of it."};
    }
    return {ErrorCode::FileUnreadable,
            "cannot be read: no process can be made: " + std::generic_category().message(error),
            "End some programs, and try again."};
}

/// What a process is started with: the socket as its input, no output, no signal that is meant for the whole group.
class SpawnPlan {
  public:
    explicit SpawnPlan(int socket) {
        ::posix_spawn_file_actions_init(&m_files);
        ::posix_spawn_file_actions_adddup2(&m_files, socket, STDIN_FILENO);
        ::posix_spawn_file_actions_addopen(&m_files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_adddup2(&m_files, STDOUT_FILENO, STDERR_FILENO);
        ::posix_spawnattr_init(&m_attributes);
        ::posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) { // the parent decides
            ::sigaddset(&signals, signal);
        }
        ::posix_spawnattr_setsigmask(&m_attributes, &signals);
        ::sigemptyset(&signals);
        ::sigaddset(&signals, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&m_attributes, &signals);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&m_files);
        ::posix_spawnattr_destroy(&m_attributes);
    }

    int spawn(pid_t& process, std::string program, std::string argument) const {
        char* const arguments[] = {program.data(), argument.data(), nullptr};
        return ::posix_spawn(&process, program.c_str(), &m_files, &m_attributes, arguments, environ);
    }

  private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_attributes{};
};

} // namespace

fs::path hdf5Program() {
    constexpr const char* kName = "lambdascope-hdf5";
    std::error_code ignored;
    fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / kName;
    for (const fs::path& program :
         {beside, fs::path(LAMBDASCOPE_BUILT_PROGRAMS) / kName, fs::path(LAMBDASCOPE_INSTALLED_PROGRAMS) / kName}) {
        if (fs::exists(program, ignored)) {
            return program;
        }
    }
    return beside;
}

Hdf5Process::~Hdf5Process() {
    end();
}

/// Ends the process, and tells how it has ended, as waitpid() does; −1 when nobody knows.
int Hdf5Process::end() {
    int status = -1;
    if (m_process > 0) {
        ::kill(m_process, SIGKILL); // one that has ended by itself keeps its status
        while (::waitpid(m_process, &status, 0) < 0) {
            if (errno != EINTR) {
                status = -1;
                break;
            }
        }
        ::close(m_socket);
    }
    m_process = -1;
    m_socket = -1;
    return status;
}

void Hdf5Process::setLimits(const std::string& path) const {
    const auto limit = [this](__rlimit_resource resource, rlim_t most) {
        rlimit both{};
        if (::prlimit(m_process, resource, nullptr, &both) == 0) {
            both.rlim_cur = both.rlim_max = std::min(both.rlim_max, most); // RLIM_INFINITY is the largest number
            ::prlimit(m_process, resource, &both, nullptr);
        }
    };
    limit(RLIMIT_CORE, 0);
    if (!kIsSanitized) {
        std::error_code failure;
        const std::uintmax_t size = fs::file_size(path, failure);
        limit(RLIMIT_AS, m_limits.memory > 0 ? m_limits.memory : (rlim_t{1} << 30) + 16 * (failure ? 0 : size));
    }
}

std::optional<Hdf5Trouble> Hdf5Process::start(const std::string& path) {
    int sockets[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        return noProcess(errno, m_program);
    }
    const int failure = SpawnPlan(sockets[1]).spawn(m_process, m_program.string(), path);
    ::close(sockets[1]);
    if (failure != 0) {
        ::close(sockets[0]);
        m_process = -1;
        return noProcess(failure, m_program);
    }
    m_socket = sockets[0];
    if (::clock_getcpuclockid(m_process, &m_clock) != 0) {
        m_clock = CLOCK_MONOTONIC; // rather the time that passes than no limit
    }
    setLimits(path);
    return {};
}

double Hdf5Process::cpuSeconds() const {
    timespec time{};
    ::clock_gettime(m_clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Why waiting for an answer should not go on.
std::optional<Hdf5Trouble> Hdf5Process::lookAround() {
    if (m_stop.stop_requested()) {
        end();
        return Hdf5Trouble{ErrorCode::Stopped, "was not read: reading was stopped", {}};
    }
    if (cpuSeconds() - m_cpuBefore > m_limits.seconds) {
        end();
        return Hdf5Trouble{ErrorCode::InvalidData,
                           "cannot be read: the HDF5 library came to no end with it in " +
                               std::to_string(static_cast<int>(m_limits.seconds)) + " s of computing",
                           "The file is damaged; write it again with h5repack or h5py."};
    }
    return {};
}

/// The process has closed its end of the socket.
std::optional<Hdf5Trouble> Hdf5Process::troubleOfEnd() {
    // Closing comes before the end, and end() would be the one who ended it: give it a moment.
    siginfo_t info{};
    for (int tick = 0;
         tick < 50 && ::waitid(P_PID, static_cast<id_t>(m_process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
         ++tick) {
        ::poll(nullptr, 0, 2);
    }
    const int status = end();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        return Hdf5Trouble{ErrorCode::FileUnreadable,
                           "was not read: the process that read it was killed, as systems do that are out of memory",
                           "Close other programs, and try again."};
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) >= 126) { // it, or a library that it needs, cannot be loaded
        return Hdf5Trouble{ErrorCode::FileUnreadable,
                           "cannot be read: " + m_program.string() + ", which reads HDF5 files, does not start",
                           "Start it by hand to see why, or install Lambdascope again."};
    }
    const char* signal = WIFSIGNALED(status) ? ::sigdescr_np(WTERMSIG(status)) : nullptr;
    return Hdf5Trouble{ErrorCode::InvalidData,
                       std::string("cannot be read: the HDF5 library ended while reading it") +
                           (signal != nullptr ? std::string(": ") + signal : std::string()),
                       "The file is damaged; write it again with h5repack or h5py."};
}

std::optional<Hdf5Trouble> Hdf5Process::receiveBytes(char* to, std::size_t count) {
    constexpr std::size_t kMost = std::size_t{1} << 20; // between two looks at the stop token
    while (count > 0) {
        const ssize_t got = ::recv(m_socket, to, std::min(count, kMost), MSG_DONTWAIT);
        if (got > 0) {
            to += got;
            count -= static_cast<std::size_t>(got);
        } else if (got < 0 && errno == EAGAIN) {
            pollfd ready = {m_socket, POLLIN, 0};
            ::poll(&ready, 1, kTick);
        } else if (got == 0 || errno != EINTR) {
            return troubleOfEnd();
        }
        if (auto trouble = lookAround()) {
            return trouble;
        }
    }
    return {};
}

template <class Content>
std::optional<Hdf5Trouble> Hdf5Process::receive(Content& content) {
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 28;
    std::uint64_t size = 0;
    if (auto trouble = receiveBytes(reinterpret_cast<char*>(&size), sizeof size)) {
        return trouble;
    }
    std::string bytes(size <= kLongest ? size : 0, '\0');
    if (auto trouble = receiveBytes(bytes.data(), bytes.size())) {
        return trouble;
    }
    auto read = readHdf5Message<Content>(bytes);
    if (!read) { // of another version, or spoilt by a damaged file
        end();
        return Hdf5Trouble{
            ErrorCode::InvalidData,
            "cannot be read: " + m_program.string() + ", which reads HDF5 files, gave no clear answer",
            "Write the file again with h5repack or h5py; if that does not help, install Lambdascope again."};
    }
    content = std::move(*read);
    return {};
}

std::optional<Hdf5Trouble> Hdf5Process::open(const std::string& path) {
    if (auto trouble = start(path)) {
        return trouble;
    }
    Hdf5Contents contents;
    if (auto trouble = receive(contents)) {
        return trouble;
    }
    m_sets = std::move(contents.sets);
    return contents.trouble.message.empty() ? std::nullopt : std::optional(std::move(contents.trouble));
}

std::optional<Hdf5Trouble> Hdf5Process::readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                                 double* to) {
    m_cpuBefore = cpuSeconds();
    const std::string request = hdf5Message(Hdf5Request{set, first, count});
    if (::send(m_socket, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
        return troubleOfEnd();
    }
    Hdf5Trouble answer;
    if (auto trouble = receive(answer)) {
        return trouble;
    }
    if (!answer.message.empty()) {
        return answer;
    }
    return receiveBytes(reinterpret_cast<char*>(to), count * set.columns * sizeof(double));
}

} // namespace lambdascope
