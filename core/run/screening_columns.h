// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/report_row.h"

#include <cstdint>
#include <vector>

namespace lambdascope {

/// Items that screening has decided, by the end of the item's range they are fixed at (R and L in the papers).
struct FixedItems {
    std::int64_t low = 0;
    std::int64_t high = 0;
    [[nodiscard]] std::int64_t sum() const { return low + high; }
};

/// What screening did at one point of a path, and the time it took.
struct ScreeningOutcome {
    FixedItems path;            ///< on arrival, from the reference of the point
    FixedItems last;            ///< by all checks before the point was solved
    std::int64_t decidable = 0; ///< items that are fixed at the optimum
    double cpuSolve = 0;        ///< seconds
    double cpuScreen = 0;
    double wall = 0;
};

/// Fact of a lane (LaneDescription::facts) that begins a point, where that pays, without what the solution before had
/// decided, and proves the result on all items: in words, what it begins with. That saves work and is no screening.
inline constexpr const char* kActiveStartFact = "begins_with";

/// The columns path_R … wall (counts, shares of the decidable items, seconds) that every path with screening has.
void addScreeningColumns(std::vector<ColumnDescription>& columns);

/// Sets them.
void setScreeningValues(const ScreeningOutcome& outcome, ReportRow& row);

} // namespace lambdascope
