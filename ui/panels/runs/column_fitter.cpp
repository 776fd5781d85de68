// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/column_fitter.h"

#include <QAbstractItemView>
#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QMenu>

namespace lambdascope {

ColumnFitter::ColumnFitter(QAbstractItemView& table, QHeaderView& header, std::vector<Column> byImportance)
    : QObject(&table), m_table(table), m_header(header), m_byImportance(std::move(byImportance)) {
    for (const Column& column : m_byImportance) {
        header.resizeSection(column.number, column.width);
    }
    table.viewport()->installEventFilter(this);
    header.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&header, &QWidget::customContextMenuRequested, this, &ColumnFitter::showMenu);
    fit();
}

void ColumnFitter::fit() {
    int room = m_table.viewport()->width();
    bool isFull = false;
    for (const Column& column : m_byImportance) {
        const auto chosen = m_chosen.find(column.number);
        isFull = isFull || column.width > room;
        const bool isFirst = column.number == m_byImportance.front().number;
        const bool isShown = isFirst || (chosen != m_chosen.end() ? chosen->second : !isFull);
        m_header.setSectionHidden(column.number, !isShown);
        room -= isShown ? column.width : 0;
    }
}

void ColumnFitter::setChosen(int column, bool shown) {
    m_chosen[column] = shown;
    fit();
}

bool ColumnFitter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(this, &ColumnFitter::fit, Qt::QueuedConnection); // not while the table lays out
    }
    return QObject::eventFilter(watched, event);
}

void ColumnFitter::showMenu(const QPoint& place) {
    auto* menu = new QMenu(&m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int visual = 0; visual < m_header.count(); ++visual) {
        const int column = m_header.logicalIndex(visual);
        QAction* action =
            menu->addAction(m_table.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_header.isSectionHidden(column));
        action->setEnabled(column != m_byImportance.front().number);
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setChosen(column, shown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("As many as fit")), &QAction::triggered, this, [this] {
        m_chosen.clear();
        fit();
    });
    menu->popup(m_header.mapToGlobal(place));
}

} // namespace lambdascope
