// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/cli_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace lambdascope::testing_support {

namespace {

#ifdef LAMBDASCOPE_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void redirect(const std::filesystem::path& file, int descriptor) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (opened < 0 || dup2(opened, descriptor) < 0) {
        _exit(127);
    }
}

} // namespace

CliProcess::CliProcess(std::filesystem::path scratch, const std::vector<std::string>& arguments, Limits limits)
    : m_scratch(std::move(scratch)) {
    std::vector<std::string> words = {LAMBDASCOPE_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    const std::string data = (m_scratch / "xdg").string();
    const std::string resources = std::string(LAMBDASCOPE_TEST_SOURCE_DIR) + "/resources";
    m_process = fork();
    if (m_process == 0) {
        if (limits.hasGroup) {
            setpgid(0, 0);
        }
        redirect(m_scratch / "stdout", STDOUT_FILENO);
        redirect(m_scratch / "stderr", STDERR_FILENO);
        setenv("XDG_DATA_HOME", data.c_str(), 1);
        setenv("LAMBDASCOPE_RESOURCES", resources.c_str(), 1);
        if (limits.largestFile > 0) {
            const rlimit limit{limits.largestFile, limits.largestFile};
            setrlimit(RLIMIT_FSIZE, &limit);
        }
        if (limits.memory > 0 && !kIsSanitized) {
            const rlimit limit{limits.memory, limits.memory};
            setrlimit(RLIMIT_AS, &limit);
        }
        if (chdir(m_scratch.c_str()) == 0) {
            execv(pointers[0], pointers.data());
        }
        _exit(127);
    }
}

CliProcess::~CliProcess() {
    if (!m_isWaitedFor && m_process > 0) {
        kill(m_process, SIGKILL);
        (void)wait();
    }
}

void CliProcess::signal(int number) const {
    kill(m_process, number);
}

void CliProcess::signalGroup(int number) const {
    kill(-m_process, number);
}

bool CliProcess::hasEnded() {
    if (!m_isWaitedFor && waitpid(m_process, &m_status, WNOHANG) == m_process) {
        m_isWaitedFor = true;
    }
    return m_isWaitedFor;
}

int CliProcess::wait() {
    if (!m_isWaitedFor) {
        waitpid(m_process, &m_status, 0);
        m_isWaitedFor = true;
    }
    return WIFSIGNALED(m_status) ? -WTERMSIG(m_status) : WEXITSTATUS(m_status);
}

std::string CliProcess::out() const {
    return contents(m_scratch / "stdout");
}

std::string CliProcess::err() const {
    return contents(m_scratch / "stderr");
}

CliResult runCli(const std::filesystem::path& scratch, const std::vector<std::string>& arguments) {
    CliProcess process(scratch, arguments);
    const int status = process.wait();
    return {status, process.out(), process.err()};
}

} // namespace lambdascope::testing_support
