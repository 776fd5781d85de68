// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/record/run_record.h"

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

} // namespace lambdascope
