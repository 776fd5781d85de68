// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace lambdascope {

/// Sorts runs by number where a column holds numbers, and keeps rows in which every word of the filter occurs in some
/// column.
class RunsProxyModel : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit RunsProxyModel(QObject* parent = nullptr);
    void setFilterWords(const QString& words);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    QStringList m_words;
};

} // namespace lambdascope
