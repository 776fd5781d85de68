// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/tikz_canvas.h"

#include "core/common/latex_text.h"

#include <QFont>
#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr qsizetype kMostCells = 40'000; // more take TeX minutes

QByteArray coordinate(const QPointF& point) {
    return '(' + texNumber(point.x()) + ',' + texNumber(point.y()) + ')';
}

QByteArray line(const QVector<QPointF>& points) {
    QByteArray path;
    for (const QPointF& point : points) {
        path += (path.isEmpty() ? "" : "--") + coordinate(point);
    }
    return path;
}

QByteArray rectangle(const QRectF& rect) {
    return coordinate(rect.topLeft()) + " rectangle " + coordinate(rect.bottomRight());
}

QByteArray anchorOf(Qt::Alignment alignment) {
    const QByteArray side = alignment & Qt::AlignHCenter ? "" : alignment & Qt::AlignRight ? " east" : " west";
    if (alignment & Qt::AlignTop) {
        return "north" + side;
    }
    if (alignment & Qt::AlignBottom) {
        return "south" + side;
    }
    return alignment & Qt::AlignVCenter ? (side.isEmpty() ? QByteArray("mid") : "mid" + side) : "base" + side;
}

} // namespace

QByteArray texNumber(double value) {
    QByteArray text = QByteArray::number(std::round(value * 1e4) / 1e4, 'f', 4);
    while (text.endsWith('0')) {
        text.chop(1);
    }
    if (text.endsWith('.')) {
        text.chop(1);
    }
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray TikzCanvas::document() const {
    return "% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=1bp,y=-1bp,line join=round]\n" + m_colours + m_body +
           "\\end{tikzpicture}\n";
}

QByteArray TikzCanvas::colour(const QColor& colour) {
    QByteArray& name = m_names[colour.rgb()];
    if (name.isEmpty()) {
        name = "c" + QByteArray::number(m_names.size());
        m_colours += "\\definecolor{" + name + "}{HTML}{" + colour.name().mid(1).toUpper().toLatin1() + "}\n";
    }
    return name;
}

QByteArray TikzCanvas::stroke(const LineStyle& style) {
    QByteArray text = "draw=" + colour(style.colour) + ",line width=" + texNumber(style.width) + "bp";
    if (style.colour.alpha() < 255) {
        text += ",draw opacity=" + texNumber(style.colour.alphaF());
    }
    for (qsizetype i = 0; i < style.dashes.size(); ++i) {
        text += (i == 0 ? ",dash pattern=" : " ") + QByteArray(i % 2 == 0 ? "on " : "off ") +
                texNumber(style.dashes[i] * style.width) + "bp";
    }
    return text;
}

QByteArray TikzCanvas::fill(const QColor& fill) {
    return "fill=" + colour(fill) + (fill.alpha() < 255 ? ",fill opacity=" + texNumber(fill.alphaF()) : QByteArray());
}

void TikzCanvas::drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) {
    drawPolyline({from, to}, style);
}

void TikzCanvas::drawLines(const QVector<QLineF>& lines, const LineStyle& style) {
    QByteArray path;
    for (const QLineF& each : lines) {
        path += line({each.p1(), each.p2()});
    }
    if (!path.isEmpty()) {
        m_body += "\\path[" + stroke(style) + "] " + path + ";\n";
    }
}

void TikzCanvas::drawPolyline(const QVector<QPointF>& points, const LineStyle& style) {
    if (points.size() > 1) {
        m_body += "\\path[" + stroke(style) + "] " + line(points) + ";\n";
    }
}

void TikzCanvas::drawCubics(const QVector<QPointF>& places, const LineStyle& style) {
    if (places.size() < 4) {
        return;
    }
    QByteArray path = coordinate(places[0]);
    for (qsizetype next = 1; next + 2 < places.size(); next += 3) {
        path += ".. controls " + coordinate(places[next]) + " and " + coordinate(places[next + 1]) + ".." +
                coordinate(places[next + 2]);
    }
    m_body += "\\path[" + stroke(style) + "] " + path + ";\n";
}

void TikzCanvas::drawPolygon(const QVector<QPointF>& corners, const QColor& fillColour) {
    if (corners.size() > 2) {
        m_body += "\\path[" + fill(fillColour) + "] " + line(corners) + "--cycle;\n";
    }
}

void TikzCanvas::drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fillColour,
                             const QColor& outline) {
    if (centres.isEmpty() || shape == MarkerShape::None) {
        return;
    }
    const bool isStroked = isStrokedMarker(shape);
    const QColor edge = isStroked ? fillColour : outline;
    QByteArray look = isStroked ? QByteArray() : fill(fillColour);
    if (edge.isValid()) {
        look += (look.isEmpty() ? "" : ",") + stroke({edge, isStroked ? size * 0.22 : size * 0.12});
    }
    m_body += "\\path[" + look + "]";
    for (const QPointF& centre : centres) {
        if (shape == MarkerShape::Circle) {
            m_body += "\n " + coordinate(centre) + " circle[radius=" + texNumber(size / 2) + "bp]";
            continue;
        }
        for (const QVector<QPointF>& part : markerOutline(shape)) {
            QVector<QPointF> corners;
            for (const QPointF& corner : part) {
                corners << centre + corner * size;
            }
            m_body += "\n " + line(corners) + (isStroked ? "" : "--cycle");
        }
    }
    m_body += ";\n";
}

void TikzCanvas::drawRect(const QRectF& rect, const QColor& fillColour, const LineStyle* outline) {
    QByteArray look = fillColour.isValid() ? fill(fillColour) : QByteArray();
    if (outline != nullptr) {
        look += (look.isEmpty() ? "" : ",") + stroke(*outline);
    }
    m_body += "\\path[" + look + "] " + rectangle(rect) + ";\n";
}

void TikzCanvas::drawText(const QPointF& anchor, const QString& text, const TextStyle& style) {
    if (text.isEmpty()) {
        return;
    }
    const QByteArray size = texNumber(style.size) + "bp";
    m_body += "\\node[inner sep=0,text=" + colour(style.colour) + ",anchor=" + anchorOf(style.alignment) +
              ",font=\\fontsize{" + size + "}{" + size + "}\\selectfont" + (style.bold ? "\\bfseries" : "") +
              (style.upwards ? ",rotate=90" : "") + "] at " + coordinate(anchor) + " {" +
              QByteArray::fromStdString(latexText(text.toStdString())) + "};\n";
}

void TikzCanvas::drawImage(const QRectF& rect, const QImage& image) {
    QImage cells = image;
    if (qsizetype(image.width()) * image.height() > kMostCells) {
        const double share = std::sqrt(double(kMostCells) / double(image.width()) / double(image.height()));
        cells = image.scaled(std::max(1, int(image.width() * share)), std::max(1, int(image.height() * share)));
        m_body += "% an image of " + QByteArray::number(image.width()) + " x " + QByteArray::number(image.height()) +
                  " cells, thinned to " + QByteArray::number(cells.width()) + " x " +
                  QByteArray::number(cells.height()) + "\n";
    }
    const double width = rect.width() / std::max(cells.width(), 1);
    const double height = rect.height() / std::max(cells.height(), 1);
    for (int row = 0; row < cells.height(); ++row) {
        for (int column = 0; column < cells.width();) {
            int end = column + 1;
            while (end < cells.width() && cells.pixel(end, row) == cells.pixel(column, row)) {
                ++end;
            }
            const QRectF run(rect.left() + column * width, rect.top() + row * height, (end - column) * width, height);
            m_body += "\\path[" + fill(QColor(cells.pixel(column, row))) + "] " + rectangle(run) + ";\n";
            column = end;
        }
    }
}

void TikzCanvas::beginClip(const QRectF& rect) {
    m_body += "\\begin{scope}\\clip " + rectangle(rect) + ";\n";
}

void TikzCanvas::endClip() {
    m_body += "\\end{scope}\n";
}

double TikzCanvas::textWidth(const QString& text, const TextStyle& style) const {
    // The font is the document's; most are narrower than this one, so that what is laid out for it has room.
    QFont font;
    font.setFamilies(figureFontFamilies());
    font.setPixelSize(100);
    font.setBold(style.bold);
    return QFontMetricsF(font).horizontalAdvance(text) * style.size / 100;
}

} // namespace lambdascope
