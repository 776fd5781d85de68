// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of a path of this family, and what fills them.
#pragma once

#include "core/pu/problem/pu_config.h"
#include "core/pu/solver/point_solver.h"
#include "core/run/report_row.h"

#include <vector>

namespace lambdascope::pu {

/// Whether a lane tells what the finished solution says of samples that it did not screen.
[[nodiscard]] bool judgesAfterwards(const LaneConfig& lane);

[[nodiscard]] std::vector<ColumnDescription> columnsFor(PathKind kind, const LaneConfig& lane);

/// Sets by s and what screening found of them.
void setScreened(const PuProblem& problem, const PointOutcome& outcome, bool isJudgedAfterwards, ReportRow& row);

/// What the values f of all samples are worth, on the samples themselves.
void setMeasures(const PuProblem& problem, const Eigen::VectorXd& values, ReportRow& row);

} // namespace lambdascope::pu
