// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/table_setup.h"

#include <QHeaderView>
#include <QStringList>
#include <QTableView>

#include <functional>

namespace lambdascope {

void setUpTable(QTableView& table, const QString& accessibleName) {
    table.setAccessibleName(accessibleName);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false); // Tab leaves the table; arrows move in it
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

QString tableText(const QAbstractItemModel& model) {
    QString text;
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column) {
        cells << model.headerData(column, Qt::Horizontal).toString();
    }
    text += cells.join('\t') + '\n';
    const std::function<void(const QModelIndex&)> addRows = [&](const QModelIndex& parent) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            cells.clear();
            for (int column = 0; column < model.columnCount(parent); ++column) {
                cells << model.index(row, column, parent).data().toString().replace('\n', ' ').replace('\t', ' ');
            }
            text += cells.join('\t') + '\n';
            addRows(model.index(row, 0, parent));
        }
    };
    addRows({});
    return text;
}

} // namespace lambdascope
