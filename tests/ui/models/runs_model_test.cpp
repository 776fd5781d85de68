// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/models/differences_model.h"
#include "ui/models/runs_model.h"
#include "ui/session/runs/safety.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QUndoStack>

#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr RunId kPlain{1};
constexpr RunId kHalf{2};

class RunsModelTest : public testing::Test {
  protected:
    void fill() {
        m_runs.beginBatch();
        m_runs.apply(tinyEvents({.id = kPlain, .cpuPerPoint = 2}));
        m_runs.apply(tinyEvents({.id = kHalf, .lane = "half", .isBaseline = false, .share = 0.5, .cpuPerPoint = 0.5}));
    }
    QString text(int row, int column) const { return m_model.index(row, column).data().toString(); }
    QStringList proxyNames(const QAbstractItemModel& proxy) const {
        QStringList names;
        for (int row = 0; row < proxy.rowCount(); ++row) {
            names << proxy.index(row, RunsModel::Name).data().toString();
        }
        return names;
    }

    QUndoStack m_undo;
    RunCollection m_runs{&m_undo};
    RunsModel m_model{m_runs};
    QAbstractItemModelTester m_tester{&m_model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(RunsModelTest, ShowsFiguresOfEachRun) {
    fill();
    ASSERT_EQ(m_model.rowCount(), 2);
    EXPECT_EQ(text(1, RunsModel::Name), "half");
    EXPECT_EQ(text(1, RunsModel::State), "finished");
    EXPECT_EQ(text(1, RunsModel::Points), "3");
    EXPECT_EQ(text(1, RunsModel::Rate), "50 %");
    EXPECT_EQ(text(1, RunsModel::Ratio), "0.25 ×");
    EXPECT_EQ(text(0, RunsModel::Ratio), "1 ×");
    EXPECT_EQ(text(0, RunsModel::Ended), "path ended");
    EXPECT_EQ(text(0, RunsModel::Family), "tiny");
    for (int column = 0; column < RunsModel::ColumnCount; ++column) {
        EXPECT_FALSE(m_model.headerData(column, Qt::Horizontal).toString().isEmpty());
        EXPECT_FALSE(m_model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
}

TEST_F(RunsModelTest, TheRateIsThatOfTheLastPointThatHasOne) {
    auto events = tinyEvents({.id = kHalf, .lane = "half", .points = 3, .share = 0.5, .cpuPerPoint = 0.5});
    const RunRecord asComputed = recordsOf(events).front();
    const std::size_t rate = *asComputed.columnWithRole(ColumnRole::FinalRate);
    for (RunEvent& event : events) {
        if (auto* point = std::get_if<PointFinished>(&event.body); point != nullptr && point->index > 0) {
            point->values[rate] = point->index == 1 ? 0.25 : std::nan("");
        }
    }
    m_runs.apply(events);
    EXPECT_EQ(text(0, RunsModel::Rate), "25 %");
}

TEST_F(RunsModelTest, CpuIsThatOfSolvingAndScreening) {
    auto events = tinyEvents({.id = kHalf, .lane = "half", .points = 2, .cpuPerPoint = 0.5, .isEnded = false});
    const std::size_t screening = *recordsOf(events).front().columnWithRole(ColumnRole::CpuScreen);
    for (RunEvent& event : events) {
        if (auto* point = std::get_if<PointFinished>(&event.body); point != nullptr) {
            point->values[screening] = 0.25;
        }
    }
    m_runs.apply(events);
    EXPECT_EQ(text(0, RunsModel::Cpu), QString::fromStdString(durationText(1.5)));
    EXPECT_EQ(m_model.index(0, RunsModel::Cpu).data(RunsModel::SortRole).toDouble(), 1.5);
}

TEST_F(RunsModelTest, WithoutRatesThereIsNoneToShow) {
    auto events = tinyEvents({.id = kPlain, .points = 2});
    for (ColumnDescription& column : std::get<RunStarted>(events.front().body).columns) {
        if (column.role == ColumnRole::FinalRate) {
            column.role = ColumnRole::Other;
        }
    }
    m_runs.apply(events);
    EXPECT_EQ(text(0, RunsModel::Rate), "");
    EXPECT_EQ(m_model.index(0, RunsModel::Rate).data(RunsModel::SortRole).toDouble(),
              -std::numeric_limits<double>::infinity());
}

TEST_F(RunsModelTest, EqualNamesGetTheNumbersThatLegendsShow) {
    fill();
    m_runs.beginBatch();
    m_runs.apply(tinyEvents({.id = RunId{11}, .lane = "half", .isBaseline = false, .share = 0.5}));
    EXPECT_EQ(text(1, RunsModel::Name), "half");
    EXPECT_EQ(text(2, RunsModel::Name), "half (2)");
    EXPECT_EQ(m_model.index(2, RunsModel::Name).data(Qt::EditRole).toString(), "half");
    m_runs.rename(kHalf, "another");
    EXPECT_EQ(text(2, RunsModel::Name), "half");
}

TEST_F(RunsModelTest, SaysPausedAndOneEstimateForLanesOfAStart) {
    m_runs.beginBatch();
    std::vector<RunEvent> ahead = tinyEvents({.id = kPlain, .points = 8});
    std::vector<RunEvent> behind = tinyEvents({.id = kHalf, .lane = "half", .isBaseline = false, .points = 8});
    const auto about = [](std::vector<RunEvent>& events, std::int32_t points, int finished) {
        int seen = 0;
        std::erase_if(events, [&](RunEvent& event) {
            if (auto* point = std::get_if<PointStarted>(&event.body)) {
                point->estimatedPointCount = points;
            }
            const bool isOver = seen >= finished || std::holds_alternative<RunFinished>(event.body);
            seen += std::holds_alternative<PointFinished>(event.body) ? 1 : 0;
            return isOver;
        });
    };
    about(ahead, 20, 4);
    about(behind, 30, 2); // what it knew two points earlier
    m_runs.apply(ahead);
    m_runs.apply(behind);
    EXPECT_EQ(text(0, RunsModel::Points), "4 / ~20");
    EXPECT_EQ(text(1, RunsModel::Points), "2 / ~20");
    EXPECT_EQ(text(0, RunsModel::State), "running, 20 %");
    EXPECT_EQ(text(1, RunsModel::State), "running, 10 %");
    m_model.setPaused(true);
    EXPECT_EQ(text(1, RunsModel::State), "paused, 10 %");
    EXPECT_TRUE(m_model.headerData(RunsModel::Rate, Qt::Horizontal).toString().contains("last"));
}

TEST_F(RunsModelTest, SaysWhatIsKnownAboutTheDecisions) {
    fill();
    const auto safety = [this] { return static_cast<Safety>(m_model.index(1, 0).data(RunsModel::SafetyRole).toInt()); };
    std::vector<RunEvent> unscreened = tinyEvents({.id = RunId{3}, .lane = "bare"});
    std::erase_if(unscreened, [](const RunEvent& event) { return std::holds_alternative<Screened>(event.body); });
    m_runs.apply(unscreened);
    EXPECT_EQ(text(2, RunsModel::SafetyState), "no screening");
    EXPECT_EQ(text(1, RunsModel::SafetyState), "not verified");
    EXPECT_EQ(safety(), Safety::Unverified);
    LaneAudit audit;
    audit.report.decisions = 1000;
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "✓ proven");
    EXPECT_EQ(safety(), Safety::Proven);
    EXPECT_TRUE(m_model.index(1, RunsModel::SafetyState).data(Qt::ToolTipRole).toString().contains("1,000 decisions"));
    audit.unsafeReason = "it guesses";
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "! unsafe, proven");
    EXPECT_EQ(safety(), Safety::Unsafe);
    audit.report.wrong = 1234;
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "✗ unsafe, 1,234 wrong");
    EXPECT_EQ(safety(), Safety::Wrong);
    audit.report.wrong = 0;
    audit.report.undecided = 577;
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "? unsafe, not proven");
    audit.unsafeReason.clear();
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "? not proven");
    EXPECT_EQ(safety(), Safety::NotProven);
    EXPECT_TRUE(m_model.index(1, RunsModel::SafetyState).data(Qt::ToolTipRole).toString().contains("577 of 1,000"));
    audit.path.addWrong("primal at point 3");
    m_runs.setAudit(kHalf, audit);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "✗ wrong");
    EXPECT_EQ(safety(), Safety::Wrong);
    EXPECT_EQ(m_undo.count(), 0); // nothing that undo could take back
}

TEST_F(RunsModelTest, WhatALaneDecidesAfterwardsCanBeVerifiedToo) {
    std::vector<RunEvent> events = tinyEvents({.id = kPlain});
    std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Screened>(event.body); });
    m_runs.apply(events);
    EXPECT_EQ(text(0, RunsModel::SafetyState), "no screening");
    for (RunEvent& event : events) {
        event.run = kHalf;
        if (auto* start = std::get_if<RunStarted>(&event.body)) {
            start->columns.push_back({"after_R", "Judged afterwards", "", ColumnRole::AfterFixed, true});
        } else if (auto* point = std::get_if<PointFinished>(&event.body)) {
            point->values.push_back(3);
        }
    }
    m_runs.apply(events);
    EXPECT_EQ(text(1, RunsModel::SafetyState), "not verified");
}

TEST_F(RunsModelTest, ALaneThatCallsItselfUnsafeIsShownAsSuch) {
    std::vector<RunEvent> events =
        tinyEvents({.id = kHalf, .lane = "half", .isBaseline = false, .share = 0.5, .cpuPerPoint = 0.5});
    std::get<RunStarted>(events.front().body).facts["unsafe"] = true;
    m_runs.apply(events);
    EXPECT_EQ(text(0, RunsModel::SafetyState), "! unsafe");
}

TEST_F(RunsModelTest, TellsABatchOfUpdatesOnce) {
    auto events = tinyEvents({.id = kPlain, .points = 50});
    const auto more = tinyEvents({.id = kHalf, .lane = "half", .points = 50});
    m_runs.apply({events.front(), more.front()});
    QSignalSpy changed(&m_model, &QAbstractItemModel::dataChanged);
    events.erase(events.begin());
    events.insert(events.end(), more.begin() + 1, more.end());
    m_runs.apply(events);
    EXPECT_EQ(changed.count(), 1);
}

TEST_F(RunsModelTest, TicksAndRenamesThroughTheCollection) {
    fill();
    EXPECT_TRUE(m_model.setData(m_model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_EQ(m_runs.shownIds(), std::vector{kHalf});
    EXPECT_EQ(m_model.index(0, 0).data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
    EXPECT_TRUE(m_model.setData(m_model.index(1, 0), "mine"));
    EXPECT_FALSE(m_model.setData(m_model.index(1, 0), "  "));
    EXPECT_FALSE(m_model.setData(m_model.index(1, RunsModel::Cpu), "3"));
    EXPECT_EQ(text(1, 0), "mine");
    m_undo.undo();
    m_undo.undo();
    EXPECT_EQ(text(1, 0), "half");
    EXPECT_EQ(m_runs.shownIds().size(), 2U);
}

TEST_F(RunsModelTest, DeletedRowsComeBackWhereTheyWere) {
    fill();
    m_runs.apply(tinyEvents({.id = RunId{3}, .lane = "third", .isEnded = false}));
    m_runs.remove({kHalf});
    EXPECT_EQ(proxyNames(m_model), (QStringList{"plain", "third"}));
    m_undo.undo();
    EXPECT_EQ(proxyNames(m_model), (QStringList{"plain", "half", "third"}));
    m_runs.remove({kPlain, RunId{3}});
    EXPECT_EQ(proxyNames(m_model), QStringList{"half"});
    m_undo.undo();
    EXPECT_EQ(proxyNames(m_model), (QStringList{"plain", "half", "third"}));
}

TEST_F(RunsModelTest, SortsByNumber) {
    RunsProxyModel proxy;
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
    proxy.setSourceModel(&m_model);
    m_runs.beginBatch();
    m_runs.apply(tinyEvents({.id = RunId{1}, .lane = "ten", .points = 10, .cpuPerPoint = 1}));
    m_runs.apply(tinyEvents({.id = RunId{2}, .lane = "nine", .isBaseline = false, .points = 9, .cpuPerPoint = 30}));
    m_runs.apply(tinyEvents({.id = RunId{3}, .lane = "hundred", .points = 100, .isEnded = false}));
    proxy.sort(RunsModel::Points);
    EXPECT_EQ(proxyNames(proxy), (QStringList{"nine", "ten", "hundred"}));
    proxy.sort(RunsModel::Cpu, Qt::DescendingOrder);
    EXPECT_EQ(proxyNames(proxy), (QStringList{"nine", "hundred", "ten"}));
}

} // namespace
// A table of two columns printed every edit of the data.
TEST(DifferencesModelTest, SaysEditsInFewWordsAndWholeWhereAsked) {
    RunCollection runs;
    DifferencesModel model(runs);
    for (const std::int64_t id : {1, 2}) {
        runs.beginBatch();
        std::vector<RunEvent> events = tinyEvents({.id = RunId{id}});
        auto& experiment = std::get<RunStarted>(events.front().body).experiment;
        experiment["data"]["edits"] = id == 1 ? "" : "move 3 1 1; omit 2; omit 4";
        runs.apply(events);
    }
    ASSERT_EQ(model.rowCount(), 1);
    ASSERT_EQ(model.columnCount(), 2);
    EXPECT_EQ(model.index(0, 1).data().toString(), "1 moved, 2 omitted");
    EXPECT_EQ(model.index(0, 1).data(Qt::ToolTipRole).toString(), "move 3 1 1; omit 2; omit 4");
}

} // namespace lambdascope
