// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/helper_process.h"

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
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

#ifdef LAMBDASCOPE_SANITIZED
constexpr bool kIsSanitized = true; // and takes terabytes of addresses
#else
constexpr bool kIsSanitized = false;
#endif

using Kind = HelperTrouble::Kind;

constexpr int kTick = 20; ///< milliseconds between two questions whether to wait on
/// Bytes between two of them.
constexpr std::size_t kPiece = std::size_t{1} << 20;

HelperTrouble troubleOfStart(int error) {
    if (error == ENOENT || error == EACCES) {
        return {error == ENOENT ? Kind::NotThere : Kind::NotStartable, {}};
    }
    return {Kind::NoProcess, std::generic_category().message(error)};
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
        char* const arguments[] = {program.data(), argument.empty() ? nullptr : argument.data(), nullptr};
        return ::posix_spawn(&process, program.c_str(), &m_files, &m_attributes, arguments, environ);
    }

  private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_attributes{};
};

} // namespace

fs::path helperProgram(std::string_view name) {
    std::error_code ignored;
    fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / name;
    for (const fs::path& program :
         {beside, fs::path(LAMBDASCOPE_BUILT_PROGRAMS) / name, fs::path(LAMBDASCOPE_INSTALLED_PROGRAMS) / name}) {
        if (fs::exists(program, ignored)) {
            return program;
        }
    }
    return beside;
}

HelperComplaint complaintOf(const HelperTrouble& trouble, const fs::path& program, const std::string& purpose) {
    const std::string named = "the program that " + purpose + ", " + program.string() + ", ";
    switch (trouble.kind) {
    case Kind::NotThere: return {named + "is not there", "Install Lambdascope again, or build all of it."};
    case Kind::NotStartable: return {named + "may not be started", "Install Lambdascope again, or build all of it."};
    case Kind::NoProcess: return {"no process can be made: " + trouble.detail, "End some programs, and try again."};
    case Kind::NotLoaded:
        return {named + "does not start", "Start it by hand to see why, or install Lambdascope again."};
    case Kind::Killed:
        return {"the process that " + purpose + " was killed, as systems do that are out of memory",
                "Close other programs, and try again."};
    case Kind::Unclear: return {named + "gave no clear answer", "Install Lambdascope again."};
    case Kind::Ended:
    case Kind::GivenUp: break;
    }
    return {named + "ended" + (trouble.detail.empty() ? std::string() : ": " + trouble.detail), "Try again."};
}

HelperProcess::~HelperProcess() {
    end();
}

int HelperProcess::end() {
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

void HelperProcess::limitMemory(std::uint64_t most) const {
    rlimit both{};
    if (!kIsSanitized && ::prlimit(m_process, RLIMIT_AS, nullptr, &both) == 0) {
        both.rlim_cur = both.rlim_max = std::min<rlim_t>(both.rlim_max, most); // RLIM_INFINITY is the largest number
        ::prlimit(m_process, RLIMIT_AS, &both, nullptr);
    }
}

HelperProcess::Trouble HelperProcess::start(const std::string& argument) {
    int sockets[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        return troubleOfStart(errno);
    }
    const int failure = SpawnPlan(sockets[1]).spawn(m_process, m_program.string(), argument);
    ::close(sockets[1]);
    if (failure != 0) {
        ::close(sockets[0]);
        m_process = -1;
        return troubleOfStart(failure);
    }
    m_socket = sockets[0];
    if (::clock_getcpuclockid(m_process, &m_clock) != 0) {
        m_clock = CLOCK_MONOTONIC; // rather the time that passes than none
    }
    rlimit none{};
    ::prlimit(m_process, RLIMIT_CORE, &none, nullptr);
    return {};
}

void HelperProcess::hold() const {
    if (isRunning()) {
        ::kill(m_process, SIGSTOP);
    }
}

void HelperProcess::goOn() const {
    if (isRunning()) {
        ::kill(m_process, SIGCONT);
    }
}

double HelperProcess::cpuSeconds() const {
    timespec time{};
    ::clock_gettime(m_clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t HelperProcess::peakBytes() const {
    constexpr std::string_view kKey = "VmHWM:"; // getrusage() would count what the parent had before the start, too
    std::ifstream file("/proc/" + std::to_string(m_process) + "/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(kKey)) {
            return std::strtoull(line.c_str() + kKey.size(), nullptr, 10) * 1024;
        }
    }
    return 0;
}

HelperTrouble HelperProcess::troubleOfEnd() {
    // Closing comes before the end, and end() would be the one who ended it: give it a moment.
    siginfo_t info{};
    for (int tick = 0;
         tick < 50 && isRunning() &&
         ::waitid(P_PID, static_cast<id_t>(m_process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
         ++tick) {
        ::poll(nullptr, 0, 2);
    }
    const bool wasRunning = isRunning();
    const int status = end();
    if (!wasRunning) {
        return {Kind::Ended, {}};
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        return {Kind::Killed, {}};
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) >= 126) {
        return {Kind::NotLoaded, {}};
    }
    const char* signal = WIFSIGNALED(status) ? ::sigdescr_np(WTERMSIG(status)) : nullptr;
    return {Kind::Ended, signal != nullptr ? signal : ""};
}

HelperProcess::Trouble HelperProcess::checkWait() {
    if (m_mayWait && !m_mayWait()) {
        end();
        return HelperTrouble{Kind::GivenUp, {}};
    }
    return {};
}

HelperProcess::Trouble HelperProcess::waitFor(short events) {
    pollfd ready = {m_socket, events, 0};
    ::poll(&ready, 1, kTick);
    return checkWait();
}

HelperProcess::Trouble HelperProcess::send(const void* bytes, std::size_t count) {
    const char* from = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t sent = ::send(m_socket, from, std::min(count, kPiece), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            from += sent;
            count -= static_cast<std::size_t>(sent);
        } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            return troubleOfEnd();
        }
        if (auto trouble = sent > 0 ? checkWait() : waitFor(POLLOUT)) {
            return trouble;
        }
    }
    return {};
}

HelperProcess::Trouble HelperProcess::receive(void* to, std::size_t count) {
    char* place = static_cast<char*>(to);
    while (count > 0) {
        const ssize_t got = ::recv(m_socket, place, std::min(count, kPiece), MSG_DONTWAIT);
        if (got > 0) {
            place += got;
            count -= static_cast<std::size_t>(got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            return troubleOfEnd();
        }
        if (auto trouble = got > 0 ? checkWait() : waitFor(POLLIN)) {
            return trouble;
        }
    }
    return {};
}

} // namespace lambdascope
