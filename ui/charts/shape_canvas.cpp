// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shape_canvas.h"

#include "ui/charts/axis_painter.h"
#include "ui/charts/curve_geometry.h"
#include "ui/charts/overlay_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kReach = 8;        ///< pixels from the outline of a ball
constexpr double kLineHandicap = 3; ///< a point beside a line is meant rather than the line
constexpr double kMarkerSize = 8;
constexpr double kManyPoints = 1500;
constexpr double kLeastLeft = 5.4; ///< room left of the plot in font sizes, as in PlotCanvas: charts line up

double pointSize(const ShapeFigure& figure) {
    return double(figure.shapes.size()) > kManyPoints ? 5 : 7;
}

/// Distance of `pixel` from a line; infinite when there is none.
double distanceFrom(const QVector<QPointF>& line, const QPointF& pixel) {
    double least = std::numeric_limits<double>::infinity();
    for (qsizetype corner = 1; corner < line.size(); ++corner) {
        const QPointF along = line[corner] - line[corner - 1];
        const QPointF away = pixel - line[corner - 1];
        const double square = QPointF::dotProduct(along, along);
        const double share = square > 0 ? std::clamp(QPointF::dotProduct(away, along) / square, 0.0, 1.0) : 0;
        const QPointF rest = away - share * along;
        least = std::min(least, std::hypot(rest.x(), rest.y()));
    }
    return least;
}

} // namespace

ShapeCanvas::ShapeCanvas(QWidget* parent) : PlotSurface(parent) {}

void ShapeCanvas::setFigure(const ShapeFigure& figure) {
    m_figure = figure;
    if (m_probe >= figure.shapes.size()) {
        m_probe = -1;
    }
    layOut();
}

void ShapeCanvas::setCursorX(double x) {
    const bool changesRoom = std::isfinite(x) != std::isfinite(m_cursorX);
    m_cursorX = x;
    if (changesRoom) { // of its tag
        layOut();
    }
    update();
}

void ShapeCanvas::setProbe(int shape) {
    m_probe = shape;
    update();
}

void ShapeCanvas::setEmphasized(int group) {
    if (group != m_emphasized) {
        m_emphasized = group;
        repaintLayer();
    }
}

bool ShapeCanvas::isShown(int shape) const {
    return m_figure.groups.value(m_figure.shapes[shape].group).visible;
}

int ShapeCanvas::shapeAt(const QPointF& pixel) const {
    if (!m_frame.plot.contains(pixel)) {
        return -1;
    }
    int found = -1;
    double nearest = kReach;
    for (int index = 0; index < m_figure.shapes.size(); ++index) {
        const QRectF rect = isShown(index) ? placedShape(m_frame, m_figure.shapes[index]) : QRectF();
        if (rect.isNull()) {
            continue;
        }
        if (m_figure.shapes[index].kind == Shape::Kind::Box) {
            // A bar of less than a pixel can still be met.
            found = rect.adjusted(-0.5, -0.5, 0.5, 0.5).contains(pixel) ? index : found;
            continue;
        }
        const double distance = distanceOf(m_figure.shapes[index], rect, pixel);
        if (distance < nearest) {
            nearest = distance;
            found = index;
        }
    }
    return found;
}

QVector<qint64> ShapeCanvas::itemsWithin(const QRectF& pixels) const {
    QVector<qint64> within;
    const QRectF box = pixels & m_frame.plot;
    for (int index = 0; index < m_figure.shapes.size(); ++index) {
        const Shape& shape = m_figure.shapes[index];
        const QRectF rect = shape.item >= 0 && isShown(index) ? placedShape(m_frame, shape) : QRectF();
        const bool isWithin = shape.kind == Shape::Kind::Point
                                  ? box.contains(rect.center())
                                  : box.intersects(rect.adjusted(-0.5, -0.5, 0.5, 0.5)); // bars may be very thin
        if (!rect.isNull() && isWithin) {
            within.append(shape.item);
        }
    }
    return within;
}

QString ShapeCanvas::groundText(const QPointF& pixel) const {
    const ShapeCells& cells = m_figure.cells;
    if (cells.groups.isEmpty() || !m_frame.plot.contains(pixel)) {
        return {};
    }
    const QPointF value = m_frame.valueAt(pixel);
    const auto column = std::floor((value.x() - cells.x.low) / (cells.x.high - cells.x.low) * cells.columns);
    const auto row = std::floor((value.y() - cells.y.low) / (cells.y.high - cells.y.low) * cells.rows);
    if (!(column >= 0 && column < cells.columns && row >= 0 && row < cells.rows)) {
        return {};
    }
    const qint8 at = cells.groups.value(qsizetype(row) * cells.columns + qsizetype(column), -1);
    const ShapeGroup group = m_figure.groups.value(at);
    if (at < 0 || !group.visible) {
        return {};
    }
    return QStringLiteral("%1\n%2 = %3\n%4 = %5")
        .arg(group.name, m_figure.x.title, shownNumber(value.x()), m_figure.y.title, shownNumber(value.y()));
}

double ShapeCanvas::distanceOf(const Shape& shape, const QRectF& place, const QPointF& pixel) const {
    if (shape.kind == Shape::Kind::Outline) {
        const bool isNear = place.adjusted(-kReach, -kReach, kReach, kReach).contains(pixel);
        return isNear ? distanceFrom(placedOutline(m_frame, shape), pixel) + kLineHandicap : kReach;
    }
    const QPointF away = pixel - place.center();
    const double fromMiddle = std::hypot(away.x(), away.y());
    return shape.kind == Shape::Kind::Point ? fromMiddle : std::abs(fromMiddle - place.width() / 2);
}

int ShapeCanvas::shapeBeside(int from, int right, int up) const {
    const auto middle = [this](int index) { return placedShape(m_frame, m_figure.shapes[index]).center(); };
    const QPointF start = from >= 0 ? middle(from) : QPointF(-1e6, m_frame.plot.center().y());
    const QPointF ahead = from >= 0 ? QPointF(right, -up) : QPointF(1, 0);
    int best = from;
    double least = std::numeric_limits<double>::infinity();
    for (int index = 0; index < m_figure.shapes.size(); ++index) {
        if (index == from || !isShown(index) || placedShape(m_frame, m_figure.shapes[index]).isNull()) {
            continue;
        }
        const QPointF step = middle(index) - start;
        const double along = QPointF::dotProduct(step, ahead);
        const double aside = std::abs(step.x() * ahead.y() - step.y() * ahead.x());
        // Sideways counts more, so that the way leads along a row or a stack.
        if (along > 1e-9 && along + 4 * aside < least) {
            least = along + 4 * aside;
            best = index;
        }
    }
    return best;
}

void ShapeCanvas::drawCurves(FigureCanvas& canvas) const {
    const CurveFloors floors = curveFloors(m_figure.curves);
    for (const Curve& curve : m_figure.curves) {
        if (!curve.visible) {
            continue;
        }
        const ResolvedStyle style = resolveStyle(curve.style, 0, m_theme);
        const PreparedCurve prepared = prepareCurve(curve.points, m_figure.x.scale, m_figure.y.scale, floors, view().x,
                                                    std::max(1, int(m_frame.plot.width())));
        QVector<QPointF> all;
        for (const auto& piece : prepared.pieces) {
            QVector<QPointF> places;
            for (const auto& vertex : piece) {
                places.append(m_frame.place(vertex.at));
            }
            if (style.dash != DashStyle::NoLine && places.size() > 1) {
                canvas.drawPolyline(places, {style.colour, style.width, dashPattern(style.dash)});
            }
            all += places;
        }
        const double distance = style.dash == DashStyle::NoLine ? 0 : kMarkerSize * 2.2;
        canvas.drawMarkers(style.marker, markerPlaces(all, distance), kMarkerSize, style.colour, {});
    }
}

bool ShapeCanvas::isBlank() const {
    return isEmpty(Figure(m_figure));
}

PlotExtent ShapeCanvas::wholeExtent(double aspect) const {
    return shapeExtent(m_figure, aspect);
}

void ShapeCanvas::placeAxes(const FigureCanvas& /*canvas*/) {
    m_frame.x = drawnAxis(m_figure.x, AxisMapping(view().x, m_figure.x.scale, m_figure.x.reversed),
                          m_frame.plot.width(), m_frame.font, Qt::Horizontal);
    m_frame.y = drawnAxis(m_figure.y, AxisMapping(view().y, m_figure.y.scale, m_figure.y.reversed),
                          m_frame.plot.height(), m_frame.font, Qt::Vertical);
}

QMarginsF ShapeCanvas::roomFor(const FigureCanvas& /*canvas*/, const QMarginsF& axes) const {
    QMarginsF margins = axes;
    margins.setLeft(std::max(margins.left(), kLeastLeft * m_frame.font));
    if (std::isfinite(m_cursorX)) {
        margins.setTop(std::max(margins.top(), cursorTagRoom(QFontMetricsF(font()))));
    }
    return margins;
}

void ShapeCanvas::drawLayer(QPainter& painter, FigureCanvas& canvas) const {
    drawGrid(canvas, m_frame, m_theme);
    painter.setRenderHint(QPainter::Antialiasing);
    canvas.beginClip(m_frame.plot);
    drawShapes(canvas, m_frame, m_figure, m_theme, {1, pointSize(m_figure), m_emphasized, m_marks});
    drawCurves(canvas);
    canvas.endClip();
    drawMarks(canvas, m_frame, m_figure.marks, m_theme, {}, MarkGround::Areas);
    drawAxes(canvas, m_frame, m_theme);
}

void ShapeCanvas::drawAbove(QPainter& painter, FigureCanvas& /*canvas*/) const {
    if (std::isfinite(m_cursorX)) {
        const double x = m_frame.plot.left() + m_frame.x.mapping.fraction(m_cursorX) * m_frame.plot.width();
        paintCursorLine(painter, x, QStringLiteral("%1 = %2").arg(m_figure.x.title, shownNumber(m_cursorX)),
                        m_frame.plot, m_theme);
    }
}

void ShapeCanvas::drawHint(QPainter& painter, FigureCanvas& /*canvas*/) const {
    const auto covered = [this](const QRectF& box) { return marksWithin(box); };
    if (m_probe >= 0 && isShown(m_probe)) {
        const Shape& shape = m_figure.shapes[m_probe];
        const QRectF place = placedShape(m_frame, shape) & m_frame.plot;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.text, 1.4));
        if (shape.kind == Shape::Kind::Box) {
            painter.drawRect(place);
        } else if (shape.kind == Shape::Kind::Point) {
            painter.drawEllipse(place.center(), kMarkerSize, kMarkerSize);
        }
        if (!m_navigator.isGrabbing()) { // words would cover where it goes
            paintTooltip(painter, m_navigator.hover().value_or(place.center()), shape.text, rect(), m_theme, covered);
        }
    } else if (const auto hover = m_navigator.hover(); hover && !m_navigator.grabsAt(*hover)) {
        if (const QString text = groundText(*hover); !text.isEmpty()) {
            paintTooltip(painter, *hover, text, rect(), m_theme, covered);
        }
    }
}

} // namespace lambdascope
