// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/plot_navigator.h"

#include <QPixmap>
#include <QWidget>

#include <functional>

namespace lambdascope {

/// What painted drawings share: a frame with axes that is laid out again when figure, view, size or theme change, the
/// zoom of the user, one layer that is painted again only then, what paints above it, and words in place of an empty
/// figure. No child widgets or items. Internal to this room.
class PlotSurface : public QWidget {
    Q_OBJECT

  public:
    void setTheme(const ChartTheme& theme, const QString& emptyText);
    /// What the user wants to see, in axis coordinates; with equal scales one axis shows more.
    void setView(const PlotExtent& wanted);
    void resetView();
    /// See FigureView::setMarks.
    void setMarks(const std::function<bool(qint64)>& marks);
    [[nodiscard]] const std::function<bool(qint64)>& marks() const { return m_marks; }
    /// The visible items in a box.
    [[nodiscard]] virtual QVector<qint64> itemsWithin(const QRectF& /*pixels*/) const { return {}; }
    /// How many marked ones a box covers.
    [[nodiscard]] qsizetype marksWithin(const QRectF& pixels) const;

    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] const PlotExtent& view() const { return m_view; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] int layerPaints() const { return m_layerPaints; }

  protected:
    explicit PlotSurface(QWidget* parent);

    /// To be called when the figure or the room that it needs have changed.
    void layOut();
    /// To be called when the layer is to look otherwise in the same place.
    void repaintLayer();

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    ChartTheme m_theme;
    PlotNavigator m_navigator;
    PlotFrame m_frame;
    std::function<bool(qint64)> m_marks; ///< which items are marked; empty: none is

  private:
    [[nodiscard]] virtual bool isBlank() const = 0;
    /// All of the figure in a plot rectangle of this width over height.
    [[nodiscard]] virtual PlotExtent wholeExtent(double aspect) const = 0;
    [[nodiscard]] virtual bool hasEqualScales() const { return false; }
    /// The axes of view() for the size of the plot rectangle as it is known by now.
    virtual void placeAxes(const FigureCanvas& canvas) = 0;
    /// What is wanted round the plot besides what axes take.
    [[nodiscard]] virtual QMarginsF roomFor(const FigureCanvas& /*canvas*/, const QMarginsF& axes) const {
        return axes;
    }
    virtual void themeChanged() {}
    virtual void drawLayer(QPainter& painter, FigureCanvas& canvas) const = 0;
    virtual void drawAbove(QPainter& painter, FigureCanvas& canvas) const = 0;
    /// What hovering says; not while a rectangle is drawn.
    virtual void drawHint(QPainter& painter, FigureCanvas& canvas) const = 0;

    void paintLayer();

    QString m_emptyText;
    PlotExtent m_wanted;
    PlotExtent m_view;
    bool m_zoomed = false;
    QPixmap m_layer;
    bool m_layerStale = true;
    int m_layerPaints = 0;
};

} // namespace lambdascope
