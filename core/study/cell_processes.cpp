// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/cell_processes.h"

#include "core/common/clocks.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr int kTick = 100; ///< milliseconds between looks at memory and stop
constexpr int kNoProgram = 127;
constexpr std::array<int, 4> kGroupSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// Holds them back from this thread, so that a new process does not get one before it says that it ignores them.
class HeldSignals {
  public:
    HeldSignals() {
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int signal : kGroupSignals) {
            ::sigaddset(&signals, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    }
    ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

  private:
    sigset_t m_before{};
};

/// In the new process, where only system calls may be made. Does not return.
[[noreturn]] void becomeProgram(char* const* arguments, const char* log, pid_t parent) {
    // Ends with its parent, which may have ended before this was asked for.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(kNoProgram);
    }
    // These may reach the whole group: Ctrl+C, a terminal that closes, the end of a job. The parent decides, and ends
    // this process by SIGKILL; a cell that ended by itself would count as one that failed.
    for (const int signal : kGroupSignals) {
        ::signal(signal, SIG_IGN);
    }
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    const int output = ::open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int input = ::open("/dev/null", O_RDONLY);
    if (output >= 0 && input >= 0 && ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
        ::dup2(output, STDERR_FILENO) >= 0) {
        ::execv(arguments[0], arguments);
    }
    ::_exit(kNoProgram);
}

double residentBytes(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    double total = 0;
    double resident = 0;
    file >> total >> resident;
    return file ? resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
}

ProcessUsage usageOf(const rusage& usage) {
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) * 1024};
}

} // namespace

CellProcesses::CellProcesses(std::vector<CellTask> tasks, Settings settings) : m_settings(std::move(settings)) {
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
        m_groups[task->group].waiting.push_back(task->cell);
    }
}

CellProcesses::~CellProcesses() {
    endAll();
}

void CellProcesses::learn(std::size_t number, double seconds, double bytes) {
    Group& group = m_groups[number];
    group.hasBegun = true;
    group.seconds = (group.seconds * static_cast<double>(group.known) + seconds) / static_cast<double>(group.known + 1);
    ++group.known;
    group.bytes = std::max(group.bytes, bytes);
}

double CellProcesses::expectedSeconds(const Group& group) const {
    if (group.known > 0) {
        return group.seconds;
    }
    double sum = 0;
    std::size_t known = 0;
    for (const auto& [number, other] : m_groups) {
        sum += other.known > 0 ? other.seconds : 0;
        known += other.known > 0 ? 1 : 0;
    }
    return known > 0 ? sum / static_cast<double>(known) : 0;
}

/// Of a group that nothing is known of: what the largest one had so far.
double CellProcesses::expectedBytes(const Group& group) const {
    if (group.bytes > 0) {
        return group.bytes;
    }
    double most = 0;
    for (const auto& [number, other] : m_groups) {
        most = std::max(most, other.bytes);
    }
    return most;
}

std::optional<std::size_t> CellProcesses::nextGroup() const {
    std::optional<std::size_t> longest;
    double seconds = -1;
    for (const auto& [number, group] : m_groups) {
        if (group.waiting.empty()) {
            continue;
        }
        if (!group.hasBegun) {
            return number;
        }
        if (expectedSeconds(group) > seconds) {
            seconds = expectedSeconds(group);
            longest = number;
        }
    }
    return longest;
}

bool CellProcesses::hasRoomFor(const Group& group) const {
    if (m_settings.memory <= 0 || m_running.empty()) {
        return true;
    }
    double bytes = expectedBytes(group);
    for (const Process& process : m_running) {
        bytes += std::max(process.bytes, expectedBytes(m_groups.at(process.group)));
    }
    return bytes <= m_settings.memory;
}

Result<void> CellProcesses::start(std::size_t number) {
    Group& group = m_groups.at(number);
    Process process;
    process.cell = group.waiting.back();
    process.group = number;
    // Processes on other machines may write to the same folder.
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    const std::string name = std::string(host) + "-" + std::to_string(::getpid()) + "-" + std::to_string(m_started++);
    process.work = m_settings.work / name;
    process.log = m_settings.work / (name + ".log");
    std::vector<std::string> words = m_settings.command(process.cell, process.work);
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const std::string log = process.log.string();
    const pid_t parent = ::getpid();
    process.start = wallSeconds();
    {
        const HeldSignals held;
        process.id = ::fork();
        if (process.id == 0) {
            becomeProgram(arguments.data(), log.c_str(), parent);
        }
    }
    if (process.id < 0) {
        // Others that end may make room for it.
        return m_running.empty()
                   ? Result<void>(Failure{plainError(ErrorCode::Internal, "no process can be made: " +
                                                                              std::generic_category().message(errno))})
                   : Result<void>();
    }
    // Closed at exec. Not by glibc's function, which its headers of version 2.36 hide from C++.
    process.descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process.id, 0));
    group.waiting.pop_back();
    group.hasBegun = true;
    m_running.push_back(std::move(process));
    return {};
}

/// Whether the process has ended; then it is waited for and told of.
bool CellProcesses::takeEnd(Process& process) {
    int status = 0;
    rusage usage{};
    if (::wait4(process.id, &status, WNOHANG, &usage) != process.id) {
        return false;
    }
    if (process.descriptor >= 0) {
        ::close(process.descriptor);
    }
    const double bytes = std::max(process.bytes, usageOf(usage).bytes);
    addUsage(process, usageOf(usage).cpu, process.isEvicted);
    if (process.isEvicted) {
        Group& group = m_groups.at(process.group);
        group.bytes = std::max(group.bytes, bytes);
        group.waiting.push_back(process.cell);
        std::error_code ignored;
        fs::remove_all(process.work, ignored);
        fs::remove(process.log, ignored);
        return true;
    }
    CellProcessEnd end;
    end.cell = process.cell;
    end.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    end.isOverBudget = process.isOverBudget;
    end.seconds = wallSeconds() - process.start;
    end.cpu = usageOf(usage).cpu;
    end.work = process.work;
    end.log = process.log;
    learn(process.group, end.seconds, bytes);
    m_settings.ended(end);
    return true;
}

void CellProcesses::waitForEnds(int milliseconds) {
    std::vector<pollfd> descriptors;
    for (const Process& process : m_running) {
        descriptors.push_back({process.descriptor, POLLIN, 0}); // −1, where the system has none, is passed over
    }
    (void)::poll(descriptors.data(), descriptors.size(), milliseconds);
    std::vector<Process> running = std::exchange(m_running, {});
    for (Process& process : running) {
        if (!takeEnd(process)) {
            m_running.push_back(std::move(process));
        }
    }
}

void CellProcesses::keepToBudget() {
    if (m_settings.memory <= 0) {
        return;
    }
    double bytes = 0;
    std::size_t left = 0;
    for (Process& process : m_running) {
        if (!process.isEvicted && !process.isOverBudget) {
            const double now = residentBytes(process.id);
            process.bytes = std::max(process.bytes, now);
            bytes += now;
            ++left;
        }
    }
    for (auto process = m_running.rbegin(); process != m_running.rend() && bytes > m_settings.memory; ++process) {
        if (process->isEvicted || process->isOverBudget) {
            continue;
        }
        bytes -= residentBytes(process->id);
        (left > 1 ? process->isEvicted : process->isOverBudget) = true;
        --left;
        ::kill(process->id, SIGKILL);
    }
}

void CellProcesses::endAll() {
    for (const Process& process : m_running) {
        ::kill(process.id, SIGKILL);
    }
    for (const Process& process : m_running) {
        rusage usage{};
        ::wait4(process.id, nullptr, 0, &usage);
        addUsage(process, usageOf(usage).cpu, true);
        if (process.descriptor >= 0) {
            ::close(process.descriptor);
        }
        std::error_code ignored;
        fs::remove_all(process.work, ignored);
        fs::remove(process.log, ignored);
    }
    m_running.clear();
}

void CellProcesses::addUsage(const Process& process, double cpu, bool isLost) {
    m_usage.cpu += cpu;
    m_usage.seconds += wallSeconds() - process.start;
    m_usage.lostCpu += isLost ? cpu : 0;
}

CellProgress CellProcesses::progress() const {
    CellProgress progress;
    progress.running = m_running.size();
    double seconds = 0;
    bool isAnyKnown = false;
    for (const auto& [number, group] : m_groups) {
        progress.waiting += group.waiting.size();
        seconds += static_cast<double>(group.waiting.size()) * expectedSeconds(group);
        isAnyKnown = isAnyKnown || group.known > 0;
    }
    double longest = 0;
    for (const Process& process : m_running) {
        const double left =
            std::max(0.0, expectedSeconds(m_groups.at(process.group)) - (wallSeconds() - process.start));
        seconds += left;
        longest = std::max(longest, left);
    }
    if (isAnyKnown) {
        progress.secondsLeft = std::max(seconds / std::max(1, m_settings.jobs), longest);
    }
    return progress;
}

Result<void> CellProcesses::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        for (auto next = nextGroup();
             next && m_running.size() < static_cast<std::size_t>(m_settings.jobs) && hasRoomFor(m_groups.at(*next));
             next = nextGroup()) {
            const std::size_t before = m_running.size();
            if (auto started = start(*next); !started) {
                return started;
            }
            if (m_running.size() == before) {
                break;
            }
        }
        if (m_running.empty()) {
            return {};
        }
        waitForEnds(kTick);
        keepToBudget();
        m_settings.progress(progress());
    }
    endAll();
    return {};
}

ProcessUsage ownUsage() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usageOf(usage);
}

double availableMemory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    double value = 0;
    while (file >> word) {
        if (word == "MemAvailable:" && file >> value) {
            return value * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

} // namespace lambdascope
