// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_painter.h"

#include "ui/charts/axis_painter.h"
#include "ui/charts/band_painter.h"
#include "ui/charts/curve_geometry.h"
#include "ui/charts/figure_page.h"
#include "ui/charts/link_painter.h"
#include "ui/charts/point_name_painter.h"
#include "ui/charts/shape_painter.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

void drawCurve(const FigurePage& page, const PlotFrame& frame, const Curve& curve, const ResolvedStyle& style,
               const CurveFloors& floors) {
    const int columns = page.style.isThinned ? std::max(1, int(frame.plot.width())) : 0;
    const PreparedCurve prepared = prepareCurve(curve.points, frame.x.mapping.scale(), frame.y.mapping.scale(), floors,
                                                frame.x.mapping.range(), columns);
    const double width = style.width * 0.7 * page.style.lineScale;
    QVector<QPointF> all;
    QVector<QPointF> clamped;
    for (const auto& piece : prepared.pieces) {
        QVector<QPointF> places;
        for (const auto& vertex : piece) {
            places.append(frame.place(vertex.at));
            if (vertex.clamped) {
                clamped.append(places.last());
            }
        }
        if (style.dash != DashStyle::NoLine && places.size() > 1) {
            // Dashes of a line that fills its columns cannot be seen and take twenty times as long.
            page.canvas.drawPolyline(
                places, {style.colour, width, prepared.thinned ? QVector<qreal>() : dashPattern(style.dash)});
        }
        all += places;
    }
    const bool markersOnly = style.dash == DashStyle::NoLine;
    const double distance = markersOnly ? 0 : page.markerSize() * 2.5;
    page.canvas.drawMarkers(style.marker, markerPlaces(all, distance), page.markerSize(), style.colour, {});
    // Points whose value is not positive: hollow, so that nobody takes the floor for a value.
    page.canvas.drawMarkers(MarkerShape::TriangleDown, markerPlaces(clamped, page.markerSize() * 1.5),
                            page.markerSize() * 1.2, page.theme.background, style.colour);
}

void paint(const FigurePage& page, const CurveFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<PrintedEntry> entries;
    QVector<ResolvedStyle> styles;
    for (qsizetype index = 0; index < figure.curves.size(); ++index) {
        const Curve& curve = figure.curves[index];
        styles.append(resolveStyle(curve.style, int(index), page.theme));
        if (curve.visible) {
            const bool line = styles.last().dash != DashStyle::NoLine;
            entries.append({curve.name, styles.last().colour, dashPattern(styles.last().dash),
                            line ? styles.last().width * 0.7 * page.style.lineScale : 0, styles.last().marker});
        }
    }
    placeLegend(page, entries, area);
    const CurveFloors floors = curveFloors(figure.curves);
    const auto range = [](const std::optional<ValueRange>& fixed, AxisScale scale, const ValueRange& data) {
        const double low = fixed ? AxisMapping::toAxis(fixed->low, scale) : data.low;
        const double high = fixed ? AxisMapping::toAxis(fixed->high, scale) : data.high;
        return std::isfinite(low) && std::isfinite(high) ? ValueRange{low, high} : data;
    };
    const ValueRange x =
        range(figure.xRange, figure.x.scale, paddedRange(dataRangeX(figure.curves, figure.x.scale, floors), 0.02));
    const ValueRange y =
        range(figure.yRange, figure.y.scale, paddedRange(dataRangeY(figure.curves, figure.y.scale, floors), 0.05));
    const PlotFrame frame =
        frameIn(page, area, figure.x, AxisMapping(x, figure.x.scale, figure.x.reversed), figure.y,
                AxisMapping(y, figure.y.scale, figure.y.reversed), areCountsX(figure), areCountsY(figure));
    drawGrid(page.canvas, frame, page.theme);
    page.canvas.beginClip(frame.plot);
    for (qsizetype index = 0; index < figure.curves.size(); ++index) {
        if (figure.curves[index].visible && !figure.curves[index].band.isEmpty()) {
            drawBand(page.canvas, frame, figure.curves[index], styles[index].colour, floors);
        }
    }
    page.canvas.endClip();
    const double room = page.markerSize();
    page.canvas.beginClip(frame.plot.adjusted(-room, -room, room, room));
    for (qsizetype index = 0; index < figure.curves.size(); ++index) {
        if (figure.curves[index].visible) {
            drawCurve(page, frame, figure.curves[index], styles[index], floors);
        }
    }
    page.canvas.endClip();
    drawMarks(page.canvas, frame, figure.marks, page.theme);
    drawAxes(page.canvas, frame, page.theme);
}

void paint(const FigurePage& page, const HeatmapFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    const ValueRange range = figure.shownRange();
    area.setRight(area.right() - colourBarRoom(page.canvas, range, figure.valueTitle, area.height(), page.font()));
    const AxisMapping x({0, double(std::max(figure.columns(), 1))}, AxisScale::Linear, figure.x.reversed);
    const AxisMapping y({0, double(std::max(figure.rows(), 1))}, AxisScale::Linear, figure.y.reversed);
    PlotFrame frame;
    frame.font = page.font();
    frame.lineWidth = page.axisWidth();
    frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        frame.x = cellAxis(page.canvas, figure.x, figure.xValues, figure.xNames, x, frame.plot.width(), page.font(),
                           Qt::Horizontal);
        frame.y = cellAxis(page.canvas, figure.y, figure.yValues, figure.yNames, y, frame.plot.height(), page.font(),
                           Qt::Vertical);
        frame.plot = area.marginsRemoved(axisMargins(page.canvas, frame.x, frame.y, page.font()));
    }
    if (!isEmpty(Figure(figure))) {
        constexpr int kCellsPerUnit = 4; // finer than any printer
        const QSize most = (frame.plot.size() * kCellsPerUnit).toSize();
        page.canvas.drawImage(frame.plot, heatmapImage(condensed(figure, most), page.theme));
    }
    drawAxes(page.canvas, frame, page.theme);
    const QRectF bar(frame.plot.right() + page.font() * 1.2, frame.plot.top(), page.font() * 1.1, frame.plot.height());
    drawColourBar(page.canvas, bar, figure, page.font(), page.axisWidth(), page.theme);
}

void addPrintedLinkEntries(const FigurePage& page, const CloudFigure& figure, QVector<PrintedEntry>& entries) {
    if (!figure.shadows.isEmpty() && figure.showsShadows) {
        if (entries.isEmpty()) {
            entries.append({figure.pointsName, classColour(0, page.theme), {}, 0, classMarker(0)});
        }
        const ResolvedStyle look = shadowStyle(page.theme);
        entries.append({figure.shadowsName, look.colour, {}, page.axisWidth(), look.marker, true});
    }
    for (const LinkGroup& group : figure.linkGroups) {
        const ResolvedStyle style = linkStyle(group, page.theme);
        if (group.visible) {
            entries.append({group.name, style.colour, dashPattern(style.dash), page.axisWidth()});
        }
    }
}

void paint(const FigurePage& page, const CloudFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<PrintedEntry> entries;
    for (qsizetype index = 0; index < figure.classNames.size(); ++index) {
        entries.append({figure.classNames[index], classColour(int(index), page.theme), {}, 0, classMarker(int(index))});
    }
    addPrintedLinkEntries(page, figure, entries);
    placeLegend(page, entries, area);
    PlotFrame frame;
    frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        const double aspect = figure.equalAspect ? frame.plot.width() / std::max(frame.plot.height(), 1.0) : 0;
        const PlotExtent extent = cloudExtent(figure, aspect);
        frame = frameIn(page, area, figure.x, AxisMapping(extent.x, AxisScale::Linear, false), figure.y,
                        AxisMapping(extent.y, AxisScale::Linear, false));
    }
    drawGrid(page.canvas, frame, page.theme);
    QVector<QVector<QPointF>> places(std::max<qsizetype>(figure.classNames.size(), 1));
    for (qsizetype index = 0; index < figure.points.size(); ++index) {
        const CloudPoint& point = figure.points[index];
        const int group = std::max(0, figure.classes.value(index, 0));
        if (group >= places.size()) {
            places.resize(group + 1);
        }
        if (std::isfinite(point.x) && std::isfinite(point.y)) {
            places[group].append(frame.placeValue({point.x, point.y}));
        }
    }
    const double size = page.markerSize() * (figure.points.size() > 2000 ? 0.5 : 0.8);
    page.canvas.beginClip(frame.plot);
    drawLinks(page.canvas, frame, figure, page.axisWidth(), size, page.theme);
    page.canvas.endClip();
    for (qsizetype group = 0; group < places.size(); ++group) {
        QColor colour = classColour(int(group), page.theme);
        colour.setAlphaF(0.8F);
        page.canvas.drawMarkers(classMarker(int(group)), places[group], size, colour, {});
    }
    drawPointNames(page.canvas, frame, figure, size, page.theme);
    drawAxes(page.canvas, frame, page.theme);
}

void paint(const FigurePage& page, const ShapeFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<PrintedEntry> entries;
    for (int index = 0; index < figure.groups.size(); ++index) {
        const ShapeGroup& group = figure.groups[index];
        const ResolvedStyle style = groupStyle(group, page.theme);
        const double width = style.width * 0.7 * page.style.lineScale;
        const Shape::Kind kind = shapeKind(figure, index);
        if (!group.visible) {
            continue;
        }
        if (kind == Shape::Kind::Ball || kind == Shape::Kind::Outline) {
            entries.append({group.name, style.colour, dashPattern(style.dash), width});
        } else {
            entries.append({group.name, style.colour, {}, 0, style.marker, style.isHollow, patchLook(figure, index)});
        }
    }
    for (const Curve& curve : figure.curves) {
        const ResolvedStyle style = resolveStyle(curve.style, 0, page.theme);
        const bool line = style.dash != DashStyle::NoLine;
        if (curve.visible) {
            entries.append({curve.name, style.colour, dashPattern(style.dash),
                            line ? style.width * 0.7 * page.style.lineScale : 0, style.marker});
        }
    }
    placeLegend(page, entries, area);
    PlotFrame frame;
    frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        const PlotExtent extent = shapeExtent(figure, frame.plot.width() / std::max(frame.plot.height(), 1.0));
        frame = frameIn(page, area, figure.x, AxisMapping(extent.x, figure.x.scale, figure.x.reversed), figure.y,
                        AxisMapping(extent.y, figure.y.scale, figure.y.reversed));
    }
    drawGrid(page.canvas, frame, page.theme);
    page.canvas.beginClip(frame.plot);
    const double pointSize = page.markerSize() * (figure.shapes.size() > 2000 ? 0.5 : 0.8);
    drawShapes(page.canvas, frame, figure, page.theme, {0.7 * page.style.lineScale, pointSize, -1});
    page.canvas.endClip();
    const CurveFloors floors = curveFloors(figure.curves);
    for (const Curve& curve : figure.curves) {
        if (curve.visible) {
            drawCurve(page, frame, curve, resolveStyle(curve.style, 0, page.theme), floors);
        }
    }
    drawMarks(page.canvas, frame, figure.marks, page.theme, {}, MarkGround::Areas);
    drawAxes(page.canvas, frame, page.theme);
}

} // namespace

void paintFigure(FigureCanvas& canvas, const QSizeF& size, const Figure& figure, const FigureStyle& style) {
    paintFigure(canvas, size, figure, style, printTheme(style));
}

ChartTheme printTheme(const FigureStyle& style) {
    return style.grey ? ChartTheme::grey() : style.dark ? ChartTheme::dim() : ChartTheme::light();
}

void paintFigure(const FigurePage& page, const Figure& figure) {
    std::visit([&page](const auto& kind) { paint(page, kind); }, figure);
}

void paintFigure(FigureCanvas& canvas, const QSizeF& size, const Figure& figure, const FigureStyle& style,
                 const ChartTheme& theme) {
    paintFigure({canvas, size, style, theme}, figure);
}

HeatmapFigure condensed(const HeatmapFigure& figure, const QSize& most) {
    const int columns = std::clamp(figure.columns(), 1, std::max(most.width(), 1));
    const int rows = std::clamp(figure.rows(), 1, std::max(most.height(), 1));
    if (columns >= figure.columns() && rows >= figure.rows()) {
        return figure;
    }
    QVector<double> finite;
    std::copy_if(figure.values.begin(), figure.values.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    std::nth_element(finite.begin(), finite.begin() + finite.size() / 2, finite.end());
    const double usual = finite.isEmpty() ? 0 : finite[finite.size() / 2];
    HeatmapFigure few = figure;
    few.range = figure.shownRange();
    few.xNames.clear();
    few.yNames.clear();
    few.xValues.fill(0, columns);
    few.yValues.fill(0, rows);
    few.values.fill(std::nan(""), qsizetype(columns) * rows);
    for (int row = 0; row < figure.rows(); ++row) {
        const auto to = qsizetype(row) * rows / figure.rows() * columns;
        for (int column = 0; column < figure.columns(); ++column) {
            const double value = figure.value(row, column);
            double& kept = few.values[to + qsizetype(column) * columns / figure.columns()];
            if (std::isfinite(value) && !(std::abs(kept - usual) >= std::abs(value - usual))) {
                kept = value;
            }
        }
    }
    return few;
}

namespace {

/// Half of the way to the ground.
QRgb paler(QRgb colour, const QColor& ground) {
    const auto half = [](int a, int b) { return (a + b) / 2; };
    return qRgb(half(qRed(colour), ground.red()), half(qGreen(colour), ground.green()),
                half(qBlue(colour), ground.blue()));
}

} // namespace

QImage heatmapImage(const HeatmapFigure& figure, const ChartTheme& theme) {
    const int columns = std::max(figure.columns(), 1);
    const int rows = std::max(figure.rows(), 1);
    QImage image(columns, rows, QImage::Format_RGB32);
    const ValueRange range = figure.shownRange();
    const double length = range.high - range.low;
    const QVector<QRgb>& colours = colourTable(figure.colours);
    const auto colourOf = [&](double value) {
        const double fraction = length > 0 ? (value - range.low) / length : 0.5;
        return colours[int(std::lround(255 * std::clamp(fraction, 0.0, 1.0)))];
    };
    QVector<QRgb> above(columns, theme.absent.rgb()); // what absent cells of a column take
    for (int row = 0; row < rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(figure.y.reversed ? row : rows - 1 - row));
        for (int column = 0; column < columns; ++column) {
            const double value = figure.value(row, column);
            line[figure.x.reversed ? columns - 1 - column : column] =
                std::isfinite(value) ? colourOf(value) : above[column];
            if (figure.staysAbove && std::isfinite(value)) {
                above[column] = paler(colourOf(value), theme.background);
            }
        }
    }
    return image;
}

QVector<QPointF> markerPlaces(const QVector<QPointF>& places, double distance) {
    double length = 0;
    for (qsizetype index = 1; index < places.size(); ++index) {
        length += QLineF(places[index - 1], places[index]).length();
    }
    constexpr int kFew = 60;
    if (distance <= 0 || places.size() < 3 ||
        (places.size() <= kFew && length >= distance * double(places.size() - 1))) {
        return places;
    }
    // Too dense: a dozen along the line are enough to tell curves apart.
    const double sparse = std::max(distance * 3, length / 12);
    QVector<QPointF> kept{places.first()};
    double since = 0;
    for (qsizetype index = 1; index < places.size(); ++index) {
        since += QLineF(places[index - 1], places[index]).length();
        if (since >= sparse) {
            kept.append(places[index]);
            since = 0;
        }
    }
    return kept;
}

PlotExtent cloudExtent(const CloudFigure& figure, double aspect) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    PlotExtent extent{{kInfinity, -kInfinity}, {kInfinity, -kInfinity}};
    for (const QVector<CloudPoint>* points : {&figure.points, &figure.shadows}) {
        for (const CloudPoint& point : *points) {
            if (std::isfinite(point.x) && std::isfinite(point.y)) {
                extent.x = {std::min(extent.x.low, double(point.x)), std::max(extent.x.high, double(point.x))};
                extent.y = {std::min(extent.y.low, double(point.y)), std::max(extent.y.high, double(point.y))};
            }
        }
    }
    extent.x = paddedRange(extent.x, 0.05);
    extent.y = paddedRange(extent.y, 0.05);
    return aspect > 0 ? withEqualScales(extent, aspect) : extent;
}

} // namespace lambdascope
