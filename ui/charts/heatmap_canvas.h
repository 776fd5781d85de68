// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_surface.h"

#include <limits>

namespace lambdascope {

/// The drawing of a HeatmapView: one image with a pixel per cell, stretched without smoothing, own axes and colour bar.
/// Internal to this room.
class HeatmapCanvas : public PlotSurface {
    Q_OBJECT

  public:
    explicit HeatmapCanvas(QWidget* parent);

    void setFigure(const HeatmapFigure& figure);
    void setCursorColumn(int column); ///< −1: none
    void setProbe(std::optional<HeatmapView::Cell> cell);

    [[nodiscard]] const HeatmapFigure& figure() const { return m_figure; }
    [[nodiscard]] std::optional<HeatmapView::Cell> probe() const { return m_probe; }
    [[nodiscard]] int cursorColumn() const { return m_cursorColumn; }
    [[nodiscard]] std::optional<HeatmapView::Cell> cellAt(const QPointF& pixel) const;
    [[nodiscard]] QRectF cellRect(const HeatmapView::Cell& cell) const;
    [[nodiscard]] QString cellText(const HeatmapView::Cell& cell) const;

  private:
    [[nodiscard]] bool isBlank() const override;
    [[nodiscard]] PlotExtent wholeExtent(double aspect) const override;
    void placeAxes(const FigureCanvas& canvas) override;
    [[nodiscard]] QMarginsF roomFor(const FigureCanvas& canvas, const QMarginsF& axes) const override;
    void themeChanged() override;
    void drawLayer(QPainter& painter, FigureCanvas& canvas) const override;
    void drawAbove(QPainter& painter, FigureCanvas& canvas) const override;
    void drawHint(QPainter& painter, FigureCanvas& canvas) const override;
    [[nodiscard]] QRectF axisRect(const ValueRange& x, const ValueRange& y) const;

    HeatmapFigure m_figure;
    QImage m_image;
    int m_cursorColumn = -1;
    std::optional<HeatmapView::Cell> m_probe;
};

} // namespace lambdascope
