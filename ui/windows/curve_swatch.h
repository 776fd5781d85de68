// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"

#include <QIcon>

namespace lambdascope {

/// A piece of line with its marker, as curve `styleIndex` looks in charts; on a plate of the charts' background when
/// selected.
[[nodiscard]] QIcon curveSwatch(int styleIndex, const ChartTheme& theme);

} // namespace lambdascope
