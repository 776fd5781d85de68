// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QLabel;

namespace lambdascope {

class HeatmapView;
class LaneGrid;

/// Dynamic screening, lane by lane: path points across, checks within a point upwards, colour = rate. All lanes as
/// small multiples, or one of them large.
class HeatmapTab : public RunTab {
    Q_OBJECT

  public:
    HeatmapTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    /// What is said in the place of maps; kept while there are some.
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] HeatmapView* heatmap(RunId id) const; ///< null when not shown

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    HeatmapView* makeView(RunId id);
    /// What stands in the place of maps when none of these runs screens.
    [[nodiscard]] static QString emptyWords(const std::vector<ShownRun>& shown);
    void describeCell(RunId id, int row, int column);

    QLabel* m_hint;
    LaneGrid* m_grid;
};

} // namespace lambdascope
