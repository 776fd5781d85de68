// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_canvas.h"

namespace lambdascope {

/// Keeps the lines that a figure is drawn with.
class LineRecorder : public FigureCanvas {
  public:
    void drawLine(const QPointF&, const QPointF&, const LineStyle&) override {}
    void drawLines(const QVector<QLineF>&, const LineStyle&) override {}
    void drawPolyline(const QVector<QPointF>& points, const LineStyle&) override { polylines << points; }
    void drawCubics(const QVector<QPointF>& places, const LineStyle&) override { cubics << places; }
    void drawPolygon(const QVector<QPointF>&, const QColor&) override {}
    void drawMarkers(MarkerShape, const QVector<QPointF>&, double, const QColor&, const QColor&) override {}
    void drawRect(const QRectF&, const QColor&, const LineStyle*) override {}
    void drawText(const QPointF&, const QString&, const TextStyle&) override {}
    void drawImage(const QRectF&, const QImage&) override {}
    void beginClip(const QRectF&) override {}
    void endClip() override {}
    [[nodiscard]] double textWidth(const QString&, const TextStyle&) const override { return 0; }

    QVector<QVector<QPointF>> cubics;
    QVector<QVector<QPointF>> polylines;
};

/// Keeps where texts are drawn.
class TextRecorder final : public LineRecorder {
  public:
    void drawText(const QPointF& anchor, const QString& text, const TextStyle& style) override {
        texts << QRectF(anchor, QSizeF(textWidth(text, style), style.size));
    }
    [[nodiscard]] double textWidth(const QString& text, const TextStyle& style) const override {
        return 0.5 * style.size * static_cast<double>(text.size());
    }
    QVector<QRectF> texts;
};

} // namespace lambdascope
