// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <map>

class QMainWindow;
class QMenu;

namespace lambdascope {

class ActionRegistry;
class RunsPanel;
class ViewStage;
class Workbench;

/// The menu bar of the window: windowMenus() with its commands, and submenus that are filled when they open (examples,
/// recent files, earlier runs, charts, views, selected runs).
class WindowMenus : public QObject {
    Q_OBJECT

  public:
    /// Becomes a child of `window`; all others must outlive it.
    WindowMenus(Workbench& workbench, const ActionRegistry& actions, const ViewStage& stage, const RunsPanel& runsPanel,
                QMainWindow* window);

    /// The submenu "@name" of windowMenus().
    [[nodiscard]] QMenu* submenu(const QString& name) const { return m_submenus.at(name); }

  Q_SIGNALS:
    void viewChosen(const QString& id);
    void studyChosen(const QString& name);

  private:
    void fillSubmenu(const QString& name, QMenu* menu);
    void fillExamples(QMenu* menu);
    void fillRecent(QMenu* menu);
    void fillLibrary(QMenu* menu);
    void fillCharts(QMenu* menu);
    void fillViews(QMenu* menu);

    Workbench& m_workbench;
    const ViewStage& m_stage;
    const RunsPanel& m_runsPanel;
    std::map<QString, QMenu*> m_submenus;
};

} // namespace lambdascope
