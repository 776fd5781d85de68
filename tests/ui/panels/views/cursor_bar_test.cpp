// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_headline.h"
#include "tests/ui/figures/solution_runs.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/run_tab.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QSlider>

#include <algorithm>
#include <vector>

namespace lambdascope {
namespace {

class CursorBarTest : public testing::Test {
  protected:
    RunCollection runs;
    PathCursor cursor;
    CursorBar bar{runs, cursor};
};

TEST_F(CursorBarTest, RunsOverAnotherParameterAreLeftOutAndNamed) {
    runs.apply(sampleEvents());
    std::vector<RunEvent> other = tinyEvents({RunId{903}, "svm", true, 3, 3, 0.6, 1.0, true});
    for (RunEvent& event : other) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->axisKey = "C";
            started->axisLabel = "C";
        }
    }
    EXPECT_TRUE(bar.leftOutText().isEmpty());
    runs.apply(other);
    ASSERT_EQ(shownRuns(runs).size(), 1U);
    EXPECT_EQ(shownRuns(runs).front().name, "svm");
    EXPECT_EQ(cursor.count(), 3);
    EXPECT_TRUE(bar.leftOutText().contains("plain")) << bar.leftOutText().toStdString();
    EXPECT_TRUE(bar.leftOutText().contains("half"));
    runs.setShown(RunId{903}, false);
    EXPECT_EQ(shownRuns(runs).size(), 2U);
    EXPECT_TRUE(bar.leftOutText().isEmpty());
}

TEST_F(CursorBarTest, SaysWhereItIsAndScrubs) {
    EXPECT_EQ(bar.placeText(), "No path point yet");
    runs.apply(sampleEvents());
    EXPECT_EQ(bar.placeText(), QStringLiteral("λ = 0.5 · point 5 of 5"));
    bar.slider()->setValue(1);
    EXPECT_EQ(cursor.index(), 1);
    EXPECT_FALSE(cursor.isFollowing());
    bar.stepBy(1);
    EXPECT_EQ(bar.placeText(), QStringLiteral("λ = 2 · point 3 of 5"));
    cursor.setFollowing(true);
    EXPECT_EQ(cursor.index(), 4);
}

// The headline said 300 points and the slider about 236: one rule stood in three places.
TEST_F(CursorBarTest, SaysTheLengthOfThePathAsTheHeadlineDoes) {
    const auto apply = [this](RunId id, const char* lane, int planned, int finished, bool isEnded) {
        std::vector<RunEvent> events = tinyEvents({.id = id, .lane = lane, .points = planned, .isEnded = isEnded});
        int seen = 0;
        std::erase_if(events, [&](const RunEvent& event) {
            const bool isOver = seen >= finished && !std::holds_alternative<RunFinished>(event.body);
            seen += std::holds_alternative<PointFinished>(event.body) ? 1 : 0;
            return isOver;
        });
        runs.apply(events);
    };
    const auto headline = [this] {
        std::vector<HeadlineLane> lanes;
        for (const RunId id : runs.ids()) {
            lanes.push_back({runs.record(id), "lane", nullptr});
        }
        return QString::fromStdString(headlineOf(lanes));
    };
    runs.beginBatch();
    apply(RunId{911}, "ahead", 12, 5, false);
    apply(RunId{912}, "behind", 9, 2, false);
    EXPECT_TRUE(headline().contains("after 2 of about 12 points", Qt::CaseInsensitive)) << headline().toStdString();
    EXPECT_TRUE(bar.placeText().endsWith("of ~12")) << bar.placeText().toStdString();
    apply(RunId{913}, "whole", 8, 8, true);
    EXPECT_TRUE(headline().contains("after 2 of 8 points", Qt::CaseInsensitive)) << headline().toStdString();
    EXPECT_TRUE(bar.placeText().endsWith("of 8")) << bar.placeText().toStdString();
}

// After Stop it stood where one lane alone had a point.
TEST_F(CursorBarTest, AfterAStopItStandsWhereLanesHavePoints) {
    const auto stopped = [](RunId id, const char* lane, bool isBaseline, int points) {
        std::vector<RunEvent> events = tinyEvents({id, lane, isBaseline, points, 3, 0.5, 1.0, true});
        for (RunEvent& event : events) {
            if (auto* finished = std::get_if<RunFinished>(&event.body)) {
                finished->termination = Termination::StoppedByUser;
            }
        }
        return events;
    };
    runs.apply(stopped(RunId{1}, "plain", true, 5));
    runs.apply(stopped(RunId{2}, "half", false, 4));
    runs.apply(stopped(RunId{3}, "third", false, 4));
    EXPECT_EQ(cursor.count(), 5);
    EXPECT_EQ(cursor.index(), 3);
    bar.stepBy(1);
    EXPECT_EQ(cursor.index(), 4) << "the last point of the first lane can be looked at";
}

TEST_F(CursorBarTest, TellsTheRatiosOfLanesAtTheCursor) {
    runs.apply(tinyEvents({RunId{1}, "plain", true, 5, 3, 0, 1.0, true}));
    runs.apply(tinyEvents({RunId{2}, "half", false, 5, 3, 0.5, 0.25, true}));
    EXPECT_TRUE(bar.ratiosText().contains("plain 1 ×")) << bar.ratiosText().toStdString();
    EXPECT_TRUE(bar.ratiosText().contains("half 0.25 ×")) << bar.ratiosText().toStdString();
    bar.resize(1200, 40);
    bar.show();
    const QList<QLabel*> labels = bar.findChildren<QLabel*>();
    const auto ratios = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->accessibleName() == "CPU ratios at the cursor";
    });
    ASSERT_NE(ratios, labels.end());
    // "0.25 ×" alone may be taken for a gain in speed.
    EXPECT_TRUE(waitUntil([&] { return (*ratios)->text().startsWith("CPU"); })) << (*ratios)->text().toStdString();
    runs.apply(tinyEvents({RunId{3}, "short", false, 5, 3, 0.5, 0.001, true}));
    EXPECT_TRUE(bar.ratiosText().contains("short too short")) << bar.ratiosText().toStdString();
}

TEST_F(CursorBarTest, PlayingRunsFromTheStartToTheEndAndStops) {
    runs.apply(sampleEvents());
    bar.setPlaying(true);
    EXPECT_EQ(cursor.index(), 0);
    EXPECT_TRUE(waitUntil([&] { return !bar.isPlaying(); }));
    EXPECT_EQ(cursor.index(), 4);
}

} // namespace
} // namespace lambdascope
