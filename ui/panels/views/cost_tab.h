// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

#include <map>
#include <utility>

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
    /// The highest bar of all lanes; `isNew` when that of a lane that has ended was not known before.
    double highestOf(const std::vector<ShownRun>& lanes, bool& isNew);

    SharedLegend* m_legend; ///< of all charts
    LaneGrid* m_grid;
    std::map<RunId, std::pair<std::size_t, double>> m_highest; ///< bar of each lane, at so many points of it
};

} // namespace lambdascope
