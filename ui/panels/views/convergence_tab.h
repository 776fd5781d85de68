// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

namespace lambdascope {

/// How fast each lane gets there: optimality by iteration at the cursor's point, and iterations per path point.
class ConvergenceTab : public RunTab {
    Q_OBJECT

  public:
    ConvergenceTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PlotView* gapPlot() const { return m_gap; }
    [[nodiscard]] PlotView* iterationsPlot() const { return m_iterations; }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    [[nodiscard]] int shownIndex(const std::vector<ShownRun>& runs) const;

    PlotView* m_gap;
    PlotView* m_iterations;
};

} // namespace lambdascope
