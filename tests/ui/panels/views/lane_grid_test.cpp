// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/views/lane_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

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

} // namespace
} // namespace lambdascope
