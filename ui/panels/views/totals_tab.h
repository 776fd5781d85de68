// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

namespace lambdascope {

class ShapeView;

/// Total CPU of each lane as a bar, split into solving and screening.
class TotalsTab : public RunTab {
    Q_OBJECT

  public:
    TotalsTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>&) override {}

  private:
    ShapeView* m_bars;
};

} // namespace lambdascope
