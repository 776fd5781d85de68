// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"
#include "core/data/data_source.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// Reads what a word on the command line names: a data file, a bundled data set or toy:NAME. Nothing is scaled or left
/// out but by --set data.KEY=VALUE. Shows progress on a terminal; `command` is named in messages.
Result<std::shared_ptr<const Dataset>> readData(const std::string& command, const std::string& source,
                                                const std::vector<std::string>& settings, const std::stop_token& stop);

/// Which data that is: `section`, the source, and over both the settings. Errors: faults of `settings`; BadUsage for
/// the source "none".
Result<DataConfig> dataConfigOf(const std::string& command, const std::string& source,
                                const std::vector<std::string>& settings, Json section = {{"scale", "none"}});

/// Bundled sets, and files from the working folder on.
[[nodiscard]] DataPlaces workingPlaces();

/// Whether a file may be written. Errors: FileUnwritable when it is there and `force` is not given.
Result<void> checkOutput(const std::string& file, bool force);

} // namespace lambdascope::cli
