// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QComboBox;

namespace lambdascope {

class PointCloudView;

/// The data as the chosen lane's solution at the cursor sees them.
class EmbeddingTab : public RunTab {
    Q_OBJECT

  public:
    EmbeddingTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PointCloudView* cloud() const { return m_cloud; }
    /// The lane chosen, or an invalid id.
    [[nodiscard]] RunId chosenRun() const;
    void choose(RunId id);

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    void fillChooser(const std::vector<ShownRun>& runs);

    QComboBox* m_lane;
    PointCloudView* m_cloud;
    const Embedding* m_drawn = nullptr; ///< only compared, never followed
    RunId m_drawnRun;
};

} // namespace lambdascope
