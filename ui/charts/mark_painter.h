// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"

namespace lambdascope {

/// What marks lie on: the plot, or areas of any colour, from which they are set off then by a rim and a ground of
/// labels in the colour of the plot.
enum class MarkGround { Plot, Areas };

/// Vertical and horizontal marks with their labels, which keep clear of `lines` (canvas units) as far as they can.
void drawMarks(FigureCanvas& canvas, const PlotFrame& frame, const QVector<AxisMark>& marks, const ChartTheme& theme,
               const QVector<QVector<QPointF>>& lines = {}, MarkGround ground = MarkGround::Plot);

} // namespace lambdascope
