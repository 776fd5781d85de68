// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/run/experiment.h"

#include <QString>

#include <utility>
#include <vector>

namespace lambdascope {

/// A heading and lines of "what: value".
struct DetailGroup {
    QString title;
    std::vector<std::pair<QString, QString>> rows;
    bool isCompact = false; ///< short names and long values: shown as one text per row
    bool isFolded = false;  ///< shown by its title until somebody asks
    bool operator==(const DetailGroup&) const = default;
};

/// A run with the name it is shown under.
struct NamedRun {
    QString name;
    const RunRecord* record = nullptr;
};

/// A value of a path table as people read it: whole numbers grouped, seconds as durations, rates in percent.
[[nodiscard]] QString valueText(const ColumnDescription& column, double value);

/// State, termination, totals and settings of a lane. `catalog` gives fields their labels.
[[nodiscard]] DetailGroup laneDetails(const NamedRun& run, const RunRecord* baseline, const SchemaCatalog& catalog);
/// All columns of the finished point `index`.
[[nodiscard]] DetailGroup pointDetails(const RunRecord& record, int index);
/// What else the lane tells there: parts of times, sizes of sets, whatever its family counts.
[[nodiscard]] DetailGroup otherDetails(const RunRecord& record, int index);
/// One line per lane: rate, iterations and CPU at path point `index`.
[[nodiscard]] DetailGroup lanesAtPoint(const std::vector<NamedRun>& runs, int index);
/// The facts the family tells about the problem.
[[nodiscard]] DetailGroup problemFacts(const RunRecord& record);

/// The same as plain text, for copying and for screen readers.
[[nodiscard]] QString detailText(const std::vector<DetailGroup>& groups);

} // namespace lambdascope
