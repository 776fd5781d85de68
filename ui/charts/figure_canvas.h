// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_theme.h"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QVector>

namespace lambdascope {

struct LineStyle {
    QColor colour;
    double width = 1;
    QVector<qreal> dashes = {}; ///< in units of the width
};

struct TextStyle {
    double size = 8; ///< height of the em square, in canvas units
    QColor colour;
    bool bold = false;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignBaseline; ///< of the text relative to its anchor
    bool upwards = false;                                        ///< turned by 90° counter-clockwise around the anchor
};

/// Something to draw a figure on. Canvas units are points (1/72 inch) in files and logical pixels on the screen.
class FigureCanvas {
  public:
    FigureCanvas() = default;
    FigureCanvas(const FigureCanvas&) = delete;
    FigureCanvas& operator=(const FigureCanvas&) = delete;
    virtual ~FigureCanvas() = default;

    virtual void drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) = 0;
    /// All segments in one object of the file.
    virtual void drawLines(const QVector<QLineF>& lines, const LineStyle& style) = 0;
    virtual void drawPolyline(const QVector<QPointF>& points, const LineStyle& style) = 0;
    /// Cubic Bézier pieces one after the other: the first place, then of each piece two control places and its end.
    virtual void drawCubics(const QVector<QPointF>& places, const LineStyle& style) = 0;
    /// A filled area without a rim.
    virtual void drawPolygon(const QVector<QPointF>& corners, const QColor& fill) = 0;
    /// The same marker at many places; `outline` invalid: none.
    virtual void drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fill,
                             const QColor& outline) = 0;
    virtual void drawRect(const QRectF& rect, const QColor& fill, const LineStyle* outline) = 0;
    virtual void drawText(const QPointF& anchor, const QString& text, const TextStyle& style) = 0;
    /// Scaled without smoothing.
    virtual void drawImage(const QRectF& rect, const QImage& image) = 0;
    virtual void beginClip(const QRectF& rect) = 0;
    virtual void endClip() = 0;
    [[nodiscard]] virtual double textWidth(const QString& text, const TextStyle& style) const = 0;
};

/// Outline of a marker of diameter 1 around the origin. Cross, Plus and Star are strokes, the others areas.
[[nodiscard]] QVector<QVector<QPointF>> markerOutline(MarkerShape shape);
[[nodiscard]] bool isStrokedMarker(MarkerShape shape);

/// Families of the fonts in exported figures, best first: wide coverage of Greek and superscripts, TrueType (so that a
/// PDF embeds them with their text).
[[nodiscard]] QStringList figureFontFamilies();

} // namespace lambdascope
