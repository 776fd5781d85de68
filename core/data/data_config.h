// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lambdascope {

enum class DataFormat { Guess, Libsvm, Csv, Tsv, Arff, Npy, Hdf5, Mat73, DenseText };
enum class Scaling { None, MinMax, Standardize, UnitNorm };
enum class Storage { AsStored, Dense, Sparse };
enum class MissingPolicy { Fail, DropRows, Mean };

/// A source without rows, for problems that need none.
inline constexpr std::string_view kNoSource = "none";

/// The "data" section of an experiment: where samples come from and how they are prepared, in this order:
/// read → edits → missing values → subset of rows → scaling → PCA.
struct DataConfig {
    std::string source = "iris"; ///< bundled name, "toy:NAME", a path, kPaintedSource or kNoSource
    DataFormat format = DataFormat::Guess;
    std::string labels = "auto"; ///< label column: "auto", "none", "first", "last", a name, or a number from 1
    std::string target =
        "auto";        ///< column of numbers that regression fits: "auto", "first", "last", a name, or a number
    std::string edits; ///< changes to single rows, see readEdits()
    MissingPolicy missing = MissingPolicy::Fail;
    Scaling scale = Scaling::MinMax;
    std::optional<std::int64_t> pca; ///< dimensions kept; nothing for all
    double subset = 1;               ///< share of rows kept, in (0, 1], stratified by class
    std::uint64_t seed = 1;
    Storage storage = Storage::AsStored;
    bool operator==(const DataConfig&) const = default;
};

} // namespace lambdascope
