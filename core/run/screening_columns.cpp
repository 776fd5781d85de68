// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/screening_columns.h"

#include "core/run/path_task.h"

namespace lambdascope {

void addScreeningColumns(std::vector<ColumnDescription>& columns) {
    columns.insert(columns.end(),
                   {
                       {"path_R", "Screened to R (on arrival)", "", ColumnRole::PathFixed, true},
                       {"path_L", "Screened to L (on arrival)", "", ColumnRole::PathFixed, true},
                       {"path_rate", "Screening rate (on arrival)", "", ColumnRole::PathRate, false},
                       {"final_R", "Screened to R (before solved)", "", ColumnRole::FinalFixed, true},
                       {"final_L", "Screened to L (before solved)", "", ColumnRole::FinalFixed, true},
                       {"final_rate", "Screening rate (before solved)", "", ColumnRole::FinalRate, false},
                       {"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
                       {"cpu_screen", "CPU time, screening", "s", ColumnRole::CpuScreen, false},
                       {"wall", "Wall time", "s", ColumnRole::Wall, false},
                   });
}

void setScreeningValues(const ScreeningOutcome& outcome, ReportRow& row) {
    row.set("path_R", outcome.path.low);
    row.set("path_L", outcome.path.high);
    row.set("path_rate", screeningRate(outcome.path.sum(), outcome.decidable));
    row.set("final_R", outcome.last.low);
    row.set("final_L", outcome.last.high);
    row.set("final_rate", screeningRate(outcome.last.sum(), outcome.decidable));
    row.set("cpu_solve", outcome.cpuSolve);
    row.set("cpu_screen", outcome.cpuScreen);
    row.set("wall", outcome.wall);
}

} // namespace lambdascope
