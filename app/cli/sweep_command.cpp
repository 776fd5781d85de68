// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/slurm_sweep.h"
#include "app/cli/study_input.h"
#include "app/cli/sweep_run.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/study/cell_run.h"
#include "core/study/study.h"

#include <cstdio>
#include <numeric>

namespace lambdascope::cli {

namespace {

/// Of a cell's own process: computes it, and says on standard error why it failed.
ExitStatus computeCell(const SweepOptions& options) {
    auto study = readStudyInput(options.study, {});
    if (!study) {
        return report(study.error());
    }
    if (static_cast<std::size_t>(options.cell) >= study->cellCount()) {
        return report(plainError(ErrorCode::BadUsage, "the study has no such cell"));
    }
    const CellWishes wishes{options.keepEmbeddings, options.saveSolutions};
    const auto done =
        runCell(options.study, options.work, *study, static_cast<std::size_t>(options.cell), builtInCatalog(),
                builtInFamilies(), wishes, resourceFolder() / "datasets", LAMBDASCOPE_VERSION);
    if (!done) {
        std::fprintf(stderr, "%s\n", done.error().describe().c_str());
        return done.error().code == ErrorCode::FileUnwritable ? ExitStatus::CannotWrite : cli::statusOf(done.error());
    }
    return ExitStatus::Done;
}

std::vector<std::size_t> allCells(const StudyResults& results) {
    std::vector<std::size_t> cells(results.cells.size());
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    return cells;
}

ExitStatus computeHere(const std::filesystem::path& folder, const StudyResults& results, const SweepOptions& options,
                       SweepProgress& progress, const std::stop_token& stop) {
    removeLeftovers(folder);
    Sweep sweep(folder, results, options, progress);
    const auto done = sweep.run(allCells(results), stop);
    progress.clear();
    const ExitStatus status = concludeStudy(folder, results, sweep.computed(), sweep.costText());
    if (stop.stop_requested()) {
        std::fputs("interrupted; finished cells are kept, the same command goes on\n", stderr);
        return ExitStatus::Interrupted;
    }
    return done ? status : report(done.error());
}

} // namespace

ExitStatus sweepCommand(const SweepOptions& options) {
    if (options.cell >= 0) {
        return computeCell(options);
    }
    if (options.slurmTask >= 0) {
        return slurmTask(options);
    }
    auto study = readStudyInput(options.study, options.settings);
    if (!study) {
        return report(study.error());
    }
    const auto folder = studyFolderOf(options);
    if (!folder) {
        return report(folder.error());
    }
    const auto absent = leaveOutAbsentData(*study);
    if (!absent) {
        return report(absent.error());
    }
    for (const std::string& file : *absent) {
        std::fprintf(stderr, "left out, as it is not here: %s\n", file.c_str());
    }
    auto cells = studyCells(*study, builtInCatalog());
    if (!cells) {
        return report(cells.error());
    }
    InterruptWatch interrupt;
    SweepProgress progress(progressStyle(options.progress));
    StudyResults results = readStudyResults(*folder, std::move(*study), std::move(*cells));
    for (CellStatus& status : results.states) {
        if (options.retry && status.state == CellState::Failed) {
            status = {};
        }
    }
    if (const auto checked = checkStudyData(results, progress, interrupt.token()); !checked) {
        progress.clear();
        return report(checked.error());
    }
    const auto lock = lockStudyFolder(*folder); // the cells' processes read study.json
    if (!lock) {
        return report(lock.error());
    }
    if (auto idle = checkNoSlurmJob(*folder); !idle) {
        return report(idle.error());
    }
    if (auto opened = openStudyFolder(*folder, results.study, LAMBDASCOPE_VERSION); !opened) {
        return report(opened.error());
    }
    if (options.slurm) {
        progress.clear();
        return submitToSlurm(*folder, results, options);
    }
    return computeHere(*folder, results, options, progress, interrupt.token());
}

} // namespace lambdascope::cli
