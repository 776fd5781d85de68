// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that joins menus and commands with what they do.
#include "ui/charts/figure_view.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/shared/notice_bar.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/headline_bar.h"
#include "ui/panels/views/view_stage.h"
#include "ui/session/runs/earlier_runs.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/help_texts.h"
#include "ui/windows/info_sheet.h"
#include "ui/windows/main_window.h"
#include "ui/windows/progress_widget.h"
#include "ui/windows/window_commands.h"
#include "ui/windows/workbench.h"

#include <QActionGroup>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>

#include <optional>

namespace lambdascope {

namespace {

const QString folderKey = QStringLiteral("open/folder");
constexpr int libraryShown = 12;

QString lastFolder() {
    return QSettings().value(folderKey, QDir::homePath()).toString();
}

} // namespace

void MainWindow::buildMenus() {
    const std::map<QString, QString> titles{
        {QStringLiteral("recent"), tr("Re&cent")},        {QStringLiteral("examples"), tr("E&xamples")},
        {QStringLiteral("library"), tr("Earlier r&uns")}, {QStringLiteral("theme"), tr("&Theme")},
        {QStringLiteral("charts"), tr("&Chart")},         {QStringLiteral("views"), tr("&Views")},
        {QStringLiteral("runs"), tr("Selected r&uns")}};
    for (const MenuSpec& spec : windowMenus()) {
        QMenu* menu = menuBar()->addMenu(spec.title);
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
                menu->addAction(m_actions[entry]);
            }
        }
    }
    auto* themes = new QActionGroup(this);
    for (const auto& id : {"view.theme-system", "view.theme-light", "view.theme-dark"}) {
        themes->addAction(m_actions[QString::fromLatin1(id)]);
        m_submenus.at(QStringLiteral("theme"))->addAction(m_actions[QString::fromLatin1(id)]);
    }
}

void MainWindow::buildToolBar() {
    QToolBar* bar = addToolBar(tr("Main toolbar"));
    bar->setObjectName(QStringLiteral("main-toolbar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(18, 18));
    bar->setMovable(false);
    bar->addAction(m_actions[QStringLiteral("data.open")]);
    const auto addMenuButton = [bar](const QString& text, const QString& icon, QMenu* menu) {
        auto* button = new QToolButton(bar);
        button->setText(text);
        button->setIcon(themedIcon(icon));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(menu);
        button->setAccessibleName(text);
        bar->addWidget(button);
        return button;
    };
    addMenuButton(tr("Examples"), QStringLiteral("examples"), m_submenus.at(QStringLiteral("examples")));
    bar->addSeparator();
    bar->addAction(m_actions[QStringLiteral("run.start")]);
    bar->addAction(m_actions[QStringLiteral("run.pause")]);
    bar->addAction(m_actions[QStringLiteral("run.stop")]);
    m_progress = new ProgressWidget(m_workbench.controller(), bar);
    bar->addWidget(m_progress);
    bar->addSeparator();
    auto* exportMenu = new QMenu(this);
    exportMenu->addAction(m_actions[QStringLiteral("figure.export")]);
    exportMenu->addAction(m_actions[QStringLiteral("figure.export-all")]);
    addMenuButton(tr("Export"), QStringLiteral("export"), exportMenu);
}

void MainWindow::fillSubmenu(const QString& name, QMenu* menu) {
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
        menu->addActions(m_runsPanel->runActions());
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("Nothing here yet"))->setEnabled(false);
    }
}

void MainWindow::fillExamples(QMenu* menu) {
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
}

void MainWindow::fillRecent(QMenu* menu) {
    for (const RecentFiles* list : m_workbench.recentFiles()) {
        for (const QString& path : list->files()) {
            connect(menu->addAction(path), &QAction::triggered, this, [this, path] { m_workbench.open(path); });
        }
        menu->addSeparator();
    }
}

void MainWindow::fillLibrary(QMenu* menu) {
    const auto runs = earlierRuns(m_workbench.controller().library().get(), libraryShown);
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

void MainWindow::fillCharts(QMenu* menu) {
    for (FigureView* chart : m_stage->current().tab->charts()) {
        QMenu* submenu = chart->createMenu(menu);
        const QString title = figureTitle(chart->figure());
        submenu->setTitle(title.isEmpty() ? chart->accessibleName() : title);
        menu->addMenu(submenu);
    }
}

void MainWindow::fillViews(QMenu* menu) {
    const QStringList offered = m_stage->offered();
    std::optional<Question> question;
    for (const ViewSpec& view : m_stage->views()) {
        if (!offered.contains(view.id)) {
            continue;
        }
        if (question && *question != view.question) {
            menu->addSeparator();
        }
        question = view.question;
        QAction* action = menu->addAction(view.title);
        action->setCheckable(true);
        action->setChecked(view.id == m_stage->current().id);
        connect(action, &QAction::triggered, this, [this, id = view.id] {
            showWelcome(false);
            m_stage->choose(id);
        });
    }
}

QAction* MainWindow::on(const QString& id, std::function<void()> act) {
    QAction* action = m_actions[id];
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

void MainWindow::connectCommands() {
    on(QStringLiteral("file.new"), [this] { m_workbench.newExperiment(); });
    on(QStringLiteral("file.open"), [this] { askToOpen(tr("Open data, an experiment or a figure")); });
    on(QStringLiteral("file.open-run"), [this] { askForRunFolder(); });
    on(QStringLiteral("file.save"), [this] { save(false); });
    on(QStringLiteral("file.save-as"), [this] { save(true); });
    on(QStringLiteral("file.welcome"), [this] { showWelcome(!showsWelcome()); });
    on(QStringLiteral("file.quit"), [this] { close(); });
    QUndoStack& stack = m_workbench.undoStack();
    QAction* undo = on(QStringLiteral("edit.undo"), [&stack] { stack.undo(); });
    QAction* redo = on(QStringLiteral("edit.redo"), [&stack] { stack.redo(); });
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::undoTextChanged, undo,
            [undo](const QString& what) { undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(what)); });
    connect(&stack, &QUndoStack::redoTextChanged, redo,
            [redo](const QString& what) { redo->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(what)); });
    on(QStringLiteral("edit.copy-details"), [this] {
        m_inspector->refreshNow();
        m_inspector->copyText();
    });
    on(QStringLiteral("edit.copy-headline"), [this] { m_headline->copySentence(); });
    on(QStringLiteral("edit.copy-caption"), [this] { m_headline->copyCaption(); });
    connectViewCommands();
    connectRunCommands();
}

void MainWindow::connectViewCommands() {
    const QStringList questions{"view.screened", "view.saved", "view.learned", "view.safe", "view.converged"};
    for (int i = 0; i < questions.size(); ++i) {
        on(questions[i], [this, i] {
            showWelcome(false);
            m_stage->choose(static_cast<Question>(i));
        });
    }
    on(QStringLiteral("view.previous-view"), [this] { m_stage->step(-1); });
    on(QStringLiteral("view.next-view"), [this] { m_stage->step(1); });
    connect(m_actions[QStringLiteral("view.enlarge")], &QAction::triggered, this, &MainWindow::setEnlarged);
    on(QStringLiteral("view.previous"), [this] { m_cursorBar->stepBy(-1); });
    on(QStringLiteral("view.next"), [this] { m_cursorBar->stepBy(1); });
    QAction* play = m_actions[QStringLiteral("view.play")];
    connect(play, &QAction::triggered, m_cursorBar, &CursorBar::setPlaying);
    connect(m_cursorBar, &CursorBar::playingChanged, play, &QAction::setChecked);
    QAction* follow = m_actions[QStringLiteral("view.follow")];
    PathCursor& cursor = m_workbench.cursor();
    follow->setChecked(cursor.isFollowing());
    connect(follow, &QAction::triggered, &cursor, &PathCursor::setFollowing);
    connect(&cursor, &PathCursor::followingChanged, follow, &QAction::setChecked);

    const std::map<QString, QDockWidget*> docks{{QStringLiteral("view.experiment"), m_experimentDock},
                                                {QStringLiteral("view.runs"), m_runsDock},
                                                {QStringLiteral("view.inspector"), m_inspectorDock}};
    for (const auto& [id, dock] : docks) {
        QAction* toggle = m_actions[id];
        toggle->setChecked(true);
        connect(toggle, &QAction::triggered, dock, &QDockWidget::setVisible);
        connect(dock->toggleViewAction(), &QAction::toggled, toggle, &QAction::setChecked);
    }
    const std::map<QString, Theme> themes{{QStringLiteral("view.theme-system"), Theme::System},
                                          {QStringLiteral("view.theme-light"), Theme::Light},
                                          {QStringLiteral("view.theme-dark"), Theme::Dark}};
    for (const auto& [id, theme] : themes) {
        on(id, [this, choice = theme] {
            m_workbench.settings().setTheme(choice);
        })->setChecked(m_workbench.settings().theme() == theme);
    }
    QAction* keep = m_actions[QStringLiteral("view.keep-runs")];
    keep->setChecked(m_workbench.keepsEarlierRuns());
    connect(keep, &QAction::triggered, &m_workbench, &Workbench::setKeepsEarlierRuns);
    connect(m_actions[QStringLiteral("view.full-screen")], &QAction::triggered, this, [this](bool full) {
        setWindowState(full ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
    });
    on(QStringLiteral("view.reset-layout"), [this] { resetLayout(); });
}

void MainWindow::connectRunCommands() {
    on(QStringLiteral("data.open"), [this] { askToOpen(tr("Open data")); });
    on(QStringLiteral("data.source"), [this] {
        m_experimentDock->setVisible(true);
        m_form->reveal(QStringLiteral("data.source"));
    });
    on(QStringLiteral("run.start"), [this] { m_workbench.run(m_workbench.controller().isBusy()); });
    on(QStringLiteral("run.queue"), [this] { m_workbench.run(true); });
    connect(m_actions[QStringLiteral("run.pause")], &QAction::triggered, this,
            [this](bool paused) { paused ? m_workbench.controller().pause() : m_workbench.controller().resume(); });
    on(QStringLiteral("run.stop"), [this] {
        if (m_isEnlarged) { // Esc goes back one step at a time
            setEnlarged(false);
        } else {
            m_workbench.controller().stop();
        }
    });
    on(QStringLiteral("run.copy-command"), [this] {
        const QString command = m_workbench.document().asCommandLine();
        QGuiApplication::clipboard()->setText(command);
        m_notices->show({Severity::Information, tr("Copied: %1").arg(command), {}, QStringLiteral("copy")});
    });
    on(QStringLiteral("run.verify-all"), [this] { m_headline->verifyAll(); });
    on(QStringLiteral("figure.export"), [this] { showExport(false); });
    on(QStringLiteral("figure.export-all"), [this] { showExport(true); });
    on(QStringLiteral("figure.reset-zoom"), [this] {
        for (FigureView* chart : m_stage->current().tab->charts()) {
            chart->resetZoom();
        }
    });
    on(QStringLiteral("help.shortcuts"), [this] {
        m_infoSheet->open(tr("Shortcuts"), m_actions.shortcutTable() + chartKeysText() +
                                               tableKeysText(tr("In the Runs table"), m_runsPanel->runActions()));
    });
    on(QStringLiteral("help.bounds"),
       [this] { m_infoSheet->open(tr("What do the bounds mean"), boundsText(m_workbench.catalog())); });
    on(QStringLiteral("help.about"),
       [this] { m_infoSheet->open(tr("About Lambdascope"), aboutText(m_workbench.catalog())); });
}

void MainWindow::askToOpen(const QString& title) {
    auto* dialog = new QFileDialog(this, title, lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters(
        {tr("All files (*)"),
         tr("Data (*.csv *.tsv *.txt *.libsvm *.svm *.scale *.data *.arff *.npy *.h5 *.hdf5 *.mat *.gz *.bz2)"),
         tr("Experiments (*.json)"), tr("Exported figures (*.pdf *.svg *.png)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
        QSettings().setValue(folderKey, QFileInfo(paths.value(0)).absolutePath());
        openFiles(paths);
    });
    dialog->open();
}

void MainWindow::askForRunFolder() {
    auto* dialog = new QFileDialog(this, tr("Open run folder"), lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, &m_workbench, &Workbench::open);
    dialog->open();
}

void MainWindow::save(bool askName) {
    const ExperimentDocument& document = m_workbench.document();
    if (!askName && !document.file().isEmpty()) {
        m_workbench.save(document.file());
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Save experiment"), lastFolder(), tr("Experiments (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QString name = document.title();
    dialog->selectFile(name.replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, &m_workbench, &Workbench::save);
    dialog->open();
}

ExportPanel& MainWindow::exportPanel() {
    if (m_export == nullptr) {
        m_export = new ExportPanel(m_workbench.runs(), m_workbench.cursor(), this);
        m_export->setDrawn([this] {
            std::vector<DrawnFigure> drawn;
            for (const RunTab* tab : m_tabs) {
                for (const FigureView* chart : tab->computedCharts()) {
                    if (!isEmpty(chart->figure())) {
                        drawn.push_back({chart->accessibleName(), chart->figure()});
                    }
                }
            }
            return drawn;
        });
    }
    return *m_export;
}

void MainWindow::showExport(bool all) {
    ExportPanel& panel = exportPanel();
    panel.show();
    panel.raise();
    panel.activateWindow();
    const auto charts = m_stage->current().tab->computedCharts();
    if (!charts.empty() && !isEmpty(charts.front()->figure())) {
        panel.chooseTitle(charts.front()->accessibleName()); // what one looks at
    }
    if (all) {
        panel.askForFolder();
    }
}

} // namespace lambdascope
