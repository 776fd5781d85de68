// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/data/data_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// A record of a table as it stands in its file.
struct HeadRecord {
    std::size_t line = 0; ///< where it begins, from 1; 0 for data that have no lines
    std::vector<std::string> cells;
    std::vector<std::size_t> columns; ///< where each cell begins in its line, from 1; empty without lines
};

/// The first records of a source, those of its first part in which something is wrong, and how it names its columns.
struct DataHead {
    std::vector<std::string> columns; ///< as in the file, else "1", "2", …
    bool hasNames = false;            ///< the file names its columns
    bool isRaw = false;               ///< cells are texts of the file rather than numbers that were read from it
    std::vector<HeadRecord> records;
};

/// Two principal axes of the data, scaled as the experiment asks, and some of their rows along them.
struct AxesPicture {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<std::int32_t> classes; ///< position in DataProfile::classes, −1 for none; empty for no labels
    std::vector<std::int64_t> rows;    ///< numbers of the rows, from 0
    std::string note;                  ///< such as "PCA to 2 dimensions, 96.1% of the variance"
};

struct ProfiledClass {
    std::string name;
    std::int64_t rows = 0;
};

struct ProfiledFeature {
    std::string name; ///< as in the file, else its number from 1
    double lowest = 0;
    double highest = 0;
    double mean = 0;
    std::int64_t missing = 0; ///< values; with all of them missing the numbers before are NaN
};

/// What a source of data holds, before any problem is posed on it and before anything is scaled or left out.
struct DataProfile {
    static constexpr std::size_t kMostFeatures = 1000;
    static constexpr std::size_t kMostRecords = 12;
    static constexpr std::size_t kMostPoints = 2000;

    std::string name;
    std::vector<std::string> notes; ///< format first: "CSV", "labels from column 5 (class)", …
    std::string sha256;             ///< of the file; empty while only its beginning was looked at
    bool isWhole = true;            ///< false: numbers are those of the first lines
    std::int64_t rows = 0;
    std::int64_t features = 0;
    bool isSparse = false;
    std::int64_t missingValues = 0;
    std::int64_t missingLabels = 0;
    std::int64_t incompleteRows = 0;       ///< with any missing value or label
    std::vector<ProfiledClass> classes;    ///< as the file has them; empty for no labels
    bool hasTargets = false;               ///< rows have numbers to fit in place of labels
    std::vector<ProfiledFeature> measures; ///< of the first kMostFeatures features
    DataHead head;
    std::optional<AxesPicture> picture;
    std::optional<Error> fault;             ///< why these data cannot be used; what is known is there nevertheless
    std::shared_ptr<const Dataset> dataset; ///< prepared as the experiment asks; null with a fault, and for a part
};

/// How much is looked at: of a text file only the look ahead (1 MiB), quickly, or all. A smaller file is read whole.
enum class ProfileExtent { Head, Whole };

/// Reads what `config` names and tells what is in it. Missing values are counted also where data.missing forbids them;
/// they are then the fault. What is wrong becomes `fault`, with all places; Stopped likewise. Cost O(values), and for
/// the picture at most 4,000 rows, or 400 of more than 400 features.
[[nodiscard]] DataProfile profileData(const DataConfig& config, const DataPlaces& places, ProfileExtent extent,
                                      const DataProgress& progress = {}, std::stop_token stop = {});

/// "CSV, 178 rows × 13 features, 3 classes, 2 missing values"; of a head: "the first 9,812 rows …".
[[nodiscard]] std::string profileSentence(const DataProfile& profile);

} // namespace lambdascope
