// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/log_model.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace lambdascope {

/// The log with a level choice, a filter box, copy and clear. Stays at the newest line unless the user scrolled up.
class LogPanel : public QWidget {
    Q_OBJECT

  public:
    /// `log` must outlive the panel.
    explicit LogPanel(LogModel& log, QWidget* parent = nullptr);
    ~LogPanel() override;

    [[nodiscard]] QTableView* table() const { return m_table; }

  private:
    LogModel& m_log;
    QSortFilterProxyModel* m_proxy;
    QComboBox* m_level;
    QLineEdit* m_filter;
    QTableView* m_table;
    bool m_isAtEnd = true;
};

} // namespace lambdascope
