// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"

#include <functional>

namespace lambdascope {

/// Drawing of ShapeFigure, the same for the screen and for files. Internal to this room.

/// Colour of a group, and the dash of its outline when it is a ball.
[[nodiscard]] ResolvedStyle groupStyle(const ShapeGroup& group, const ChartTheme& theme);

/// Kind of the first shape of a group; a box when there is none.
[[nodiscard]] Shape::Kind shapeKind(const ShapeFigure& figure, int group);

/// How a filled box looks.
struct PatchLook {
    Hatch hatch = Hatch::None;
    bool isPale = false;

    bool operator==(const PatchLook&) const = default;
};
/// That of a group of boxes or cells; none for lines and points.
[[nodiscard]] std::optional<PatchLook> patchLook(const ShapeFigure& figure, int group);

/// Range of both axes in axis coordinates: the fixed ones, or what visible shapes and curves need with a margin;
/// widened to one scale when the figure asks for it (`aspect` = width / height of the plot).
[[nodiscard]] PlotExtent shapeExtent(const ShapeFigure& figure, double aspect);

/// Where a shape lies, in canvas units, a point within a unit; null when it has no place (not positive on a log axis).
[[nodiscard]] QRectF placedShape(const PlotFrame& frame, const Shape& shape);

/// Corners of an outline, in canvas units.
[[nodiscard]] QVector<QPointF> placedOutline(const PlotFrame& frame, const Shape& shape);

/// A filled box with its hatch.
void drawPatch(FigureCanvas& canvas, const QRectF& rect, const QColor& colour, const PatchLook& look,
               const ChartTheme& theme);

/// The same markers at many places, hollow ones filled with the background.
void drawStyledMarkers(FigureCanvas& canvas, const ResolvedStyle& style, const QVector<QPointF>& places, double size,
                       const ChartTheme& theme);

/// Sizes in canvas units and what stands out.
struct ShapeScale {
    double line = 1;                        ///< times the width of lines
    double marker = 7;                      ///< diameter of points
    int emphasized = -1;                    ///< group beside which the others fade; −1: none
    std::function<bool(qint64)> marks = {}; ///< points and boxes beside which the others fade, by item; empty: none
};

/// The ground, then all visible shapes in order.
void drawShapes(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
                const ShapeScale& scale);

} // namespace lambdascope
