// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_surface.h"
#include "ui/charts/shape_painter.h"

#include <limits>

namespace lambdascope {

/// The drawing of a ShapeView: one layer with all shapes and curves that is painted again only when they, the view, the
/// size or the theme change; cursor and hovering paint above it. Internal to this room.
class ShapeCanvas : public PlotSurface {
    Q_OBJECT

  public:
    explicit ShapeCanvas(QWidget* parent);

    void setFigure(const ShapeFigure& figure);
    void setCursorX(double x);
    void setProbe(int shape); ///< −1: none
    void setEmphasized(int group);

    [[nodiscard]] const ShapeFigure& figure() const { return m_figure; }
    [[nodiscard]] int probe() const { return m_probe; }
    [[nodiscard]] double cursorX() const { return m_cursorX; }
    /// Topmost visible box under the pixel, or the point, line or rim of a ball within reach; −1 when there is none.
    [[nodiscard]] int shapeAt(const QPointF& pixel) const;
    /// Those of points in the box, and of boxes that it touches.
    [[nodiscard]] QVector<qint64> itemsWithin(const QRectF& pixels) const override;
    /// What hovering over the ground says: the group of the cell there and the place; empty where it has none.
    [[nodiscard]] QString groundText(const QPointF& pixel) const;
    /// The visible shape nearest to shape `from` in a direction of the screen (`from` −1: the one most to the left).
    [[nodiscard]] int shapeBeside(int from, int right, int up) const;

  private:
    [[nodiscard]] bool isBlank() const override;
    [[nodiscard]] PlotExtent wholeExtent(double aspect) const override;
    [[nodiscard]] bool hasEqualScales() const override { return m_figure.equalAspect; }
    void placeAxes(const FigureCanvas& canvas) override;
    [[nodiscard]] QMarginsF roomFor(const FigureCanvas& canvas, const QMarginsF& axes) const override;
    void drawLayer(QPainter& painter, FigureCanvas& canvas) const override;
    void drawAbove(QPainter& painter, FigureCanvas& canvas) const override;
    void drawHint(QPainter& painter, FigureCanvas& canvas) const override;
    void drawCurves(FigureCanvas& canvas) const;
    [[nodiscard]] bool isShown(int shape) const;
    /// Distance of a pixel from the rim of a ball, a line or a point that lies at `place`.
    [[nodiscard]] double distanceOf(const Shape& shape, const QRectF& place, const QPointF& pixel) const;

    ShapeFigure m_figure;
    double m_cursorX = std::numeric_limits<double>::quiet_NaN();
    int m_probe = -1;
    int m_emphasized = -1;
};

} // namespace lambdascope
