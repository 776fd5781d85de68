// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/curve_geometry.h"

namespace lambdascope {

/// Fills the band of a curve, pale, below all lines: from its lower to its upper edge, in pieces where it has gaps.
/// Values ≤ 0 on a log axis go to the floor, as those of curves do. The same for the screen and for files.
void drawBand(FigureCanvas& canvas, const PlotFrame& frame, const Curve& curve, QColor colour,
              const CurveFloors& floors);

} // namespace lambdascope
