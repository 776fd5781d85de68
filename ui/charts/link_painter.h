// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"

namespace lambdascope {

/// Drawing of what lies below the points of a CloudFigure, the same for the screen and for files.

[[nodiscard]] ResolvedStyle linkStyle(const LinkGroup& group, const ChartTheme& theme);
[[nodiscard]] ResolvedStyle shadowStyle(const ChartTheme& theme);

/// The line from one place to another in canvas units: straight, or an arc bent to the left by a share of its length.
[[nodiscard]] QVector<QPointF> linkLine(const QPointF& from, const QPointF& to, bool isCurved);

/// All visible links, then each shadow with a thin line to its point. `lineWidth` and `markerSize` in canvas units.
void drawLinks(FigureCanvas& canvas, const PlotFrame& frame, const CloudFigure& figure, double lineWidth,
               double markerSize, const ChartTheme& theme);

} // namespace lambdascope
