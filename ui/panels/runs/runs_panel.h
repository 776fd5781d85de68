// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs_tree_model.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QIcon;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTreeView;

namespace lambdascope {

class LabelBar;
class LibraryEdits;
class SwatchDelegate;
class TableActions;

/// All runs as a tree, those of the session above those that the library keeps: tick = shown in charts, search above,
/// context menu (show only this, rename, delete, go on, …); below it star, tags and notes of the current one, and the
/// settings in which the ticked ones differ. The
/// style swatch of a run is drawn by whoever knows colours, through `swatch`.
class RunsPanel : public QWidget {
    Q_OBJECT

  public:
    /// `runs` must outlive the panel.
    explicit RunsPanel(RunCollection& runs, QWidget* parent = nullptr);

    /// How the style index of a run looks: colour, dash and marker as in the charts. Without one, rows have no swatch.
    void setSwatch(std::function<QIcon(int styleIndex)> swatch);
    /// Call after a theme change: swatches are made anew.
    void refreshSwatches();

    [[nodiscard]] std::vector<RunId> selectedRuns() const;
    [[nodiscard]] std::optional<RunId> currentRun() const;
    void setCurrentRun(RunId id);
    /// No row is the current one, and none is selected.
    void clearCurrentRun();

    [[nodiscard]] RunsModel& model() const { return *m_model; } ///< of the lanes of the session
    [[nodiscard]] RunsTreeModel& tree() const { return *m_tree; }
    /// What the library keeps and the session does not have, newest first.
    void setKept(const std::vector<LibraryExperiment>& experiments,
                 const std::map<RunId, LibraryExperiment>& ofSession = {});
    /// What the user says of kept runs and which are deleted goes there, which must outlive the panel. Without it
    /// nothing of that can be changed.
    void setLibraryEdits(LibraryEdits& edits);
    /// Whether an experiment that ended before its path did can go on, and what makes it do so. Without them there is
    /// no such command.
    void setGoOn(std::function<bool(const RunsTreeModel::Group&)> can,
                 std::function<void(const RunsTreeModel::Group&)> go);
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QTreeView* view() const { return m_view; }
    [[nodiscard]] QTableView* differences() const { return m_differences; }
    [[nodiscard]] QLineEdit* filterBox() const { return m_filter; }
    [[nodiscard]] QString filterText() const; ///< what is said of the search: a count, or what is wrong with it
    [[nodiscard]] LabelBar& labels() const { return *m_labels; }
    /// Show only · Show all · Show none · Go on · Rename · Delete · Export · Copy table: also for the window's menus.
    [[nodiscard]] QList<QAction*> runActions() const { return m_actions; }

  Q_SIGNALS:
    void currentRunChanged(std::optional<lambdascope::RunId> id);
    /// A kept experiment is to be read: beside what is shown, or alone; one lane of it, or all for an empty name.
    void keptRequested(qint64 experiment, const QString& lane, bool alone);
    /// An experiment of the library is to be written as a run folder.
    void exportRequested(qint64 experiment);

  private:
    void buildActions();
    void buildFilter();
    void search();
    void deleteSelected();
    [[nodiscard]] std::vector<LibraryExperimentId> selectedKept() const;
    void updateFilterText();
    void buildTree();
    void buildDifferences();
    void updateActions();
    void updateEmptyState();
    void updateDifferences();
    void showOnlySelected();
    [[nodiscard]] QModelIndex sourceOf(const QModelIndex& shown) const;
    [[nodiscard]] const RunsTreeModel::Group* currentGroup() const;

    RunCollection& m_runs;
    RunsModel* m_model;
    RunsTreeModel* m_tree;
    RunsProxyModel* m_proxy;
    QLineEdit* m_filter;
    QLabel* m_filterText;
    LabelBar* m_labels;
    LibraryEdits* m_edits = nullptr;
    QTreeView* m_view;
    QTableView* m_differences;
    QLabel* m_differencesTitle;
    std::function<bool(const RunsTreeModel::Group&)> m_canGoOn;
    std::function<void(const RunsTreeModel::Group&)> m_goOn;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    SwatchDelegate* m_swatch;
    QList<QAction*> m_actions;
    QAction* m_showOnly = nullptr;
    QAction* m_goOnAction = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_delete = nullptr;
    QAction* m_star = nullptr;
    QAction* m_exportRun = nullptr;
    QAction* m_copy = nullptr;
    TableActions* m_tableActions = nullptr;
};

} // namespace lambdascope
