// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/lane_measurement.h"
#include "tests/benchmarks/metric_runs/table_plan.h"

#include <cstdint>

namespace lambdascope::benchmarks {

/// What all tables amount to.
struct TableTotals {
    std::int64_t decisions = 0;
    std::int64_t wrong = 0;
    std::int64_t undecided = 0;
    int tables = 0;
    int failures = 0; ///< tables and lanes that gave no numbers, though their data are there
};

/// Measures the lanes of a block and prints its table in Markdown, row by row as they come. A block whose data are
/// not there is skipped with a line.
void runTable(const TableBlock& block, TableTotals& totals);

} // namespace lambdascope::benchmarks
