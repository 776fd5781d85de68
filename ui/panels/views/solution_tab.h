// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QStackedWidget;

namespace lambdascope {

class HeatmapView;
class ShapeView;

/// What the chosen lane has learned at the cursor: the matrix in colours (or weights as bars), and how well the
/// solutions along the path do on rows that training has not seen.
class SolutionTab : public RunTab {
    Q_OBJECT

  public:
    SolutionTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] HeatmapView* matrix() const { return m_matrix; }
    [[nodiscard]] ShapeView* weights() const { return m_weights; }
    [[nodiscard]] PlotView* errorPlot() const { return m_error; }
    [[nodiscard]] bool showsWeights() const;

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    QStackedWidget* m_stack;
    HeatmapView* m_matrix;
    ShapeView* m_weights;
    PlotView* m_error;
    const void* m_drawn = nullptr; ///< the matrix shown; only compared, never followed
    RunId m_drawnRun;
};

} // namespace lambdascope
