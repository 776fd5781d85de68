// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/views/lane_grid.h"

#include <gtest/gtest.h>

#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <deque>

namespace lambdascope {
namespace {

class LaneGridTest : public testing::Test {
  protected:
    std::vector<RunRecord> records = recordsOf(sampleEvents());
    LaneGrid grid{[](RunId) { return new ShapeView; }, QStringLiteral("nothing"), nullptr};
    std::vector<RunId> drawn;

    void redraw(const QString& words = {}, bool isTurnOver = false) {
        drawn.clear();
        grid.redraw(
            shownRuns(records), words, [isTurnOver] { return isTurnOver; },
            [this](const ShownRun& run, FigureView&) { drawn.push_back(run.record->id()); });
    }
    [[nodiscard]] std::vector<RunId> all() const {
        std::vector<RunId> ids;
        std::transform(records.begin(), records.end(), std::back_inserter(ids),
                       [](const RunRecord& record) { return record.id(); });
        return ids;
    }
};

TEST_F(LaneGridTest, DrawsLanesThatHaveEndedOnceAndAgainWhenTheirPictureChanges) {
    ASSERT_TRUE(std::all_of(records.begin(), records.end(), [](const RunRecord& record) { return record.hasEnded(); }));
    redraw();
    EXPECT_EQ(drawn, all());
    redraw();
    EXPECT_TRUE(drawn.empty());
    redraw(QStringLiteral("another scale"));
    EXPECT_EQ(drawn, all());
}

TEST_F(LaneGridTest, DrawsLanesThatComputeEachTime) {
    std::vector<RunEvent> events = sampleEvents();
    std::erase_if(events, [this](const RunEvent& event) {
        return event.run == records.back().id() && std::holds_alternative<RunFinished>(event.body);
    });
    records = recordsOf(events);
    redraw();
    EXPECT_EQ(drawn, all());
    redraw({}, true);
    EXPECT_EQ(drawn, std::vector{records.back().id()}) << "no time is left, but what computes cannot wait";
}

TEST_F(LaneGridTest, LeavesLanesThatHaveEndedForAnotherTurn) {
    redraw({}, true);
    EXPECT_TRUE(drawn.empty());
    EXPECT_NE(grid.find(records.front().id()), nullptr) << "its chart has a place all the same";
    redraw();
    EXPECT_EQ(drawn, all());
}

// In a window of 1024 x 768 the axes of the lower maps lay below the edge.
TEST_F(LaneGridTest, TwoRowsOfChartsShareTheHeightThereIs) {
    LaneGrid maps([](RunId) { return new HeatmapView; }, QStringLiteral("nothing"), nullptr);
    std::vector<RunId> lanes;
    std::deque<RunRecord> four;
    for (std::int64_t id = 1; id <= 4; ++id) {
        lanes.push_back(RunId{id});
        HeatmapFigure figure;
        figure.title = QStringLiteral("a title that may well need a second line of the chart that it is above of");
        figure.xValues = {1, 2};
        figure.yValues = {0};
        figure.values = {0, 1};
        four.emplace_back(RunId{id});
        maps.redraw(
            {{&four.back(), nullptr, QString::number(id), "lane", 0}}, {}, [] { return false; },
            [&figure](const ShownRun&, FigureView& chart) { static_cast<HeatmapView&>(chart).setFigure(figure); });
    }
    maps.resize(670, 425);
    maps.arrange(lanes, [](RunId) { return true; });
    maps.show();
    settleEvents();
    const auto* area = maps.findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    EXPECT_EQ(area->verticalScrollBar()->maximum(), 0);
    for (const FigureView* chart : maps.charts()) {
        EXPECT_GE(chart->height(), 160);
        EXPECT_LE(chart->geometry().bottom(), area->viewport()->height());
    }
    maps.resize(670, 250); // too low for both
    settleEvents();
    EXPECT_GT(area->verticalScrollBar()->maximum(), 0);
}

} // namespace
} // namespace lambdascope
