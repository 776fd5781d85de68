// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_view.h"

#include <optional>

namespace lambdascope {

/// A grid of values as colours, one image pixel per cell scaled without smoothing. Hovering or the arrow keys probe a
/// cell and say x, y and value; a click moves the shared cursor to the column and reports the cell. Wheel and drag
/// zoom, double click or Home resets. Cost of an update: O(cells), of a repaint: one scaled image.
class HeatmapView : public FigureView {
    Q_OBJECT

  public:
    explicit HeatmapView(QWidget* parent = nullptr);
    ~HeatmapView() override;

    struct Cell {
        int row = 0;
        int column = 0;

        bool operator==(const Cell&) const = default;
    };

    void setFigure(const HeatmapFigure& figure);
    [[nodiscard]] Figure figure() const override;
    [[nodiscard]] const HeatmapFigure& heatmapFigure() const;

    /// Highlights the column whose x value is nearest; NaN: none. No signal.
    void setCursor(double x);
    using QWidget::setCursor;
    [[nodiscard]] double cursorX() const;

    /// Cell under a pixel of the drawing; nothing outside of the grid.
    [[nodiscard]] std::optional<Cell> cellAt(const QPointF& pixel) const;
    /// Where a cell is drawn (may lie outside of the view when zoomed).
    [[nodiscard]] QRectF cellRect(const Cell& cell) const;
    /// "λ = 12.5, check = 3: rate 0.71", or "… no value".
    [[nodiscard]] QString cellText(const Cell& cell) const;

    void setProbe(std::optional<Cell> cell);
    [[nodiscard]] std::optional<Cell> probe() const;

    [[nodiscard]] bool isZoomed() const;

  signals:
    void probeChanged(int row, int column); ///< −1, −1: nothing probed

  protected:
    [[nodiscard]] QWidget* canvas() const override;
    void applyTheme() override;
    void doResetZoom() override;

  private:
    void connectNavigator();
    void activate(const Cell& cell);
    void stepProbe(int right, int up);

    class State;
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
