// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_painter.h"

#include "ui/charts/axis_painter.h"
#include "ui/charts/band_painter.h"
#include "ui/charts/curve_geometry.h"
#include "ui/charts/link_painter.h"
#include "ui/charts/point_name_painter.h"
#include "ui/charts/shape_painter.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

/// What every kind of figure needs while it is drawn. Lengths in points.
struct Page {
    FigureCanvas& canvas;
    QSizeF size;
    FigureStyle style;
    ChartTheme theme;

    [[nodiscard]] double font() const { return style.fontPt; }
    [[nodiscard]] double axisWidth() const { return 0.6 * style.lineScale; }
    [[nodiscard]] double markerSize() const { return style.fontPt * 0.55 * std::sqrt(style.lineScale); }
};

struct LegendEntry {
    QString name;
    QColor colour;
    QVector<qreal> dashes;
    double width = 0; ///< 0: no line
    MarkerShape marker = MarkerShape::None;
    bool isHollow = false;               ///< only the outline of the marker
    std::optional<PatchLook> patch = {}; ///< a filled box in place of line and marker
};

TextStyle textStyle(double size, const QColor& colour, Qt::Alignment alignment) {
    TextStyle style;
    style.size = size;
    style.colour = colour;
    style.alignment = alignment;
    return style;
}

double entryWidth(const Page& page, const LegendEntry& entry) {
    const double sample = entry.width > 0 ? 3.6 : 0.9;
    return page.font() * (sample + 0.5 + 1.3) + page.canvas.textWidth(entry.name, textStyle(page.font(), {}, {}));
}

void drawEntry(const Page& page, const LegendEntry& entry, const QPointF& leftMiddle) {
    const double sample = page.font() * (entry.width > 0 ? 3.6 : 0.9);
    if (entry.width > 0) {
        page.canvas.drawLine(leftMiddle, leftMiddle + QPointF(sample, 0), {entry.colour, entry.width, entry.dashes});
    }
    if (entry.patch) {
        const double side = page.font() * 0.9;
        drawPatch(page.canvas, QRectF(leftMiddle + QPointF(0, -side / 2), QSizeF(side, side)), entry.colour,
                  *entry.patch, page.theme);
    }
    drawStyledMarkers(page.canvas, {entry.colour, DashStyle::NoLine, entry.marker, 0, entry.isHollow},
                      {leftMiddle + QPointF(sample / 2, 0)}, page.markerSize(), page.theme);
    page.canvas.drawText(leftMiddle + QPointF(sample + page.font() * 0.5, 0), entry.name,
                         textStyle(page.font(), page.theme.text, Qt::AlignLeft | Qt::AlignVCenter));
}

/// Rows of entries that fit into `width`.
QVector<QVector<LegendEntry>> legendRows(const Page& page, const QVector<LegendEntry>& entries, double width) {
    QVector<QVector<LegendEntry>> rows;
    double used = width + 1;
    for (const LegendEntry& entry : entries) {
        const double needed = entryWidth(page, entry);
        if (used + needed > width) {
            rows.append(QVector<LegendEntry>());
            used = 0;
        }
        rows.last().append(entry);
        used += needed;
    }
    return rows;
}

/// Takes the legend's room from `area` and draws it there: right of wide figures, below the others, never over data.
void placeLegend(const Page& page, const QVector<LegendEntry>& entries, QRectF& area) {
    if (!page.style.showLegend || entries.size() < 2) {
        return;
    }
    const double line = page.font() * 1.5;
    const bool right = area.width() > 2.1 * area.height() && entries.size() * line < area.height();
    if (right) {
        double widest = 0;
        for (const LegendEntry& entry : entries) {
            widest = std::max(widest, entryWidth(page, entry));
        }
        area.setRight(area.right() - widest);
        for (qsizetype index = 0; index < entries.size(); ++index) {
            drawEntry(page, entries[index], {area.right() + page.font() * 1.2, area.top() + line * (index + 0.7)});
        }
        return;
    }
    const auto rows = legendRows(page, entries, area.width());
    area.setBottom(area.bottom() - rows.size() * line);
    double middle = area.bottom() + line * 0.6;
    for (const auto& row : rows) {
        double used = -page.font() * 1.3;
        for (const LegendEntry& entry : row) {
            used += entryWidth(page, entry);
        }
        double left = area.center().x() - used / 2;
        for (const LegendEntry& entry : row) {
            drawEntry(page, entry, {left, middle});
            left += entryWidth(page, entry);
        }
        middle += line;
    }
}

/// Margins of the page and the title; returns what is left.
QRectF beginPage(const Page& page, const QString& title) {
    page.canvas.drawRect(QRectF(QPointF(), page.size), page.theme.background, nullptr);
    const double margin = page.font() * 0.5;
    QRectF area = QRectF(QPointF(), page.size).adjusted(margin, margin, -margin, -margin);
    if (page.style.showTitle && !title.isEmpty()) {
        TextStyle style = textStyle(page.font() * 1.15, page.theme.text, Qt::AlignHCenter | Qt::AlignTop);
        style.bold = true;
        // A title longer than the page shrinks rather than being cut.
        style.size *= std::min(1.0, area.width() / std::max(page.canvas.textWidth(title, style), 1.0));
        page.canvas.drawText({area.center().x(), area.top()}, title, style);
        area.setTop(area.top() + page.font() * 1.9);
    }
    return area;
}

/// Plot rectangle and axes inside of `area`. Margins depend on labels and labels on the length: two rounds settle it.
PlotFrame frameIn(const Page& page, const QRectF& area, const AxisSpec& x, const AxisMapping& xMapping,
                  const AxisSpec& y, const AxisMapping& yMapping, bool wholeX = false, bool wholeY = false) {
    PlotFrame frame;
    frame.font = page.font();
    frame.lineWidth = page.axisWidth();
    frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        frame.x = drawnAxis(x, xMapping, frame.plot.width(), page.font(), Qt::Horizontal, wholeX);
        frame.y = drawnAxis(y, yMapping, frame.plot.height(), page.font(), Qt::Vertical, wholeY);
        frame.plot = area.marginsRemoved(axisMargins(page.canvas, frame.x, frame.y, page.font()));
    }
    return frame;
}

void drawCurve(const Page& page, const PlotFrame& frame, const Curve& curve, const ResolvedStyle& style,
               const CurveFloors& floors) {
    const PreparedCurve prepared = prepareCurve(curve.points, frame.x.mapping.scale(), frame.y.mapping.scale(), floors,
                                                frame.x.mapping.range(), 0);
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
            page.canvas.drawPolyline(places, {style.colour, width, dashPattern(style.dash)});
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

void paint(const Page& page, const CurveFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<LegendEntry> entries;
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

void paint(const Page& page, const HeatmapFigure& figure) {
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
        page.canvas.drawImage(frame.plot, heatmapImage(figure, page.theme));
    }
    drawAxes(page.canvas, frame, page.theme);
    const QRectF bar(frame.plot.right() + page.font() * 1.2, frame.plot.top(), page.font() * 1.1, frame.plot.height());
    drawColourBar(page.canvas, bar, figure, page.font(), page.axisWidth(), page.theme);
}

void addPrintedLinkEntries(const Page& page, const CloudFigure& figure, QVector<LegendEntry>& entries) {
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

void paint(const Page& page, const CloudFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<LegendEntry> entries;
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

void paint(const Page& page, const ShapeFigure& figure) {
    QRectF area = beginPage(page, figure.title);
    QVector<LegendEntry> entries;
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
    drawMarks(page.canvas, frame, figure.marks, page.theme);
    drawAxes(page.canvas, frame, page.theme);
}

} // namespace

void paintFigure(FigureCanvas& canvas, const QSizeF& size, const Figure& figure, const FigureStyle& style) {
    const Page page{canvas, size, style, style.dark ? ChartTheme::dim() : ChartTheme::light()};
    std::visit([&page](const auto& kind) { paint(page, kind); }, figure);
}

QImage heatmapImage(const HeatmapFigure& figure, const ChartTheme& theme) {
    const int columns = std::max(figure.columns(), 1);
    const int rows = std::max(figure.rows(), 1);
    QImage image(columns, rows, QImage::Format_RGB32);
    const ValueRange range = figure.shownRange();
    const double length = range.high - range.low;
    const QVector<QRgb>& colours = colourTable(figure.colours);
    for (int row = 0; row < rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(figure.y.reversed ? row : rows - 1 - row));
        for (int column = 0; column < columns; ++column) {
            const double value = figure.value(row, column);
            const double fraction = length > 0 ? (value - range.low) / length : 0.5;
            const int index = int(std::lround(255 * std::clamp(fraction, 0.0, 1.0)));
            line[figure.x.reversed ? columns - 1 - column : column] =
                std::isfinite(value) ? colours[index] : theme.absent.rgb();
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
