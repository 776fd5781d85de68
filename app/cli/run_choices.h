// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/progress_sink.h"
#include "core/run/experiment.h"

#include <string>
#include <vector>

namespace lambdascope::cli {

/// Lane names from the arguments of --lanes: each split at commas, but not within a lane name that has commas itself.
[[nodiscard]] std::vector<std::string> splitLanes(const std::vector<std::string>& given, const Experiment& experiment);

/// What --progress asks for: a bar on a terminal, else a line now and then, unless it says otherwise.
[[nodiscard]] ProgressStyle progressStyle(const std::string& word);

} // namespace lambdascope::cli
