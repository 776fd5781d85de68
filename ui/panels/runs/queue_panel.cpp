// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/queue_panel.h"

#include "ui/panels/runs/table_setup.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace lambdascope {

QueuePanel::QueuePanel(RunController& controller, QWidget* parent)
    : QWidget(parent), m_controller(controller), m_model(new QueueModel(controller, this)),
      m_table(new QTableView(this)), m_stack(new QStackedWidget(this)), m_empty(new QLabel(this)),
      m_held(new QLabel(tr("The queue waits because a run was stopped."), this)),
      m_goOn(new QPushButton(tr("Go on"), this)), m_up(new QPushButton(tr("Move up"), this)),
      m_down(new QPushButton(tr("Move down"), this)), m_remove(new QPushButton(tr("Remove"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    auto* held = new QHBoxLayout;
    m_held->setWordWrap(true);
    held->addWidget(m_held, 1);
    held->addWidget(m_goOn);
    layout->addLayout(held);
    m_empty->setText(tr("Nothing waits. While an experiment computes, \"Add to queue\" puts the next one here."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(12);
    m_table->setModel(m_model);
    setUpTable(*m_table, tr("Queue"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnWidth(QueueModel::Name, 200);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto* body = new QHBoxLayout;
    body->addWidget(m_stack, 1);
    auto* buttons = new QVBoxLayout;
    m_goOn->setAccessibleName(tr("Queue: go on"));
    m_up->setAccessibleName(tr("Queue: move up"));
    m_down->setAccessibleName(tr("Queue: move down"));
    m_remove->setAccessibleName(tr("Queue: remove"));
    for (QPushButton* button : {m_up, m_down, m_remove}) {
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    body->addLayout(buttons);
    layout->addLayout(body, 1);
    connect(m_goOn, &QPushButton::clicked, &controller, &RunController::releaseQueue);
    connect(m_remove, &QPushButton::clicked, this,
            [this] { m_controller.removeQueued(static_cast<std::size_t>(currentRow())); });
    connect(m_up, &QPushButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveCurrent(+1); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &QueuePanel::refresh);
    connect(m_model, &QAbstractItemModel::modelReset, this, &QueuePanel::refresh);
    connect(&controller, &RunController::queueChanged, this, &QueuePanel::refresh);
    refresh();
}

int QueuePanel::currentRow() const {
    return m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
}

void QueuePanel::moveCurrent(int step) {
    const int row = currentRow();
    const int target = row + step;
    if (row >= 0 && target >= 0 && target < m_model->rowCount()) {
        m_controller.moveQueued(static_cast<std::size_t>(row), static_cast<std::size_t>(target));
        m_table->selectRow(target);
    }
}

void QueuePanel::refresh() {
    const int count = m_model->rowCount();
    const int row = currentRow();
    m_stack->setCurrentWidget(count > 0 ? static_cast<QWidget*>(m_table) : m_empty);
    m_held->setVisible(m_controller.isQueueHeld());
    m_goOn->setVisible(m_controller.isQueueHeld());
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < count);
    m_remove->setEnabled(row >= 0);
}

} // namespace lambdascope
