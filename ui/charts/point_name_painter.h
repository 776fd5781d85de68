// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/figure.h"
#include "ui/charts/figure_canvas.h"

namespace lambdascope {

/// Writes the names of points beside them, where they cover neither each other nor another point: to the right, else to
/// the left, above or below, else not at all. Clouds of many points, or of points without names, stay as they are.
/// `markerSize` and places in canvas units.
void drawPointNames(FigureCanvas& canvas, const PlotFrame& frame, const CloudFigure& figure, double markerSize,
                    const ChartTheme& theme);

} // namespace lambdascope
