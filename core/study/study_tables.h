// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/seed_statistics.h"
#include "core/study/study_folder.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// The cells of a study with how far each is.
struct StudyResults {
    Study study;
    std::vector<StudyCell> cells;
    std::vector<CellStatus> states; ///< aligned with `cells`

    [[nodiscard]] std::size_t count(CellState state) const;
};

/// One lane at one combination of values, over all seeds.
struct StudyRow {
    std::vector<std::string> values; ///< aligned with combinationColumns()
    std::string lane;
    std::size_t finished = 0; ///< cells of the combination that are finished
    std::size_t failed = 0;
    std::size_t missing = 0;
    /// By measure. None where only some of the finished cells have a number.
    std::map<std::string, SeedStatistics> measures;
};

/// The fields of all axes but that of seeds.
[[nodiscard]] std::vector<std::string> combinationColumns(const Study& study);
/// The measures that any lane has, in the order of LaneResult::measures.
[[nodiscard]] std::vector<std::string> measureKeys(const StudyResults& results);
/// By combination in the order of the cells, then by lane in that of the experiment; with one measure alone where it is
/// named, as most of the time goes into intervals. Deterministic.
[[nodiscard]] std::vector<StudyRow> studyRows(const StudyResults& results, const std::string& measure = {});

/// cells.csv: a row per cell and lane. Numbers read back exactly; RFC 4180.
[[nodiscard]] std::string cellsTable(const StudyResults& results);
/// study.csv: a row per combination and lane; of each measure KEY the columns KEY_mean, KEY_median, KEY_q25, KEY_q75,
/// KEY_low and KEY_high.
[[nodiscard]] std::string studyTable(const StudyResults& results);

/// Reads how far all cells are.
[[nodiscard]] StudyResults readStudyResults(const std::filesystem::path& folder, Study study,
                                            std::vector<StudyCell> cells);
/// Writes both tables into the study's folder.
Result<void> writeStudyTables(const std::filesystem::path& folder, const StudyResults& results);

} // namespace lambdascope
