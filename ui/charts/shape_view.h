// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_view.h"

#include <QCursor>

#include <functional>

namespace lambdascope {

/// Shapes with curves on top: stacked bars, intervals, slices through balls, planes. Hovering or the arrow keys probe
/// a shape and say what it is; wheel and drag zoom, double click or Home resets; names in the legend hide and show
/// groups. Shapes are painted into one layer, again only when they change: an update costs O(shapes), hovering next to
/// nothing.
class ShapeView : public FigureView {
    Q_OBJECT

  public:
    explicit ShapeView(QWidget* parent = nullptr);
    ~ShapeView() override;

    /// Groups and curves that the user has hidden stay hidden while their ids stay.
    void setFigure(const ShapeFigure& figure);
    [[nodiscard]] Figure figure() const override;
    [[nodiscard]] const ShapeFigure& shapeFigure() const;

    [[nodiscard]] QVector<LegendBar::Entry> legendEntries() const override;
    [[nodiscard]] bool isEntryVisible(const QString& id) const override; ///< of a group or a curve
    void setEntryVisible(const QString& id, bool visible) override;
    void emphasizeEntry(const QString& id) override;

    /// Moves the vertical cursor without a signal. NaN hides it.
    void setCursor(double x);
    using QWidget::setCursor;
    [[nodiscard]] double cursorX() const;

    /// What hovering over the ground at a pixel says; empty where no cell of a group lies.
    [[nodiscard]] QString groundText(const QPointF& pixel) const;
    /// Shape under a pixel of the drawing; −1 when there is none.
    [[nodiscard]] int shapeAt(const QPointF& pixel) const;
    /// Where a shape is drawn.
    [[nodiscard]] QRectF shapeRect(int shape) const;
    void setProbe(int shape); ///< −1: none
    [[nodiscard]] int probe() const;

    /// Presses of the left button for which `begins` holds, at a pixel, begin a drag in place of a rectangle, and the
    /// pointer looks like `pointer` there. Empty for none.
    void setDrag(std::function<bool(const QPointF& pixel)> begins, const QCursor& pointer = {});
    /// Data coordinates to pixels of the drawing and back.
    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toValue(const QPointF& pixel) const;
    [[nodiscard]] bool isZoomed() const;
    /// How often the layer was painted, for tests.
    [[nodiscard]] int layerPaints() const;

  signals:
    void probeChanged(int shape); ///< −1: nothing probed
    void dragBegan(const QPointF& pixel);
    void dragMoved(const QPointF& pixel);
    void dragEnded();

  protected:
    [[nodiscard]] QWidget* canvas() const override;
    void applyTheme() override;
    void doResetZoom() override;

  private:
    void connectNavigator();
    void applyHidden();
    void step(int right, int up);

    class State;
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
