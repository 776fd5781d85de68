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
#include "ui/session/experiment/preset_list.h"
#include "ui/windows/certificate_panel.h"
#include "ui/windows/command_palette.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/figure_reopening.h"
#include "ui/windows/file_dialogs.h"
#include "ui/windows/first_captions.h"
#include "ui/windows/help_texts.h"
#include "ui/windows/info_sheet.h"
#include "ui/windows/main_window.h"
#include "ui/windows/progress_widget.h"
#include "ui/windows/region_keys.h"
#include "ui/windows/study_parts.h"
#include "ui/windows/window_menus.h"
#include "ui/windows/workbench.h"

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace lambdascope {

void MainWindow::buildToolBar(const WindowMenus& menus) {
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
    addMenuButton(tr("Examples"), QStringLiteral("examples"), menus.submenu(QStringLiteral("examples")));
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

QAction* MainWindow::on(const QString& id, std::function<void()> act) {
    QAction* action = m_actions[id];
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

void MainWindow::connectCommands() {
    on(QStringLiteral("file.new"), [this] { m_workbench.newExperiment(); });
    on(QStringLiteral("file.open"),
       [this] { askToOpen(m_workbench, this, tr("Open data, an experiment or a figure")); });
    on(QStringLiteral("file.open-run"), [this] { askForRunFolder(m_workbench, this); });
    on(QStringLiteral("file.save"), [this] { saveExperiment(m_workbench, this, false); });
    on(QStringLiteral("file.save-as"), [this] { saveExperiment(m_workbench, this, true); });
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
    m_reopening = new FigureReopening(
        m_workbench, *m_stage, [this]() -> ExportPanel& { return exportPanel(); }, this);
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
    connect(m_actions[QStringLiteral("view.enlarge")], &QAction::triggered, this,
            [this](bool enlarged) { setEnlarged(enlarged); });
    QAction* split = m_actions[QStringLiteral("view.split")];
    connect(split, &QAction::triggered, this, [this](bool isSplit) {
        m_offersPaper = m_offersPaper && isSplit;
        const bool isSaved = m_stage->current().question == Question::Saved;
        m_stage->setBeside(!isSplit ? QString() : isSaved ? QStringLiteral("rates") : QStringLiteral("times"));
    });
    connect(m_stage, &ViewStage::besideChanged, split,
            [this, split] { split->setChecked(!m_stage->beside().isEmpty()); });
    split->setChecked(!m_stage->beside().isEmpty());
    on(QStringLiteral("view.next-region"), [this] { m_regions->step(1); });
    on(QStringLiteral("view.previous-region"), [this] { m_regions->step(-1); });
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
        connect(toggle, &QAction::triggered, dock, [dock = dock, toggle](bool shown) {
            const bool isBehind = !shown && !dock->isHidden() && dock->visibleRegion().isEmpty();
            dock->setVisible(shown || isBehind);
            toggle->setChecked(shown || isBehind); // behind another dock it was not to be seen
            if (shown || isBehind) {
                dock->raise();
            }
        });
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

void MainWindow::connectRunsPanel() {
    connect(m_runsPanel, &RunsPanel::keptRequested, this, [this](qint64 experiment, const QString& lane, bool alone) {
        m_workbench.openLibraryExperiment(experiment, lane, !alone);
    });
    m_runsPanel->setGoOn(
        [this](const RunsTreeModel::Group& group) { return m_workbench.leftRunOf(group.runs, group.kept).has_value(); },
        [this](const RunsTreeModel::Group& group) {
            if (const auto left = m_workbench.leftRunOf(group.runs, group.kept)) {
                m_workbench.goOn(*left);
            }
        });
    KeptRuns& kept = m_workbench.keptRuns();
    connect(&kept, &KeptRuns::changed, this,
            [this, &kept] { m_runsPanel->setKept(kept.experiments(), kept.ofSession()); });
    m_runsPanel->setLibraryEdits(m_workbench.libraryEdits());
    connect(m_study, &StudyParts::drawerWanted, this, [this] {
        m_runsDock->show();
        m_runsDock->raise();
    });
    connect(&m_workbench.controller(), &RunController::finished, &kept, &KeptRuns::refreshSoon);
    connect(m_runsPanel, &RunsPanel::currentRunChanged, this, [this](std::optional<RunId> run) {
        if (run && *run != m_inspector->selectedRun()) {
            m_inspector->selectRun(*run);
        }
    });
}

void MainWindow::connectRunCommands() {
    on(QStringLiteral("data.open"), [this] { askToOpen(m_workbench, this, tr("Open data")); });
    on(QStringLiteral("data.preview"), [this] { showData(!showsData()); });
    connect(m_actions[QStringLiteral("data.paint")], &QAction::triggered, this, &MainWindow::showPaint);
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
    on(QStringLiteral("run.go-on"), [this] { m_workbench.goOnWith(m_runsPanel->currentRun()); });
    on(QStringLiteral("run.study"), [this] { m_study->showPanel(); });
    on(QStringLiteral("run.copy-command"), [this] {
        const QString command = m_workbench.document().asCommandLine();
        QGuiApplication::clipboard()->setText(command);
        m_notices->show({Severity::Information, tr("Copied: %1").arg(command), {}, QStringLiteral("copy")});
    });
    on(QStringLiteral("run.verify-all"), [this] { m_headline->verifyAll(); });
    on(QStringLiteral("run.certificate"), [this] { askForCertificate(); });
    connect(m_inspector, &InspectorPanel::certificateRequested, this, &MainWindow::askForCertificate);
    on(QStringLiteral("figure.export"), [this] { showExport(false); });
    on(QStringLiteral("figure.export-all"), [this] { showExport(true); });
    on(QStringLiteral("figure.reset-zoom"), [this] {
        for (FigureView* chart : m_stage->current().tab->charts()) {
            chart->resetZoom();
        }
    });
    on(QStringLiteral("help.palette"), [this] { openPalette(); });
    on(QStringLiteral("help.shortcuts"), [this] {
        m_infoSheet->open(tr("Shortcuts"), m_actions.shortcutTable() + chartKeysText() +
                                               tableKeysText(tr("In the Runs table"), m_runsPanel->runActions()));
    });
    on(QStringLiteral("help.bounds"),
       [this] { m_infoSheet->open(tr("What do the bounds mean"), boundsText(m_workbench.catalog())); });
    on(QStringLiteral("help.about"),
       [this] { m_infoSheet->open(tr("About Lambdascope"), aboutText(m_workbench.catalog())); });
}

ExportPanel& MainWindow::exportPanel() {
    if (m_export == nullptr) {
        m_export = new ExportPanel(m_workbench.runs(), m_workbench.cursor(), this);
        m_export->setRecipes(m_reopening->recipes());
        m_export->setCalled([this](const QString& name) { return m_reopening->figureCalled(name); });
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

CertificatePanel* MainWindow::askForCertificate(std::optional<RunId> run) {
    CertificateSession& session = m_workbench.certificates();
    const std::vector<RunId> newest = newestShownBatch(m_workbench.runs());
    const RunId about = run ? *run : newest.empty() ? RunId{} : newest.front();
    if (session.lanesBeside(about).empty()) {
        m_notices->show({Severity::Information, tr("There is no lane yet that has ended and screens."),
                         tr("Run an experiment with bounds first."), QStringLiteral("certificate")});
        return nullptr;
    }
    if (m_certificate == nullptr) {
        m_certificate = new CertificatePanel(m_workbench.runs(), session, this);
    }
    if (session.work() == CertificateSession::Work::None) {
        m_certificate->offer(about, run ? std::vector{*run} : std::vector<RunId>());
    }
    m_certificate->show();
    m_certificate->raise();
    m_certificate->activateWindow();
    return m_certificate;
}

void MainWindow::openPalette() {
    std::vector<CommandPalette::Entry> entries;
    for (QAction* action : m_actions.all()) {
        if (action->objectName() != QLatin1String("help.palette")) {
            entries.push_back({plainText(action->text()), action->shortcut().toString(QKeySequence::NativeText),
                               action->statusTip(), [action] { action->trigger(); }, action->isEnabled()});
        }
    }
    const QStringList offered = m_stage->offered();
    for (const ViewSpec& view : m_stage->views()) {
        entries.push_back({tr("View: %1").arg(view.title),
                           {},
                           tr("Makes this view the large one"),
                           [this, id = view.id] {
                               showWelcome(false);
                               m_stage->choose(id);
                           },
                           offered.contains(view.id)});
    }
    for (const PresetListing& preset : listedPresets(m_workbench.catalog())) {
        entries.push_back({tr("Example: %1").arg(preset.title), {}, preset.summary, [this, name = preset.name] {
                               m_workbench.runPreset(name);
                           }});
    }
    m_palette->ask(std::move(entries));
}

void MainWindow::showCaptions() {
    m_captions->showOnce();
    if (!m_workbench.controller().isBusy()) { // a fast example
        m_captions->closeWhenRead();
    }
}

} // namespace lambdascope
