// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_query.h"

#include <QSortFilterProxyModel>

namespace lambdascope {

/// Sorts runs by number where a column holds numbers, and keeps of a RunsTreeModel the experiments that a search
/// accepts, with all their lanes.
class RunsProxyModel : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit RunsProxyModel(QObject* parent = nullptr);
    void setQuery(RunQuery query);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    RunQuery m_query;
};

} // namespace lambdascope
