// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lambdascope {

/// Writes what is known about a lane's decisions in the colour of it: green when verified, red when something is wrong
/// or nothing guarantees it. The words say the same.
class SafetyDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// `safetyRole` gives the Safety (ui/session/runs/safety.h) of a row.
    explicit SafetyDelegate(int safetyRole, QObject* parent = nullptr);

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    int m_safetyRole;
};

} // namespace lambdascope
