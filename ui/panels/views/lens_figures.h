// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_lens.h"
#include "ui/panels/views/figure_builders.h"

/// Figures from what a RunLens finds out about a lane.
namespace lambdascope {

/// How much of the items a reference solution (rows, in path order upwards) decides at each value of the path parameter
/// (columns, in path order).
[[nodiscard]] HeatmapFigure rangeFigure(const ShownRun& run, const RangeGrid& grid);

/// The balls that the bounds of a lane know the optimum of point `index` to lie in, cut by a plane through the optimum.
/// Those of iterations up to `iteration` are shown, all but the newest of each bound pale; a negative `iteration` shows
/// all.
[[nodiscard]] ShapeFigure sliceFigure(const ShownRun& run, int index, const BallSlice& slice,
                                      std::int64_t iteration = -1);
/// The iterations at which balls were drawn, ascending, each once.
[[nodiscard]] std::vector<std::int64_t> sliceIterations(const BallSlice& slice);

/// A line per item: the values of the path parameter at which its removal is guaranteed by one reference, longest on
/// top, the reference as a mark.
[[nodiscard]] ShapeFigure lifetimesFigure(const ShownRun& run, const Lifetimes& lifetimes);

} // namespace lambdascope
