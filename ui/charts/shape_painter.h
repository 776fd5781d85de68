// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"

namespace lambdascope {

/// Drawing of ShapeFigure, the same for the screen and for files. Internal to this room.

/// Colour of a group, and the dash of its outline when it is a ball.
[[nodiscard]] ResolvedStyle groupStyle(const ShapeGroup& group, const ChartTheme& theme);

/// Whether the first shape of a group is a ball.
[[nodiscard]] bool isBall(const ShapeFigure& figure, int group);

/// Range of both axes in axis coordinates: the fixed ones, or what visible shapes and curves need with a margin;
/// widened to one scale when the figure asks for it (`aspect` = width / height of the plot).
[[nodiscard]] PlotExtent shapeExtent(const ShapeFigure& figure, double aspect);

/// Where a shape lies, in canvas units; null when it has no place (not positive on a log axis).
[[nodiscard]] QRectF placedShape(const PlotFrame& frame, const Shape& shape);

/// A filled box with its hatch.
void drawPatch(FigureCanvas& canvas, const QRectF& rect, const QColor& colour, Hatch hatch, const ChartTheme& theme);

/// All visible shapes in order; groups other than `emphasized` fade unless it is −1.
void drawShapes(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
                double lineScale, int emphasized = -1);

} // namespace lambdascope
