// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_proxy_model.h"

#include "ui/models/runs_tree_model.h"

#include <utility>

namespace lambdascope {

RunsProxyModel::RunsProxyModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsModel::SortRole);
    setDynamicSortFilter(true);
}

void RunsProxyModel::setQuery(RunQuery query) {
    m_query = std::move(query);
    invalidateFilter();
}

bool RunsProxyModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto* tree = qobject_cast<const RunsTreeModel*>(sourceModel());
    if (tree == nullptr || parent.isValid() || m_query.isOfEverything()) {
        return true;
    }
    const RunsTreeModel::Group& group = *tree->groupAt(tree->index(row, 0));
    return m_query.accepts(group.kept ? *group.kept : tree->searched(group));
}

bool RunsProxyModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (!left.parent().isValid() && qobject_cast<const RunsTreeModel*>(sourceModel()) != nullptr) {
        // Experiments stay in the order in which they came, whichever way their lanes are sorted.
        return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
    }
    const QVariant a = left.data(RunsModel::SortRole);
    const QVariant b = right.data(RunsModel::SortRole);
    if (a.userType() == QMetaType::Double && b.userType() == QMetaType::Double) {
        return a.toDouble() < b.toDouble();
    }
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

} // namespace lambdascope
