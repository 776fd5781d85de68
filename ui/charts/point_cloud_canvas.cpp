// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_cloud_canvas.h"

#include "ui/charts/link_painter.h"
#include "ui/charts/overlay_painter.h"
#include "ui/charts/painter_canvas.h"
#include "ui/charts/point_name_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kPointReach = 12;
constexpr double kOutline = 3; ///< pixels that a marked point is larger by

} // namespace

PointCloudCanvas::PointCloudCanvas(QWidget* parent) : PlotSurface(parent) {
    connect(&m_navigator, &PlotNavigator::hoverChanged, this, qOverload<>(&QWidget::update));
}

void PointCloudCanvas::setFigure(const CloudFigure& figure) {
    m_figure = figure;
    m_grid = PointGrid(figure.points);
    layOut();
}

void PointCloudCanvas::setHighlighted(const QVector<int>& points) {
    m_highlighted = points;
    update();
}

void PointCloudCanvas::setHidden(const QVector<bool>& hiddenClasses) {
    m_hidden = hiddenClasses;
    repaintLayer();
}

void PointCloudCanvas::setLinksShown(int group, bool shown) {
    m_figure.linkGroups[group].visible = shown;
    repaintLayer();
}

void PointCloudCanvas::setShadowsShown(bool shown) {
    m_figure.showsShadows = shown;
    repaintLayer();
}

void PointCloudCanvas::setEmphasized(int group) {
    if (m_emphasized != group) {
        m_emphasized = group;
        repaintLayer();
    }
}

int PointCloudCanvas::pointAt(const QPointF& pixel, double reach) const {
    const double width = view().x.high - view().x.low;
    const double height = view().y.high - view().y.low;
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

QVector<qint64> PointCloudCanvas::itemsWithin(const QRectF& pixels) const {
    QVector<qint64> within;
    const QRectF box = pixels & m_frame.plot;
    for (int point = 0; point < m_figure.points.size(); ++point) {
        const QPointF place = placeOf(point);
        if (std::isfinite(place.x()) && std::isfinite(place.y()) && isShown(point) && box.contains(place)) {
            within.append(point);
        }
    }
    return within;
}

QVector<QPixmap> PointCloudCanvas::sprites(Look look) const {
    int groups = int(m_figure.classNames.size());
    for (const int index : m_figure.classes) {
        groups = std::max(groups, index + 1);
    }
    const double size = markerSize();
    const int side = int(std::ceil((size + kOutline) * 1.5));
    QVector<QPixmap> sprites;
    for (int index = 0; index < std::max(groups, 1); ++index) {
        QPixmap sprite((QSizeF(side, side) * devicePixelRatioF()).toSize());
        sprite.setDevicePixelRatio(devicePixelRatioF());
        sprite.fill(Qt::transparent);
        QPainter painter(&sprite);
        PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
        QColor colour = classColour(index, m_theme);
        if (look == Look::Outline) {
            canvas.drawMarkers(classMarker(index), {{side / 2.0, side / 2.0}}, size + kOutline, m_theme.text,
                               m_theme.text);
            sprites.append(sprite);
            continue;
        }
        const bool isFaded = m_emphasized >= 0 && m_emphasized != index;
        colour.setAlphaF(isFaded ? 0.12F : look == Look::Back ? 0.2F : look == Look::Marked ? 1.F : 0.85F);
        // A thin rim keeps touching points apart, while there are few enough for rims to be seen.
        QColor rim = m_theme.background;
        rim.setAlphaF(0.8F);
        canvas.drawMarkers(classMarker(index), {{side / 2.0, side / 2.0}}, size, colour,
                           m_figure.points.size() <= 3000 ? rim : QColor());
        sprites.append(sprite);
    }
    return sprites;
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

bool PointCloudCanvas::isBlank() const {
    return m_figure.points.isEmpty();
}

PlotExtent PointCloudCanvas::wholeExtent(double aspect) const {
    return cloudExtent(m_figure, m_figure.equalAspect ? aspect : 0);
}

void PointCloudCanvas::placeAxes(const FigureCanvas& /*canvas*/) {
    m_frame.x = drawnAxis(m_figure.x, AxisMapping(view().x, AxisScale::Linear, false), m_frame.plot.width(),
                          m_frame.font, Qt::Horizontal);
    m_frame.y = drawnAxis(m_figure.y, AxisMapping(view().y, AxisScale::Linear, false), m_frame.plot.height(),
                          m_frame.font, Qt::Vertical);
}

void PointCloudCanvas::drawPoints(QPainter& painter, Look look) const {
    const QVector<QPixmap> stamps = sprites(look);
    const double half = stamps.first().width() / stamps.first().devicePixelRatio() / 2;
    const QRectF room = m_frame.plot.adjusted(-half, -half, half, half);
    for (int point = 0; point < m_figure.points.size(); ++point) {
        const QPointF place = placeOf(point);
        // QRectF says that NaN is inside, and the raster engine crashes on it.
        const bool finite = std::isfinite(place.x()) && std::isfinite(place.y());
        const bool isOfLook = look == Look::Plain || m_marks(point) == (look != Look::Back);
        if (finite && isShown(point) && isOfLook && room.contains(place)) {
            painter.drawPixmap(place - QPointF(half, half), stamps[group(point)]);
        }
    }
}

void PointCloudCanvas::drawLayer(QPainter& painter, FigureCanvas& canvas) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawGrid(canvas, m_frame, m_theme);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(m_frame.plot);
    drawLinks(canvas, m_frame, m_figure, 1, markerSize(), m_theme);
    if (m_marks) { // outlines below all marked ones: where many lie close, they hide none
        drawPoints(painter, Look::Back);
        drawPoints(painter, Look::Outline);
    }
    drawPoints(painter, m_marks ? Look::Marked : Look::Plain);
    painter.restore();
    if (m_emphasized < 0) {
        drawPointNames(canvas, m_frame, m_figure, markerSize(), m_theme);
    }
    drawAxes(canvas, m_frame, m_theme);
}

QPointF PointCloudCanvas::placeOf(int point) const {
    const CloudPoint& at = m_figure.points[point];
    return m_frame.place({double(at.x), double(at.y)});
}

void PointCloudCanvas::drawRing(FigureCanvas& canvas, int point, double size, const QColor& colour) const {
    const QPointF place = placeOf(point);
    if (std::isfinite(place.x()) && std::isfinite(place.y()) && m_frame.plot.contains(place)) {
        canvas.drawMarkers(MarkerShape::Circle, {place}, size, {}, colour);
    }
}

void PointCloudCanvas::drawAbove(QPainter& /*painter*/, FigureCanvas& canvas) const {
    for (const int point : m_highlighted) {
        if (point >= 0 && point < m_figure.points.size() && isShown(point)) {
            drawRing(canvas, point, markerSize() + 7, m_theme.accent);
        }
    }
}

void PointCloudCanvas::drawHint(QPainter& painter, FigureCanvas& canvas) const {
    const auto hover = m_navigator.hover();
    const int point = hover ? pointAt(*hover, kPointReach) : -1;
    if (point >= 0) {
        drawRing(canvas, point, markerSize() + 5, m_theme.text);
        paintTooltip(painter, placeOf(point), pointText(point), rect(), m_theme,
                     [this](const QRectF& box) { return marksWithin(box); });
    }
}

} // namespace lambdascope
