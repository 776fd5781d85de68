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
#include "core/study/cell_processes.h"
#include "core/study/slurm_job.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostTasks = 100;
constexpr std::size_t kListBytes = std::size_t{1} << 20U;
constexpr int kNotFound = 127;
/// Of a task's memory, for its cells: the rest is for reading and writing, and for what counts late.
constexpr double kCellsShare = 0.9;

fs::path slurmFile(const fs::path& folder, const char* name) {
    return folder / "slurm" / name;
}

struct Answer {
    int status = 0; ///< exit status; −1 after a signal
    std::string text;
};

/// Runs a program of Slurm: what it prints, without blanks around it. Error: BadUsage when there is none.
Result<Answer> runSlurm(const std::vector<std::string>& words) {
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
    if (code == kNotFound) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {{},
                                              "there is no program " + words.front() + " here",
                                              "Install Slurm's (slurm-client), or leave --slurm out to compute here.",
                                              {}})};
    }
    return Answer{code, std::string(trimmed(printed))};
}

/// The same where anything but success is an error.
Result<std::string> askSlurm(const std::vector<std::string>& words) {
    auto answer = runSlurm(words);
    if (!answer) {
        return Failure{answer.error()};
    }
    if (answer->status != 0) {
        return Failure{
            singleFault(ErrorCode::BadUsage,
                        {{}, words.front() + " says: " + answer->text, "Nothing that is finished was lost.", {}})};
    }
    return std::move(answer->text);
}

/// What Slurm knows of the tasks of a job; none for no job.
Result<SlurmTasks> tasksOf(const std::string& job) {
    if (job.empty()) {
        return SlurmTasks();
    }
    const auto answer = runSlurm(slurmQuery(job));
    return answer ? slurmTasksOf(answer->status == 0, answer->text) : Failure{answer.error()};
}

/// Where the tasks write what they print: a pattern, in which a percent sign begins what Slurm puts in.
std::string logsOf(const fs::path& folder) {
    std::string text = (folder / "slurm").string();
    for (std::size_t at = 0; (at = text.find('%', at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '%');
    }
    return text + "/%A_%a.log";
}

std::string scriptOf(const fs::path& folder, const SweepOptions& options, std::size_t tasks, std::size_t chunk) {
    std::error_code error;
    std::string text = "#!/bin/sh\n#SBATCH --job-name=lambdascope\n#SBATCH --requeue\n#SBATCH --array=0-" +
                       std::to_string(tasks - 1) + "\n#SBATCH --cpus-per-task=" + std::to_string(options.cpus) +
                       "\n#SBATCH --open-mode=append\n";
    const std::array<std::pair<const char*, const std::string*>, 3> given = {
        {{"partition", &options.partition}, {"mem", &options.nodeMemory}, {"time", &options.time}}};
    for (const auto& [name, value] : given) {
        text += value->empty() ? "" : std::string("#SBATCH --") + name + "=" + *value + "\n";
    }
    text += "exec " + shellWord(fs::read_symlink("/proc/self/exe", error).string()) + " sweep " +
            shellWord(folder.string()) + " --slurm-task \"$SLURM_ARRAY_TASK_ID\" --chunk " + std::to_string(chunk) +
            " --jobs " + std::to_string(options.cpus) + " --progress plain" +
            (options.memory > 0 ? " --memory " + std::to_string(options.memory) : "") +
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
    const std::string job = slurmJobOf(folder);
    const auto tasks = tasksOf(job);
    if (!tasks) { // to begin would remove what its tasks have at work
        return Failure{
            singleFault(ErrorCode::FileUnwritable,
                        {{},
                         "it cannot be told whether the job " + job +
                             " of Slurm still computes the study: " + tasks.error().describe(),
                         "Ask where Slurm is. If it is over, remove " + slurmFile(folder, "job").string() + ".",
                         {}})};
    }
    if (tasks->alive.empty()) {
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
    const auto job =
        askSlurm({"sbatch", "--parsable", "--output=" + logsOf(folder), slurmFile(folder, "job.sh").string()});
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
    SweepOptions own = options;
    if (const double memory = slurmTaskMemory(); own.memory == 0 && memory > 0) {
        // A cell that needs more is named then; where Slurm ends the task for it, nobody knows which one it was.
        own.memory = static_cast<std::uint64_t>(std::max(memory / 2, kCellsShare * memory - ownUsage().bytes));
    }
    InterruptWatch interrupt; // Slurm sends SIGTERM before SIGKILL
    SweepProgress progress(progressStyle(own.progress));
    Sweep sweep(own.study, *results, own, progress);
    const auto done = sweep.run(cells, interrupt.token());
    progress.clear();
    return !done                                ? report(done.error())
           : interrupt.token().stop_requested() ? ExitStatus::Interrupted
                                                : ExitStatus::Done;
}

ExitStatus sweepStatusCommand(const SweepOptions& options) {
    const auto results = opened(options.out);
    if (!results) {
        return report(results.error());
    }
    const std::string job = slurmJobOf(options.out);
    const auto tasks = tasksOf(job);
    const std::size_t finished = results->count(CellState::Finished);
    const std::size_t failed = results->count(CellState::Failed);
    const std::size_t missing = results->count(CellState::Missing);
    if (options.json) {
        Json status = {
            {"cells", results->cells.size()}, {"finished", finished}, {"failed", failed}, {"missing", missing}};
        if (!job.empty()) {
            status["job"] = job;
            status["tasks"] = Json(); // null, with "over", where Slurm cannot say
            status["over"] = Json();
        }
        if (!job.empty() && tasks) {
            status["tasks"] = Json::object();
            for (const auto* states : {&tasks->alive, &tasks->ended}) {
                for (const auto& [state, count] : *states) {
                    status["tasks"][state] = count;
                }
            }
            status["over"] = tasks->alive.empty();
        }
        std::printf("%s\n", status.dump(1).c_str());
        return ExitStatus::Done;
    }
    std::printf("%zu cells: %zu finished, %zu failed, %zu missing\n", results->cells.size(), finished, failed, missing);
    if (!job.empty()) {
        std::printf("job %s: %s\n", job.c_str(),
                    tasks ? tasks->text().c_str() : ("not known: " + tasks.error().describe()).c_str());
    }
    return ExitStatus::Done;
}

ExitStatus sweepCancelCommand(const SweepOptions& options) {
    const std::string job = slurmJobOf(options.out);
    if (job.empty()) {
        return report(
            singleFault(ErrorCode::BadUsage,
                        {{}, "no job of Slurm computes " + options.out, "Name the folder of sweep --slurm.", {}}));
    }
    if (const auto asked = askSlurm({"scancel", job}); !asked) {
        return report(asked.error());
    }
    std::printf("job %s is asked to end; finished cells are kept\n", job.c_str());
    return ExitStatus::Done;
}

ExitStatus sweepCollectCommand(const SweepOptions& options) {
    const auto results = opened(options.out);
    return results ? concludeStudy(options.out, *results, 0, {}) : report(results.error());
}

} // namespace lambdascope::cli
