// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace lambdascope {

class RunLibrary;
struct LibraryExperiment;

/// A run whose lanes have not all ended: an experiment of the run library, or a run folder.
struct LeftRun {
    qint64 experiment = 0;        ///< of the library
    std::filesystem::path folder; ///< instead of it, unless empty
};

/// A left run of the library as notices and menus show it.
struct LeftRunListing {
    qint64 experiment = 0;
    QString text;            ///< "wine, six lanes: interrupted at 78 of 100 points"
    bool wasStopped = false; ///< by the user; else its program ended without saying so
};

/// Whether a lane of the experiment was stopped, or its program ended before the lane did.
[[nodiscard]] bool isLeft(const LibraryExperiment& experiment);

/// Those among the newest `limit` experiments of the library, newest first; none without a library.
[[nodiscard]] Result<std::vector<LeftRunListing>> leftRuns(const RunLibrary* library, int limit);

} // namespace lambdascope
