// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"

#include <QRectF>
#include <QString>

#include <functional>

class QFontMetricsF;
class QPainter;

namespace lambdascope {

/// Things all views paint above their data.

/// A box with lines of text beside `target`, kept inside of `area`; the first line is bold. Of the places beside the
/// target it takes the one for which `covered` is least: how much of what must stay visible lies in a rectangle.
void paintTooltip(QPainter& painter, const QPointF& target, const QString& text, const QRectF& area,
                  const ChartTheme& theme, const std::function<qsizetype(const QRectF&)>& covered = {});

/// Room above a plot for the tag of its cursor.
[[nodiscard]] double cursorTagRoom(const QFontMetricsF& metrics);
/// Vertical cursor line with its value in a tag at the upper end.
void paintCursorLine(QPainter& painter, double x, const QString& text, const QRectF& plot, const ChartTheme& theme);

void paintCrosshair(QPainter& painter, const QPointF& at, const QRectF& plot, const ChartTheme& theme);
void paintRubberBand(QPainter& painter, const QRectF& band, const ChartTheme& theme);
void paintFocusFrame(QPainter& painter, bool hasFocus, const QRectF& plot, const ChartTheme& theme);
/// Words in the middle of a chart that has nothing to draw; axes, grid and colour bar are left out then.
void paintEmptyText(QPainter& painter, const QString& text, const QRectF& area, const ChartTheme& theme);

/// Number for a person: five significant digits.
[[nodiscard]] QString shownNumber(double value);

} // namespace lambdascope
