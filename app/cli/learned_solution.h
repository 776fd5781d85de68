// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/opened_run.h"

#include <memory>
#include <string>

namespace lambdascope::cli {

/// The solution of one path point of one lane of a run.
struct LearnedSolution {
    OpenedRun run; ///< with the lane, and the one whose sets it knows, if it is an oracle
    std::string lane;
    std::int32_t point = 0;
    std::shared_ptr<const Solution> solution;
};

/// Opens a run folder and takes the solution from it, or computes the lane again up to that point. `lane` empty: the
/// first; `point` "last" or a number from 0. Errors: those of opening; BadUsage; Stopped.
Result<LearnedSolution> readLearnedSolution(const std::string& folder, const std::string& lane,
                                            const std::string& point, const std::string& dataFolder,
                                            ProgressSink& progress, const std::stop_token& stop);

/// "last" as −1, or a number from 0. Error: BadUsage.
Result<std::int64_t> pointNumber(const std::string& word);

/// The rows of the data that `input` names, prepared as those of the run; those of the run where it is empty.
/// `settings` say how they are read; `command` is named in messages. Errors: see loadAlike().
Result<std::shared_ptr<const Dataset>> rowsFor(const OpenedRun& run, const std::string& command,
                                               const std::string& input, const std::vector<std::string>& settings,
                                               const std::stop_token& stop);

/// psdFactor() of a solution's "M", or of the matrix whose diagonal is "m". Error: Internal when it fails.
Result<MatrixValues> factorOf(const NamedMatrix& metric);

} // namespace lambdascope::cli
