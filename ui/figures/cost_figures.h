// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// Where the CPU time of a lane went: a bar per path point, stacked by kind of work, the baseline's time as a line,
/// that of the oracle lane which knows its sets as another ("no rule can do better"), and a mark where screening has
/// earned back its cost (core/record/record_metrics.h, breakEven). `highest` is the upper end of the axis, so that
/// several lanes can share one; 0 for what this lane needs.
[[nodiscard]] ShapeFigure ledgerFigure(const ShownRun& run, double highest = 0);

/// The upper end that shows the ledgers of all runs.
[[nodiscard]] double highestCpu(const std::vector<ShownRun>& runs);

/// "pays from λ = 12.5 on", "not earned back yet", "baseline"; empty without a baseline.
[[nodiscard]] QString breakEvenText(const ShownRun& run);

} // namespace lambdascope
