// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/sweep_progress.h"
#include "core/study/cell_processes.h"
#include "core/study/study_tables.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace lambdascope::cli {

/// Computes cells of a study that are missing, by processes of this program.
class Sweep {
  public:
    /// All must outlive it; `results` are those of `folder`.
    Sweep(std::filesystem::path folder, const StudyResults& results, const SweepOptions& options,
          SweepProgress& progress);

    /// The missing ones among `cells`, which are numbers. Errors: Internal when no process can be made; FileUnwritable
    /// when there is no place for a cell, and so for none.
    Result<void> run(const std::vector<std::size_t>& cells, const std::stop_token& stop);

    [[nodiscard]] std::size_t computed() const { return m_computed; }
    /// "150 s of CPU in 76 s by 2 processes at a time: 1.01 × CPU / 2; 3 s of it for cells that were cut off". Empty
    /// when nothing ran.
    [[nodiscard]] std::string costText() const;

  private:
    CellProcesses::Settings settings();
    void takeEnd(const CellProcessEnd& end);

    std::filesystem::path m_folder;
    const StudyResults& m_results;
    const SweepOptions& m_options;
    SweepProgress& m_progress;
    int m_jobs;
    double m_memory;
    std::stop_source m_stop;
    std::optional<Error> m_loss;
    std::size_t m_computed = 0;
    CellProcesses::Usage m_usage;
    double m_seconds = 0;
};

/// The folder of the study: the one to write to, or the one that is gone on with. Error: BadUsage when none is named,
/// or as checkStudyFolder().
Result<std::filesystem::path> studyFolderOf(const SweepOptions& options);

/// Prepares one cell of each combination of which none is finished: data that are not there, or that the problem cannot
/// use, are told of before anything is computed. For a few seconds; what is not reached shows when it is computed.
Result<void> checkStudyData(const StudyResults& results, SweepProgress& progress, const std::stop_token& stop);

/// What a process that was killed has left of cells.
void removeLeftovers(const std::filesystem::path& folder);

/// Reads how all cells have ended, writes the tables, and tells; `computed` of them ended now, at a cost in words.
ExitStatus concludeStudy(const std::filesystem::path& folder, const StudyResults& before, std::size_t computed,
                         const std::string& cost);

} // namespace lambdascope::cli
