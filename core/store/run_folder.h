// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"
#include "core/record/run_record.h"

#include <filesystem>
#include <vector>

namespace lambdascope {

/// What to do with a folder that holds an earlier run.
enum class ExistingRun {
    Refuse,  ///< fail and say so
    Replace, ///< remove the files of the earlier run (those a run folder has, nothing else), then write
};

/// Looks whether a run can be written to `folder`, and changes nothing: it must be absent below a writable folder,
/// empty, or hold an earlier run and `existing` be Replace. Errors: FileUnwritable with a remedy.
Result<void> checkRunFolder(const std::filesystem::path& folder, ExistingRun existing);

/// The records of a run folder, in lane order, under new run ids of this process. A last line that a killed process
/// left unfinished is ignored; a run without an end reads as Interrupted (Running while its process lives). Errors:
/// FileNotFound, FileUnreadable, or InvalidData with file and line.
Result<std::vector<RunRecord>> readRunFolder(const std::filesystem::path& folder);

/// The same as events, a list per lane, with the solutions in them. Lanes that had not begun are left out.
Result<std::vector<std::vector<RunEvent>>> readRunEvents(const std::filesystem::path& folder);

/// run.json of a run folder.
Result<Json> readRunSummary(const std::filesystem::path& folder);

} // namespace lambdascope
