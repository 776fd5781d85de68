// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/curve_geometry.h"
#include "ui/charts/plot_navigator.h"

#include <QChartView>
#include <QLineSeries>
#include <QValueAxis>

#include <limits>

namespace lambdascope {

/// The drawing of a PlotView. Qt Charts draws the lines, in axis coordinates on hidden linear axes, so that none of
/// the quirks of its log axis matter; grid, ticks, markers, cursor and tooltip are painted by the room's own code,
/// which exports use too. Internal to this room: the only header that names Qt Charts.
class PlotCanvas : public QChartView {
    Q_OBJECT

  public:
    explicit PlotCanvas(QWidget* parent);

    void setFigure(const CurveFigure& figure);
    void setTheme(const ChartTheme& theme);
    void setEmptyText(const QString& text);
    void setCursorX(double x);
    void setHighlighted(const QString& id);
    void setView(const ValueRange& x, const ValueRange& y, bool zoomedByUser);

    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] PlotExtent view() const { return {m_viewX, m_viewY}; }
    [[nodiscard]] ValueRange viewX() const { return m_viewX; }
    [[nodiscard]] ValueRange viewY() const { return m_viewY; }
    [[nodiscard]] double cursorX() const { return m_cursorX; }
    [[nodiscard]] QVector<PreparedCurve> prepared() const { return m_prepared; }

    /// A drawn vertex near a pixel.
    struct Hit {
        int curve = -1;
        int point = -1;
        QPointF place;
        bool clamped = false;

        [[nodiscard]] bool isValid() const { return curve >= 0; }
    };
    [[nodiscard]] Hit hitAt(const QPointF& pixel, double reach) const;
    [[nodiscard]] QString hitText(const Hit& hit) const;
    /// x of the visible point whose column is nearest to the pixel; the bare value there if there are no points.
    [[nodiscard]] double nearestX(const QPointF& pixel) const;
    /// x of the next visible point right (+1) or left (−1) of the cursor; NaN without points.
    [[nodiscard]] double nextX(int direction) const;

    /// Lays out and replaces all series now: axes after the data unless the user has zoomed.
    void refresh();

  signals:
    void resized();

  protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fitView();
    void layOut();
    void fillSeries();
    void stylePens();
    [[nodiscard]] QVector<QVector<QPointF>> drawnLines() const;
    void drawMarkers(FigureCanvas& canvas) const;

    CurveFigure m_figure;
    ChartTheme m_theme;
    QString m_emptyText;
    QString m_highlighted;
    PlotNavigator m_navigator;
    PlotFrame m_frame;
    CurveFloors m_floors;
    ValueRange m_viewX;
    ValueRange m_viewY;
    bool m_zoomed = false;
    double m_leftRoom = 0; ///< does not shrink while the user zooms, lest the plot jumps
    double m_cursorX = std::numeric_limits<double>::quiet_NaN();
    QVector<PreparedCurve> m_prepared;
    QVector<QVector<QLineSeries*>> m_series; ///< per curve, one per piece
    QValueAxis* m_axisX;
    QValueAxis* m_axisY;
};

} // namespace lambdascope
