// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"
#include "ui/charts/figure.h"

#include <QPixmap>
#include <QSize>

namespace lambdascope {

/// A figure painted small, by the code that paints it on paper, in the colours of a window.
[[nodiscard]] QPixmap figureThumbnail(const Figure& figure, const QSize& size, double pixelRatio,
                                      const ChartTheme& theme);

} // namespace lambdascope
