// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field_table.h"
#include "core/data/data_config.h"
#include "core/data/dataset.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace lambdascope {

const FieldTable<DataConfig>& dataFields();

/// Where relative paths and bundled data are looked for.
struct DataPlaces {
    std::vector<std::filesystem::path>
        folders;                   ///< tried in order for relative paths: experiment's folder, working folder
    std::filesystem::path bundled; ///< resources/datasets, in the source tree or as installed
};

/// Share done in [0, 1] and what is going on.
using DataProgress = std::function<void(double share, std::string_view activity)>;

/// Reads and prepares the data of an experiment. Faults name file, line, column and remedy; a stop gives
/// ErrorCode::Stopped. `progress` may be empty.
Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const DataPlaces& places,
                                                   const DataProgress& progress = {}, std::stop_token stop = {});

/// A bundled data set or generator, for `list data`, welcome page and form.
struct DataListing {
    std::string source; ///< value for DataConfig::source
    std::string title;
    std::string summary; ///< size, classes, provenance in a sentence
};
[[nodiscard]] std::vector<DataListing> listedData();

} // namespace lambdascope
