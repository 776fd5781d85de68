// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_view.h"

namespace lambdascope {

/// Points in the plane, colour and marker shape by class, equal scales on both axes. All points are drawn by one item
/// from pre-drawn sprites; a grid index answers which point lies under the mouse. 20,000 points paint in tens of
/// milliseconds and only when points, zoom or theme change. Same mouse and keys as PlotView, without log axes.
class PointCloudView : public FigureView {
    Q_OBJECT

  public:
    explicit PointCloudView(QWidget* parent = nullptr);
    ~PointCloudView() override;

    void setFigure(const CloudFigure& figure);
    /// Moves the points (same number, classes and names as before); the zoom of the user stays.
    void updatePoints(const QVector<CloudPoint>& points);
    [[nodiscard]] Figure figure() const override;
    [[nodiscard]] const CloudFigure& cloudFigure() const;

    void setClassVisible(int index, bool visible);
    [[nodiscard]] bool isClassVisible(int index) const;
    void soloClass(int index);

    /// Classes have their index as id; links and shadows are entries too.
    [[nodiscard]] QVector<LegendBar::Entry> legendEntries() const override;
    void setEntryVisible(const QString& id, bool visible) override;
    void soloEntry(const QString& id) override; ///< of a class
    void emphasizeEntry(const QString& id) override;

    /// Points with a ring around them (the items of a selection elsewhere).
    void setHighlighted(const QVector<int>& points);

    /// Nearest visible point within `reach` logical pixels; −1 if none.
    [[nodiscard]] int pointAt(const QPointF& pixel, double reach = 8) const;
    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toValue(const QPointF& pixel) const;
    [[nodiscard]] bool isZoomed() const;
    void setFollow(bool follow);
    [[nodiscard]] bool isFollowing() const;

  protected:
    [[nodiscard]] QWidget* canvas() const override;
    void applyTheme() override;
    void doResetZoom() override;

  private:
    void connectNavigator();

    class State;
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
