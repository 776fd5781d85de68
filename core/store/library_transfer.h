// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// What came of taking runs into the library.
struct ImportedRuns {
    std::vector<LibraryExperimentId> added; ///< in the order of their folders' names
    std::size_t known = 0;                  ///< were in the library already, by their beginning and experiment
};

/// How many of how many folders are done.
using TransferProgress = std::function<void(std::size_t done, std::size_t all)>;

/// Takes the run in a run folder into the library; or those of all finished cells of a study, tagged by its name; or
/// those of all run folders in `folder`. What audits said of them and when they began comes along, what their figures
/// of ranges were made of does not. A run that fails to be read is not there afterwards, those before it are. Stops
/// between two runs. Errors: those of readRunFolder(); BadUsage when no run is there, or one is being computed;
/// FileUnwritable.
Result<ImportedRuns> importRuns(const std::shared_ptr<RunLibrary>& library, const std::filesystem::path& folder,
                                const TransferProgress& progress = {}, const std::stop_token& stop = {});

/// Writes an experiment of the library as a run folder, which is to be absent or empty: the same tables as when it was
/// computed, but for thinned iterations and for ranges, and what audits said. `version` is the program's. Errors:
/// those of the library; BadUsage while it is being computed; FileUnwritable.
Result<void> exportRun(const RunLibrary& library, LibraryExperimentId id, const std::filesystem::path& folder,
                       const std::string& version);

/// A name for its folder among others: "12-iris-six-lanes".
[[nodiscard]] std::string folderNameOf(const LibraryExperiment& experiment);

} // namespace lambdascope
