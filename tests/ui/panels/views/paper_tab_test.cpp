// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/views/paper_tab.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QTableWidget>

namespace lambdascope {
namespace {

// They stood on a page of the Inspector behind scroll arrows, and only when all was computed.
TEST(PaperTab, SetsTheirNumbersBesideOursWithTheirRatioAndWhyTheyDiffer) {
    RunCollection runs;
    PathCursor cursor;
    PaperTab tab(runs, cursor);
    tab.show();
    EXPECT_FALSE(PaperTab::fits(shownRuns(runs)));
    std::vector<RunEvent> events = tinyEvents({.id = RunId{71}, .lane = "half", .isBaseline = false, .cpuPerPoint = 2});
    auto& start = std::get<RunStarted>(events.front().body);
    start.experiment["published"] = Json::array(
        {{{"label", "time of the paper"},
          {"value", 12},
          {"source", "[T, table 2]"},
          {"measure", "cpu"},
          {"lane", "half"},
          {"note", "another machine"}},
         {{"label", "rate"}, {"value", 0.5}, {"source", "[T, table 2]"}, {"measure", "cpu"}, {"lane", "nobody"}}});
    const RunEvent end = events.back();
    events.pop_back();
    runs.apply(events);
    EXPECT_TRUE(PaperTab::fits(shownRuns(runs)));
    tab.refreshNow();
    ASSERT_EQ(tab.table()->rowCount(), 2);
    EXPECT_EQ(tab.table()->item(0, 1)->text(), "12") << "theirs are there from the start";
    EXPECT_EQ(tab.table()->item(0, 2)->text(), "–") << "half a path compares with nothing";
    runs.apply({end});
    tab.refreshNow();
    const QStringList lines = tab.text().split('\n');
    ASSERT_GE(lines.size(), 3);
    EXPECT_EQ(lines[1], "time of the paper, half\t12\t6\t0.5\tanother machine\t[T, table 2]");
    EXPECT_TRUE(lines[2].contains("\tnot run\t")) << "a dash did not say why";
    EXPECT_EQ(tab.table()->item(0, 4)->text(), "another machine");
    tab.copyText();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), tab.text());
}

// Ratios of 25 ms stood beside a headline that said "too short to tell".
TEST(PaperTab, PrintsNoRatioThatIsNoise) {
    RunCollection runs;
    PathCursor cursor;
    PaperTab tab(runs, cursor);
    tab.show();
    const Json published = Json::array(
        {{{"label", "CPU ratio"}, {"value", 0.5}, {"source", "[T]"}, {"measure", "cpu ratio"}, {"lane", "half"}}});
    runs.beginBatch();
    for (const bool isBaseline : {true, false}) {
        std::vector<RunEvent> events = tinyEvents({.id = RunId{isBaseline ? 72 : 73},
                                                   .lane = isBaseline ? "plain" : "half",
                                                   .isBaseline = isBaseline,
                                                   .cpuPerPoint = 0.008});
        std::get<RunStarted>(events.front().body).experiment["published"] = published;
        runs.apply(events);
    }
    tab.refreshNow();
    ASSERT_EQ(tab.table()->rowCount(), 1);
    EXPECT_EQ(tab.table()->item(0, 2)->text(), "too short");
    EXPECT_EQ(tab.table()->item(0, 3)->text(), "–");
}

} // namespace
} // namespace lambdascope
