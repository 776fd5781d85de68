// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// Total CPU of each lane as a bar, split into solving and screening, over the points that all lanes have finished;
/// with the quartiles of repeats as a line where there are any.
[[nodiscard]] ShapeFigure totalsFigure(const std::vector<ShownRun>& runs);

enum class Contrast { Difference, Ratio };

/// What curves have beside one of them: its difference from or ratio to `reference` at every place that both have, with
/// a line where both are alike. Seconds make no ratio below 100 ms. Bands become those that both bands allow. The
/// figure itself when no curve has that id.
[[nodiscard]] CurveFigure contrastFigure(const CurveFigure& figure, const QString& reference, Contrast contrast);

} // namespace lambdascope
