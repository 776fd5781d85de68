// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment.h"

#include <QString>

#include <vector>

namespace lambdascope {

/// An experiment file of resources/presets.
struct PresetListing {
    QString name;    ///< file name without ".json"; for loadPreset and `lambdascope-cli run`
    QString title;   ///< "name" in the file
    QString summary; ///< "description" in the file, else family, data and number of lanes
};

/// All bundled presets that read without fault, by file name.
[[nodiscard]] std::vector<PresetListing> listedPresets(const SchemaCatalog& catalog);

/// The file of a preset, existing or not.
[[nodiscard]] QString presetFile(const QString& name);

} // namespace lambdascope
