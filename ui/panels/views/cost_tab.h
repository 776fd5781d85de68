// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

namespace lambdascope {

class LaneGrid;
class ShapeView;
class SharedLegend;

/// Where the CPU time goes, lane by lane: a bar per path point stacked by kind of work, the baseline as a line, and
/// where screening has earned back its cost. All lanes as small multiples on one scale, or one of them large.
class CostTab : public RunTab {
    Q_OBJECT

  public:
    CostTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] ShapeView* ledger(RunId id) const; ///< null when not shown
    [[nodiscard]] SharedLegend* legend() const { return m_legend; }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    ShapeView* makeView(RunId id);

    SharedLegend* m_legend; ///< of all charts
    LaneGrid* m_grid;
};

} // namespace lambdascope
