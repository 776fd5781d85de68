// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/painter_canvas.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

/// Size at which scalable text is laid out before the painter shrinks it.
constexpr int kLayoutPixels = 100;

QPen penOf(const LineStyle& style) {
    QPen pen(style.colour, style.width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    if (!style.dashes.isEmpty()) {
        pen.setDashPattern(style.dashes);
    }
    return pen;
}

} // namespace

PainterCanvas::PainterCanvas(QPainter& painter, const QFont& font, Fonts fonts)
    : m_painter(painter), m_font(font), m_fonts(fonts) {
    m_painter.setRenderHint(QPainter::Antialiasing);
    // A PDF would blur the few pixels of a heatmap by JPEG coding.
    m_painter.setRenderHint(QPainter::LosslessImageRendering);
}

void PainterCanvas::drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) {
    m_painter.setPen(penOf(style));
    m_painter.drawLine(from, to);
}

void PainterCanvas::drawLines(const QVector<QLineF>& lines, const LineStyle& style) {
    m_painter.setPen(penOf(style));
    m_painter.drawLines(lines);
}

void PainterCanvas::drawPolyline(const QVector<QPointF>& points, const LineStyle& style) {
    m_painter.setPen(penOf(style));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(points.constData(), int(points.size()));
}

void PainterCanvas::drawCubics(const QVector<QPointF>& places, const LineStyle& style) {
    QPainterPath path(places.value(0));
    for (qsizetype end = 3; end < places.size(); end += 3) {
        path.cubicTo(places[end - 2], places[end - 1], places[end]);
    }
    m_painter.strokePath(path, penOf(style));
}

void PainterCanvas::drawPolygon(const QVector<QPointF>& corners, const QColor& fill) {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawPolygon(corners.constData(), int(corners.size()));
}

void PainterCanvas::drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fill,
                                const QColor& outline) {
    QPainterPath path;
    for (const QVector<QPointF>& part : markerOutline(shape)) {
        QPolygonF polygon;
        for (const QPointF& point : part) {
            polygon << point * size;
        }
        path.addPolygon(polygon);
        if (!isStrokedMarker(shape)) {
            path.closeSubpath();
        }
    }
    const bool stroked = isStrokedMarker(shape);
    const QColor edge = stroked ? fill : outline;
    m_painter.setPen(edge.isValid() ? QPen(edge, stroked ? size * 0.22 : size * 0.12) : QPen(Qt::NoPen));
    m_painter.setBrush(stroked || !fill.isValid() ? QBrush(Qt::NoBrush) : QBrush(fill));
    for (const QPointF& centre : centres) {
        m_painter.translate(centre);
        m_painter.drawPath(path);
        m_painter.translate(-centre);
    }
}

void PainterCanvas::drawRect(const QRectF& rect, const QColor& fill, const LineStyle* outline) {
    m_painter.setPen(outline ? penOf(*outline) : QPen(Qt::NoPen));
    m_painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    m_painter.drawRect(rect);
}

void PainterCanvas::drawText(const QPointF& anchor, const QString& text, const TextStyle& style) {
    const QFont font = fontOf(style);
    const QFontMetricsF metrics(font);
    const double scale = fontScale(style);
    const double width = metrics.horizontalAdvance(text);
    QPointF offset;
    if (style.alignment & Qt::AlignHCenter) {
        offset.setX(-width / 2);
    } else if (style.alignment & Qt::AlignRight) {
        offset.setX(-width);
    }
    if (style.alignment & Qt::AlignTop) {
        offset.setY(metrics.ascent());
    } else if (style.alignment & Qt::AlignVCenter) {
        offset.setY(metrics.capHeight() / 2);
    } else if (style.alignment & Qt::AlignBottom) {
        offset.setY(-metrics.descent());
    }
    m_painter.save();
    m_painter.translate(anchor);
    if (style.upwards) {
        m_painter.rotate(-90);
    }
    m_painter.scale(scale, scale);
    m_painter.setFont(font);
    m_painter.setPen(style.colour);
    m_painter.drawText(offset, text);
    m_painter.restore();
}

void PainterCanvas::drawImage(const QRectF& rect, const QImage& image) {
    // Cells have edges; of those that are smaller than a pixel none is left out.
    const QRectF pixels = m_painter.deviceTransform().mapRect(rect);
    m_painter.setRenderHint(QPainter::SmoothPixmapTransform,
                            image.width() > pixels.width() || image.height() > pixels.height());
    m_painter.drawImage(rect, image);
}

void PainterCanvas::beginClip(const QRectF& rect) {
    m_painter.save();
    m_painter.setClipRect(rect);
}

void PainterCanvas::endClip() {
    m_painter.restore();
}

double PainterCanvas::textWidth(const QString& text, const TextStyle& style) const {
    return QFontMetricsF(fontOf(style)).horizontalAdvance(text) * fontScale(style);
}

QFont PainterCanvas::fontOf(const TextStyle& style) const {
    QFont font = m_font;
    font.setPixelSize(m_fonts == Fonts::Scalable ? kLayoutPixels : std::max(1, int(std::lround(style.size))));
    font.setBold(style.bold);
    return font;
}

double PainterCanvas::fontScale(const TextStyle& style) const {
    return m_fonts == Fonts::Scalable ? style.size / kLayoutPixels : 1;
}

} // namespace lambdascope
