// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lambdascope {

/// How many tasks of a job of Slurm are in each state: "RUNNING", "PENDING (Resources)". Slurm knows those that have
/// ended for some minutes more.
struct SlurmTasks {
    std::map<std::string, int> alive; ///< will compute, or do
    std::map<std::string, int> ended; ///< "COMPLETED", "OUT_OF_MEMORY", "CANCELLED" …

    /// "2 PENDING (Resources), 1 RUNNING; 5 COMPLETED", or "over; 8 COMPLETED".
    [[nodiscard]] std::string text() const;
};

/// Number of the job of Slurm that was submitted last for the study in a folder; empty when none was.
[[nodiscard]] std::string slurmJobOf(const std::filesystem::path& folder);

/// The program, with its arguments, that tells of the tasks of a job.
[[nodiscard]] std::vector<std::string> slurmQuery(const std::string& job);

/// What its end and all that it printed come to. Slurm forgets old jobs and calls them invalid: they are over. Error:
/// Internal when it could not tell.
Result<SlurmTasks> slurmTasksOf(bool hasSucceeded, const std::string& printed);

/// Bytes of memory that the task of Slurm in which this process runs may have; 0 when there is no such task, or no such
/// limit.
[[nodiscard]] double slurmTaskMemory();

} // namespace lambdascope
