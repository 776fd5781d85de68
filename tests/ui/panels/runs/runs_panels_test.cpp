// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/runs/column_fitter.h"
#include "ui/panels/runs/log_panel.h"
#include "ui/panels/runs/queue_panel.h"
#include "ui/panels/runs/runs_panel.h"
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

    QUndoStack m_undo;
    RunCollection m_runs{&m_undo};
    RunsPanel m_panel{m_runs};
};

TEST_F(RunsPanelTest, ShowsWholeColumnsOnlyTheMostImportantFirst) {
    const QTableView& table = *m_panel.table();
    const auto shownWidth = [&table] {
        int width = 0;
        for (int column = 0; column < RunsModel::ColumnCount; ++column) {
            width += table.isColumnHidden(column) ? 0 : table.columnWidth(column);
        }
        return width;
    };
    int former = 0;
    for (const int width : {300, 500, 660, 900, 1400}) {
        m_panel.resize(width, 220);
        settleEvents();
        settleEvents();
        EXPECT_LE(shownWidth(), table.viewport()->width()) << width;
        EXPECT_FALSE(table.isColumnHidden(RunsModel::Name));
        int shown = 0;
        for (int column = 0; column < RunsModel::ColumnCount; ++column) {
            shown += table.isColumnHidden(column) ? 0 : 1;
        }
        EXPECT_GE(shown, former);
        former = shown;
    }
    EXPECT_EQ(former, RunsModel::ColumnCount);
    auto* fitter = table.findChild<ColumnFitter*>();
    ASSERT_NE(fitter, nullptr);
    fitter->setChosen(RunsModel::Rate, false);
    EXPECT_TRUE(table.isColumnHidden(RunsModel::Rate));
    m_panel.resize(300, 220);
    settleEvents();
    fitter->setChosen(RunsModel::Family, true);
    EXPECT_FALSE(table.isColumnHidden(RunsModel::Family)); // by hand: the table scrolls
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
    EXPECT_EQ(m_panel.table()->model()->rowCount(), 2);
    action("Copy")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 3);
}

TEST_F(RunsPanelTest, FiltersAndSaysSoWhenNothingIsLeft) {
    m_panel.filterBox()->setText("half");
    EXPECT_EQ(m_panel.table()->model()->rowCount(), 1);
    m_panel.filterBox()->setText("zebra");
    EXPECT_FALSE(m_panel.table()->isVisible());
    m_panel.filterBox()->clear();
    EXPECT_TRUE(m_panel.table()->isVisible());
    m_runs.remove({kPlain, kHalf});
    EXPECT_FALSE(m_panel.table()->isVisible());
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
    panel.table()->selectRow(2);
    button("Move up")->click();
    EXPECT_EQ(controller.queued(1).experiment->document["problem"]["points"], 3);
    EXPECT_EQ(panel.table()->currentIndex().row(), 1);
    button("Remove")->click();
    EXPECT_EQ(controller.queueSize(), 2U);
    EXPECT_FALSE(button("Go on")->isVisible());
    controller.stop();
    ASSERT_TRUE(waitUntil([&] { return !controller.isBusy(); }));
    EXPECT_TRUE(button("Go on")->isVisible());
    button("Go on")->click();
    ASSERT_TRUE(waitUntil([&] { return !controller.isBusy() && controller.queueSize() == 0; }));
}

} // namespace
} // namespace lambdascope
