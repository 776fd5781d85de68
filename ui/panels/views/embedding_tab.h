// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

namespace lambdascope {

class PointCloudView;

/// The data as the chosen lane's solution at the cursor sees them.
class EmbeddingTab : public RunTab {
    Q_OBJECT

  public:
    EmbeddingTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PointCloudView* cloud() const { return m_cloud; }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    PointCloudView* m_cloud;
    const Embedding* m_drawn = nullptr; ///< only compared, never followed
    RunId m_drawnRun;
};

} // namespace lambdascope
