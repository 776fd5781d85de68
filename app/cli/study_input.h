// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study_tables.h"

#include <string>
#include <vector>

namespace lambdascope::cli {

/// Reads a study from a file, the name of a bundled one, "-" for standard input, or the folder of a study. Of the
/// "key=value" of --set, those that begin with axes or name change the study, all others its experiment.
Result<Study> readStudyInput(const std::string& fileOrFolder, const std::vector<std::string>& settings);

/// The study in a folder, with how far all cells are.
Result<StudyResults> readStudyFolder(const std::string& folder);

/// Whether a folder holds a study.
[[nodiscard]] bool isStudyFolder(const std::string& folder);

} // namespace lambdascope::cli
