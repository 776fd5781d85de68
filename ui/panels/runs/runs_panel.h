// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs_model.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QIcon;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace lambdascope {

class SwatchDelegate;

/// The runs table: tick = shown in charts, filter box, context menu (show only this, rename, delete, …). The style
/// swatch of a run is drawn by whoever knows colours, through `swatch`.
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

    [[nodiscard]] RunsModel& model() const { return *m_model; }
    /// Whether the library keeps runs, which an empty table then points at.
    void setHasEarlierRuns(bool has);
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QLineEdit* filterBox() const { return m_filter; }
    /// Show only · Show all · Show none · Rename · Delete · Copy table: also for the window's menus.
    [[nodiscard]] QList<QAction*> runActions() const { return m_actions; }

  Q_SIGNALS:
    void currentRunChanged(std::optional<lambdascope::RunId> id);

  private:
    void buildActions();
    void buildTable();
    void updateActions();
    void updateEmptyState();
    void copyTable() const;

    RunCollection& m_runs;
    RunsModel* m_model;
    bool m_hasEarlierRuns = false;
    RunsProxyModel* m_proxy;
    QLineEdit* m_filter;
    QTableView* m_table;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    SwatchDelegate* m_swatch;
    QList<QAction*> m_actions;
    QAction* m_showOnly = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_delete = nullptr;
    QAction* m_copy = nullptr;
};

} // namespace lambdascope
