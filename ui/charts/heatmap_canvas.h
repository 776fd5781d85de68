// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_navigator.h"

#include <limits>

namespace lambdascope {

/// The drawing of a HeatmapView: one image with a pixel per cell, stretched without smoothing, own axes and colour bar.
/// Internal to this room.
class HeatmapCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit HeatmapCanvas(QWidget* parent);

    void setFigure(const HeatmapFigure& figure);
    void setTheme(const ChartTheme& theme, const QString& emptyText);
    void setCursorColumn(int column); ///< −1: none
    void setProbe(std::optional<HeatmapView::Cell> cell);
    void setView(const PlotExtent& view); ///< in cells
    void resetView();

    [[nodiscard]] const HeatmapFigure& figure() const { return m_figure; }
    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] std::optional<HeatmapView::Cell> probe() const { return m_probe; }
    [[nodiscard]] int cursorColumn() const { return m_cursorColumn; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] const PlotExtent& view() const { return m_view; }
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] std::optional<HeatmapView::Cell> cellAt(const QPointF& pixel) const;
    [[nodiscard]] QRectF cellRect(const HeatmapView::Cell& cell) const;
    [[nodiscard]] QString cellText(const HeatmapView::Cell& cell) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    [[nodiscard]] QRectF axisRect(const ValueRange& x, const ValueRange& y) const;
    void paintCells(QPainter& painter) const;

    HeatmapFigure m_figure;
    QImage m_image;
    ChartTheme m_theme;
    QString m_emptyText;
    PlotNavigator m_navigator;
    PlotFrame m_frame;
    PlotExtent m_view;
    bool m_zoomed = false;
    int m_cursorColumn = -1;
    std::optional<HeatmapView::Cell> m_probe;
};

} // namespace lambdascope
