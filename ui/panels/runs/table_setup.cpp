// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/table_setup.h"

#include <QHeaderView>
#include <QTableView>

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

} // namespace lambdascope
