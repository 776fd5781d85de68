// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/figure_writer.h"
#include "ui/charts/shape_painter.h"

#include <QSizeF>

#include <cmath>
#include <optional>

namespace lambdascope {

struct PrintedEntry;

/// What every kind of figure needs while it is drawn. Lengths in points.
struct FigurePage {
    FigureCanvas& canvas;
    QSizeF size;
    FigureStyle style;
    ChartTheme theme;
    QVector<PrintedEntry>* legend = nullptr; ///< takes the legend's entries in place of the page, if not null

    [[nodiscard]] double font() const { return style.fontPt; }
    [[nodiscard]] double axisWidth() const { return 0.6 * style.lineScale; }
    [[nodiscard]] double markerSize() const { return style.fontPt * 0.55 * std::sqrt(style.lineScale); }
};

/// A line of the legend.
struct PrintedEntry {
    QString name;
    QColor colour;
    QVector<qreal> dashes;
    double width = 0; ///< 0: no line
    MarkerShape marker = MarkerShape::None;
    bool isHollow = false;               ///< only the outline of the marker
    std::optional<PatchLook> patch = {}; ///< a filled box in place of line and marker
};

/// Whether two lines of a legend show the same line, marker and patch.
[[nodiscard]] bool looksLike(const PrintedEntry& a, const PrintedEntry& b);

/// Takes the legend's room from `area` and draws it there: right of wide figures unless `isBelow`, below the others,
/// never over data.
void placeLegend(const FigurePage& page, const QVector<PrintedEntry>& entries, QRectF& area, bool isBelow = false);

/// Margins of the page and the title; returns what is left.
[[nodiscard]] QRectF beginPage(const FigurePage& page, const QString& title);

/// Plot rectangle and axes inside of `area`. Margins depend on labels and labels on the length: two rounds settle it.
[[nodiscard]] PlotFrame frameIn(const FigurePage& page, const QRectF& area, const AxisSpec& x,
                                const AxisMapping& xMapping, const AxisSpec& y, const AxisMapping& yMapping,
                                bool wholeX = false, bool wholeY = false);

} // namespace lambdascope
