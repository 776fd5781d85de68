// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/region_slicer.h"
#include "ui/figures/figure_builders.h"

/// Figures from what a RunLens finds out about a lane.
namespace lambdascope {

/// How much of the items a reference solution (rows, in path order upwards) decides at each value of the path parameter
/// (columns, in path order).
[[nodiscard]] HeatmapFigure rangeFigure(const ShownRun& run, const RangeGrid& grid);

/// The balls that bounds know the optimum of point `index` to lie in, cut by a plane through the optimum: those of the
/// checks up to `check` (a negative one: of all), all but the newest of each bound pale; and the outlines of what is no
/// ball, such as the lens that two balls have in common; where a bracket of a bias ends a ball, two lines stand where
/// the ball alone ends. Without `withRivals` only the lane's own bounds.
[[nodiscard]] ShapeFigure sliceFigure(const ShownRun& run, int index, const BallSlice& slice, int check,
                                      bool withRivals);

/// One screening of a slice.
struct SliceCheck {
    std::int32_t check = 0;
    std::int64_t iteration = 0;
    bool operator==(const SliceCheck&) const = default;
};
/// The screenings whose balls, or else parts, a slice has, in order.
[[nodiscard]] std::vector<SliceCheck> sliceChecks(const BallSlice& slice);

/// Lines that a chart can show apart.
inline constexpr std::size_t kMostLifetimes = 400;

/// A line per item: the values of the path parameter at which its removal is guaranteed by one reference, longest on
/// top, the reference as a mark.
[[nodiscard]] ShapeFigure lifetimesFigure(const ShownRun& run, const Lifetimes& lifetimes);

} // namespace lambdascope
