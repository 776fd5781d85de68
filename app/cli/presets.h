// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// A bundled experiment.
struct Preset {
    std::string id; ///< file name without .json
    std::string name;
    std::string family;
    std::string description;
};

/// All presets, by id.
[[nodiscard]] std::vector<Preset> listedPresets();

/// The ids of the bundled studies, in order.
[[nodiscard]] std::vector<std::string> listedStudies();
/// The file of a bundled study. Error: FileNotFound with the nearest id as a guess.
Result<std::filesystem::path> studyPresetFile(const std::string& id);

/// The file of a preset. Error: BadUsage with the nearest id as a guess.
Result<std::filesystem::path> presetFile(const std::string& id);

} // namespace lambdascope::cli
