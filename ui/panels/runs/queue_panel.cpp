// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/queue_panel.h"

#include "ui/charts/table_actions.h"
#include "ui/panels/runs/table_setup.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
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
      m_down(new QPushButton(tr("Move down"), this)), m_remove(new QPushButton(tr("Cancel"), this)),
      m_running(new QWidget(this)), m_runningName(new QLabel(m_running)), m_progress(new QProgressBar(m_running)),
      m_pause(new QPushButton(tr("Pause"), m_running)), m_stop(new QPushButton(tr("Stop"), m_running)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    buildRunning();
    layout->addWidget(m_running);
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
    new TableActions(*m_table, {}, tr("queue"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnWidth(QueueModel::Name, 200);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    auto* buttons = new QHBoxLayout; // below: a drawer is narrow
    m_goOn->setAccessibleName(tr("Queue: go on"));
    m_up->setAccessibleName(tr("Queue: move up"));
    m_down->setAccessibleName(tr("Queue: move down"));
    m_remove->setAccessibleName(tr("Queue: cancel what waits"));
    for (QPushButton* button : {m_up, m_down, m_remove}) {
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    layout->addLayout(buttons);
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

void QueuePanel::buildRunning() {
    auto* layout = new QVBoxLayout(m_running);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(4);
    m_runningName->setTextFormat(Qt::PlainText);
    m_runningName->setWordWrap(true);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(12);
    m_progress->setAccessibleName(tr("Progress of what computes"));
    m_pause->setAccessibleName(tr("Hold what computes"));
    m_stop->setAccessibleName(tr("Stop what computes"));
    layout->addWidget(m_runningName);
    auto* row = new QHBoxLayout;
    row->addWidget(m_progress, 1);
    row->addWidget(m_pause);
    row->addWidget(m_stop);
    layout->addLayout(row);
    connect(m_pause, &QPushButton::clicked, this,
            [this] { m_controller.state() == RunState::Paused ? m_controller.resume() : m_controller.pause(); });
    connect(m_stop, &QPushButton::clicked, &m_controller, &RunController::stop);
    connect(&m_controller, &RunController::stateChanged, this, &QueuePanel::refreshRunning);
    connect(&m_controller, &RunController::progressChanged, this, [this](double share) {
        m_progress->setRange(0, share < 0 ? 0 : 1000);
        m_progress->setValue(static_cast<int>(1000 * share));
    });
    refreshRunning();
}

void QueuePanel::refreshRunning() {
    const RunState state = m_controller.state();
    const QString how = state == RunState::Preparing  ? tr("preparing")
                        : state == RunState::Paused   ? tr("paused")
                        : state == RunState::Stopping ? tr("stopping")
                                                      : tr("computing");
    m_running->setVisible(m_controller.isBusy());
    m_runningName->setText(QStringLiteral("%1: %2").arg(m_controller.currentName(), how));
    m_pause->setText(state == RunState::Paused ? tr("Resume") : tr("Pause"));
    m_pause->setEnabled(state == RunState::Running || state == RunState::Paused);
    m_stop->setEnabled(m_controller.isBusy() && state != RunState::Stopping);
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
