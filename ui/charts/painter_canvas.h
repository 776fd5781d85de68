// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_canvas.h"

#include <QFont>

class QPainter;

namespace lambdascope {

/// Draws with a QPainter: screen, PNG, PDF.
class PainterCanvas : public FigureCanvas {
  public:
    enum class Fonts {
        Hinted,  ///< whole pixel sizes of the given family, for the screen
        Scalable ///< any size, one font scaled by the painter: the same layout at every resolution
    };

    PainterCanvas(QPainter& painter, const QFont& font, Fonts fonts);

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
    [[nodiscard]] QFont fontOf(const TextStyle& style) const;
    [[nodiscard]] double fontScale(const TextStyle& style) const;

    QPainter& m_painter;
    QFont m_font;
    Fonts m_fonts;
};

} // namespace lambdascope
