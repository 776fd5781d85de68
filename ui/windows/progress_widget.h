// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_controller.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace lambdascope {

/// Progress of the experiment in the toolbar: bar, and "37 % · 0:42 left".
class ProgressWidget : public QWidget {
    Q_OBJECT

  public:
    explicit ProgressWidget(RunController& controller, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    [[nodiscard]] double share() const { return m_share; } ///< in [0, 1]; negative while unknown or idle

  Q_SIGNALS:
    void shareChanged(double share); ///< by a whole percent

  private:
    void follow(RunState state);
    void showProgress(double share, double etaSeconds);

    RunController& m_controller;
    QProgressBar* m_bar;
    QLabel* m_label;
    double m_share = -1;
};

} // namespace lambdascope
