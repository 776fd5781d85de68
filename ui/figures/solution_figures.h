// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// The first matrix of the solution at the finished point `index`; null when none is kept.
[[nodiscard]] const NamedMatrix* solutionMatrix(const ShownRun& run, int index);
[[nodiscard]] bool hasSolutions(const RunRecord& record); ///< some finished point carries one
/// Path index of the last finished point with a solution; −1 when there is none.
[[nodiscard]] int lastSolutionIndex(const RunRecord& record);

/// The matrix of the solution at the finished point `index`: first row on top, blue below zero, vermilion above, the
/// same range on both sides. Rows and columns have the names of the features. Empty when none is kept.
[[nodiscard]] HeatmapFigure matrixFigure(const ShownRun& run, int index);

/// The same for a solution of one column, the diagonal of a matrix or a vector of weights: a bar per feature.
[[nodiscard]] ShapeFigure weightsFigure(const ShownRun& run, int index);

/// matrixFigure, or weightsFigure for a solution of one column.
[[nodiscard]] Figure solutionFigure(const ShownRun& run, int index);

} // namespace lambdascope
