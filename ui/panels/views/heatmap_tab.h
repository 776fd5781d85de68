// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

#include <map>

class QComboBox;
class QGridLayout;
class QLabel;
class QStackedLayout;

namespace lambdascope {

class HeatmapView;

/// Dynamic screening, lane by lane: path points across, checks within a point upwards, colour = rate. All lanes as
/// small multiples, or one of them large.
class HeatmapTab : public RunTab {
    Q_OBJECT

  public:
    HeatmapTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] HeatmapView* heatmap(RunId id) const; ///< null when not shown

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    HeatmapView* makeView(RunId id);
    void fillChooser(const std::vector<ShownRun>& screening);
    void arrange(const std::vector<RunId>& shown);
    void describeCell(RunId id, int row, int column);

    QComboBox* m_lane;
    QLabel* m_hint;
    QWidget* m_page;
    QGridLayout* m_grid;
    QLabel* m_empty;
    QStackedLayout* m_stack;
    std::map<std::int64_t, HeatmapView*> m_views; ///< by run id
    std::vector<RunId> m_arranged;
};

} // namespace lambdascope
