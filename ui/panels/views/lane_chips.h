// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/legend_bar.h"
#include "ui/session/runs/run_collection.h"

namespace lambdascope {

/// The lanes of the experiments that are shown, each in its colour: the legend of every chart and the switch of each
/// lane in all of them. A click unticks or ticks the lane, a double click shows it alone.
class LaneChips : public LegendBar {
    Q_OBJECT

  public:
    LaneChips(RunCollection& runs, QWidget* parent = nullptr);

    void refresh();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    [[nodiscard]] std::vector<RunId> offered() const;
    void showAlone(RunId id);

    RunCollection& m_runs;
};

} // namespace lambdascope
