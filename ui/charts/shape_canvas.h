// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_navigator.h"
#include "ui/charts/shape_painter.h"

#include <QPixmap>
#include <QWidget>

#include <limits>

namespace lambdascope {

/// The drawing of a ShapeView: one layer with all shapes and curves that is painted again only when they, the view, the
/// size or the theme change; cursor and hovering paint above it. Internal to this room.
class ShapeCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit ShapeCanvas(QWidget* parent);

    void setFigure(const ShapeFigure& figure);
    void setTheme(const ChartTheme& theme, const QString& emptyText);
    void setCursorX(double x);
    void setProbe(int shape); ///< −1: none
    void setEmphasized(int group);
    void setView(const PlotExtent& view); ///< in axis coordinates
    void resetView();

    [[nodiscard]] const ShapeFigure& figure() const { return m_figure; }
    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] const PlotExtent& view() const { return m_view; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] int probe() const { return m_probe; }
    [[nodiscard]] double cursorX() const { return m_cursorX; }
    [[nodiscard]] int layerPaints() const { return m_layerPaints; }
    /// Topmost visible box under the pixel, or the point, line or rim of a ball within reach; −1 when there is none.
    [[nodiscard]] int shapeAt(const QPointF& pixel) const;
    /// What hovering over the ground says: the group of the cell there and the place; empty where it has none.
    [[nodiscard]] QString groundText(const QPointF& pixel) const;
    /// The visible shape nearest to shape `from` in a direction of the screen (`from` −1: the one most to the left).
    [[nodiscard]] int shapeBeside(int from, int right, int up) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    void paintLayer();
    void drawCurves(FigureCanvas& canvas) const;
    [[nodiscard]] bool isShown(int shape) const;
    /// Distance of a pixel from the rim of a ball, a line or a point that lies at `place`.
    [[nodiscard]] double distanceOf(const Shape& shape, const QRectF& place, const QPointF& pixel) const;

    ShapeFigure m_figure;
    ChartTheme m_theme;
    QString m_emptyText;
    PlotNavigator m_navigator;
    PlotFrame m_frame;
    PlotExtent m_wanted;
    PlotExtent m_view;
    bool m_zoomed = false;
    double m_cursorX = std::numeric_limits<double>::quiet_NaN();
    int m_probe = -1;
    int m_emphasized = -1;
    QPixmap m_layer;
    bool m_layerStale = true;
    int m_layerPaints = 0;
};

} // namespace lambdascope
