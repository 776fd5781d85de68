// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/runs_panel.h"

#include "ui/charts/table_actions.h"
#include "ui/models/differences_model.h"
#include "ui/panels/runs/column_fitter.h"
#include "ui/panels/runs/label_bar.h"
#include "ui/panels/runs/safety_delegate.h"
#include "ui/panels/runs/swatch_delegate.h"
#include "ui/panels/runs/table_setup.h"
#include "ui/session/count_text.h"
#include "ui/session/runs/library_edits.h"

#include <QAction>
#include <QDateTime>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

RunsPanel::RunsPanel(RunCollection& runs, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_model(new RunsModel(runs, this)), m_tree(new RunsTreeModel(*m_model, this)),
      m_proxy(new RunsProxyModel(this)), m_filter(new QLineEdit(this)), m_filterText(new QLabel(this)),
      m_labels(new LabelBar(this)), m_view(new QTreeView(this)), m_differences(new QTableView(this)),
      m_differencesTitle(new QLabel(tr("Settings that differ"), this)), m_stack(new QStackedWidget(this)),
      m_empty(new QLabel(this)), m_swatch(new SwatchDelegate(RunsModel::StyleIndexRole, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    buildFilter();
    layout->addWidget(m_filter);
    layout->addWidget(m_filterText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(12);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    buildTree();
    buildDifferences();
    buildActions();
    auto* below = new QWidget(this);
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 2, 0, 0);
    belowLayout->setSpacing(2);
    belowLayout->addWidget(m_differencesTitle);
    belowLayout->addWidget(m_differences);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_stack);
    split->addWidget(below);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    split->setSizes({320, 110}); // a few settings are seldom more than three rows
    layout->addWidget(split, 1);
    layout->addWidget(m_labels);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(m_proxy, signal, this, &RunsPanel::updateEmptyState);
    }
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &RunsPanel::updateEmptyState);
    updateEmptyState();
    updateActions();
    updateDifferences();
}

void RunsPanel::buildFilter() {
    m_filter->setPlaceholderText(tr("Search: iris family:metric since:week"));
    m_filter->setAccessibleName(tr("Search runs"));
    m_filter->setToolTip(QString::fromUtf8(RunQuery::help()));
    m_filter->setClearButtonEnabled(true);
    m_filterText->setWordWrap(true);
    m_filterText->setVisible(false);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsPanel::search);
}

/// While a text has faults, as half of a word may, the list stays what it was.
void RunsPanel::search() {
    auto query = RunQuery::parse(m_filter->text().toStdString(), QDateTime::currentSecsSinceEpoch());
    if (!query) {
        QStringList faults;
        for (const Fault& fault : query.error().faults) {
            faults << QString::fromStdString(fault.text());
        }
        m_filterText->setText(faults.join('\n'));
        m_filterText->setVisible(true);
        return;
    }
    m_proxy->setQuery(std::move(*query));
    updateEmptyState();
}

void RunsPanel::updateFilterText() {
    m_filterText->setVisible(!m_filter->text().trimmed().isEmpty());
    m_filterText->setText(tr("%1 of %2")
                              .arg(QLocale().toString(m_proxy->rowCount()),
                                   countText(m_tree->rowCount(), tr("experiment"), tr("experiments"))));
}

QString RunsPanel::filterText() const {
    return m_filterText->isHidden() ? QString() : m_filterText->text();
}

void RunsPanel::buildTree() {
    m_proxy->setSourceModel(m_tree);
    m_view->setModel(m_proxy);
    m_view->setAccessibleName(tr("Runs"));
    m_view->setItemDelegateForColumn(RunsModel::Name, m_swatch);
    m_view->setItemDelegateForColumn(RunsModel::SafetyState, new SafetyDelegate(RunsModel::SafetyRole, m_view));
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setAlternatingRowColors(true);
    m_view->setUniformRowHeights(true);
    m_view->setIndentation(14);
    m_view->setTabKeyNavigation(false);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->header()->setStretchLastSection(true);
    m_view->header()->setHighlightSections(false);
    m_view->header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    // No sorting at first: the newest experiment stands on top, lanes in their order.
    m_view->header()->setSortIndicatorClearable(true);
    m_view->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    // The last column takes what is left, and hidden ones take nothing: none is cut at the edge.
    new ColumnFitter(*m_view, *m_view->header(),
                     {{RunsModel::Name, 176},
                      {RunsModel::State, 102},
                      {RunsModel::Cpu, 78},
                      {RunsModel::Ratio, 70},
                      {RunsModel::Rate, 74},
                      {RunsModel::SafetyState, 118},
                      {RunsModel::Points, 74},
                      {RunsModel::Ended, 120},
                      {RunsModel::Experiment, 150},
                      {RunsModel::Lane, 110},
                      {RunsModel::Family, 90}});
    using Kind = TypedTable::Kind;
    std::vector<Kind> kinds(RunsModel::ColumnCount, Kind::Text);
    kinds[RunsModel::Points] = Kind::Count;
    kinds[RunsModel::Rate] = Kind::Share;
    kinds[RunsModel::Cpu] = Kind::Seconds;
    kinds[RunsModel::Ratio] = Kind::Ratio;
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tableActions = new TableActions(*m_view, {RunsModel::SortRole, kinds}, tr("runs"));
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
        QMenu menu;
        menu.addActions(m_actions);
        m_tableActions->addTo(menu);
        menu.exec(m_view->viewport()->mapToGlobal(place));
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::updateActions);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { Q_EMIT currentRunChanged(currentRun()); });
    connect(m_view, &QAbstractItemView::doubleClicked, this, [this] { showOnlySelected(); });
    connect(m_tree, &RunsTreeModel::keptTicked, this,
            [this](qint64 experiment, const QString& lane) { Q_EMIT keptRequested(experiment, lane, false); });
    // Experiments of the session open with their lanes, kept ones closed.
    connect(m_tree, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent) {
        if (const RunsTreeModel::Group* group = m_tree->groupAt(parent); group != nullptr && !group->kept) {
            m_view->expand(m_proxy->mapFromSource(parent));
        }
    });
}

void RunsPanel::buildDifferences() {
    auto* model = new DifferencesModel(m_runs, this);
    m_differences->setModel(model);
    setUpTable(*m_differences, tr("Settings in which the ticked runs differ"));
    new TableActions(*m_differences, {}, tr("settings"));
    m_differences->verticalHeader()->show();
    m_differences->horizontalHeader()->setStretchLastSection(false);
    m_differences->horizontalHeader()->setMaximumSectionSize(220);
    connect(model, &QAbstractItemModel::modelReset, this, &RunsPanel::updateDifferences);
}

void RunsPanel::updateDifferences() {
    const bool hasAny = m_differences->model()->rowCount() > 0;
    m_differences->parentWidget()->setVisible(hasAny);
    if (hasAny) {
        m_differences->resizeColumnsToContents();
    }
}

void RunsPanel::buildActions() {
    const auto add = [this](const QString& text, const QKeySequence& keys, auto&& act) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        m_actions.append(action);
        m_view->addAction(action);
        return action;
    };
    m_showOnly = add(tr("Show Only This"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, [this] { showOnlySelected(); });
    add(tr("Show All Runs"), {}, [this] { m_runs.setShown(m_runs.ids(), true); });
    add(tr("Show No Runs"), {}, [this] { m_runs.setShown(m_runs.ids(), false); });
    m_goOnAction = add(tr("Go On With This Experiment"), {}, [this] {
        if (const RunsTreeModel::Group* group = currentGroup(); group != nullptr && m_goOn) {
            m_goOn(RunsTreeModel::Group(*group)); // a copy: going on changes the tree
        }
    });
    m_star = add(tr("Star"), {}, [this] { m_labels->star()->click(); });
    m_rename = add(tr("Rename Run"), Qt::Key_F2, [this] {
        if (m_rename->isEnabled()) {
            m_view->edit(m_view->currentIndex().siblingAtColumn(RunsModel::Name));
        }
    });
    m_delete = add(tr("Delete Run"), QKeySequence::Delete, [this] { deleteSelected(); });
    m_exportRun = add(tr("Export Run Folder…"), {}, [this] {
        const RunsTreeModel::Group* group = currentGroup();
        if (const LibraryExperiment* kept = group != nullptr ? group->inLibrary() : nullptr) {
            Q_EMIT exportRequested(kept->id.value);
        }
    });
    m_copy = m_tableActions->copyAction();
    m_actions.append(m_copy);
}

void RunsPanel::setSwatch(std::function<QIcon(int styleIndex)> swatch) {
    m_swatch->setSwatch(std::move(swatch));
    m_view->viewport()->update();
}

void RunsPanel::refreshSwatches() {
    m_swatch->forget();
    m_view->viewport()->update();
}

void RunsPanel::setKept(const std::vector<LibraryExperiment>& experiments,
                        const std::map<RunId, LibraryExperiment>& ofSession) {
    const RunsTreeModel::Group* group = currentGroup();
    const auto current = group != nullptr && group->kept ? std::optional(group->kept->id) : std::nullopt;
    m_tree->setKept(experiments, ofSession);
    if (current && !m_view->currentIndex().isValid()) {
        m_view->setCurrentIndex(m_proxy->mapFromSource(m_tree->indexOf(*current)));
    }
    updateEmptyState();
    updateActions();
}

void RunsPanel::setLibraryEdits(LibraryEdits& edits) {
    m_edits = &edits;
    m_labels->setEdits(&edits);
    connect(m_tree, &RunsTreeModel::keptRenamed, &edits, &LibraryEdits::rename);
    updateActions();
}

std::vector<LibraryExperimentId> RunsPanel::selectedKept() const {
    std::vector<LibraryExperimentId> ids;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const QModelIndex source = sourceOf(index);
        const RunsTreeModel::Group* group = m_tree->groupAt(source);
        if (group != nullptr && group->kept && !source.parent().isValid()) {
            ids.push_back(group->kept->id);
        }
    }
    return ids;
}

void RunsPanel::deleteSelected() {
    if (const std::vector<LibraryExperimentId> kept = selectedKept(); m_edits != nullptr && !kept.empty()) {
        m_edits->discard(kept);
    }
    if (const std::vector<RunId> runs = selectedRuns(); !runs.empty()) {
        m_runs.remove(runs);
    }
}

void RunsPanel::setGoOn(std::function<bool(const RunsTreeModel::Group&)> can,
                        std::function<void(const RunsTreeModel::Group&)> go) {
    m_canGoOn = std::move(can);
    m_goOn = std::move(go);
    updateActions();
}

QModelIndex RunsPanel::sourceOf(const QModelIndex& shown) const {
    return m_proxy->mapToSource(shown);
}

const RunsTreeModel::Group* RunsPanel::currentGroup() const {
    return m_tree->groupAt(sourceOf(m_view->currentIndex()));
}

std::vector<RunId> RunsPanel::selectedRuns() const {
    std::vector<RunId> ids;
    const auto add = [&ids](RunId id) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
            ids.push_back(id);
        }
    };
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const QModelIndex source = sourceOf(index);
        if (const auto run = m_tree->runAt(source)) {
            add(*run);
        } else if (const RunsTreeModel::Group* group = m_tree->groupAt(source); group != nullptr && !group->kept) {
            std::for_each(group->runs.begin(), group->runs.end(), add);
        }
    }
    return ids;
}

void RunsPanel::showOnlySelected() {
    const QModelIndex current = sourceOf(m_view->currentIndex());
    const RunsTreeModel::Group* group = m_tree->groupAt(current);
    if (group != nullptr && group->kept) {
        Q_EMIT keptRequested(group->kept->id.value, current.data(RunsTreeModel::LaneRole).toString(), true);
    } else if (const std::vector<RunId> selected = selectedRuns(); !selected.empty()) {
        m_runs.showOnly(selected);
    }
}

std::optional<RunId> RunsPanel::currentRun() const {
    return m_tree->runAt(sourceOf(m_view->currentIndex()));
}

void RunsPanel::setCurrentRun(RunId id) {
    const QModelIndex index = m_proxy->mapFromSource(m_tree->indexOf(id));
    if (index.isValid()) {
        m_view->setCurrentIndex(index);
    }
}

void RunsPanel::clearCurrentRun() {
    m_view->setCurrentIndex({});
}

void RunsPanel::updateActions() {
    const std::size_t count = selectedRuns().size();
    const std::size_t deletable = count + (m_edits != nullptr ? selectedKept().size() : 0);
    const QModelIndex current = sourceOf(m_view->currentIndex());
    const RunsTreeModel::Group* group = currentGroup();
    const bool isKept = group != nullptr && group->kept.has_value();
    const LibraryExperiment* labels = group != nullptr ? group->inLibrary() : nullptr;
    m_labels->setExperiment(labels);
    m_showOnly->setEnabled(count > 0 || isKept);
    m_showOnly->setText(count > 1 ? tr("Show Only These") : tr("Show Only This"));
    m_star->setEnabled(labels != nullptr && m_edits != nullptr);
    m_exportRun->setEnabled(labels != nullptr);
    m_star->setText(labels != nullptr && labels->isStarred ? tr("Take Star Off") : tr("Star"));
    m_rename->setEnabled(currentRun().has_value() || (isKept && m_edits != nullptr && !current.parent().isValid()));
    m_delete->setEnabled(deletable > 0);
    m_delete->setText(deletable > 1 ? tr("Delete %1 Runs").arg(deletable) : tr("Delete Run"));
    m_goOnAction->setVisible(static_cast<bool>(m_canGoOn));
    m_goOnAction->setEnabled(m_canGoOn && group != nullptr && m_canGoOn(*group));
}

void RunsPanel::updateEmptyState() {
    const bool hasRuns = m_tree->rowCount() > 0;
    updateFilterText();
    m_empty->setText(hasRuns ? tr("No run is like that. Clear the search to see all runs.")
                             : tr("Runs appear here, an experiment with its lanes. Press Run to start one."));
    m_stack->setCurrentWidget(m_proxy->rowCount() > 0 ? static_cast<QWidget*>(m_view) : m_empty);
    m_copy->setEnabled(m_proxy->rowCount() > 0);
}

QString RunsPanel::emptyText() const {
    return m_empty->text();
}

} // namespace lambdascope
