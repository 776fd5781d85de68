// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment.h"
#include "core/study/study.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lambdascope {

/// One combination of values of a study, its seed among them.
struct StudyCell {
    std::size_t number = 0;           ///< from 0; the last axis turns fastest
    std::size_t combination = 0;      ///< of the values without the seed; cells of one differ by their seeds alone
    std::vector<std::size_t> choices; ///< one per axis: position in StudyAxis::values
    std::string name;                 ///< that of its folder: what it is, and a digest of the whole experiment
    std::string label;                ///< for people: "k = 3, source = wine, seed = 2"
    std::vector<std::string> laneNames;
};

/// The cell's position in each axis.
[[nodiscard]] std::vector<std::size_t> choicesOf(const Study& study, std::size_t number);

/// The checked experiment of a cell, called by the study's name and the cell's label. Error: InvalidConfiguration.
Result<Validated<Experiment>> cellExperiment(const Study& study, const std::vector<std::size_t>& choices,
                                             const SchemaCatalog& catalog);

/// The cell that this experiment is. Cells of the same experiment but for its name and texts have one name, whatever
/// the study is: what one study has computed, another may use.
[[nodiscard]] StudyCell cellOf(const Study& study, std::size_t number, const Experiment& experiment);

/// All cells, each checked. Error: InvalidConfiguration with all faults of all cells, each once, with how many cells
/// have it.
Result<std::vector<StudyCell>> studyCells(const Study& study, const SchemaCatalog& catalog);

/// A value as a column of text holds it: a text as it is, all else as JSON.
[[nodiscard]] std::string valueText(const Json& value);

} // namespace lambdascope
