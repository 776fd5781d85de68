// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"
#include "core/store/run_resume.h"

#include <optional>
#include <vector>

namespace lambdascope {

/// An experiment in the library whose lanes have not all ended.
struct LibraryRunToResume {
    LibraryExperimentId id;
    Json document;
    std::vector<LaneToResume> lanes;               ///< of the document
    std::vector<std::optional<LibraryRunId>> runs; ///< aligned with them; nothing for lanes that had not begun
};

/// Finds where the lanes of an experiment in the library go on; the same as readRunToResume() of a run folder. The
/// library keeps a state together with its point, so that none is without its rows.
Result<LibraryRunToResume> readRunToResume(const RunLibrary& library, LibraryExperimentId id);

} // namespace lambdascope
