// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/main_window.h"

#include "ui/charts/chart_theme.h"
#include "ui/charts/figure_view.h"
#include "ui/panels/experiment/data_page.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/experiment/paint_page.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/runs/log_panel.h"
#include "ui/panels/runs/queue_panel.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/shared/notice_bar.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/headline_bar.h"
#include "ui/panels/views/lane_chips.h"
#include "ui/panels/views/paper_tab.h"
#include "ui/panels/views/question_card.h"
#include "ui/panels/views/view_stage.h"
#include "ui/panels/welcome/welcome_page.h"
#include "ui/session/inspect/item_brush.h"
#include "ui/session/runs/earlier_runs.h"
#include "ui/windows/command_palette.h"
#include "ui/windows/curve_swatch.h"
#include "ui/windows/dock_folder.h"
#include "ui/windows/family_layouts.h"
#include "ui/windows/file_dialogs.h"
#include "ui/windows/file_drop.h"
#include "ui/windows/first_captions.h"
#include "ui/windows/form_remark.h"
#include "ui/windows/info_sheet.h"
#include "ui/windows/library_parts.h"
#include "ui/windows/progress_widget.h"
#include "ui/windows/region_keys.h"
#include "ui/windows/status_line.h"
#include "ui/windows/study_parts.h"
#include "ui/windows/text_field_shortcuts.h"
#include "ui/windows/window_commands.h"
#include "ui/windows/window_menus.h"
#include "ui/windows/window_views.h"
#include "ui/windows/workbench.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace lambdascope {

namespace {

constexpr int kEarlierShown = 4; // on the welcome page
constexpr int kAboveAxis = 60;   // px from the small pictures to what may cover the large one

QDockWidget* makeDock(const QString& title, const QString& name, QWidget* content, QMainWindow* window) {
    auto* dock = new QDockWidget(title, window);
    dock->setObjectName(name); // saveState goes by it
    dock->setWidget(content);
    return dock;
}

} // namespace

MainWindow::MainWindow(Workbench& workbench, QWidget* parent)
    : QMainWindow(parent), m_workbench(workbench), m_actions(this),
      m_closeQuestion([this] { return askAboutClosing(m_workbench.controller(), this); }),
      m_closeGuard(new CloseGuard(
          workbench.controller(), [this] { return m_closeQuestion(); }, this)) {
    setObjectName(QStringLiteral("main-window"));
    setWindowIcon(programIcon());
    auto* drop = new FileDrop(this);
    connect(drop, &FileDrop::hovering, this, [this](bool isOver) {
        if (m_welcome != nullptr) {
            m_welcome->setDropActive(isOver);
        }
    });
    connect(drop, &FileDrop::dropped, &workbench, &Workbench::openAll);
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const ActionSpec& spec : windowCommands()) {
        m_actions.add(spec);
    }
    new TextFieldShortcuts(this, m_actions);
    buildCentre();
    buildDocks();
    auto* menus = new WindowMenus(workbench, m_actions, *m_stage, *m_runsPanel, this);
    connect(menus, &WindowMenus::viewChosen, this, [this](const QString& id) {
        showWelcome(false);
        m_stage->choose(id);
    });
    connect(menus, &WindowMenus::studyChosen, m_study, &StudyParts::runBundled);
    new LibraryParts(workbench, *m_runsPanel, m_actions, this);
    buildToolBar(*menus);
    m_status = new StatusLine(workbench, statusBar());
    m_infoSheet = new InfoSheet(this);
    connectCommands();
    connectWorkbench();
    takeFirstSize();
    sizeDocks();
    restoreLayout();
    refreshRunCommands();
    refreshTitle();
    showWelcome(true);
}

MainWindow::~MainWindow() {
    // The panels follow objects of the workbench, which outlives the window: no last signal may reach a half-gone one.
    m_workbench.disconnect(this);
    m_workbench.controller().disconnect(this);
    m_workbench.document().disconnect(this);
    m_workbench.runs().disconnect(this);
}

void MainWindow::buildCentre() {
    auto* holder = new QWidget(this);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_notices = new NoticeBar(holder);
    m_centre = new QStackedWidget(holder);
    layout->addWidget(m_notices);
    layout->addWidget(m_centre, 1);

    m_charts = new QWidget;
    auto* charts = new QVBoxLayout(m_charts);
    charts->setContentsMargins(0, 0, 0, 0);
    charts->setSpacing(0);
    RunCollection& runs = m_workbench.runs();
    PathCursor& cursor = m_workbench.cursor();
    m_stage = new ViewStage(runs, cursor, windowViews(runs, cursor, m_workbench.lens(), m_workbench.study()));
    for (const ViewSpec& view : m_stage->views()) {
        m_tabs.push_back(view.tab);
        connect(view.tab, &RunTab::enlargeRequested, this, [this, tab = view.tab] { setEnlarged(!m_isEnlarged, tab); });
    }
    m_cursorBar = new CursorBar(runs, cursor);
    m_headline = new HeadlineBar(runs, m_workbench.lens());
    m_chips = new LaneChips(runs);
    charts->addWidget(m_headline);
    charts->addWidget(m_chips);
    m_trouble = new QLabel;
    charts->addWidget(m_trouble, 1);
    charts->addWidget(m_stage, 1);
    charts->addWidget(m_cursorBar);
    showTrouble({});
    m_centre->addWidget(m_charts);
    setCentralWidget(holder);
    m_layouts = new FamilyLayouts(runs, *m_stage, m_workbench.settings(), this);
    m_palette = new CommandPalette(this);
    const std::vector<FirstCaptions::Caption> captions{
        {m_headline, tr("What the runs show so far."), false, 1},
        {m_chips, tr("Lanes: a click hides one."), false, 0.9},
        {m_stage->card(Question::Learned), tr("Five questions; a click makes one large."), true, 0, kAboveAxis}};
    m_captions = new FirstCaptions(this, captions);
}

void MainWindow::buildDocks() {
    m_form = new ExperimentForm(m_workbench.document(), this);
    m_experimentDock = makeDock(tr("Experiment"), QStringLiteral("experiment-dock"), m_form, this);
    addDockWidget(Qt::LeftDockWidgetArea, m_experimentDock);

    m_inspector =
        new InspectorPanel(m_workbench.runs(), m_workbench.cursor(), m_workbench.lens(), m_workbench.catalog(), this);
    m_inspectorDock = makeDock(tr("Inspector"), QStringLiteral("inspector-dock"), m_inspector, this);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);

    m_runsPanel = new RunsPanel(m_workbench.runs(), this);
    refreshSwatches();
    m_bottomTabs = new QTabWidget(this);
    m_bottomTabs->setDocumentMode(true);
    m_bottomTabs->setAccessibleName(tr("Runs, queue and log"));
    m_bottomTabs->addTab(m_runsPanel, tr("Runs"));
    m_study = new StudyParts(m_workbench, *m_form, *m_stage, this);
    m_bottomTabs->addTab(m_study->queueWith(new QueuePanel(m_workbench.controller(), this)), tr("Queue"));
    m_study->addTo(*m_bottomTabs);
    m_bottomTabs->addTab(new LogPanel(m_workbench.log(), this), tr("Log"));
    m_runsDock = makeDock(tr("Runs"), QStringLiteral("runs-dock"), m_bottomTabs, this);
    addDockWidget(Qt::LeftDockWidgetArea, m_runsDock);
    tabifyDockWidget(m_experimentDock, m_runsDock);
    m_experimentDock->raise();
    new DockFolder(*this, {m_experimentDock, m_runsDock}, {m_inspectorDock});
    m_regions = new RegionKeys(
        this, {[this] { return m_experimentDock->visibleRegion().isEmpty() ? m_runsDock : m_experimentDock; },
               [this] { return m_headline; }, [this] { return m_chips; },
               [this] { return m_charts->isVisible() ? m_stage->current().tab : m_centre->currentWidget(); },
               [this] { return m_stage->card(m_stage->current().question); }, [this] { return m_cursorBar; },
               [this] { return m_inspectorDock; }});
}

void MainWindow::connectWorkbench() {
    connect(&m_workbench, &Workbench::noticed, m_notices, &NoticeBar::show);
    connect(&m_workbench, &Workbench::noticeSettled, m_notices, &NoticeBar::dismissSource);
    connect(m_notices, &NoticeBar::actionChosen, &m_workbench, &Workbench::takeAction);
    connect(&m_workbench, &Workbench::opened, this, [this] { showWelcome(false); });
    connect(&m_workbench, &Workbench::dataOpened, this, [this] {
        m_form->dataPreview().hurry();
        showData(true);
    });
    RunController& controller = m_workbench.controller();
    connect(&controller, &RunController::stateChanged, this, &MainWindow::refreshRunCommands);
    connect(&controller, &RunController::stateChanged, m_captions,
            [this](RunState state) { state == RunState::Idle ? m_captions->closeWhenRead() : void(); });
    connect(&controller, &RunController::failed, m_form, &ExperimentForm::showError);
    connect(&controller, &RunController::failed, this, [this](const Error& error) {
        const Json about = m_workbench.document().value(QStringLiteral("description"));
        const std::string words = about.isText() ? "\n\n" + about.get<std::string>() : std::string();
        showTrouble(QString::fromStdString(error.describe() + words));
    });
    connect(&controller, &RunController::started, this, [this] { showTrouble({}); });
    connect(&m_workbench.runs(), &RunCollection::visibilityChanged, this, [this] { showTrouble(trouble()); });
    connect(&m_workbench.runs(), &RunCollection::runsAdded, this, [this] { showTrouble(trouble()); });
    connect(&controller, &RunController::queueChanged, this, [this] {
        const std::size_t waiting = m_workbench.controller().queueSize();
        m_bottomTabs->setTabText(1, waiting == 0 ? tr("Queue") : tr("Queue (%1)").arg(waiting));
    });
    connect(&m_workbench.document(), &ExperimentDocument::faultsChanged, this, &MainWindow::refreshRunCommands);
    connect(&m_workbench.document(), &ExperimentDocument::titleChanged, this, &MainWindow::refreshTitle);
    connect(&m_workbench.document(), &ExperimentDocument::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(m_form, &ExperimentForm::runRequested, this, [this](bool enqueue) { m_workbench.run(enqueue); });
    connect(m_progress, &ProgressWidget::shareChanged, this, &MainWindow::refreshTitle);
    connect(m_closeGuard, &CloseGuard::closeNow, this, &QWidget::close);

    // What is wrong with a file that was just opened is said at the top, unless its page lists it; what is wrong with
    // typed text, in the form.
    DataPreview& preview = m_form->dataPreview();
    connect(&preview, &DataPreview::changed, this, [this, &preview] {
        const Json source = m_workbench.document().value(QStringLiteral("data.source"));
        const bool isOpened = source.isText() && m_workbench.openedData().toStdString() == source.get<std::string>();
        if (isOpened) {
            m_workbench.noteData(preview.profile());
        }
        if (isOpened && preview.state() == DataPreview::State::Failed && !showsData()) {
            m_notices->show(noticeFor(preview.error(), QStringLiteral("data")));
        } else if (preview.state() != DataPreview::State::Failed) {
            m_notices->dismissSource(QStringLiteral("data"));
        }
    });

    // What repeats a paper's experiment opens beside the numbers that the paper printed.
    connect(&m_workbench.runs(), &RunCollection::runsAdded, this, [this] {
        if (m_offersPaper && width() >= DockFolder::kNarrow && m_stage->beside().isEmpty() &&
            PaperTab::fits(shownRuns(m_workbench.runs()))) {
            m_stage->setBeside(QStringLiteral("paper"));
        }
    });
    connect(&m_workbench.document(), &ExperimentDocument::faultsChanged, this, &MainWindow::refreshRemark);
    connect(&m_workbench.runs(), &RunCollection::runsAdded, this, &MainWindow::refreshRemark);
    connect(&m_workbench.runs(), &RunCollection::runsRemoved, this, &MainWindow::refreshRemark);
    connect(&m_workbench.runs(), &RunCollection::visibilityChanged, this, &MainWindow::refreshRemark);

    for (RunTab* tab : m_tabs) {
        connect(tab, &RunTab::placeClicked, m_inspector, &InspectorPanel::clearItem);
        connect(tab, &RunTab::itemSelected, m_inspector, &InspectorPanel::selectItem);
        ItemSelection* selection = &m_workbench.lens().selection();
        connect(tab, &RunTab::itemPicked, m_inspectorDock, [this] { m_inspectorDock->setVisible(!m_isEnlarged); });
        connect(tab, &RunTab::itemPicked, selection, &ItemSelection::pickItem);
        connect(tab, &RunTab::samplePicked, selection, &ItemSelection::pickSample);
        connect(tab, &RunTab::itemSelected, this, [this](RunId run) { m_runsPanel->setCurrentRun(run); });
    }
    ItemBrush& brush = m_workbench.lens().brush();
    connect(&brush, &ItemBrush::marksChanged, m_inspectorDock, [this, &brush] {
        if (!brush.isEmpty()) {
            m_inspectorDock->setVisible(!m_isEnlarged);
        }
    });
    connect(m_inspector, &InspectorPanel::selectionDropped, m_runsPanel, &RunsPanel::clearCurrentRun);
    connectRunsPanel();
}

bool MainWindow::showsWelcome() const {
    return m_centre->currentWidget() == m_welcome;
}

void MainWindow::showWelcome(bool shown) {
    if (shown && m_welcome == nullptr) {
        m_welcome = new WelcomePage(m_workbench.catalog(), m_workbench.recentFiles());
        connect(m_welcome, &WelcomePage::presetChosen, &m_workbench, &Workbench::runPreset);
        connect(m_welcome, &WelcomePage::studyChosen, m_study, &StudyParts::runBundled);
        connect(m_welcome, &WelcomePage::fileChosen, &m_workbench, &Workbench::open);
        connect(m_welcome, &WelcomePage::openRequested, this,
                [this] { askToOpen(m_workbench, this, tr("Open data")); });
        connect(m_welcome, &WelcomePage::newRequested, &m_workbench, &Workbench::newExperiment);
        connect(m_welcome, &WelcomePage::paintRequested, this, &MainWindow::startPainting);
        connect(m_welcome, &WelcomePage::earlierRunChosen, &m_workbench,
                [this](qint64 experiment) { m_workbench.openLibraryExperiment(experiment); });
        connect(m_welcome, &WelcomePage::chartsRequested, this, [this] { showWelcome(false); });
        m_centre->addWidget(m_welcome);
    }
    if (shown) {
        const auto earlier = earlierRuns(m_workbench.controller().library().get(), kEarlierShown);
        m_welcome->setEarlierRuns(earlier ? *earlier : std::vector<EarlierRun>());
        m_welcome->setHasCharts(!m_workbench.runs().ids().empty());
    }
    showPage(shown ? static_cast<QWidget*>(m_welcome) : m_charts);
}

bool MainWindow::showsData() const {
    return m_data != nullptr && m_centre->currentWidget() == m_data;
}

void MainWindow::showData(bool shown) {
    if (shown && m_data == nullptr) {
        m_data = new DataPage(m_workbench.document(), m_form->dataPreview());
        connect(m_data, &DataPage::runRequested, this, [this] { m_workbench.run(m_workbench.controller().isBusy()); });
        connect(m_data, &DataPage::chartsRequested, this, [this] { showData(false); });
        connect(m_data, &DataPage::paintRequested, this, [this] { showPaint(true); });
        connect(m_data, &DataPage::fieldRequested, this, [this](const QString& key) {
            m_experimentDock->setVisible(true);
            m_experimentDock->raise();
            m_form->reveal(key);
        });
        m_centre->addWidget(m_data);
    }
    if (shown) {
        m_data->setHasCharts(!m_workbench.runs().ids().empty());
    }
    showPage(shown ? static_cast<QWidget*>(m_data) : m_charts);
}

void MainWindow::showPage(QWidget* page) {
    m_centre->setCurrentWidget(page);
    m_actions[QStringLiteral("data.preview")]->setChecked(showsData());
    m_actions[QStringLiteral("data.paint")]->setChecked(m_paint != nullptr && page == m_paint);
}

void MainWindow::refreshRunCommands() {
    const RunController& controller = m_workbench.controller();
    const RunState state = controller.state();
    const bool runnable = m_workbench.document().isRunnable();
    const QString reason = m_workbench.document().reasonNotRunnable();
    QAction* start = m_actions[QStringLiteral("run.start")];
    start->setEnabled(runnable);
    start->setText(controller.isBusy() ? tr("&Queue") : tr("&Run"));
    start->setToolTip(runnable ? controller.isBusy() ? tr("Compute the experiment after what is in work (F5)")
                                                     : tr("Compute the experiment (F5)")
                               : tr("Cannot run: %1").arg(reason));
    m_actions[QStringLiteral("run.queue")]->setEnabled(runnable);
    QAction* pause = m_actions[QStringLiteral("run.pause")];
    pause->setEnabled(state == RunState::Running || state == RunState::Paused);
    pause->setChecked(state == RunState::Paused);
    pause->setText(state == RunState::Paused ? tr("&Resume") : tr("&Pause"));
    pause->setIcon(themedIcon(state == RunState::Paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_actions[QStringLiteral("run.stop")]->setEnabled(controller.isBusy() && state != RunState::Stopping);
    m_form->setBusy(controller.isBusy());
    m_runsPanel->model().setPaused(state == RunState::Paused);
    refreshTitle();
}

void MainWindow::refreshTitle() {
    QString title = m_workbench.document().title();
    if (m_workbench.document().isModified()) {
        title += QStringLiteral(" *");
    }
    const double share = m_progress == nullptr ? -1 : m_progress->share();
    const QString progress =
        share >= 0 && m_workbench.controller().isBusy() ? tr("%1 % – ").arg(qRound(100 * share)) : QString();
    setWindowTitle(tr("%1%2 – Lambdascope").arg(progress, title));
}

void MainWindow::refreshSwatches() {
    m_runsPanel->setSwatch(
        [this](int styleIndex) { return curveSwatch(styleIndex, ChartTheme::fromPalette(palette())); });
    m_runsPanel->refreshSwatches();
}

void MainWindow::refreshRemark() {
    m_headline->setRemark(formRemark(m_workbench.document(), m_workbench.runs()));
}

} // namespace lambdascope
