// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_cloud_canvas.h"

#include "ui/charts/link_painter.h"
#include "ui/charts/overlay_painter.h"
#include "ui/charts/painter_canvas.h"
#include "ui/charts/point_name_painter.h"

#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kPointReach = 12;

} // namespace

PointCloudCanvas::PointCloudCanvas(QWidget* parent) : QWidget(parent), m_navigator(this, this) {
    connect(&m_navigator, &PlotNavigator::rubberBandChanged, this, qOverload<>(&QWidget::update));
    connect(&m_navigator, &PlotNavigator::hoverChanged, this, qOverload<>(&QWidget::update));
}

void PointCloudCanvas::setFigure(const CloudFigure& figure) {
    m_figure = figure;
    m_grid = PointGrid(figure.points);
    layOut();
}

void PointCloudCanvas::setTheme(const ChartTheme& theme, const QString& emptyText) {
    m_theme = theme;
    m_emptyText = emptyText;
    layOut();
}

void PointCloudCanvas::setHighlighted(const QVector<int>& points) {
    m_highlighted = points;
    update();
}

void PointCloudCanvas::setHidden(const QVector<bool>& hiddenClasses) {
    m_hidden = hiddenClasses;
    m_layerStale = true;
    update();
}

void PointCloudCanvas::setLinksShown(int group, bool shown) {
    m_figure.linkGroups[group].visible = shown;
    m_layerStale = true;
    update();
}

void PointCloudCanvas::setShadowsShown(bool shown) {
    m_figure.showsShadows = shown;
    m_layerStale = true;
    update();
}

void PointCloudCanvas::setEmphasized(int group) {
    if (m_emphasized != group) {
        m_emphasized = group;
        m_layerStale = true;
        update();
    }
}

void PointCloudCanvas::setView(const PlotExtent& wanted) {
    m_wanted = wanted;
    m_zoomed = true;
    layOut();
}

void PointCloudCanvas::resetView() {
    m_zoomed = false;
    layOut();
}

int PointCloudCanvas::pointAt(const QPointF& pixel, double reach) const {
    const double width = m_view.x.high - m_view.x.low;
    const double height = m_view.y.high - m_view.y.low;
    const QPointF scale(reach * width / std::max(m_frame.plot.width(), 1.0),
                        reach * height / std::max(m_frame.plot.height(), 1.0));
    return m_grid.nearest(m_frame.valueAt(pixel), scale, [this](int point) { return isShown(point); });
}

int PointCloudCanvas::group(int point) const {
    return std::max(0, m_figure.classes.value(point, 0));
}

bool PointCloudCanvas::isShown(int point) const {
    return !m_hidden.value(group(point), false);
}

double PointCloudCanvas::markerSize() const {
    const qsizetype count = m_figure.points.size();
    return count <= 500 ? 9 : count <= 3000 ? 7 : 5;
}

void PointCloudCanvas::layOut() {
    QPixmap measure(1, 1);
    QPainter painter(&measure);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    m_frame.font = QFontInfo(font()).pixelSize();
    const QRectF area = QRectF(rect()).adjusted(0, 2, -4, -2);
    m_frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        const double aspect = m_figure.equalAspect ? m_frame.plot.width() / std::max(m_frame.plot.height(), 1.0) : 0;
        m_view = m_zoomed ? m_wanted : cloudExtent(m_figure, aspect);
        if (m_zoomed && aspect > 0) {
            m_view = withEqualScales(m_view, aspect);
        }
        const AxisMapping x(m_view.x, AxisScale::Linear, false);
        const AxisMapping y(m_view.y, AxisScale::Linear, false);
        m_frame.x = drawnAxis(m_figure.x, x, m_frame.plot.width(), m_frame.font, Qt::Horizontal);
        m_frame.y = drawnAxis(m_figure.y, y, m_frame.plot.height(), m_frame.font, Qt::Vertical);
        m_frame.plot = area.marginsRemoved(axisMargins(canvas, m_frame.x, m_frame.y, m_frame.font));
    }
    m_navigator.setPlotRect(m_frame.plot);
    m_layerStale = true;
    update();
}

QVector<QPixmap> PointCloudCanvas::sprites() const {
    int groups = int(m_figure.classNames.size());
    for (const int index : m_figure.classes) {
        groups = std::max(groups, index + 1);
    }
    const double size = markerSize();
    const int side = int(std::ceil(size * 1.5));
    QVector<QPixmap> sprites;
    for (int index = 0; index < std::max(groups, 1); ++index) {
        QPixmap sprite((QSizeF(side, side) * devicePixelRatioF()).toSize());
        sprite.setDevicePixelRatio(devicePixelRatioF());
        sprite.fill(Qt::transparent);
        QPainter painter(&sprite);
        PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
        QColor colour = classColour(index, m_theme);
        colour.setAlphaF(m_emphasized >= 0 && m_emphasized != index ? 0.12F : 0.85F);
        // A thin rim keeps touching points apart, while there are few enough for rims to be seen.
        QColor rim = m_theme.background;
        rim.setAlphaF(0.8F);
        canvas.drawMarkers(classMarker(index), {{side / 2.0, side / 2.0}}, size, colour,
                           m_figure.points.size() <= 3000 ? rim : QColor());
        sprites.append(sprite);
    }
    return sprites;
}

void PointCloudCanvas::paintLayer() {
    m_layerStale = false;
    ++m_layerPaints;
    m_layer = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
    m_layer.setDevicePixelRatio(devicePixelRatioF());
    m_layer.fill(m_theme.background);
    QPainter painter(&m_layer);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawGrid(canvas, m_frame, m_theme);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(m_frame.plot);
    drawLinks(canvas, m_frame, m_figure, 1, markerSize(), m_theme);
    const QVector<QPixmap> stamps = sprites();
    const double half = stamps.first().width() / stamps.first().devicePixelRatio() / 2;
    const QRectF room = m_frame.plot.adjusted(-half, -half, half, half);
    for (int point = 0; point < m_figure.points.size(); ++point) {
        const CloudPoint& at = m_figure.points[point];
        const QPointF place = m_frame.place({double(at.x), double(at.y)});
        // QRectF says that NaN is inside, and the raster engine crashes on it.
        const bool finite = std::isfinite(place.x()) && std::isfinite(place.y());
        if (finite && isShown(point) && room.contains(place)) {
            painter.drawPixmap(place - QPointF(half, half), stamps[group(point)]);
        }
    }
    painter.restore();
    if (m_emphasized < 0) {
        drawPointNames(canvas, m_frame, m_figure, markerSize(), m_theme);
    }
    drawAxes(canvas, m_frame, m_theme);
}

QString PointCloudCanvas::pointText(int point) const {
    const auto line = [](const QString& title, const char* otherwise, float value) {
        return QStringLiteral("%1 = %2").arg(title.isEmpty() ? QString::fromLatin1(otherwise) : title,
                                             shownNumber(double(value)));
    };
    const CloudPoint& at = m_figure.points[point];
    const QString label = m_figure.pointLabels.value(point, tr("Point %1").arg(point));
    const QString name = m_figure.classNames.value(group(point));
    return label + (name.isEmpty() ? QString() : '\n' + name) + '\n' + line(m_figure.x.title, "x", at.x) + '\n' +
           line(m_figure.y.title, "y", at.y);
}

void PointCloudCanvas::paintEvent(QPaintEvent*) {
    if (m_figure.points.isEmpty()) { // axes of nothing say nothing
        QPainter painter(this);
        painter.fillRect(rect(), m_theme.background);
        paintEmptyText(painter, m_emptyText, rect(), m_theme);
        paintFocusFrame(painter, hasFocus(), rect(), m_theme);
        return;
    }
    if (m_layerStale || m_layer.devicePixelRatio() != devicePixelRatioF()) {
        paintLayer();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_layer);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    const auto ring = [&](int point, double size, const QColor& colour) {
        const CloudPoint& at = m_figure.points[point];
        const QPointF place = m_frame.place({double(at.x), double(at.y)});
        if (std::isfinite(place.x()) && std::isfinite(place.y()) && m_frame.plot.contains(place)) {
            canvas.drawMarkers(MarkerShape::Circle, {place}, size, {}, colour);
        }
    };
    for (const int point : m_highlighted) {
        if (point >= 0 && point < m_figure.points.size() && isShown(point)) {
            ring(point, markerSize() + 7, m_theme.accent);
        }
    }
    if (const auto band = m_navigator.rubberBand()) {
        paintRubberBand(painter, *band, m_theme);
    } else if (const auto hover = m_navigator.hover()) {
        const int point = pointAt(*hover, kPointReach);
        if (point >= 0) {
            const CloudPoint& at = m_figure.points[point];
            ring(point, markerSize() + 5, m_theme.text);
            paintTooltip(painter, m_frame.place({double(at.x), double(at.y)}), pointText(point), rect(), m_theme);
        }
    }
    paintFocusFrame(painter, hasFocus(), m_frame.plot, m_theme);
}

void PointCloudCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

} // namespace lambdascope
