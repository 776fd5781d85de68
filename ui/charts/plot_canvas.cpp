// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_canvas.h"

#include "ui/charts/axis_painter.h"
#include "ui/charts/band_painter.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/overlay_painter.h"
#include "ui/charts/painter_canvas.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QLegend>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kCurveMarkerSize = 7;
constexpr double kMarginX = 0.02;
constexpr double kMarginY = 0.06;
constexpr double kDimmed = 0.25;
/// Room for labels such as −0.25, in font sizes: most charts then stand still while one pans, and line up in a column.
constexpr double kLeastLeftMargin = 5.4;

/// A fixed range of values as axis coordinates; ends without logarithm come from the data.
ValueRange fixedRange(const std::optional<ValueRange>& fixed, AxisScale scale, const ValueRange& data) {
    if (!fixed) {
        return data;
    }
    const double low = AxisMapping::toAxis(fixed->low, scale);
    const double high = AxisMapping::toAxis(fixed->high, scale);
    return {std::isfinite(low) ? low : data.low, std::isfinite(high) ? high : data.high};
}

} // namespace

PlotCanvas::PlotCanvas(QWidget* parent)
    : QChartView(parent), m_navigator(viewport(), this), m_axisX(new QValueAxis(this)), m_axisY(new QValueAxis(this)) {
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->legend()->hide();
    chart()->setBackgroundVisible(false);
    chart()->setPlotAreaBackgroundVisible(false);
    chart()->setMargins(QMargins());
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->addAxis(m_axisX, Qt::AlignBottom);
    chart()->addAxis(m_axisY, Qt::AlignLeft);
    m_axisX->setVisible(false);
    m_axisY->setVisible(false);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setContextMenuPolicy(Qt::NoContextMenu);
    const auto repaint = [this] { viewport()->update(); };
    connect(&m_navigator, &PlotNavigator::hoverChanged, this, repaint);
    connect(&m_navigator, &PlotNavigator::rubberBandChanged, this, repaint);
}

void PlotCanvas::setFigure(const CurveFigure& figure) {
    m_figure = figure;
}

void PlotCanvas::setTheme(const ChartTheme& theme) {
    m_theme = theme;
    setBackgroundBrush(theme.background);
    stylePens();
    viewport()->update();
}

void PlotCanvas::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void PlotCanvas::setCursorX(double x) {
    const bool changesRoom = std::isfinite(x) != std::isfinite(m_cursorX);
    m_cursorX = x;
    if (changesRoom) { // of its tag
        layOut();
        fillSeries();
    }
    viewport()->update();
}

void PlotCanvas::setHighlighted(const QString& id) {
    m_highlighted = id;
    stylePens();
    viewport()->update();
}

void PlotCanvas::setView(const ValueRange& x, const ValueRange& y, bool zoomedByUser) {
    m_viewX = x;
    m_viewY = y;
    m_zoomed = zoomedByUser;
}

PlotCanvas::Hit PlotCanvas::hitAt(const QPointF& pixel, double reach) const {
    Hit best;
    double nearest = reach * reach;
    for (int curve = 0; curve < m_prepared.size(); ++curve) {
        for (const auto& piece : m_prepared[curve].pieces) {
            for (const auto& vertex : piece) {
                const QPointF place = m_frame.place(vertex.at);
                const QPointF away = place - pixel;
                const double distance = QPointF::dotProduct(away, away);
                if (distance <= nearest && m_frame.plot.adjusted(-1, -1, 1, 1).contains(place)) {
                    nearest = distance;
                    best = {curve, vertex.source, place, vertex.clamped};
                }
            }
        }
    }
    return best;
}

QString PlotCanvas::hitText(const Hit& hit) const {
    const Curve& curve = m_figure.curves[hit.curve];
    const QPointF& point = curve.points[hit.point];
    const auto line = [](const AxisSpec& axis, const char* otherwise, double value) {
        const QString unit = axis.unit.isEmpty() ? QString() : " " + axis.unit;
        const QString name = axis.title.isEmpty() ? QString::fromLatin1(otherwise) : axis.title;
        return QStringLiteral("%1 = %2%3").arg(name, shownNumber(value), unit);
    };
    QString text = curve.name + '\n' + line(m_figure.x, "x", point.x()) + '\n' + line(m_figure.y, "y", point.y());
    if (hit.clamped) {
        text += '\n' + tr("no place on a log axis, drawn at its floor");
    }
    return text;
}

double PlotCanvas::nearestX(const QPointF& pixel) const {
    double best = m_frame.valueAt(pixel).x();
    double nearest = std::numeric_limits<double>::infinity();
    for (int curve = 0; curve < m_prepared.size(); ++curve) {
        for (const auto& piece : m_prepared[curve].pieces) {
            for (const auto& vertex : piece) {
                const double away = std::abs(m_frame.place(vertex.at).x() - pixel.x());
                if (away < nearest) {
                    nearest = away;
                    best = m_figure.curves[curve].points[vertex.source].x();
                }
            }
        }
    }
    return best;
}

double PlotCanvas::nextX(int direction) const {
    const double start = std::isnan(m_cursorX) ? (direction > 0 ? -1 : 2) : m_frame.x.mapping.fraction(m_cursorX);
    double best = m_cursorX;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Curve& curve : m_figure.curves) {
        for (const QPointF& point : curve.points) {
            const double ahead = (m_frame.x.mapping.fraction(point.x()) - start) * direction;
            if (curve.visible && ahead > 1e-12 && ahead < nearest) {
                nearest = ahead;
                best = point.x();
            }
        }
    }
    return best;
}

void PlotCanvas::refresh() {
    m_floors = curveFloors(m_figure.curves);
    if (!m_zoomed) {
        fitView();
    }
    layOut();
    fillSeries();
    stylePens();
    viewport()->update();
}

void PlotCanvas::fitView() {
    const ValueRange x = dataRangeX(m_figure.curves, m_figure.x.scale, m_floors);
    const ValueRange y = dataRangeY(m_figure.curves, m_figure.y.scale, m_floors);
    m_viewX = fixedRange(m_figure.xRange, m_figure.x.scale, paddedRange(x, kMarginX));
    m_viewY = fixedRange(m_figure.yRange, m_figure.y.scale, paddedRange(y, kMarginY));
}

void PlotCanvas::layOut() {
    QPixmap measure(1, 1);
    QPainter painter(&measure);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    m_frame.font = QFontInfo(font()).pixelSize();
    m_frame.lineWidth = 1;
    const QRectF area = QRectF(viewport()->rect()).adjusted(0, 2, -4, -2);
    m_frame.plot = area;
    const AxisMapping x(m_viewX, m_figure.x.scale, m_figure.x.reversed);
    const AxisMapping y(m_viewY, m_figure.y.scale, m_figure.y.reversed);
    const bool wholeX = areCountsX(m_figure);
    const bool wholeY = areCountsY(m_figure);
    for (int round = 0; round < 2; ++round) {
        m_frame.x = drawnAxis(m_figure.x, x, m_frame.plot.width(), m_frame.font, Qt::Horizontal, wholeX);
        m_frame.y = drawnAxis(m_figure.y, y, m_frame.plot.height(), m_frame.font, Qt::Vertical, wholeY);
        QMarginsF margins = axisMargins(canvas, m_frame.x, m_frame.y, m_frame.font);
        margins.setLeft(std::max({margins.left(), kLeastLeftMargin * m_frame.font, m_zoomed ? m_leftRoom : 0}));
        if (std::isfinite(m_cursorX)) {
            margins.setTop(std::max(margins.top(), cursorTagRoom(QFontMetricsF(font()))));
        }
        m_frame.plot = area.marginsRemoved(margins);
        m_leftRoom = margins.left();
    }
    // Whole pixels keep the frame crisp.
    m_frame.plot = QRectF(m_frame.plot.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5);
    m_navigator.setPlotRect(m_frame.plot);
    chart()->resize(viewport()->size());
    chart()->setPlotArea(m_frame.plot);
    m_axisX->setReverse(m_figure.x.reversed);
    m_axisY->setReverse(m_figure.y.reversed);
    m_axisX->setRange(x.range().low, x.range().high);
    m_axisY->setRange(y.range().low, y.range().high);
}

void PlotCanvas::fillSeries() {
    const int columns = std::max(1, int(m_frame.plot.width()));
    m_prepared.resize(m_figure.curves.size());
    while (m_series.size() > m_figure.curves.size()) {
        for (QLineSeries* series : m_series.takeLast()) {
            chart()->removeSeries(series);
            delete series;
        }
    }
    m_series.resize(m_figure.curves.size());
    for (int index = 0; index < m_figure.curves.size(); ++index) {
        const Curve& curve = m_figure.curves[index];
        m_prepared[index] = curve.visible ? prepareCurve(curve.points, m_figure.x.scale, m_figure.y.scale, m_floors,
                                                         m_frame.x.mapping.range(), columns)
                                          : PreparedCurve();
        QVector<QLineSeries*>& series = m_series[index];
        const auto& pieces = m_prepared[index].pieces;
        while (series.size() < pieces.size()) {
            auto* line = new QLineSeries;
            chart()->addSeries(line);
            line->attachAxis(m_axisX);
            line->attachAxis(m_axisY);
            series.append(line);
        }
        for (int piece = 0; piece < series.size(); ++piece) {
            QList<QPointF> points;
            if (piece < pieces.size()) {
                points.reserve(pieces[piece].size());
                for (const auto& vertex : pieces[piece]) {
                    points.append(vertex.at);
                }
            }
            if (!points.isEmpty() || !series[piece]->points().isEmpty()) {
                series[piece]->replace(points);
            }
        }
    }
}

void PlotCanvas::stylePens() {
    for (int index = 0; index < m_series.size() && index < m_figure.curves.size(); ++index) {
        const ResolvedStyle style = resolveStyle(m_figure.curves[index].style, index, m_theme);
        const bool chosen = m_highlighted == m_figure.curves[index].id;
        QColor colour = style.colour;
        colour.setAlphaF(m_highlighted.isEmpty() || chosen ? 1.0F : float(kDimmed));
        // Cosmetic pens count device pixels.
        QPen pen(colour, style.width * devicePixelRatioF() * (chosen ? 1.7 : 1));
        pen.setCosmetic(true);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::RoundJoin);
        if (style.dash == DashStyle::NoLine) {
            pen.setStyle(Qt::NoPen);
        } else if (index < m_prepared.size() && m_prepared[index].thinned) {
            // Dashes of a line that goes up and down in every pixel column cannot be seen and take twenty times as
            // long; markers still tell the curves apart.
            pen.setWidthF(devicePixelRatioF() * (chosen ? 2 : 1));
        } else if (!dashPattern(style.dash).isEmpty()) {
            pen.setDashPattern(dashPattern(style.dash));
        }
        for (QLineSeries* series : m_series[index]) {
            series->setPen(pen);
        }
    }
}

void PlotCanvas::drawBackground(QPainter* painter, const QRectF& rect) {
    QChartView::drawBackground(painter, rect);
    if (isEmpty(Figure(m_figure))) {
        return; // axes of nothing say nothing
    }
    PainterCanvas canvas(*painter, font(), PainterCanvas::Fonts::Hinted);
    painter->setRenderHint(QPainter::Antialiasing, false);
    drawGrid(canvas, m_frame, m_theme);
    painter->setRenderHint(QPainter::Antialiasing, true);
    canvas.beginClip(m_frame.plot);
    for (int index = 0; index < m_figure.curves.size(); ++index) {
        const Curve& curve = m_figure.curves[index];
        const bool isChosen = m_highlighted.isEmpty() || m_highlighted == curve.id;
        if (curve.visible && isChosen && !curve.band.isEmpty()) {
            drawBand(canvas, m_frame, curve, resolveStyle(curve.style, index, m_theme).colour, m_floors);
        }
    }
    canvas.endClip();
}

void PlotCanvas::drawForeground(QPainter* painter, const QRectF&) {
    painter->save();
    painter->setFont(font());
    const QRectF whole = viewport()->rect();
    if (isEmpty(Figure(m_figure))) {
        paintEmptyText(*painter, m_emptyText, whole, m_theme);
        paintFocusFrame(*painter, hasFocus(), whole, m_theme);
        painter->restore();
        return;
    }
    PainterCanvas canvas(*painter, font(), PainterCanvas::Fonts::Hinted);
    drawMarkers(canvas);
    // Labels of marks keep off the lines; without any, nobody asks where these run.
    lambdascope::drawMarks(canvas, m_frame, m_figure.marks, m_theme,
                           m_figure.marks.isEmpty() ? QVector<QVector<QPointF>>() : drawnLines());
    drawAxes(canvas, m_frame, m_theme);
    if (std::isfinite(m_cursorX)) {
        const double x = m_frame.plot.left() + m_frame.x.mapping.fraction(m_cursorX) * m_frame.plot.width();
        const QString name = m_figure.x.title.isEmpty() ? QStringLiteral("x") : m_figure.x.title;
        paintCursorLine(*painter, x, QStringLiteral("%1 = %2").arg(name, shownNumber(m_cursorX)), m_frame.plot,
                        m_theme);
    }
    if (const auto band = m_navigator.rubberBand()) {
        paintRubberBand(*painter, *band, m_theme);
    } else if (const auto hover = m_navigator.hover(); hover) {
        paintCrosshair(*painter, *hover, m_frame.plot, m_theme);
        const Hit hit = hitAt(*hover, 24);
        if (hit.isValid()) {
            canvas.drawMarkers(MarkerShape::Circle, {hit.place}, 12, {}, m_theme.text);
            // The line above the plot has what the others are there.
            const Curve& curve = m_figure.curves[hit.curve];
            paintTooltip(*painter, hit.place,
                         QStringLiteral("%1: %2").arg(curve.name, shownNumber(curve.points[hit.point].y())), whole,
                         m_theme);
        }
    }
    paintFocusFrame(*painter, hasFocus(), m_frame.plot, m_theme);
    painter->restore();
}

QVector<QVector<QPointF>> PlotCanvas::drawnLines() const {
    QVector<QVector<QPointF>> lines;
    for (const PreparedCurve& curve : m_prepared) {
        for (const auto& piece : curve.pieces) {
            QVector<QPointF>& line = lines.emplace_back();
            for (const auto& vertex : piece) {
                line.append(m_frame.place(vertex.at));
            }
        }
    }
    return lines;
}

void PlotCanvas::drawMarkers(FigureCanvas& canvas) const {
    const QRectF room = m_frame.plot.adjusted(-1, -1, 1, 1);
    for (int index = 0; index < m_prepared.size() && index < m_figure.curves.size(); ++index) {
        const ResolvedStyle style = resolveStyle(m_figure.curves[index].style, index, m_theme);
        QColor colour = style.colour;
        if (!m_highlighted.isEmpty() && m_highlighted != m_figure.curves[index].id) {
            colour.setAlphaF(float(kDimmed));
        }
        QVector<QPointF> places;
        QVector<QPointF> floored;
        for (const auto& piece : m_prepared[index].pieces) {
            for (const auto& vertex : piece) {
                const QPointF place = m_frame.place(vertex.at);
                if (room.contains(place)) {
                    (vertex.clamped ? floored : places).append(place);
                }
            }
        }
        const double distance = style.dash == DashStyle::NoLine ? 0 : kCurveMarkerSize * 2.2;
        canvas.drawMarkers(style.marker, markerPlaces(places, distance), kCurveMarkerSize, colour, {});
        canvas.drawMarkers(MarkerShape::TriangleDown, markerPlaces(floored, kCurveMarkerSize * 1.5),
                           kCurveMarkerSize * 1.3, m_theme.background, colour);
    }
}

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    emit resized();
}

} // namespace lambdascope
