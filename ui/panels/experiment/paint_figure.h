// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"
#include "ui/session/experiment/live_path.h"
#include "ui/session/experiment/point_editor.h"

namespace lambdascope {

/// What is drawn of rows that are being edited.
struct PaintedPlane {
    const PointEditor* editor = nullptr;
    PlaneAxes axes; ///< features of the editor
    ValueRange x;   ///< what is shown
    ValueRange y;
    const LivePath::Path* path = nullptr;   ///< null before the first
    const LivePath::Plane* plane = nullptr; ///< likewise
};

/// The rows in the plane of two of their features, in the coordinates of the source: where they are now, what the
/// solution that was computed last makes of every place, and for a learned metric the places that are equally far from
/// the middle. A row about which bounds are certain is hollow; a moved one is joined to where it was.
[[nodiscard]] ShapeFigure paintFigure(const PaintedPlane& painted);

} // namespace lambdascope
