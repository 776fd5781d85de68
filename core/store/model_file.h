// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_event.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lambdascope {

/// What a lane learned at one path point, as other programs take it. Names are those of variables: letters, digits and
/// underscores.
struct LearnedModel {
    std::vector<std::pair<std::string, std::string>> texts;              ///< "lane" …
    std::vector<std::pair<std::string, double>> numbers;                 ///< "point" …
    std::vector<std::pair<std::string, std::vector<std::string>>> lists; ///< "classes" …
    std::vector<NamedMatrix> arrays;                                     ///< "M" …; columns alone are vectors
};

enum class ModelFormat {
    Npz,  ///< NumPy's archive, not compressed: float64 arrays, texts as unicode arrays
    Csv,  ///< per array a line "# name rows columns", then its rows; texts and numbers likewise
    Json, ///< one object; matrices as lists of rows
    Mat,  ///< MATLAB's level 5 MAT-file, not compressed: double arrays, char arrays, cell arrays of texts
};
[[nodiscard]] std::optional<ModelFormat> modelFormat(std::string_view word); ///< "npz", "csv", "json", "mat"

/// The bytes of a file. Numbers are exact in all formats; JSON writes those that are not finite as texts ("nan").
/// Errors: OutOfMemory beyond what the format can hold (4 GB in npz, 2 GB in mat).
Result<std::string> modelFile(const LearnedModel& model, ModelFormat format);

} // namespace lambdascope
