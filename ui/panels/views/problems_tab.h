// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"
#include "ui/panels/views/run_tab.h"

#include <vector>

class QComboBox;

namespace lambdascope {

class HeatmapView;
class LaneGrid;

/// Of runs whose points consist of several problems, such as pairs of classes: a measure of each problem at each path
/// point, lane by lane. Its table twin is the table of the problems.
class ProblemsTab : public RunTab {
    Q_OBJECT

  public:
    ProblemsTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] HeatmapView* heatmap(RunId id) const; ///< null when not shown
    [[nodiscard]] QComboBox* measureChooser() const { return m_measure; }
    void prefer(const QString& what) override;

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    HeatmapView* makeView(RunId id);
    void offerMeasures(const std::vector<ShownRun>& runs);
    void describeCell(RunId id, int row, int column);

    QComboBox* m_measure;
    std::vector<ColumnDescription> m_measures;
    QString m_preferred; ///< key of the measure to show when there is one
    LaneGrid* m_grid;
};

} // namespace lambdascope
