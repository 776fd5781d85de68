// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/svg_canvas.h"

#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kUserUnitsPerMm = 72 / 25.4;
constexpr int kImageSide = 800; ///< pixels of an embedded image, at least about

/// Two decimals without trailing zeros.
QByteArray number(double value) {
    QByteArray text = QByteArray::number(std::round(value * 100) / 100, 'f', 2);
    while (text.endsWith('0')) {
        text.chop(1);
    }
    if (text.endsWith('.')) {
        text.chop(1);
    }
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray place(const QPointF& point) {
    return number(point.x()) + ',' + number(point.y());
}

QByteArray attribute(const char* name, const QByteArray& value) {
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray colourAttribute(const char* name, const QColor& colour) {
    if (!colour.isValid()) {
        return attribute(name, "none");
    }
    QByteArray text = attribute(name, colour.name().toLatin1());
    if (colour.alpha() < 255) {
        text += attribute((QByteArray(name) + "-opacity").constData(), number(colour.alphaF()));
    }
    return text;
}

QByteArray strokeAttributes(const LineStyle& style) {
    QByteArray text = colourAttribute("stroke", style.colour) + attribute("stroke-width", number(style.width));
    if (!style.dashes.isEmpty()) {
        QByteArray dashes;
        for (const qreal dash : style.dashes) {
            dashes += (dashes.isEmpty() ? "" : ",") + number(dash * style.width);
        }
        text += attribute("stroke-dasharray", dashes);
    }
    return text;
}

QByteArray polylineData(const QVector<QPointF>& points) {
    QByteArray data;
    for (const QPointF& point : points) {
        data += (data.isEmpty() ? "M" : " ") + place(point);
    }
    return data;
}

QFont layoutFont(bool bold) {
    QFont font;
    font.setFamilies(figureFontFamilies());
    font.setPixelSize(100);
    font.setBold(bold);
    return font;
}

} // namespace

SvgCanvas::SvgCanvas(const QSizeF& sizePt, const QString& title, const QByteArray& description) {
    m_head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"" +
             attribute("width", number(sizePt.width() / kUserUnitsPerMm) + "mm") +
             attribute("height", number(sizePt.height() / kUserUnitsPerMm) + "mm") +
             attribute("viewBox", "0 0 " + number(sizePt.width()) + ' ' + number(sizePt.height())) +
             attribute("font-family", "'DejaVu Sans','Liberation Sans',Verdana,sans-serif") + ">\n<title>" +
             title.toHtmlEscaped().toUtf8() + "</title>\n";
    if (!description.isEmpty()) {
        m_head += "<desc>" + QString::fromUtf8(description).toHtmlEscaped().toUtf8() + "</desc>\n";
    }
}

QByteArray SvgCanvas::document() const {
    const QByteArray definitions = m_definitions.isEmpty() ? QByteArray() : "<defs>\n" + m_definitions + "</defs>\n";
    return m_head + definitions + m_body + "</svg>\n";
}

void SvgCanvas::drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) {
    appendPath(polylineData({from, to}), style);
}

void SvgCanvas::drawLines(const QVector<QLineF>& lines, const LineStyle& style) {
    QByteArray data;
    for (const QLineF& line : lines) {
        data += polylineData({line.p1(), line.p2()});
    }
    appendPath(data, style);
}

void SvgCanvas::drawPolyline(const QVector<QPointF>& points, const LineStyle& style) {
    appendPath(polylineData(points), style);
}

void SvgCanvas::drawCubics(const QVector<QPointF>& places, const LineStyle& style) {
    QByteArray data = polylineData(places.mid(0, 1));
    for (qsizetype next = 1; next < places.size(); ++next) {
        data += (next == 1 ? "C" : " ") + place(places[next]);
    }
    appendPath(data, style);
}

void SvgCanvas::drawPolygon(const QVector<QPointF>& corners, const QColor& fill) {
    if (!corners.isEmpty()) {
        m_body += "<path" + colourAttribute("fill", fill) + attribute("d", polylineData(corners) + 'z') + "/>\n";
    }
}

void SvgCanvas::drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fill,
                            const QColor& outline) {
    if (centres.isEmpty() || shape == MarkerShape::None) {
        return;
    }
    const QByteArray id = markerId(shape, size);
    const bool stroked = isStrokedMarker(shape);
    m_body += "<g" + colourAttribute("fill", stroked ? QColor() : fill);
    const QColor edge = stroked ? fill : outline;
    if (edge.isValid()) {
        m_body += strokeAttributes({edge, stroked ? size * 0.22 : size * 0.12});
    }
    m_body += ">\n";
    for (const QPointF& centre : centres) {
        m_body += "<use xlink:href=\"#" + id + '"' + attribute("x", number(centre.x())) +
                  attribute("y", number(centre.y())) + "/>\n";
    }
    m_body += "</g>\n";
}

void SvgCanvas::drawRect(const QRectF& rect, const QColor& fill, const LineStyle* outline) {
    m_body += "<rect" + attribute("x", number(rect.x())) + attribute("y", number(rect.y())) +
              attribute("width", number(rect.width())) + attribute("height", number(rect.height())) +
              colourAttribute("fill", fill) + (outline ? strokeAttributes(*outline) : QByteArray()) + "/>\n";
}

void SvgCanvas::drawText(const QPointF& anchor, const QString& text, const TextStyle& style) {
    if (text.isEmpty()) {
        return;
    }
    const QFontMetricsF metrics(layoutFont(style.bold));
    const double em = style.size / 100;
    double shift = 0;
    if (style.alignment & Qt::AlignTop) {
        shift = metrics.ascent() * em;
    } else if (style.alignment & Qt::AlignVCenter) {
        shift = metrics.capHeight() * em / 2;
    } else if (style.alignment & Qt::AlignBottom) {
        shift = -metrics.descent() * em;
    }
    m_body += "<text" + attribute("font-size", number(style.size)) + colourAttribute("fill", style.colour);
    if (style.alignment & Qt::AlignHCenter) {
        m_body += attribute("text-anchor", "middle");
    } else if (style.alignment & Qt::AlignRight) {
        m_body += attribute("text-anchor", "end");
    }
    if (style.bold) {
        m_body += attribute("font-weight", "bold");
    }
    if (style.upwards) {
        m_body +=
            attribute("transform", "translate(" + place(anchor) + ") rotate(-90)") + attribute("y", number(shift));
    } else {
        m_body += attribute("x", number(anchor.x())) + attribute("y", number(anchor.y() + shift));
    }
    m_body += '>' + text.toHtmlEscaped().toUtf8() + "</text>\n";
}

void SvgCanvas::drawImage(const QRectF& rect, const QImage& image) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    // Some viewers smooth whatever the style says; in blocks of several pixels that stays within a cell's rim.
    const int block = std::max(1, kImageSide / std::max({image.width(), image.height(), 1}));
    image.scaled(image.size() * block, Qt::IgnoreAspectRatio, Qt::FastTransformation).save(&buffer, "PNG");
    m_body += "<image" + attribute("x", number(rect.x())) + attribute("y", number(rect.y())) +
              attribute("width", number(rect.width())) + attribute("height", number(rect.height())) +
              attribute("preserveAspectRatio", "none") + attribute("style", "image-rendering:pixelated") +
              attribute("xlink:href", "data:image/png;base64," + png.toBase64()) + "/>\n";
}

void SvgCanvas::beginClip(const QRectF& rect) {
    const QByteArray id = 'c' + QByteArray::number(m_clips++);
    m_definitions += "<clipPath id=\"" + id + "\"><rect" + attribute("x", number(rect.x())) +
                     attribute("y", number(rect.y())) + attribute("width", number(rect.width())) +
                     attribute("height", number(rect.height())) + "/></clipPath>\n";
    m_body += "<g clip-path=\"url(#" + id + ")\">\n";
}

void SvgCanvas::endClip() {
    m_body += "</g>\n";
}

double SvgCanvas::textWidth(const QString& text, const TextStyle& style) const {
    return QFontMetricsF(layoutFont(style.bold)).horizontalAdvance(text) * style.size / 100;
}

void SvgCanvas::appendPath(const QByteArray& data, const LineStyle& style) {
    if (!data.isEmpty()) {
        m_body += "<path" + attribute("fill", "none") + strokeAttributes(style) +
                  attribute("stroke-linejoin", "round") + attribute("d", data) + "/>\n";
    }
}

QByteArray SvgCanvas::markerId(MarkerShape shape, double size) {
    QByteArray data;
    const double r = size / 2;
    if (shape == MarkerShape::Circle) {
        const QByteArray arc = "a" + number(r) + ',' + number(r) + " 0 1 0 ";
        data = "M" + number(-r) + ",0" + arc + number(2 * r) + ",0" + arc + number(-2 * r) + ",0z";
    } else {
        for (const QVector<QPointF>& part : markerOutline(shape)) {
            QVector<QPointF> scaled;
            for (const QPointF& point : part) {
                scaled << point * size;
            }
            data += polylineData(scaled) + (isStrokedMarker(shape) ? "" : "z");
        }
    }
    QByteArray& id = m_markerIds[data];
    if (id.isEmpty()) {
        id = 'm' + QByteArray::number(m_markerIds.size());
        m_definitions += "<path" + attribute("id", id) + attribute("d", data) + "/>\n";
    }
    return id;
}

} // namespace lambdascope
