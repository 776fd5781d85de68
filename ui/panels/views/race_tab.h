// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QComboBox;

namespace lambdascope {

/// Lanes side by side: one measure along the path and against the seconds spent, with the quartiles over several
/// starts as bands.
class RaceTab : public RunTab {
    Q_OBJECT

  public:
    RaceTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PlotView* pathPlot() const { return m_path; }
    [[nodiscard]] PlotView* timePlot() const { return m_time; }
    [[nodiscard]] QComboBox* measureChooser() const { return m_measure; }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    void fillMeasures(const std::vector<ShownRun>& runs);

    QComboBox* m_measure;
    bool m_isChosen = false; ///< the measure, by hand
    PlotView* m_path;
    PlotView* m_time;
};

} // namespace lambdascope
