// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_proxy_model.h"

#include "ui/models/runs_tree_model.h"

#include <algorithm>

namespace lambdascope {

RunsProxyModel::RunsProxyModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsModel::SortRole);
    setDynamicSortFilter(true);
}

void RunsProxyModel::setFilterWords(const QString& words) {
    m_words = words.split(' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunsProxyModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QAbstractItemModel* source = sourceModel();
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        for (int column = 0; column < source->columnCount(parent); ++column) {
            if (source->index(row, column, parent).data().toString().contains(word, Qt::CaseInsensitive)) {
                return true;
            }
        }
        return false;
    });
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
