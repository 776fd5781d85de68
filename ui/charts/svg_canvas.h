// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_canvas.h"

#include <QByteArray>
#include <QHash>

namespace lambdascope {

/// Writes compact SVG: one path per line, one `<use>` per marker, text as text, images as PNG data. Coordinates in
/// points with two decimals (a 280th of a millimetre).
class SvgCanvas : public FigureCanvas {
  public:
    /// Size of the picture in points; `description` and `title` stand in front, escaped.
    SvgCanvas(const QSizeF& sizePt, const QString& title, const QByteArray& description);

    /// The complete document.
    [[nodiscard]] QByteArray document() const;

    void drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) override;
    void drawLines(const QVector<QLineF>& lines, const LineStyle& style) override;
    void drawPolyline(const QVector<QPointF>& points, const LineStyle& style) override;
    void drawCubics(const QVector<QPointF>& places, const LineStyle& style) override;
    void drawPolygon(const QVector<QPointF>& corners, const QColor& fill) override;
    void drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fill,
                     const QColor& outline) override;
    void drawRect(const QRectF& rect, const QColor& fill, const LineStyle* outline) override;
    void drawText(const QPointF& anchor, const QString& text, const TextStyle& style) override;
    void drawImage(const QRectF& rect, const QImage& image) override;
    void beginClip(const QRectF& rect) override;
    void endClip() override;
    [[nodiscard]] double textWidth(const QString& text, const TextStyle& style) const override;

  private:
    void appendPath(const QByteArray& data, const LineStyle& style);
    [[nodiscard]] QByteArray markerId(MarkerShape shape, double size);

    QByteArray m_head;
    QByteArray m_definitions;
    QByteArray m_body;
    QHash<QByteArray, QByteArray> m_markerIds; ///< path data to id
    int m_clips = 0;
};

} // namespace lambdascope
