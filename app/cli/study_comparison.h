// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/comparison_table.h"
#include "core/study/study_tables.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// The published numbers of a study beside ours, as a table with a title; empty when it has none that can be told of.
[[nodiscard]] std::string publishedBesideOurs(const StudyResults& results, TableFormat format);

/// A table per study: a row per combination of values and lane, with means over the seeds and their 95 % intervals. As
/// CSV the study.csv of each; as JSON (no format) one array over all, each row with the study's name and all
/// statistics.
[[nodiscard]] std::string studyComparison(const std::vector<StudyResults>& studies, std::optional<TableFormat> format);

} // namespace lambdascope::cli
