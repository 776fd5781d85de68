// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_run.h"

#include "app/cli/study_comparison.h"
#include "app/cli/study_input.h"
#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/run/experiment_runner.h"
#include "core/study/cell_run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

/// Of the memory that is free, for the cells at work.
constexpr double kMemoryShare = 0.8;
/// How long the cells' data may be looked at before the first cell begins.
constexpr double kCheckSeconds = 3;
constexpr std::size_t kFailuresTold = 20;

/// A token that stops after some seconds, or with another one.
class TimedStop {
  public:
    TimedStop(const std::stop_token& other, double seconds)
        : m_forward(other, [this] { m_stop.request_stop(); }), m_timer([this, seconds](const std::stop_token& end) {
              std::unique_lock lock(m_mutex);
              m_wake.wait_for(lock, end, std::chrono::duration<double>(seconds), [] { return false; });
              m_stop.request_stop();
          }) {}
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

  private:
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_timer;
};

/// Why the process of a cell failed, where it could not say so itself.
std::string endText(const CellProcessEnd& end, double memory) {
    if (end.isOverBudget) {
        return "needs more memory than all cells may have together, " + byteText(memory) +
               "; give more by --memory, or --mem where Slurm computes\n";
    }
    if (end.status < 0) {
        return std::string("its process was ended by the signal ") + ::strsignal(-end.status) +
               (end.status == -SIGKILL ? ": the system may have been out of memory" : "") + "\n";
    }
    return {};
}

void printFailures(const StudyResults& results) {
    std::size_t told = 0;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (results.states[i].state == CellState::Failed && told++ < kFailuresTold) {
            std::fprintf(stderr, "failed: %s: %s\n", results.cells[i].label.c_str(), results.states[i].failure.c_str());
        }
    }
    if (told > kFailuresTold) {
        std::fprintf(stderr, "… and %zu more\n", told - kFailuresTold);
    }
    if (told > 0) {
        std::fprintf(stderr, "--retry computes failed cells again\n");
    }
}

std::string counted(std::size_t count) {
    return groupedText(static_cast<std::int64_t>(count));
}

} // namespace

Sweep::Sweep(fs::path folder, const StudyResults& results, const SweepOptions& options, SweepProgress& progress)
    : m_folder(std::move(folder)), m_results(results), m_options(options), m_progress(progress),
      m_jobs(options.jobs > 0 ? options.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      m_memory(options.memory > 0 ? static_cast<double>(options.memory) : kMemoryShare * availableMemory()) {}

Result<void> Sweep::run(const std::vector<std::size_t>& cells, const std::stop_token& stop) {
    std::vector<CellTask> tasks;
    std::size_t failed = 0;
    for (const std::size_t i : cells) {
        failed += m_results.states[i].state == CellState::Failed ? 1 : 0;
        if (m_results.states[i].state == CellState::Missing) {
            tasks.push_back({m_results.cells[i].number, m_results.cells[i].combination});
        }
    }
    m_progress.begin(cells.size(), tasks.size(), failed);
    CellProcesses processes(std::move(tasks), settings());
    for (std::size_t i = 0; i < m_results.cells.size(); ++i) {
        if (m_results.states[i].state == CellState::Finished) {
            const CellResult& result = m_results.states[i].result;
            processes.learn(m_results.cells[i].combination, result.seconds, result.bytes);
        }
    }
    const double start = wallSeconds();
    const std::stop_callback forward(stop, [this] { m_stop.request_stop(); });
    const auto done = processes.run(m_stop.get_token());
    m_seconds = wallSeconds() - start;
    m_usage = processes.usage();
    return m_loss ? Failure{*m_loss} : done;
}

std::string Sweep::costText() const {
    if (m_usage.cpu <= 0) {
        return {};
    }
    std::string text = durationText(m_usage.cpu) + " of CPU in " + durationText(m_seconds) + " by " +
                       std::to_string(m_jobs) + (m_jobs == 1 ? " process" : " processes") +
                       " at a time: " + shortText(m_seconds * m_jobs / m_usage.cpu, 3) + " × CPU" +
                       (m_jobs == 1 ? "" : " / " + std::to_string(m_jobs));
    if (m_usage.lostCpu > 0) {
        text += "; " + durationText(m_usage.lostCpu) + " of it for cells that were cut off";
    }
    return text;
}

CellProcesses::Settings Sweep::settings() {
    CellProcesses::Settings settings;
    settings.jobs = m_jobs;
    settings.memory = m_memory;
    settings.work = m_folder / layout::kCellsAtWork;
    settings.command = [this](std::size_t cell, const fs::path& work) {
        std::vector<std::string> words = {"/proc/self/exe",     "sweep",  m_folder.string(), "--cell",
                                          std::to_string(cell), "--work", work.string()};
        if (m_options.keepEmbeddings) {
            words.emplace_back("--keep-embeddings");
        }
        if (m_options.saveSolutions) {
            words.emplace_back("--save-solutions");
        }
        return words;
    };
    settings.ended = [this](const CellProcessEnd& end) { takeEnd(end); };
    settings.progress = [this](const CellProgress& progress) { m_progress.show(progress); };
    return settings;
}

void Sweep::takeEnd(const CellProcessEnd& end) {
    const StudyCell& cell = m_results.cells[end.cell];
    std::error_code ignored;
    if (end.status == static_cast<int>(ExitStatus::Done)) {
        fs::remove(end.log, ignored);
        ++m_computed;
        m_progress.ended(cell.label, {});
        return;
    }
    std::ofstream(end.log, std::ios::app) << endText(end, m_memory);
    const bool isLost = end.status == static_cast<int>(ExitStatus::CannotWrite);
    if (const auto moved = failCell(m_folder, end.work, end.log, cell); isLost || !moved) {
        // Other cells would be lost as well.
        forgetFailure(m_folder, cell);
        m_loss = isLost ? plainError(ErrorCode::FileUnwritable, "the cell " + cell.label + " could not be written to " +
                                                                    m_folder.string() +
                                                                    ": is the disk full? Finished cells are kept")
                        : moved.error();
        m_stop.request_stop();
        return;
    }
    m_progress.ended(cell.label, readCellStatus(m_folder, cell).failure);
}

Result<fs::path> studyFolderOf(const SweepOptions& options) {
    if (options.out.empty() && !isStudyFolder(options.study)) {
        return Failure{singleFault(ErrorCode::BadUsage, {"--out",
                                                         "missing: a study needs a folder for its cells",
                                                         "Add --out DIR; DIR itself goes on later.",
                                                         {}})};
    }
    std::error_code error;
    const fs::path folder = fs::absolute(options.out.empty() ? options.study : options.out, error);
    if (auto checked = checkStudyFolder(folder); !checked) {
        return Failure{checked.error()};
    }
    return folder;
}

Result<void> checkStudyData(const StudyResults& results, SweepProgress& progress, const std::stop_token& stop) {
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (results.states[i].state != CellState::Missing) {
            seen.insert(results.cells[i].combination);
        }
    }
    Error all = plainError(ErrorCode::InvalidData, "some cells cannot be computed; nothing was run");
    const TimedStop limit(stop, kCheckSeconds);
    for (const StudyCell& cell : results.cells) {
        if (!seen.insert(cell.combination).second) {
            continue;
        }
        auto experiment = cellExperiment(results.study, cell.choices, builtInCatalog());
        if (!experiment) {
            return Failure{experiment.error()};
        }
        progress.note("checking the data of " + cell.label);
        const Family* family = findFamily((*experiment)->family);
        ExperimentOptions options;
        options.places = dataPlacesOf(results.study, resourceFolder() / "datasets");
        ExperimentRunner runner(std::move(*experiment), *family, std::move(options));
        const auto prepared = runner.prepare({}, limit.token());
        if (!prepared && prepared.error().code == ErrorCode::Stopped) {
            break;
        }
        if (!prepared) {
            std::vector<Fault> faults = prepared.error().faults;
            if (faults.empty()) {
                faults.push_back({{}, prepared.error().message, {}, {}});
            }
            for (Fault& fault : faults) {
                fault.message += " (in the cell " + cell.label + ")";
                all.faults.push_back(std::move(fault));
            }
        }
    }
    return all.faults.empty() ? Result<void>() : Result<void>(Failure{std::move(all)});
}

void removeLeftovers(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / layout::kCellsAtWork, ignored)) {
        fs::remove_all(entry.path(), ignored);
    }
}

ExitStatus concludeStudy(const fs::path& folder, const StudyResults& before, std::size_t computed,
                         const std::string& cost) {
    const StudyResults results = readStudyResults(folder, before.study, before.cells);
    if (const auto written = writeStudyTables(folder, results); !written) {
        return report(written.error());
    }
    const std::size_t failed = results.count(CellState::Failed);
    std::printf("%s cells: %s finished, %s of them now; %s failed, %s missing\n", counted(results.cells.size()).c_str(),
                counted(results.count(CellState::Finished)).c_str(), counted(computed).c_str(), counted(failed).c_str(),
                counted(results.count(CellState::Missing)).c_str());
    if (!cost.empty()) {
        std::printf("%s\n", cost.c_str());
    }
    std::printf("tables: %s, %s\n", (folder / layout::kCellsTable).c_str(), (folder / layout::kStudyTable).c_str());
    std::fputs(publishedBesideOurs(results, TableFormat::Text).c_str(), stdout);
    printFailures(results);
    return failed > 0 ? ExitStatus::Failed : ExitStatus::Done;
}

} // namespace lambdascope::cli
