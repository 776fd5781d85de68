// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/progress_sink.h"
#include "core/run/experiment_runner.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// A run folder with its experiment prepared again on the same data, so that its lanes can be looked into.
struct OpenedRun {
    std::filesystem::path folder;
    Json summary; ///< run.json
    std::unique_ptr<ExperimentRunner> runner;
    DataPlaces places;                 ///< where its data were looked for
    std::vector<std::string> pathless; ///< lanes wished for that have no path.csv; the runner does not know them
};

/// Opens a run folder for those of `lanes`, or of all its lanes, that have a path. Relative data are looked for in
/// `dataFolder` first, when that is not empty. Errors: those of reading; InvalidData when the data are not those of the
/// run or no lane has a path; Stopped. `wishes` are for those who run the lanes again.
Result<OpenedRun> openRun(const std::string& folder, const std::vector<std::string>& lanes,
                          const std::string& dataFolder, ProgressSink& progress, const std::stop_token& stop,
                          const RunWishes& wishes = {});

/// Where the data of a run folder are looked for, `dataFolder` first unless it is empty.
[[nodiscard]] DataPlaces placesOf(const std::filesystem::path& folder, const std::string& dataFolder);
/// InvalidData unless the data are those of the run.
Result<void> checkData(const Json& summary, const DatasetFacts& data);

/// The path point asked for, or with −1 the last one that the lane finished. Errors: those of reading its path.csv;
/// BadUsage when there is no such point.
Result<std::int32_t> finishedPoint(const OpenedRun& run, const std::string& lane, std::int64_t asked);

} // namespace lambdascope::cli
