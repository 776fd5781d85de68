// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_mapping.h"
#include "ui/charts/figure_canvas.h"

#include <QMarginsF>

namespace lambdascope {

/// One axis as it is drawn now.
struct DrawnAxis {
    AxisMapping mapping;
    QVector<AxisTick> ticks;
    QString label;
    int labelRows = 1;            ///< of a bottom axis; names that are wide take turns in several
    bool areLabelsTurned = false; ///< of a bottom axis; they read upwards, where rows have no room for all
};

/// A plot rectangle with its axes; the same for the screen and for files.
struct PlotFrame {
    QRectF plot;
    DrawnAxis x;
    DrawnAxis y;
    double font = 8;      ///< tick labels; axis titles have the same size
    double lineWidth = 1; ///< of the axes

    /// Axis coordinates to canvas units.
    [[nodiscard]] QPointF place(const QPointF& axis) const;
    /// Values to canvas units.
    [[nodiscard]] QPointF placeValue(const QPointF& value) const;
    [[nodiscard]] QPointF valueAt(const QPointF& place) const;
    /// Canvas units to the right per unit of the x axis, over canvas units downwards per unit of the y axis: −1 for
    /// axes of one scale that point right and up.
    [[nodiscard]] double aspect() const;
};

/// How many labelled ticks fit on an axis of this length.
[[nodiscard]] int tickLimit(double length, double font, Qt::Orientation orientation);

/// The axis of a mapping with ticks for the given length; counts get no ticks between whole numbers.
[[nodiscard]] DrawnAxis drawnAxis(const AxisSpec& spec, const AxisMapping& mapping, double length, double font,
                                  Qt::Orientation orientation, bool areWhole = false);

/// Ticks at cell centres (column i covers [i, i + 1]) labelled with the names, or the values if there are none; as many
/// as have room.
[[nodiscard]] DrawnAxis cellAxis(const FigureCanvas& canvas, const AxisSpec& spec, const QVector<double>& values,
                                 const QStringList& names, const AxisMapping& mapping, double length, double font,
                                 Qt::Orientation orientation);

/// Room that ticks, labels and axis titles need on the left and below (right and top: half a label).
[[nodiscard]] QMarginsF axisMargins(const FigureCanvas& canvas, const DrawnAxis& x, const DrawnAxis& y, double font);

/// Grid lines, below the data.
void drawGrid(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme);

/// Frame, ticks, labels and titles, above the data.
void drawAxes(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme);

/// What marks lie on: the plot, or areas of any colour, from which they are set off then by a rim and a ground of
/// labels in the colour of the plot.
enum class MarkGround { Plot, Areas };

/// Vertical and horizontal marks with their labels, which keep clear of `lines` (canvas units) as far as they can.
void drawMarks(FigureCanvas& canvas, const PlotFrame& frame, const QVector<AxisMark>& marks, const ChartTheme& theme,
               const QVector<QVector<QPointF>>& lines = {}, MarkGround ground = MarkGround::Plot);

/// Colour bar with ticks and a title at its right: `bar` is the coloured part.
void drawColourBar(FigureCanvas& canvas, const QRectF& bar, const HeatmapFigure& figure, double font, double lineWidth,
                   const ChartTheme& theme);
[[nodiscard]] double colourBarRoom(const FigureCanvas& canvas, const ValueRange& range, const QString& title,
                                   double height, double font);

} // namespace lambdascope
