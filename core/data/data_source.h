// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_config.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

class Dataset;
template <class Config>
class FieldTable;

const FieldTable<DataConfig>& dataFields();

/// Appends a fault for each setting that would change a square matrix of `kind`, such as "kernel matrix", whose rows
/// and columns belong together.
void checkMatrixIsKept(const DataConfig& data, const std::string& kind, std::vector<Fault>& faults);
/// Appends a fault for each setting that would leave rows out or change them, where `numbered`, such as "ids in
/// problem.file count", relies on their numbers. `orElse` ends the remedies: ", or data.source to \"none\"".
void checkRowsAreKept(const DataConfig& data, const std::string& numbered, const std::string& orElse,
                      std::vector<Fault>& faults);

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

/// What can be told of data besides their numbers.
struct DatasetFacts {
    std::int64_t rows = 0;
    std::int64_t features = 0;
    bool isSparse = false;
    bool isLabelled = false;
    bool hasTargets = false; ///< numbers to fit in place of labels
    std::vector<std::string> classNames;
    std::string sourceSha256;  ///< see Dataset::Parts
    std::string contentSha256; ///< likewise
};
[[nodiscard]] DatasetFacts factsOf(const Dataset& data);

/// A bundled data set or generator, for `list data`, welcome page and form.
struct DataListing {
    std::string source; ///< value for DataConfig::source
    std::string title;
    std::string summary; ///< size, classes, provenance in a sentence
};
[[nodiscard]] std::vector<DataListing> listedData();

} // namespace lambdascope
