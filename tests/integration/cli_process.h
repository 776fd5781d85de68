// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::testing_support {

/// The command line program in a process of its own, with a data folder of its own.
class CliProcess {
  public:
    /// Bytes; 0 for no limit.
    struct Limits {
        std::size_t largestFile = 0;
        std::size_t memory = 0; ///< address space; not kept to under a sanitizer, which needs far more for itself
        bool hasGroup = false;  ///< leads a process group of its own, for signalGroup()
    };

    /// Starts it; output goes to files in `scratch`, which is also its working folder.
    CliProcess(std::filesystem::path scratch, const std::vector<std::string>& arguments)
        : CliProcess(std::move(scratch), arguments, Limits()) {}
    CliProcess(std::filesystem::path scratch, const std::vector<std::string>& arguments, Limits limits);
    /// Kills it if it still runs.
    ~CliProcess();
    CliProcess(const CliProcess&) = delete;
    CliProcess& operator=(const CliProcess&) = delete;

    void signal(int number) const;
    void signalGroup(int number) const;
    /// True once the process has ended; it is then waited for.
    [[nodiscard]] bool hasEnded();
    /// Waits for the end: the exit status, or minus the number of the signal that ended it.
    int wait();

    [[nodiscard]] std::string out() const;
    [[nodiscard]] std::string err() const;

  private:
    std::filesystem::path m_scratch;
    pid_t m_process = -1;
    bool m_isWaitedFor = false;
    int m_status = 0;
};

struct CliResult {
    int status = 0;
    std::string out;
    std::string err;
};

/// Runs it to its end.
CliResult runCli(const std::filesystem::path& scratch, const std::vector<std::string>& arguments);

} // namespace lambdascope::testing_support
