// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QComboBox;
class QLabel;

namespace lambdascope {

/// What happens along the path: screening rate, CPU time and items per path point, how good the solutions are on rows
/// that they have not seen, where a run knows, and any other measure that runs tell. Without a baseline among the shown
/// runs the CPU chart shows seconds; lanes that screen nothing have iterations in place of rate and items.
class PathTab : public RunTab {
    Q_OBJECT

  public:
    PathTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PlotView* ratePlot() const { return m_rate; }
    [[nodiscard]] PlotView* cpuPlot() const { return m_cpu; }
    [[nodiscard]] PlotView* itemsPlot() const { return m_items; }
    [[nodiscard]] PlotView* qualityPlot() const { return m_quality; }
    [[nodiscard]] QComboBox* itemsChooser() const { return m_side; }
    [[nodiscard]] QComboBox* qualityChooser() const { return m_measure; }
    [[nodiscard]] QComboBox* cpuChooser() const { return m_cpuMeasure; }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    void rebuildItems(const std::vector<ShownRun>& runs);
    void rebuildQuality(const std::vector<ShownRun>& runs);
    void rebuildCpu(const std::vector<ShownRun>& runs);

    QComboBox* m_stage;
    QComboBox* m_cpuMeasure;
    QComboBox* m_side;
    QLabel* m_sideLabel;
    QComboBox* m_measure;
    QLabel* m_measureLabel;
    PlotView* m_rate;
    PlotView* m_cpu;
    PlotView* m_items;
    PlotView* m_quality;
    bool m_areSizes = false;        ///< of the runs shown last
    bool m_isMeasureChosen = false; ///< by hand
};

} // namespace lambdascope
