// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/study/study_tables.h"

#include <filesystem>

namespace lambdascope::cli {

// A study as a job array of Slurm. Its folder gets slurm/cells, the numbers of the cells that were missing, a line
// each; slurm/job.sh, the script, whose task k computes the k-th chunk of them; slurm/job, the number of the job; and a
// log per task. A cell that is finished stays so, whatever becomes of its task.

/// Writes and submits the job. Errors are told: no sbatch, or what it says.
ExitStatus submitToSlurm(const std::filesystem::path& folder, const StudyResults& results, const SweepOptions& options);

/// Of a task of the job: computes its cells.
ExitStatus slurmTask(const SweepOptions& options);

/// Error: FileUnwritable while a job of Slurm computes the study.
Result<void> checkNoSlurmJob(const std::filesystem::path& folder);

} // namespace lambdascope::cli
