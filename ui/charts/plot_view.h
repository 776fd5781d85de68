// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_view.h"

namespace lambdascope {

/// Curves over a linear or log axis, made for data that arrive while one looks.
///
/// Mouse: wheel zooms at the pointer (with Ctrl only y, with Shift only x), dragging with the left button zooms to a
/// rectangle, middle button or Space + drag pans, double click resets; a click moves the shared cursor. Keys: X and Y
/// toggle log axes, Home resets, + and − zoom, arrows move the cursor to the next point (with Shift: pan), F toggles
/// Follow, T the table. A zoom the user made stays when data arrive, unless Follow is on.
///
/// Each update replaces the points of a series once, thinned to the extremes per pixel column when there are more than
/// two points per pixel; the header then says "1 in 12 shown". Cost: O(points), 5,000 points in about 3 ms.
class PlotView : public FigureView {
    Q_OBJECT

  public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    /// Shows another figure; forgets zoom and hidden curves of the former if its axes differ.
    void setFigure(const CurveFigure& figure);
    /// New points for curves that are shown (same ids); unknown ids are appended, others left alone. Zoom stays.
    void updateCurves(const QVector<Curve>& curves);
    [[nodiscard]] Figure figure() const override;
    [[nodiscard]] const CurveFigure& curveFigure() const;

    void setLogX(bool log);
    void setLogY(bool log);
    [[nodiscard]] bool isLogX() const;
    [[nodiscard]] bool isLogY() const;

    /// Follow: the axes always show all data, whatever zoom the user had made.
    void setFollow(bool follow);
    [[nodiscard]] bool isFollowing() const;
    /// Whether the user has zoomed or panned since the last reset.
    [[nodiscard]] bool isZoomed() const;
    [[nodiscard]] ValueRange shownX() const;
    [[nodiscard]] ValueRange shownY() const;
    void zoomTo(const ValueRange& x, const ValueRange& y);

    /// Words beside the title about the figure as a whole; empty for none.
    void setRemark(const QString& remark);
    /// Whether the figure set last came with these scales, whatever the user has made of them since.
    [[nodiscard]] bool wereScalesGiven(const CurveFigure& figure) const;
    [[nodiscard]] QVector<LegendBar::Entry> legendEntries() const override;
    [[nodiscard]] bool isEntryVisible(const QString& id) const override; ///< of a curve
    void setEntryVisible(const QString& id, bool visible) override;
    void emphasizeEntry(const QString& id) override;

    /// Moves the shared vertical cursor without a signal. NaN hides it.
    void setCursor(double x);
    using QWidget::setCursor;
    [[nodiscard]] double cursorX() const;

    /// Points the series of curve `id` really draws after thinning (data coordinates), for tests and notes.
    [[nodiscard]] QVector<QPointF> drawnPoints(const QString& id) const;
    /// How many points of curve `id` lie at the floor of a log axis because they are not positive.
    [[nodiscard]] int clampedPoints(const QString& id) const;
    /// Data coordinates to pixels of the drawing and back.
    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toValue(const QPointF& pixel) const;
    /// Text of the tooltip at a pixel of the drawing: nearest point within reach, or nothing.
    [[nodiscard]] QString tooltipAt(const QPointF& pixel) const;

  protected:
    [[nodiscard]] QWidget* canvas() const override;
    void applyTheme() override;
    void doResetZoom() override;
    void showEvent(QShowEvent* event) override;

  private:
    void connectNavigator();
    void applyView(const ValueRange& x, const ValueRange& y); ///< axis coordinates, made by the user
    void rescale(bool logX, bool logY);
    /// Many updates make one refresh, when the event loop is reached; questions about the drawing make it at once.
    void schedule();
    void flush() const;
    void refreshAll();
    void updateNote();
    void updateReadout();
    void syncActions();

    class State;
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
