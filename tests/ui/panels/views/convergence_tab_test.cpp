// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/plot_view.h"
#include "ui/panels/views/convergence_tab.h"
#include "ui/panels/views/cursor_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lambdascope {
namespace {

class ConvergenceTabTest : public testing::Test {
  protected:
    void SetUp() override {
        tab.resize(900, 600);
        tab.show();
        tab.refreshNow();
    }

    RunCollection runs;
    PathCursor cursor;
    CursorBar bar{runs, cursor}; // it tells the cursor the points of the path
    ConvergenceTab tab{runs, cursor};
};

TEST_F(ConvergenceTabTest, ShowsTheCursorsPoint) {
    const QString invitation = tab.gapPlot()->emptyText();
    runs.apply(sampleEvents());
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_NE(tab.gapPlot()->emptyText(), invitation); // there are runs, whether they record iterations or not
    EXPECT_TRUE(tab.gapPlot()->isLogY());
    EXPECT_TRUE(tab.gapPlot()->curveFigure().title.contains("λ = 4"));
    ASSERT_EQ(tab.gapPlot()->curveFigure().curves.size(), 2);
    EXPECT_EQ(tab.gapPlot()->curveFigure().curves[0].points.size(), 6);
    cursor.moveTo(3);
    tab.refreshNow();
    EXPECT_TRUE(tab.gapPlot()->curveFigure().title.contains("λ = 1"));
    EXPECT_FALSE(tab.iterationsPlot()->curveFigure().curves.isEmpty());
}

// At the end of a path nothing may be left to iterate on: half of the view was empty where everybody looks first.
TEST_F(ConvergenceTabTest, ShowsTheLastPointThatTellsSomethingUntilSomebodyChooses) {
    std::vector<RunEvent> events = sampleEvents();
    std::int32_t last = 0;
    for (const RunEvent& event : events) {
        const auto* finished = std::get_if<PointFinished>(&event.body);
        last = finished != nullptr ? std::max(last, finished->index) : last;
    }
    std::int32_t point = 0;
    std::erase_if(events, [&](const RunEvent& event) {
        const auto* started = std::get_if<PointStarted>(&event.body);
        point = started != nullptr ? started->index : point;
        return point >= last - 1 && std::holds_alternative<Iterated>(event.body);
    });
    runs.apply(events);
    ASSERT_TRUE(cursor.isFollowing());
    tab.refreshNow();
    const auto pointsOf = [this] {
        qsizetype points = 0;
        for (const Curve& curve : tab.gapPlot()->curveFigure().curves) {
            points += curve.points.size();
        }
        return points;
    };
    EXPECT_GT(pointsOf(), 0);
    EXPECT_TRUE(tab.gapPlot()->curveFigure().title.contains("λ = 2"))
        << "it says of which point: " << tab.gapPlot()->curveFigure().title.toStdString();
    cursor.moveTo(last - 1);
    tab.refreshNow();
    EXPECT_EQ(pointsOf(), 0) << "who asks for a point is told of that one";
    EXPECT_TRUE(tab.gapPlot()->emptyText().contains("this point"));
}

// The view of "objective over sweeps" showed a violation, and one point of a path of one point.
TEST_F(ConvergenceTabTest, ShowsTheObjectiveByIterationWhereThePathIsOnePoint) {
    runs.apply(sampleEvents(1));
    tab.refreshNow();
    const CurveFigure figure = tab.iterationsPlot()->curveFigure();
    EXPECT_EQ(figure.x.title, "Iteration");
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.curves[0].points.size(), 6);
    EXPECT_TRUE(std::isnan(tab.iterationsPlot()->cursorX())) << "λ is no iteration";
}

TEST_F(ConvergenceTabTest, LeavesOutAChartForWhichNothingIsKept) {
    EXPECT_TRUE(tab.gapPlot()->isVisible());
    std::vector<RunEvent> events = sampleEvents();
    std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Iterated>(event.body); });
    runs.apply(events);
    tab.refreshNow();
    EXPECT_FALSE(tab.gapPlot()->isVisible());
    EXPECT_TRUE(tab.iterationsPlot()->isVisible());
}

} // namespace
} // namespace lambdascope
