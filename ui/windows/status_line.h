// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

class QLabel;
class QStatusBar;

namespace lambdascope {

class Workbench;

/// What the status bar says: what is being done, how close the lane in work is, memory, and what watching costs.
class StatusLine : public QObject {
    Q_OBJECT

  public:
    StatusLine(Workbench& workbench, QStatusBar* bar);

    [[nodiscard]] QString text() const; ///< all parts, for tests

  private:
    void refreshActivity(const QString& activity);
    void refreshNumbers();

    Workbench& m_workbench;
    QLabel* m_activity;
    QLabel* m_gap;
    QLabel* m_memory;
    QLabel* m_cost;
    QTimer m_timer;
};

/// Resident memory of this process in bytes; 0 where /proc does not tell.
[[nodiscard]] double residentBytes();

} // namespace lambdascope
