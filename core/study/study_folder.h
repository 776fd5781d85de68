// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/folder_lock.h"
#include "core/study/lane_measures.h"
#include "core/study/study_cells.h"

#include <filesystem>
#include <string>
#include <vector>

// The folder of a study:
//
//     study.json            the study, with its experiment and all values
//     cells/NAME/           run folder of a finished cell, with cell.json: what the tables keep of it
//     failed/NAME/          what there is of a failed one, with its messages in the file log
//     work/                 cells at work; what a killed process leaves there is removed by the next one
//     cells.csv, study.csv  the tables
//
// A cell is finished when its folder stands in cells/: it gets there whole, by being renamed.

namespace lambdascope {

/// What a cell that was computed came to.
struct CellResult {
    double seconds = 0; ///< from the start of its process
    double cpu = 0;     ///< CPU seconds of the process, reading and writing included
    double bytes = 0;   ///< most memory that it had
    std::vector<LaneResult> lanes;
};

enum class CellState { Missing, Finished, Failed };

/// How far a cell is.
struct CellStatus {
    CellState state = CellState::Missing;
    CellResult result;   ///< of a finished one
    std::string failure; ///< why it failed
};

/// Whether a study can be kept in `folder`: it must be absent, empty, or a study's folder. Changes nothing. Errors:
/// FileUnwritable with a remedy.
Result<void> checkStudyFolder(const std::filesystem::path& folder);
/// Makes the folder, and writes study.json where it says something else.
Result<void> openStudyFolder(const std::filesystem::path& folder, const Study& study, const std::string& version);

/// Reads how far a cell is. A damaged cell.json counts as none.
[[nodiscard]] CellStatus readCellStatus(const std::filesystem::path& folder, const StudyCell& cell);

/// Writes cell.json into the run folder `work` and moves that among the finished cells, in place of one of that name
/// that is damaged. Error: FileUnwritable.
Result<void> finishCell(const std::filesystem::path& folder, const std::filesystem::path& work, const Study& study,
                        const StudyCell& cell, const CellResult& result);
/// Moves what there is of a cell, and the file `log` that tells why it failed, among the failed ones.
Result<void> failCell(const std::filesystem::path& folder, const std::filesystem::path& work,
                      const std::filesystem::path& log, const StudyCell& cell);
/// Forgets that a cell has failed.
void forgetFailure(const std::filesystem::path& folder, const StudyCell& cell);

/// Makes the folder of a study and holds it for this process: one at a time may compute it. Waits a moment for one that
/// was killed. Error: FileUnwritable.
Result<FolderLock> lockStudyFolder(const std::filesystem::path& folder);

} // namespace lambdascope
