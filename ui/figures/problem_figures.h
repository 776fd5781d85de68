// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

#include <string>
#include <vector>

namespace lambdascope {

/// Whether the points of a run consist of several problems, whose numbers it has.
[[nodiscard]] bool hasProblems(const RunRecord& record);

/// What a picture of the problems of these runs may show, rates first: columns that some problem has a number of.
[[nodiscard]] std::vector<ColumnDescription> problemMeasures(const std::vector<ShownRun>& runs);

/// A measure of every problem at every path point: points across, problems from the top in their order.
[[nodiscard]] HeatmapFigure problemsFigure(const ShownRun& run, const ColumnDescription& measure);

} // namespace lambdascope
