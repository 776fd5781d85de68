// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/slurm_sweep.h"

#include "app/cli/interrupt.h"
#include "app/cli/study_input.h"
#include "app/cli/sweep_run.h"
#include "core/common/number_text.h"
#include "core/common/shell_word.h"
#include "core/common/text_file.h"
#include "core/common/trimmed_text.h"
#include "core/families.h"
#include "core/store/append_file.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostTasks = 100;
constexpr std::size_t kListBytes = std::size_t{1} << 20U;
constexpr int kNotFound = 127;

fs::path slurmFile(const fs::path& folder, const char* name) {
    return folder / "slurm" / name;
}

/// Runs a program of Slurm: what it prints, without blanks around it.
Result<std::string> askSlurm(const std::vector<std::string>& words) {
    std::string command;
    for (const std::string& word : words) {
        command += shellWord(word) + " ";
    }
    std::string printed;
    std::FILE* output = ::popen((command + "2>&1").c_str(), "re");
    if (output == nullptr) {
        return Failure{plainError(ErrorCode::Internal, "no process can be made for " + words.front())};
    }
    std::array<char, 4096> piece{};
    for (std::size_t count = 0; (count = std::fread(piece.data(), 1, piece.size(), output)) > 0;) {
        printed.append(piece.data(), count);
    }
    const int status = ::pclose(output);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const std::string text(trimmed(printed));
    if (code == kNotFound) {
        return Failure{singleFault(ErrorCode::BadUsage, {{},
                                                         "there is no program " + words.front() + " here",
                                                         "Install Slurm's (slurm-client), or leave --slurm out.",
                                                         {}})};
    }
    if (code != 0) {
        return Failure{singleFault(ErrorCode::BadUsage,
                                   {{}, words.front() + " says: " + text, "Nothing that is finished was lost.", {}})};
    }
    return text;
}

/// The number of the job that was submitted last; empty when none was.
std::string jobOf(const fs::path& folder) {
    const auto text = readTextFile(slurmFile(folder, "job"), kListBytes, "a job number");
    return text ? std::string(trimmed(*text)) : std::string();
}

/// How many tasks of a job are in each state that Slurm knows; empty when it is over.
std::map<std::string, int> statesOf(const std::string& job) {
    std::map<std::string, int> states;
    if (job.empty()) {
        return states;
    }
    const auto printed = askSlurm({"squeue", "--noheader", "--array", "--jobs", job, "--format", "%T"});
    std::istringstream words(printed ? *printed : std::string()); // Slurm forgets old jobs, and says so as an error
    for (std::string state; words >> state;) {
        ++states[state];
    }
    return states;
}

std::string scriptOf(const fs::path& folder, const SweepOptions& options, std::size_t tasks, std::size_t chunk) {
    std::error_code error;
    std::string text = "#!/bin/sh\n#SBATCH --job-name=lambdascope\n#SBATCH --requeue\n#SBATCH --array=0-" +
                       std::to_string(tasks - 1) + "\n#SBATCH --cpus-per-task=" + std::to_string(options.cpus) +
                       "\n#SBATCH --output=" + slurmFile(folder, "%A_%a.log").string() + "\n";
    const std::array<std::pair<const char*, const std::string*>, 3> given = {
        {{"partition", &options.partition}, {"mem", &options.nodeMemory}, {"time", &options.time}}};
    for (const auto& [name, value] : given) {
        text += value->empty() ? "" : std::string("#SBATCH --") + name + "=" + *value + "\n";
    }
    text += "exec " + shellWord(fs::read_symlink("/proc/self/exe", error).string()) + " sweep " +
            shellWord(folder.string()) + " --slurm-task \"$SLURM_ARRAY_TASK_ID\" --chunk " + std::to_string(chunk) +
            " --jobs " + std::to_string(options.cpus) + " --progress plain" +
            (options.keepEmbeddings ? " --keep-embeddings" : "") + (options.saveSolutions ? " --save-solutions" : "") +
            "\n";
    return text;
}

Result<StudyResults> opened(const std::string& folder) {
    if (!isStudyFolder(folder)) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {{}, folder + " holds no study", "Name a folder that sweep wrote.", {}})};
    }
    return readStudyFolder(folder);
}

} // namespace

Result<void> checkNoSlurmJob(const fs::path& folder) {
    const std::string job = jobOf(folder);
    if (statesOf(job).empty()) {
        return {};
    }
    return Failure{singleFault(ErrorCode::FileUnwritable,
                               {{},
                                "the job " + job + " of Slurm is computing the study in " + folder.string(),
                                "Wait for it, or end it: lambdascope-cli sweep cancel " + folder.string() + ".",
                                {}})};
}

ExitStatus submitToSlurm(const fs::path& folder, const StudyResults& results, const SweepOptions& options) {
    removeLeftovers(folder);
    std::string list;
    std::size_t count = 0;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (results.states[i].state == CellState::Missing) {
            list += std::to_string(results.cells[i].number) + "\n";
            forgetFailure(folder, results.cells[i]); // where --retry asks for it
            ++count;
        }
    }
    if (count == 0) {
        return concludeStudy(folder, results, 0, {});
    }
    const std::size_t chunk =
        options.chunk > 0 ? static_cast<std::size_t>(options.chunk) : (count + kMostTasks - 1) / kMostTasks;
    const std::size_t tasks = (count + chunk - 1) / chunk;
    std::error_code error;
    fs::create_directories(folder / "slurm", error);
    auto written = writeFileAtomically(slurmFile(folder, "cells"), list);
    if (written) {
        written = writeFileAtomically(slurmFile(folder, "job.sh"), scriptOf(folder, options, tasks, chunk));
    }
    if (!written) {
        return report(written.error());
    }
    const auto job = askSlurm({"sbatch", "--parsable", slurmFile(folder, "job.sh").string()});
    if (!job) {
        return report(job.error());
    }
    const std::string number = job->substr(0, job->find(';')); // "7;cluster"
    if (written = writeFileAtomically(slurmFile(folder, "job"), number + "\n"); !written) {
        return report(written.error());
    }
    std::printf("job %s: %zu cells in %zu tasks; lambdascope-cli sweep status %s\n", number.c_str(), count, tasks,
                folder.c_str());
    return ExitStatus::Done;
}

ExitStatus slurmTask(const SweepOptions& options) {
    const auto results = opened(options.study);
    if (!results) {
        return report(results.error());
    }
    const auto list = readTextFile(slurmFile(options.study, "cells"), kListBytes, "a list of cells");
    if (!list) {
        return report(list.error());
    }
    std::istringstream numbers(*list);
    std::vector<std::size_t> cells;
    const auto chunk = static_cast<std::size_t>(std::max(1, options.chunk));
    const std::size_t first = static_cast<std::size_t>(options.slurmTask) * chunk;
    std::size_t place = 0;
    for (std::size_t number = 0; numbers >> number; ++place) {
        if (place >= first && place < first + chunk && number < results->cells.size()) {
            cells.push_back(number);
        }
    }
    InterruptWatch interrupt; // Slurm sends SIGTERM before SIGKILL
    SweepProgress progress(progressStyle(options.progress));
    Sweep sweep(options.study, *results, options, progress);
    const auto done = sweep.run(cells, interrupt.token());
    progress.clear();
    return !done                                ? report(done.error())
           : interrupt.token().stop_requested() ? ExitStatus::Interrupted
                                                : ExitStatus::Done;
}

ExitStatus sweepStatusCommand(const std::string& folder) {
    const auto results = opened(folder);
    if (!results) {
        return report(results.error());
    }
    std::printf("%zu cells: %zu finished, %zu failed, %zu missing\n", results->cells.size(),
                results->count(CellState::Finished), results->count(CellState::Failed),
                results->count(CellState::Missing));
    const std::string job = jobOf(folder);
    std::string text;
    for (const auto& [state, count] : statesOf(job)) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + state;
    }
    if (!job.empty()) {
        std::printf("job %s: %s\n", job.c_str(), text.empty() ? "over" : (text + " tasks").c_str());
    }
    return ExitStatus::Done;
}

ExitStatus sweepCancelCommand(const std::string& folder) {
    const std::string job = jobOf(folder);
    if (job.empty()) {
        return report(singleFault(ErrorCode::BadUsage,
                                  {{}, "no job of Slurm computes " + folder, "Name the folder of sweep --slurm.", {}}));
    }
    if (const auto asked = askSlurm({"scancel", job}); !asked) {
        return report(asked.error());
    }
    std::printf("job %s is asked to end; finished cells are kept\n", job.c_str());
    return ExitStatus::Done;
}

ExitStatus sweepCollectCommand(const std::string& folder) {
    const auto results = opened(folder);
    return results ? concludeStudy(folder, *results, 0, {}) : report(results.error());
}

} // namespace lambdascope::cli
