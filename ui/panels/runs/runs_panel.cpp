// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/runs_panel.h"

#include "ui/panels/runs/column_fitter.h"
#include "ui/panels/runs/safety_delegate.h"
#include "ui/panels/runs/swatch_delegate.h"
#include "ui/panels/runs/table_setup.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace lambdascope {

RunsPanel::RunsPanel(RunCollection& runs, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_model(new RunsModel(runs, this)), m_proxy(new RunsProxyModel(this)),
      m_filter(new QLineEdit(this)), m_table(new QTableView(this)), m_stack(new QStackedWidget(this)),
      m_empty(new QLabel(this)), m_swatch(new SwatchDelegate(RunsModel::StyleIndexRole, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    m_filter->setPlaceholderText(tr("Filter: words of any column, such as \"finished iris\""));
    m_filter->setAccessibleName(tr("Filter runs"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_proxy->setFilterWords(words);
        updateEmptyState();
    });
    layout->addWidget(m_filter);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(12);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    buildTable();
    buildActions();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(m_proxy, signal, this, &RunsPanel::updateEmptyState);
    }
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &RunsPanel::updateEmptyState);
    updateEmptyState();
    updateActions();
}

void RunsPanel::buildTable() {
    m_proxy->setSourceModel(m_model);
    m_table->setModel(m_proxy);
    m_table->setItemDelegateForColumn(RunsModel::Name, m_swatch);
    m_table->setItemDelegateForColumn(RunsModel::SafetyState, new SafetyDelegate(RunsModel::SafetyRole, m_table));
    setUpTable(*m_table, tr("Runs"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    // No sorting at first: runs stand in the order in which they came.
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    // The last column takes what is left, and hidden ones take nothing: none is cut at the edge.
    new ColumnFitter(*m_table, {{RunsModel::Name, 170},
                                {RunsModel::Rate, 74},
                                {RunsModel::Cpu, 78},
                                {RunsModel::Ratio, 70},
                                {RunsModel::State, 102},
                                {RunsModel::SafetyState, 118},
                                {RunsModel::Points, 74},
                                {RunsModel::Experiment, 150},
                                {RunsModel::Ended, 120},
                                {RunsModel::Lane, 110},
                                {RunsModel::Family, 90}});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
        QMenu menu;
        menu.addActions(m_actions);
        menu.exec(m_table->viewport()->mapToGlobal(place));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::updateActions);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { Q_EMIT currentRunChanged(currentRun()); });
}

void RunsPanel::buildActions() {
    const auto add = [this](const QString& text, const QKeySequence& keys, auto&& act) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        m_actions.append(action);
        m_table->addAction(action);
        return action;
    };
    m_showOnly =
        add(tr("Show Only This"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] { m_runs.showOnly(selectedRuns()); });
    add(tr("Show All Runs"), {}, [this] { m_runs.setShown(m_runs.ids(), true); });
    add(tr("Show No Runs"), {}, [this] { m_runs.setShown(m_runs.ids(), false); });
    m_rename = add(tr("Rename Run"), Qt::Key_F2, [this] {
        if (m_table->currentIndex().isValid()) {
            m_table->edit(m_table->currentIndex().siblingAtColumn(RunsModel::Name));
        }
    });
    m_delete = add(tr("Delete Run"), QKeySequence::Delete, [this] { m_runs.remove(selectedRuns()); });
    m_copy = add(tr("Copy Table"), QKeySequence::Copy, [this] { copyTable(); });
}

void RunsPanel::setSwatch(std::function<QIcon(int styleIndex)> swatch) {
    m_swatch->setSwatch(std::move(swatch));
    m_table->viewport()->update();
}

void RunsPanel::refreshSwatches() {
    m_swatch->forget();
    m_table->viewport()->update();
}

std::vector<RunId> RunsPanel::selectedRuns() const {
    std::vector<RunId> ids;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        ids.push_back(RunId{index.data(RunsModel::RunIdRole).toLongLong()});
    }
    return ids;
}

std::optional<RunId> RunsPanel::currentRun() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? std::optional(RunId{index.data(RunsModel::RunIdRole).toLongLong()}) : std::nullopt;
}

void RunsPanel::setCurrentRun(RunId id) {
    const QModelIndex index = m_proxy->mapFromSource(m_model->index(m_model->rowOf(id), RunsModel::Name));
    if (index.isValid()) {
        m_table->setCurrentIndex(index);
    }
}

void RunsPanel::clearCurrentRun() {
    m_table->setCurrentIndex({});
}

void RunsPanel::updateActions() {
    const qsizetype count = m_table->selectionModel()->selectedRows().size();
    m_showOnly->setEnabled(count > 0);
    m_showOnly->setText(count > 1 ? tr("Show Only These") : tr("Show Only This"));
    m_rename->setEnabled(count == 1);
    m_delete->setEnabled(count > 0);
    m_delete->setText(count > 1 ? tr("Delete %1 Runs").arg(count) : tr("Delete Run"));
}

void RunsPanel::updateEmptyState() {
    const bool hasRuns = m_model->rowCount() > 0;
    m_empty->setText(hasRuns            ? tr("No run has all these words. Clear the filter to see all runs.")
                     : m_hasEarlierRuns ? tr("Runs appear here, one row per lane. Press Run to start one,\n"
                                             "or take one of those that are kept from File > Earlier runs.")
                                        : tr("Runs appear here, one row per lane. Press Run to start one."));
    m_stack->setCurrentWidget(m_proxy->rowCount() > 0 ? static_cast<QWidget*>(m_table) : m_empty);
    m_copy->setEnabled(m_proxy->rowCount() > 0);
}

void RunsPanel::setHasEarlierRuns(bool has) {
    m_hasEarlierRuns = has;
    updateEmptyState();
}

QString RunsPanel::emptyText() const {
    return m_empty->text();
}

void RunsPanel::copyTable() const {
    QApplication::clipboard()->setText(tableText(*m_proxy));
}

} // namespace lambdascope
