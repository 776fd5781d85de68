// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lambdascope {

/// Where a file is that an experiment names.
struct FilePlace {
    std::optional<std::filesystem::path> path; ///< nothing when it is in none of the folders
    std::string tried;                         ///< the folders, for messages; empty when there is none
};

/// Absolute paths stand for themselves; others are looked for in `places.folders`, in order (in the working folder when
/// there are none).
[[nodiscard]] FilePlace findFile(const std::string& name, const DataPlaces& places);

} // namespace lambdascope
