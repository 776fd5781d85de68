// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/typed_table.h"
#include "core/record/run_record.h"

#include <string>
#include <vector>

namespace lambdascope::cli {

/// A run folder as `compare` sees it.
struct ComparedRun {
    std::string folder; ///< as given
    std::string name;   ///< of the experiment
    std::string family;
    std::string data; ///< source of the data
    std::vector<RunRecord> lanes;
    std::vector<std::string> missing; ///< lanes that run.json lists and the folder does not hold
};

/// One row per lane of all runs. Columns that no lane fills are left out, cells that a lane cannot fill are empty.
/// Ratios of times that are too short to tell are words for people, and empty in CSV.
[[nodiscard]] TypedTable comparisonTable(const std::vector<ComparedRun>& runs);

/// An array with an object per row, numbers exact; what a row does not have is left out.
[[nodiscard]] std::string jsonText(const TypedTable& table);

} // namespace lambdascope::cli
