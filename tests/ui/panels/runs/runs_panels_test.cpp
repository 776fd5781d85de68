// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_sink.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/runs/column_fitter.h"
#include "ui/panels/runs/label_bar.h"
#include "ui/panels/runs/log_panel.h"
#include "ui/panels/runs/queue_panel.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/session/runs/library_edits.h"
#include "ui/session/runs/run_event_bridge.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

namespace lambdascope {

namespace {

constexpr RunId kPlain{1};
constexpr RunId kHalf{2};

class RunsPanelTest : public testing::Test {
  protected:
    void SetUp() override {
        m_panel.resize(900, 220);
        m_panel.show();
        m_runs.apply(tinyEvents({.id = kPlain}));
        m_runs.apply(tinyEvents({.id = kHalf, .lane = "half", .isBaseline = false, .share = 0.5}));
        settleEvents();
    }
    QAction* action(const QString& text) const {
        for (QAction* candidate : m_panel.runActions()) {
            if (candidate->text().startsWith(text)) {
                return candidate;
            }
        }
        return nullptr;
    }

    int laneCount() const {
        const QAbstractItemModel& model = *m_panel.view()->model();
        int count = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            count += model.rowCount(model.index(row, 0));
        }
        return count;
    }

    QUndoStack m_undo;
    RunCollection m_runs{&m_undo};
    RunsPanel m_panel{m_runs};
};

TEST_F(RunsPanelTest, ShowsWholeColumnsOnlyTheMostImportantFirst) {
    const QTreeView& view = *m_panel.view();
    const auto shownWidth = [&view] {
        int width = 0;
        for (int column = 0; column < RunsModel::ColumnCount; ++column) {
            width += view.isColumnHidden(column) ? 0 : view.columnWidth(column);
        }
        return width;
    };
    int former = 0;
    for (const int width : {300, 500, 660, 900, 1400}) {
        m_panel.resize(width, 220);
        settleEvents();
        settleEvents();
        EXPECT_LE(shownWidth(), view.viewport()->width()) << width;
        EXPECT_FALSE(view.isColumnHidden(RunsModel::Name));
        int shown = 0;
        for (int column = 0; column < RunsModel::ColumnCount; ++column) {
            shown += view.isColumnHidden(column) ? 0 : 1;
        }
        EXPECT_GE(shown, former);
        former = shown;
    }
    EXPECT_EQ(former, RunsModel::ColumnCount);
    auto* fitter = view.findChild<ColumnFitter*>();
    ASSERT_NE(fitter, nullptr);
    fitter->setChosen(RunsModel::Rate, false);
    EXPECT_TRUE(view.isColumnHidden(RunsModel::Rate));
    m_panel.resize(300, 220);
    settleEvents();
    fitter->setChosen(RunsModel::Family, true);
    EXPECT_FALSE(view.isColumnHidden(RunsModel::Family)); // by hand: the tree scrolls
}

TEST_F(RunsPanelTest, ActsOnTheSelectedRuns) {
    EXPECT_FALSE(action("Delete")->isEnabled());
    m_panel.setCurrentRun(kHalf);
    EXPECT_EQ(m_panel.currentRun(), kHalf);
    action("Show Only")->trigger();
    EXPECT_EQ(m_runs.shownIds(), std::vector{kHalf});
    action("Show All")->trigger();
    EXPECT_EQ(m_runs.shownIds().size(), 2U);
    action("Delete")->trigger();
    EXPECT_EQ(m_runs.ids(), std::vector{kPlain});
    m_undo.undo();
    EXPECT_EQ(laneCount(), 2);
    action("Copy")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 4) << "header, experiment, two lanes";
    m_panel.view()->setCurrentIndex(m_panel.view()->model()->index(0, 0));
    EXPECT_EQ(m_panel.selectedRuns(), (std::vector{kPlain, kHalf})) << "an experiment is all of its lanes";
    EXPECT_FALSE(m_panel.currentRun());
}

TEST_F(RunsPanelTest, FiltersAndSaysSoWhenNothingIsLeft) {
    m_panel.filterBox()->setText("half");
    EXPECT_EQ(laneCount(), 2) << "an experiment comes with all its lanes";
    EXPECT_EQ(m_panel.filterText(), "1 of 1 experiment");
    m_panel.filterBox()->setText("zebra");
    EXPECT_FALSE(m_panel.view()->isVisible());
    EXPECT_EQ(m_panel.filterText(), "0 of 1 experiment");
    m_panel.filterBox()->setText("state:done");
    EXPECT_EQ(laneCount(), 2);
    m_panel.filterBox()->setText("stat:done");
    EXPECT_TRUE(m_panel.filterText().contains("Did you mean state:?")) << m_panel.filterText().toStdString();
    EXPECT_EQ(laneCount(), 2) << "the list stays";
    m_panel.filterBox()->clear();
    EXPECT_TRUE(m_panel.view()->isVisible());
    EXPECT_EQ(m_panel.filterText(), "");
    m_runs.remove({kPlain, kHalf});
    EXPECT_FALSE(m_panel.view()->isVisible());
}

TEST_F(RunsPanelTest, AsksForKeptRunsAndGoesOnWhereItCan) {
    LibraryExperiment kept;
    kept.id = LibraryExperimentId{7};
    kept.name = "kept one";
    kept.createdAt = "2031-04-05T06:07:08Z";
    LibraryRun lane;
    lane.id = LibraryRunId{70};
    lane.lane = "PGB";
    lane.state = RunRecord::State::Interrupted;
    lane.finishedPoints = 78;
    lane.plannedPoints = 100;
    kept.runs = {lane};
    m_panel.setKept({kept});
    QSignalSpy asked(&m_panel, &RunsPanel::keptRequested);
    QAbstractItemModel* model = m_panel.view()->model();
    const QModelIndex group = model->index(1, 0);
    EXPECT_EQ(group.siblingAtColumn(RunsModel::State).data().toString(), "interrupted at 78 of 100");
    EXPECT_FALSE(m_panel.view()->isExpanded(group));
    model->setData(group, Qt::Checked, Qt::CheckStateRole);
    model->setData(model->index(0, 0, group), Qt::Checked, Qt::CheckStateRole);
    m_panel.view()->setCurrentIndex(group);
    action("Show Only")->trigger();
    ASSERT_EQ(asked.count(), 3);
    EXPECT_EQ(asked[0], (QVariantList{qint64{7}, QString(), false})) << "beside the others";
    EXPECT_EQ(asked[1], (QVariantList{qint64{7}, QStringLiteral("PGB"), false}));
    EXPECT_EQ(asked[2], (QVariantList{qint64{7}, QString(), true})) << "alone";
    EXPECT_FALSE(action("Go On")->isVisible()) << "nobody can make it go on";
    qint64 went = 0;
    m_panel.setGoOn([](const RunsTreeModel::Group& one) { return one.kept.has_value(); },
                    [&went](const RunsTreeModel::Group& one) { went = one.kept->id.value; });
    EXPECT_TRUE(action("Go On")->isEnabled());
    action("Go On")->trigger();
    EXPECT_EQ(went, 7);
    m_panel.setCurrentRun(kPlain);
    EXPECT_FALSE(action("Go On")->isEnabled());
}

/// The panel with a library that has three experiments.
class RunsPanelWithLibrary : public RunsPanelTest {
  protected:
    void SetUp() override {
        RunsPanelTest::SetUp();
        for (const std::int64_t run : {101, 102, 103}) {
            LibrarySink sink(m_library);
            for (const RunEvent& event : tinyEvents({.id = RunId{run}})) {
                sink.publish(event);
            }
        }
        m_panel.setLibraryEdits(m_edits);
        QObject::connect(&m_edits, &LibraryEdits::changed, &m_panel, [this] { refresh(); });
        QObject::connect(&m_edits, &LibraryEdits::warned, &m_panel, [this](const Error&) { ++m_warnings; });
        refresh();
    }
    void refresh() { m_panel.setKept(*m_library->experiments()); }
    void select(int row) { m_panel.view()->setCurrentIndex(m_panel.view()->model()->index(row, 0)); }
    LibraryExperiment experiment(std::int64_t id) { return *m_library->experiment(LibraryExperimentId{id}); }

    QTemporaryDir m_folder;
    std::shared_ptr<RunLibrary> m_library = *RunLibrary::open((m_folder.path() + "/library.sqlite").toStdString());
    LibraryEdits m_edits{m_library, m_undo};
    int m_warnings = 0;
};

TEST_F(RunsPanelWithLibrary, StarsTagsAndNotesAreKeptAndUndone) {
    EXPECT_FALSE(m_panel.labels().isVisible()) << "nothing is selected";
    select(1);
    ASSERT_TRUE(m_panel.labels().isVisible());
    m_panel.labels().star()->click();
    EXPECT_TRUE(experiment(3).isStarred);
    EXPECT_EQ(action("Take Star Off")->isEnabled(), true);
    m_panel.labels().star()->click();
    m_panel.labels().star()->click();
    EXPECT_TRUE(experiment(3).isStarred);
    QTest::keyClicks(m_panel.labels().tags(), "paper, figure-9  paper");
    QTest::keyClick(m_panel.labels().tags(), Qt::Key_Return);
    EXPECT_EQ(experiment(3).tags, (std::vector<std::string>{"figure-9", "paper"}));
    QTest::keyClicks(m_panel.labels().notes(), "to be looked at");
    select(2); // leaves the field by selecting another one
    EXPECT_EQ(experiment(3).notes, "to be looked at");
    EXPECT_EQ(experiment(2).notes, "");
    EXPECT_EQ(m_panel.labels().notes()->text(), "");
    m_panel.filterBox()->setText("tag:figure is:starred");
    EXPECT_EQ(m_panel.view()->model()->rowCount(), 1);
    while (m_undo.canUndo()) {
        m_undo.undo();
    }
    EXPECT_EQ(experiment(3).tags.size() + experiment(3).notes.size(), 0U);
    EXPECT_FALSE(experiment(3).isStarred);
    EXPECT_EQ(m_panel.view()->model()->rowCount(), 0);
    EXPECT_EQ(m_warnings, 0);
}

TEST_F(RunsPanelWithLibrary, KeptExperimentsAreRenamedDeletedAndBroughtBack) {
    select(2);
    ASSERT_TRUE(action("Rename")->isEnabled());
    m_panel.view()->model()->setData(m_panel.view()->currentIndex(), "best of all", Qt::EditRole);
    EXPECT_EQ(experiment(2).name, "best of all");
    EXPECT_EQ(m_panel.view()->currentIndex().row(), 2) << "still selected";
    m_panel.view()->selectAll();
    EXPECT_EQ(action("Delete")->text(), "Delete 5 Runs") << "two lanes of the session, three kept experiments";
    select(1);
    m_panel.view()->selectionModel()->select(m_panel.view()->model()->index(3, 0),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
    action("Delete")->trigger();
    ASSERT_EQ(m_library->experiments()->size(), 1U);
    EXPECT_EQ(m_library->experiments()->front().name, "best of all");
    EXPECT_EQ(m_library->discarded()->size(), 2U) << "the command line could bring them back as well";
    m_undo.undo();
    EXPECT_EQ(m_library->experiments()->size(), 3U);
    EXPECT_EQ(m_panel.view()->model()->rowCount(), 4);
    m_undo.undo();
    EXPECT_EQ(experiment(2).name, "tiny experiment");
}

TEST_F(RunsPanelWithLibrary, WhatAnotherProgramRemovedIsTold) {
    select(1);
    const LibraryExperiment gone = experiment(3);
    ASSERT_TRUE(m_library->removeExperiment(gone.id));
    m_panel.labels().star()->click();
    EXPECT_EQ(m_warnings, 1);
    EXPECT_FALSE(m_undo.canUndo()) << "nothing was done";
}

TEST_F(RunsPanelTest, ShowsTheSettingsInWhichTickedRunsDiffer) {
    EXPECT_FALSE(m_panel.differences()->isVisible()) << "these have none";
    for (const int k : {10, 20}) {
        m_runs.beginBatch();
        std::vector<RunEvent> events = tinyEvents({.id = RunId{100 + k}, .lane = "PGB"});
        std::get<RunStarted>(events.front().body).experiment =
            Json{{"name", "run " + std::to_string(k)}, {"problem", Json{{"k", k}, {"gamma", 0.05}}}};
        m_runs.apply(events);
    }
    m_runs.showOnly({RunId{110}, RunId{120}});
    ASSERT_TRUE(m_panel.differences()->isVisible());
    const QAbstractItemModel& model = *m_panel.differences()->model();
    ASSERT_EQ(model.rowCount(), 1) << "γ is the same";
    EXPECT_EQ(model.headerData(0, Qt::Vertical).toString(), "problem.k");
    EXPECT_EQ(model.headerData(0, Qt::Horizontal).toString(), "PGB · k 10");
    EXPECT_EQ(model.index(0, 1).data().toString(), "20");
}

TEST_F(RunsPanelTest, TellsTheCurrentRunAndAsksForSwatches) {
    QSignalSpy current(&m_panel, &RunsPanel::currentRunChanged);
    std::vector<int> asked;
    m_panel.setSwatch([&](int style) {
        asked.push_back(style);
        QPixmap pixmap(24, 12);
        pixmap.fill(Qt::red);
        return QIcon(pixmap);
    });
    m_panel.grab();
    EXPECT_EQ(asked, (std::vector{0, 1}));
    m_panel.grab();
    EXPECT_EQ(asked.size(), 2U) << "kept";
    m_panel.setCurrentRun(kPlain);
    EXPECT_EQ(current.count(), 1);
}

TEST(LogPanel, FollowsNewLinesUntilScrolledUpAndFiltersByLevel) {
    LogModel log;
    LogPanel panel(log);
    panel.resize(500, 160);
    panel.show();
    for (int i = 0; i < 100; ++i) {
        log.add(i % 10 == 0 ? LogLevel::Error : LogLevel::Info, "test", QString::number(i));
    }
    settleEvents();
    QScrollBar* bar = panel.table()->verticalScrollBar();
    EXPECT_EQ(bar->value(), bar->maximum());
    bar->setValue(0);
    log.add(LogLevel::Info, "test", "new");
    settleEvents();
    EXPECT_EQ(bar->value(), 0);
    panel.findChild<QComboBox*>()->setCurrentIndex(2);
    EXPECT_EQ(panel.table()->model()->rowCount(), 10);
    panel.findChild<QLineEdit*>()->setText("90");
    EXPECT_EQ(panel.table()->model()->rowCount(), 1);
}

TEST(QueuePanel, MovesRemovesAndGoesOn) {
    RunEventBridge bridge;
    RunController controller(bridge, {.library = nullptr, .findFamily = findTinyFamily});
    QueuePanel panel(controller);
    panel.show();
    EXPECT_FALSE(panel.table()->isVisible()) << "says that nothing waits";
    const auto button = [&](const QString& text) {
        for (auto* candidate : panel.findChildren<QPushButton*>()) {
            if (candidate->text() == text) {
                return candidate;
            }
        }
        return static_cast<QPushButton*>(nullptr);
    };
    controller.start({tinyExperiment({{"points", 1000000}, {"delay_us", 500}}), tinyPlaces(), {}, {}});
    for (const int points : {1, 2, 3}) {
        controller.enqueue({tinyExperiment({{"points", points}}), tinyPlaces(), {}, {}});
    }
    EXPECT_TRUE(panel.table()->isVisible());
    EXPECT_TRUE(button("Stop")->isVisible()) << "what computes stands above what waits";
    panel.table()->selectRow(2);
    button("Move up")->click();
    EXPECT_EQ(controller.queued(1).experiment->document["problem"]["points"], 3);
    EXPECT_EQ(panel.table()->currentIndex().row(), 1);
    button("Cancel")->click();
    EXPECT_EQ(controller.queueSize(), 2U);
    EXPECT_FALSE(button("Go on")->isVisible());
    controller.stop();
    ASSERT_TRUE(waitUntil([&] { return !controller.isBusy(); }));
    EXPECT_TRUE(button("Go on")->isVisible());
    button("Go on")->click();
    ASSERT_TRUE(waitUntil([&] { return !controller.isBusy() && controller.queueSize() == 0; }));
    EXPECT_FALSE(button("Stop")->isVisible());
}

} // namespace
} // namespace lambdascope
