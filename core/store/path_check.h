// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_lens.h"
#include "core/run/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope {

/// path.csv of a lane, as it stands on disk.
struct StoredPath {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

/// Reads a path.csv. A last line that a killed process left unfinished is ignored. Errors: FileNotFound,
/// FileUnreadable, or InvalidData with file and line.
Result<StoredPath> readStoredPath(const std::filesystem::path& file);

/// The finished points of a record, in the same form.
[[nodiscard]] StoredPath storedPath(const RunRecord& record);

/// How a stored path differs from the one computed again.
struct PathCheck {
    std::int32_t points = 0;           ///< compared
    std::int64_t differences = 0;      ///< values, rows and columns that are not the same
    std::vector<std::string> examples; ///< at most ten
};

/// Compares all columns to the last bit, but for times (unit s) and test errors that the run did not measure.
[[nodiscard]] PathCheck comparePath(const StoredPath& stored, const std::vector<ColumnDescription>& columns,
                                    const std::vector<RecomputedPoint>& computed);

} // namespace lambdascope
