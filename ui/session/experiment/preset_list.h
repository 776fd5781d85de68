// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment.h"

#include <QString>

#include <vector>

namespace lambdascope {

/// An experiment file of resources/presets.
struct PresetListing {
    QString name;    ///< file name without ".json"; for loadPreset and `lambdascope-cli run`
    QString title;   ///< "name" in the file
    QString summary; ///< "description" in the file, else family, data and number of lanes
    std::string family = {};
};

/// Examples that belong together: those of one family, or what one of them remakes of a paper.
struct PresetGroup {
    QString family; ///< title of the family
    QString paper;  ///< "Yoshida et al."; empty: examples of no paper
    QString reference;
    std::vector<PresetListing> presets; ///< by title; numbers in it by their size
};

/// All bundled presets that read without fault, by file name.
[[nodiscard]] std::vector<PresetListing> listedPresets(const SchemaCatalog& catalog);

/// The same by family, in the order of the catalogue; those of no paper first.
[[nodiscard]] std::vector<PresetGroup> groupedPresets(const SchemaCatalog& catalog);

/// All bundled studies, by title; a study's family is that of its experiment, which stands elsewhere.
[[nodiscard]] std::vector<PresetListing> listedStudies();

/// Whether `a` comes before `b` where "Figure 6a" comes before "Figure 10".
[[nodiscard]] bool comesBefore(const QString& a, const QString& b);

/// The file of a preset, existing or not.
[[nodiscard]] QString presetFile(const QString& name);

} // namespace lambdascope
