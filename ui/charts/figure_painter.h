// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_mapping.h"
#include "ui/charts/chart_theme.h"
#include "ui/charts/figure_canvas.h"
#include "ui/charts/figure_writer.h"

#include <QSizeF>

namespace lambdascope {

struct FigurePage;

/// Draws a whole figure for print: title, axes, data (every point), legend outside of the plot. `size` in points.
void paintFigure(FigureCanvas& canvas, const QSizeF& size, const Figure& figure, const FigureStyle& style);
/// On a page of any other kind, such as a part of one.
void paintFigure(const FigurePage& page, const Figure& figure);
/// The colours that `style` prints in.
[[nodiscard]] ChartTheme printTheme(const FigureStyle& style);
/// The same in the colours of a window.
void paintFigure(FigureCanvas& canvas, const QSizeF& size, const Figure& figure, const FigureStyle& style,
                 const ChartTheme& theme);

/// A heatmap of at most so many columns and rows, under the same colours. Of cells that fall together the one stays
/// that is farthest from the median of all: nothing that stands out is lost, as it would be by drawing every tenth
/// column.
[[nodiscard]] HeatmapFigure condensed(const HeatmapFigure& figure, const QSize& most);

/// The cells of a heatmap as an image, one pixel each, first row of the values at the bottom; absent cells take the
/// theme's colour. Reversed axes are flipped here.
[[nodiscard]] QImage heatmapImage(const HeatmapFigure& figure, const ChartTheme& theme);

/// Curve vertices that carry a marker: all, if `distance` is 0 or they are few and on average that far apart, else
/// about a dozen of them.
[[nodiscard]] QVector<QPointF> markerPlaces(const QVector<QPointF>& places, double distance);

/// Range that shows all points of a cloud with a margin; both axes widened to one scale if `aspect` = width / height of
/// the plot is positive.
[[nodiscard]] PlotExtent cloudExtent(const CloudFigure& figure, double aspect);

} // namespace lambdascope
