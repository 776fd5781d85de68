// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"
#include "ui/charts/figure.h"

#include <QLineF>
#include <QRectF>
#include <QVector>

namespace lambdascope {

/// Lines over areas, so that they differ in more than colour. Internal to this room.

/// Canvas units between neighbouring lines of a hatch.
inline constexpr double kHatchDistance = 6;

/// A direction in which lines of a hatch run.
enum class HatchWay { Rising, Falling, Level, Upright };

/// Whether a hatch has lines in that direction.
[[nodiscard]] bool hasWay(Hatch hatch, HatchWay way);

/// Appends the lines of a hatch inside of `rect`. They stand at multiples of the distance, so that neighbouring boxes
/// look like one. Boxes of less than a line get none.
void appendHatch(QVector<QLineF>& lines, const QRectF& rect, Hatch hatch);

[[nodiscard]] QColor hatchInk(const ChartTheme& theme);  ///< of lines on a full colour
[[nodiscard]] QColor groundColour(const QColor& colour); ///< of a pale area of a colour
[[nodiscard]] QColor groundInk(const QColor& colour);    ///< of the lines on it

} // namespace lambdascope
