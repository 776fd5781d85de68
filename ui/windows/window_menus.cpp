// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/window_menus.h"

#include "ui/charts/figure_view.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/panels/views/view_stage.h"
#include "ui/session/runs/earlier_runs.h"
#include "ui/windows/help_texts.h"
#include "ui/windows/window_commands.h"
#include "ui/windows/workbench.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <optional>

namespace lambdascope {

namespace {

constexpr int kLibraryShown = 12;

} // namespace

WindowMenus::WindowMenus(Workbench& workbench, const ActionRegistry& actions, const ViewStage& stage,
                         const RunsPanel& runsPanel, QMainWindow* window)
    : QObject(window), m_workbench(workbench), m_stage(stage), m_runsPanel(runsPanel) {
    const std::map<QString, QString> titles{
        {QStringLiteral("recent"), tr("Re&cent")},        {QStringLiteral("examples"), tr("E&xamples")},
        {QStringLiteral("library"), tr("Earlier r&uns")}, {QStringLiteral("theme"), tr("&Theme")},
        {QStringLiteral("charts"), tr("&Chart")},         {QStringLiteral("views"), tr("&Views")},
        {QStringLiteral("runs"), tr("Selected r&uns")}};
    for (const MenuSpec& spec : windowMenus()) {
        QMenu* menu = window->menuBar()->addMenu(spec.title);
        menu->setToolTipsVisible(true);
        for (const QString& entry : spec.entries) {
            if (entry == QLatin1String("-")) {
                menu->addSeparator();
            } else if (entry.startsWith(QLatin1Char('@'))) {
                const QString name = entry.mid(1);
                QMenu* submenu = menu->addMenu(titles.at(name));
                submenu->setObjectName(name + QStringLiteral("-menu"));
                m_submenus[name] = submenu;
                connect(submenu, &QMenu::aboutToShow, this, [this, name, submenu] { fillSubmenu(name, submenu); });
            } else {
                menu->addAction(actions[entry]);
            }
        }
    }
    auto* themes = new QActionGroup(this);
    for (const auto& id : {"view.theme-system", "view.theme-light", "view.theme-dark"}) {
        themes->addAction(actions[QString::fromLatin1(id)]);
        m_submenus.at(QStringLiteral("theme"))->addAction(actions[QString::fromLatin1(id)]);
    }
}

void WindowMenus::fillSubmenu(const QString& name, QMenu* menu) {
    if (name == QLatin1String("theme")) {
        return; // fixed
    }
    menu->clear();
    for (QMenu* former : menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
        former->deleteLater(); // clearing leaves those of submenus
    }
    if (name == QLatin1String("examples")) {
        fillExamples(menu);
    } else if (name == QLatin1String("recent")) {
        fillRecent(menu);
    } else if (name == QLatin1String("library")) {
        fillLibrary(menu);
    } else if (name == QLatin1String("charts")) {
        fillCharts(menu);
    } else if (name == QLatin1String("views")) {
        fillViews(menu);
    } else if (name == QLatin1String("runs")) {
        menu->addActions(m_runsPanel.runActions());
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("Nothing here yet"))->setEnabled(false);
    }
}

void WindowMenus::fillExamples(QMenu* menu) {
    QMenu* ofFamily = nullptr;
    for (const PresetGroup& group : groupedPresets(m_workbench.catalog())) {
        if (ofFamily == nullptr || ofFamily->title() != group.family) {
            ofFamily = menu->addMenu(group.family);
            ofFamily->setToolTipsVisible(true);
        }
        if (!group.paper.isEmpty()) {
            ofFamily->addSection(group.paper)->setToolTip(group.reference);
        }
        for (const PresetListing& preset : group.presets) {
            QAction* action = ofFamily->addAction(preset.title);
            action->setToolTip(preset.summary);
            action->setStatusTip(preset.summary);
            connect(action, &QAction::triggered, this, [this, name = preset.name] { m_workbench.runPreset(name); });
        }
    }
    QMenu* studies = menu->addMenu(tr("Studies"));
    studies->setToolTipsVisible(true);
    for (const PresetListing& study : listedStudies()) {
        QAction* action = studies->addAction(study.title);
        action->setToolTip(study.summary);
        action->setStatusTip(study.summary);
        connect(action, &QAction::triggered, this, [this, name = study.name] { Q_EMIT studyChosen(name); });
    }
}

void WindowMenus::fillRecent(QMenu* menu) {
    for (const RecentFiles* list : m_workbench.recentFiles()) {
        for (const QString& path : list->files()) {
            connect(menu->addAction(path), &QAction::triggered, this, [this, path] { m_workbench.open(path); });
        }
        menu->addSeparator();
    }
}

void WindowMenus::fillLibrary(QMenu* menu) {
    const auto runs = earlierRuns(m_workbench.controller().library().get(), kLibraryShown);
    if (!runs) {
        menu->addAction(tr("The run library cannot be read"))->setEnabled(false);
        menu->actions().constLast()->setToolTip(QString::fromStdString(runs.error().describe()));
        return;
    }
    for (const EarlierRun& run : *runs) {
        connect(menu->addAction(run.title), &QAction::triggered, this,
                [this, id = run.id] { m_workbench.openLibraryExperiment(id); });
    }
}

void WindowMenus::fillCharts(QMenu* menu) {
    for (FigureView* chart : m_stage.current().tab->charts()) {
        QMenu* submenu = chart->createMenu(menu);
        const QString title = figureTitle(chart->figure());
        submenu->setTitle(title.isEmpty() ? chart->accessibleName() : title);
        menu->addMenu(submenu);
    }
}

void WindowMenus::fillViews(QMenu* menu) {
    const QStringList offered = m_stage.offered();
    std::optional<Question> question;
    for (const ViewSpec& view : m_stage.views()) {
        if (!offered.contains(view.id)) {
            continue;
        }
        if (question && *question != view.question) {
            menu->addSeparator();
        }
        question = view.question;
        QAction* action = menu->addAction(view.title);
        action->setCheckable(true);
        action->setChecked(view.id == m_stage.current().id);
        connect(action, &QAction::triggered, this, [this, id = view.id] { Q_EMIT viewChosen(id); });
    }
}

} // namespace lambdascope
