// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/slurm_job.h"

#include "core/common/number_text.h"
#include "core/common/text_file.h"
#include "core/common/trimmed_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace lambdascope {

namespace {

constexpr std::size_t kNumberBytes = 1000;
constexpr double kMegabyte = 1024.0 * 1024.0; ///< as Slurm counts

/// States from which no task comes back by itself.
constexpr std::array<std::string_view, 9> kEnds = {"COMPLETED", "CANCELLED",     "FAILED",    "TIMEOUT", "NODE_FAIL",
                                                   "PREEMPTED", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE"};

std::string countsText(const std::map<std::string, int>& states) {
    std::string text;
    for (const auto& [state, count] : states) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + state;
    }
    return text;
}

/// 0 where the variable is not set, or is no number.
double numberIn(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : parseNumber(text).value_or(0);
}

} // namespace

std::string SlurmTasks::text() const {
    return (alive.empty() ? "over" : countsText(alive)) + (ended.empty() ? "" : "; " + countsText(ended));
}

std::string slurmJobOf(const std::filesystem::path& folder) {
    const auto text = readTextFile(folder / "slurm" / "job", kNumberBytes, "a job number");
    return text ? std::string(trimmed(*text)) : std::string();
}

std::vector<std::string> slurmQuery(const std::string& job) {
    return {"squeue", "--noheader", "--array", "--states=all", "--jobs", job, "--format", "%T|%r"};
}

Result<SlurmTasks> slurmTasksOf(bool hasSucceeded, const std::string& printed) {
    if (!hasSucceeded && printed.find("Invalid job id") != std::string::npos) {
        return SlurmTasks();
    }
    if (!hasSucceeded) {
        return Failure{plainError(ErrorCode::Internal, std::string(trimmed(printed)))};
    }
    SlurmTasks tasks;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t bar = line.find('|');
        const std::string state(trimmed(line.substr(0, bar)));
        const std::string reason(bar == std::string::npos ? std::string_view() : trimmed(line.substr(bar + 1)));
        if (state.empty()) {
            continue;
        }
        const bool isEnd = std::find(kEnds.begin(), kEnds.end(), state) != kEnds.end();
        const bool hasReason = state == "PENDING" && !reason.empty() && reason != "None";
        ++(isEnd ? tasks.ended : tasks.alive)[hasReason ? state + " (" + reason + ")" : state];
    }
    return tasks;
}

double slurmTaskMemory() {
    const double ofNode = numberIn("SLURM_MEM_PER_NODE");
    const double cores = std::max(1.0, numberIn("SLURM_CPUS_PER_TASK"));
    return kMegabyte * (ofNode > 0 ? ofNode : cores * numberIn("SLURM_MEM_PER_CPU"));
}

} // namespace lambdascope
