// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_canvas.h"

#include <QByteArray>
#include <QMap>

namespace lambdascope {

/// Writes a figure as a tikzpicture for LaTeX: lengths as on paper, text in the document's own font. Canvas units are
/// points of 1/72 inch (TeX's bp).
class TikzCanvas : public FigureCanvas {
  public:
    /// A finished picture with what it needs in a comment above it.
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
    /// As filled rectangles, runs of one colour in one; of an image of many pixels only every so manyth, with a remark.
    void drawImage(const QRectF& rect, const QImage& image) override;
    void beginClip(const QRectF& rect) override;
    void endClip() override;
    [[nodiscard]] double textWidth(const QString& text, const TextStyle& style) const override;

  private:
    /// The name of a colour, defined in the picture when first used.
    QByteArray colour(const QColor& colour);
    QByteArray stroke(const LineStyle& style);
    QByteArray fill(const QColor& fill);

    QMap<QRgb, QByteArray> m_names;
    QByteArray m_colours;
    QByteArray m_body;
};

/// "0.5" of a length or a place: four decimals at most.
[[nodiscard]] QByteArray texNumber(double value);

} // namespace lambdascope
