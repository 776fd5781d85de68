// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"
#include "ui/charts/curve_geometry.h"

namespace lambdascope {

/// What all visible curves have at `x`, as parts of rich text: "λ = 2.05:", "● naive 0", "● PGB 0.993". Empty for fewer
/// than two curves that have a point there.
[[nodiscard]] QStringList curveReadout(const CurveFigure& figure, double x, const ChartTheme& theme);

/// What has to be said of how curves are drawn, behind a remark: "1 in 12 shown · ▽ 3 not positive".
[[nodiscard]] QString drawingNote(const QVector<PreparedCurve>& curves, const QString& remark);

} // namespace lambdascope
