// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/json.h"
#include "core/study/seed_statistics.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

struct Study;
struct StudyResults;

/// A number printed in the paper that a study repeats.
struct StudyPublished {
    std::string label;   ///< for people: "F-measure, australian"
    double value = 0;    ///< as printed
    std::string measure; ///< as in study.csv: "f_measure"
    std::string lane;
    std::string source; ///< "[P, table III]"
    std::string note;   ///< what differs between theirs and ours; may be empty
    std::vector<std::pair<std::string, std::string>>
        where; ///< fields of axes with the value they have, as in study.csv
};

/// Reads the "published" list of a study: objects {"label", "value", "measure", "lane", "source", "note", "where"}, the
/// last an object of fields of the study's axes. Appends faults.
[[nodiscard]] std::vector<StudyPublished> readStudyPublished(const Json& given, const Study& study,
                                                             std::vector<Fault>& faults);
[[nodiscard]] Json writeStudyPublished(const std::vector<StudyPublished>& numbers);

/// A published number, and ours over the seeds: nothing when no combination, or more than one, is like that, or none of
/// its cells is finished.
struct StudyPublishedComparison {
    StudyPublished published;
    std::optional<SeedStatistics> ours;
};
[[nodiscard]] std::vector<StudyPublishedComparison> compareStudyPublished(const StudyResults& results);

/// "0.712 [0.701, 0.723]": mean and its interval, if there is one.
[[nodiscard]] std::string meanText(const SeedStatistics& statistics);

} // namespace lambdascope
