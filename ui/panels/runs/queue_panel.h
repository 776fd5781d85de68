// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/queue_model.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace lambdascope {

/// What computes, with pause and stop, and what waits, with up, down and cancel; says so when the queue is held after a
/// stop, and lets it go on.
class QueuePanel : public QWidget {
    Q_OBJECT

  public:
    /// `controller` must outlive the panel.
    explicit QueuePanel(RunController& controller, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* table() const { return m_table; }

  private:
    void buildRunning();
    void refresh();
    void refreshRunning();
    void moveCurrent(int step);
    [[nodiscard]] int currentRow() const;

    RunController& m_controller;
    QueueModel* m_model;
    QTableView* m_table;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QLabel* m_held;
    QPushButton* m_goOn;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_remove;
    QWidget* m_running;
    QLabel* m_runningName;
    QProgressBar* m_progress;
    QPushButton* m_pause;
    QPushButton* m_stop;
};

} // namespace lambdascope
