// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/plot_navigator.h"
#include "ui/charts/point_grid.h"

#include <QPixmap>
#include <QWidget>

namespace lambdascope {

/// The drawing of a PointCloudView: no child widgets or items, one layer with all points that is painted again only
/// when points, view, size or theme change; hovering paints above it. Internal to this room.
class PointCloudCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit PointCloudCanvas(QWidget* parent);

    void setFigure(const CloudFigure& figure);
    void setTheme(const ChartTheme& theme, const QString& emptyText);
    void setHighlighted(const QVector<int>& points);
    void setHidden(const QVector<bool>& hiddenClasses);
    /// Shows or hides the links of a group, and the shadows.
    void setLinksShown(int group, bool shown);
    void setShadowsShown(bool shown);
    void setEmphasized(int group); ///< other classes fade; −1: none
    /// What the user wants to see; with equal scales one axis shows more.
    void setView(const PlotExtent& wanted);
    void resetView();

    [[nodiscard]] const CloudFigure& figure() const { return m_figure; }
    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] PlotExtent view() const { return m_view; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] int pointAt(const QPointF& pixel, double reach) const;
    [[nodiscard]] int layerPaints() const { return m_layerPaints; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    void paintLayer();
    [[nodiscard]] int group(int point) const;
    [[nodiscard]] bool isShown(int point) const;
    [[nodiscard]] double markerSize() const;
    [[nodiscard]] QVector<QPixmap> sprites() const;
    [[nodiscard]] QString pointText(int point) const;

    CloudFigure m_figure;
    PointGrid m_grid;
    ChartTheme m_theme;
    QString m_emptyText;
    PlotNavigator m_navigator;
    PlotFrame m_frame;
    PlotExtent m_wanted;
    PlotExtent m_view;
    bool m_zoomed = false;
    QVector<int> m_highlighted;
    QVector<bool> m_hidden;
    int m_emphasized = -1;
    QPixmap m_layer;
    bool m_layerStale = true;
    int m_layerPaints = 0;
};

} // namespace lambdascope
