// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field_table.h"
#include "core/data/dataset.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace lambdascope {

enum class DataFormat { Guess, Libsvm, Csv, Tsv, Arff, Npy, Hdf5, Mat73, DenseText };
enum class Scaling { None, MinMax, Standardize, UnitNorm };
enum class Storage { AsStored, Dense, Sparse };
enum class MissingPolicy { Fail, DropRows, Mean };

/// A source without rows, for problems that need none.
inline constexpr std::string_view kNoSource = "none";

/// The "data" section of an experiment: where samples come from and how they are prepared, in this order:
/// read → missing values → subset of rows → scaling → PCA.
struct DataConfig {
    std::string source = "iris"; ///< bundled name, "toy:NAME", a path, or kNoSource
    DataFormat format = DataFormat::Guess;
    std::string labels = "auto"; ///< label column: "auto", "none", "first", "last", a name, or a number from 1
    MissingPolicy missing = MissingPolicy::Fail;
    Scaling scale = Scaling::MinMax;
    std::optional<std::int64_t> pca; ///< dimensions kept; nothing for all
    double subset = 1;               ///< share of rows kept, in (0, 1], stratified by class
    std::uint64_t seed = 1;
    Storage storage = Storage::AsStored;
    bool operator==(const DataConfig&) const = default;
};
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
