// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_plane.h"
#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// The plane of two features under the solution of point `index`: places about which bounds prove something, shaded and
/// hatched by what it is; samples by state (marker) and class (colour, the second one hollow), each shape's `item`
/// being its number; the decision boundary and the margins. Of a regression: the fitted curve and its tube, and rows
/// coloured by state. `namesAll`: kinds of places and lines that are nowhere have
/// their group too, so that the groups stay the same ones from picture to picture.
[[nodiscard]] ShapeFigure planeFigure(const ShownRun& run, int index, const DecisionPlane& plane,
                                      bool namesAll = false);

} // namespace lambdascope
