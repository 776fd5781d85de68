// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_surface.h"
#include "ui/charts/point_grid.h"

namespace lambdascope {

/// The drawing of a PointCloudView: no child widgets or items, one layer with all points that is painted again only
/// when points, view, size or theme change; hovering paints above it. Internal to this room.
class PointCloudCanvas : public PlotSurface {
    Q_OBJECT

  public:
    explicit PointCloudCanvas(QWidget* parent);

    void setFigure(const CloudFigure& figure);
    void setHighlighted(const QVector<int>& points);
    void setHidden(const QVector<bool>& hiddenClasses);
    /// Shows or hides the links of a group, and the shadows.
    void setLinksShown(int group, bool shown);
    void setShadowsShown(bool shown);
    void setEmphasized(int group); ///< other classes fade; −1: none

    [[nodiscard]] const CloudFigure& figure() const { return m_figure; }
    [[nodiscard]] int pointAt(const QPointF& pixel, double reach) const;
    [[nodiscard]] QVector<qint64> itemsWithin(const QRectF& pixels) const override; ///< points

  private:
    /// Of points while nothing is marked; of marked ones and what outlines them, and of the others then.
    enum class Look { Plain, Marked, Outline, Back };
    [[nodiscard]] bool isBlank() const override;
    [[nodiscard]] PlotExtent wholeExtent(double aspect) const override;
    [[nodiscard]] bool hasEqualScales() const override { return m_figure.equalAspect; }
    void placeAxes(const FigureCanvas& canvas) override;
    void drawLayer(QPainter& painter, FigureCanvas& canvas) const override;
    void drawAbove(QPainter& painter, FigureCanvas& canvas) const override;
    void drawHint(QPainter& painter, FigureCanvas& canvas) const override;
    [[nodiscard]] int group(int point) const;
    [[nodiscard]] bool isShown(int point) const;
    [[nodiscard]] double markerSize() const;
    [[nodiscard]] QVector<QPixmap> sprites(Look look) const;
    void drawPoints(QPainter& painter, Look look) const;
    [[nodiscard]] QString pointText(int point) const;
    [[nodiscard]] QPointF placeOf(int point) const;
    void drawRing(FigureCanvas& canvas, int point, double size, const QColor& colour) const;

    CloudFigure m_figure;
    PointGrid m_grid;
    QVector<int> m_highlighted;
    QVector<bool> m_hidden;
    int m_emphasized = -1;
};

} // namespace lambdascope
