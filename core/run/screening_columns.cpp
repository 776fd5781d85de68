// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/screening_columns.h"

#include "core/run/path_task.h"

namespace lambdascope {

void addScreeningColumns(std::vector<ColumnDescription>& columns) {
    columns.insert(columns.end(), {
                                      {"path_R", "Screened to R (path)", "", ColumnRole::PathFixed, true},
                                      {"path_L", "Screened to L (path)", "", ColumnRole::PathFixed, true},
                                      {"path_rate", "Screening rate (path)", "", ColumnRole::PathRate, false},
                                      {"final_R", "Screened to R (final)", "", ColumnRole::FinalFixed, true},
                                      {"final_L", "Screened to L (final)", "", ColumnRole::FinalFixed, true},
                                      {"final_rate", "Screening rate (final)", "", ColumnRole::FinalRate, false},
                                      {"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
                                      {"cpu_screen", "CPU time, screening", "s", ColumnRole::CpuScreen, false},
                                      {"wall", "Wall time", "s", ColumnRole::Wall, false},
                                  });
}

void addScreeningValues(const ScreeningOutcome& outcome, std::vector<double>& values) {
    const auto count = [](std::int64_t value) { return static_cast<double>(value); };
    const auto addFixed = [&](const FixedItems& fixed) {
        values.insert(values.end(),
                      {count(fixed.low), count(fixed.high), screeningRate(fixed.sum(), outcome.decidable)});
    };
    addFixed(outcome.path);
    addFixed(outcome.last);
    values.insert(values.end(), {outcome.cpuSolve, outcome.cpuScreen, outcome.wall});
}

} // namespace lambdascope
