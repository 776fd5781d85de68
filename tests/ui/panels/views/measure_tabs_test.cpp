// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/measured_runs.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/figure_remarks.h"
#include "ui/figures/quality_figures.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/race_tab.h"

#include <gtest/gtest.h>

#include <QComboBox>

namespace lambdascope {
namespace {

class MeasureTabs : public testing::Test {
  protected:
    RunCollection runs;
    PathCursor cursor;
    CursorBar bar{runs, cursor}; // it tells the cursor the points of the path
};

TEST_F(MeasureTabs, RaceShowsPathAndTimeOfOneMeasure) {
    RaceTab tab(runs, cursor);
    tab.resize(900, 500);
    tab.show();
    tab.refreshNow();
    EXPECT_TRUE(tab.pathPlot()->emptyText().contains("F5"));
    runs.apply(startsEvents());
    tab.refreshNow();
    EXPECT_NE(tab.measureChooser()->currentData().toString(), "test_error") << "it is the same in both lanes";
    tab.measureChooser()->setCurrentIndex(tab.measureChooser()->findData("test_error"));
    tab.refreshNow();
    EXPECT_EQ(tab.pathPlot()->curveFigure().curves.size(), 2);
    EXPECT_EQ(tab.timePlot()->curveFigure().x.unit, "s");
    EXPECT_FALSE(tab.timePlot()->curveFigure().curves[0].band.isEmpty());
    tab.measureChooser()->setCurrentIndex(tab.measureChooser()->findData("step"));
    tab.refreshNow();
    EXPECT_EQ(tab.pathPlot()->curveFigure().title, "Step");
    EXPECT_TRUE(tab.pathPlot()->isLogY());
    cursor.moveTo(2);
    tab.refreshNow();
    EXPECT_DOUBLE_EQ(tab.pathPlot()->cursorX(), cursor.value());
    for (FigureView* chart : tab.charts()) {
        EXPECT_FALSE(chart->accessibleName().isEmpty());
        EXPECT_GT(chart->tableModel()->rowCount(), 0);
    }
}

TEST_F(MeasureTabs, AMeasureTurnsLogarithmicAsItSpreads) {
    const std::vector<RunEvent> events = startsEvents();
    const auto firstPoints = std::find_if(events.begin(), events.end(), [](const RunEvent& event) {
        const auto* point = std::get_if<PointFinished>(&event.body);
        return point != nullptr && point->index == 1;
    });
    const std::vector<RunEvent> first(events.begin(), firstPoints + 1);
    const std::vector<RunEvent> rest(firstPoints + 1, events.end());
    RaceTab tab(runs, cursor);
    tab.resize(900, 500);
    tab.show();
    runs.apply(first);
    tab.refreshNow();
    tab.measureChooser()->setCurrentIndex(tab.measureChooser()->findData("step"));
    tab.refreshNow();
    EXPECT_FALSE(tab.pathPlot()->isLogY()); // 1 and 0.1
    runs.apply(rest);
    tab.refreshNow();
    EXPECT_TRUE(tab.pathPlot()->isLogY()); // down to 1e-5
    EXPECT_EQ(tab.pathPlot()->curveFigure().curves[0].points.size(), kStartsPoints);
}

TEST_F(MeasureTabs, PathOffersEveryMeasure) {
    PathChart tab(PathChart::Kind::Quality, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(startsEvents());
    tab.refreshNow();
    const int step = tab.chooser()->findText("Step");
    ASSERT_GE(step, 0);
    EXPECT_EQ(tab.chooser()->findText("Error on held-out rows"), -1); // there as a quality
    tab.chooser()->setCurrentIndex(step);
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Step");
    runs.setShown(RunId{902}, false);
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Step"); // the choice stays
}

// The mean squared error of a regression stood behind values and counts of its solver.
TEST_F(MeasureTabs, WhatIsMeasuredOfSolutionsComesBeforeWhatSolversSay) {
    std::vector<RunEvent> events = startsEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->columns.push_back({"test_mse", "Mean squared error", "", ColumnRole::OtherMeasure, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values.push_back(100.0 / (finished->index + 1));
        }
    }
    PathChart tab(PathChart::Kind::Quality, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(events);
    tab.refreshNow();
    EXPECT_EQ(tab.chooser()->itemText(0), "Error, held-out");
    EXPECT_EQ(tab.chooser()->itemText(1), "Mean squared error");
    tab.chooser()->setCurrentIndex(1);
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().curves.at(0).points.at(3).y(), 25);
}

// The first picture of a run was an error of 0 at every λ.
TEST_F(MeasureTabs, WhatIsTheSameEverywhereMakesRoomUnlessItWasChosen) {
    std::vector<RunEvent> events = startsEvents();
    for (RunEvent& event : events) {
        if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            std::fill(finished->values.end() - 5, finished->values.end() - 2, 0.0); // the error and its quartiles
        }
    }
    PathChart tab(PathChart::Kind::Quality, runs, cursor);
    RaceTab race(runs, cursor);
    runs.apply(events);
    for (RunTab* each : std::initializer_list<RunTab*>{&tab, &race}) {
        each->resize(900, 600);
        each->show();
        each->refreshNow();
    }
    EXPECT_EQ(samenessText(tab.plot()->curveFigure()), QString());
    EXPECT_FALSE(tab.plot()->note().contains(" at every "));
    EXPECT_NE(race.measureChooser()->currentData().toString(), "test_error");
    tab.chooser()->setCurrentIndex(0);
    tab.refreshNow();
    EXPECT_TRUE(tab.plot()->note().contains("is 0 at every λ")) << tab.plot()->note().toStdString();
    runs.setShown(RunId{902}, false);
    tab.refreshNow();
    EXPECT_EQ(tab.chooser()->currentIndex(), 0) << "it was chosen";
}

// What is learned at one λ was told by the number of samples, the same in all lanes.
TEST_F(MeasureTabs, WhatAllLanesHaveAtTheirOnePointMakesRoom) {
    std::vector<RunEvent> events = sampleEvents(1);
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->columns.push_back({"samples", "Samples", "", ColumnRole::OtherMeasure, false});
            started->columns.push_back({"score", "Score", "", ColumnRole::OtherMeasure, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values.push_back(1697);
            finished->values.push_back(static_cast<double>(event.run.value));
        }
    }
    PathChart tab(PathChart::Kind::Quality, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(events);
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Score");
}

// Below a sentence that times are too short to tell, curves of a few ms told which lane is fastest.
TEST_F(MeasureTabs, TimesThatTellNothingAreSaidToBeTooShort) {
    for (const bool isShort : {true, false}) {
        const double cpu = isShort ? 0.01 : 0.1;
        runs.beginBatch();
        runs.apply(tinyEvents({.id = RunId{isShort ? 1 : 3}, .cpuPerPoint = cpu}));
        runs.apply(tinyEvents({.id = RunId{isShort ? 2 : 4}, .lane = "half", .isBaseline = false, .cpuPerPoint = cpu}));
        runs.showOnly({runs.ids().end()[-2], runs.ids().back()});
        PathChart tab(PathChart::Kind::Times, runs, cursor);
        tab.resize(900, 600);
        tab.show();
        tab.refreshNow();
        EXPECT_EQ(tab.plot()->note().contains("too short"), isShort) << tab.plot()->note().toStdString();
    }
}

// Regression has no share of errors; its race was one for the objective, which is the same in all lanes.
TEST_F(MeasureTabs, RaceIsForWhatHeldOutRowsSayWhereThatIsNoError) {
    std::vector<RunEvent> events = startsEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            for (ColumnDescription& column : started->columns) {
                column.role = column.role == ColumnRole::HeldOutError ? ColumnRole::HeldOutMeasure : column.role;
            }
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            *(finished->values.end() - 5) += event.run == events.front().run ? 0 : 0.01;
        }
    }
    RaceTab race(runs, cursor);
    race.resize(900, 600);
    race.show();
    runs.apply(events);
    race.refreshNow();
    EXPECT_EQ(race.measureChooser()->currentData().toString(), "test_error");
}

// Two lanes with the same error at each λ sent the chart to the memory of the kernel, and lanes at their first point to
// whatever column came next, where it stayed.
TEST_F(MeasureTabs, QualityOpensOnTheErrorAlsoWhereLanesAreAlikeOrHaveOnePointYet) {
    const std::vector<RunEvent> events = startsEvents();
    PathChart tab(PathChart::Kind::Quality, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply({events.begin(), events.begin() + 2}); // a lane starts and has a point
    tab.refreshNow();
    runs.apply({events.begin() + 2, events.end()});
    tab.refreshNow();
    EXPECT_EQ(tab.chooser()->currentIndex(), 0) << tab.chooser()->currentText().toStdString();
    EXPECT_FALSE(samenessText(tab.plot()->curveFigure()).isEmpty()) << "both lanes have this error";
    tab.prefer("step");
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Step") << "the experiment names it";
    tab.chooser()->setCurrentIndex(0);
    tab.refreshNow();
    EXPECT_EQ(tab.chooser()->currentIndex(), 0) << "chosen by hand since";
}

// A chart of zeros was the first picture of lanes that screen while they solve.
TEST_F(MeasureTabs, RatesOpenOnWhatWasScreenedWhenNothingWasOnArrival) {
    PathChart tab(PathChart::Kind::Rates, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    std::vector<RunEvent> events = sampleEvents();
    const std::vector<ColumnDescription>& columns = std::get<RunStarted>(events.front().body).columns;
    for (RunEvent& event : events) {
        if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const double value = finished->values[k];
                finished->values[k] = columns[k].role == ColumnRole::PathRate    ? (finished->index == 0 ? 1 : 0)
                                      : columns[k].role == ColumnRole::FinalRate ? 0.5
                                                                                 : value;
            }
        }
    }
    runs.apply({events.begin(), events.end() - 1});
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Screening rate on arrival") << "it may come yet";
    runs.apply({events.back()});
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Screening rate before solved");
    tab.chooser()->setCurrentIndex(0);
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "Screening rate on arrival") << "chosen by hand";
}

TEST_F(MeasureTabs, RatesSayWhatTheirGapsAre) {
    PathChart tab(PathChart::Kind::Rates, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    std::vector<RunEvent> events = sampleEvents();
    const std::vector<ColumnDescription> columns = std::get<RunStarted>(events.front().body).columns;
    std::erase_if(events, [](const RunEvent& event) {
        const auto* look = std::get_if<Screened>(&event.body);
        return look != nullptr && look->pointIndex > 0;
    });
    for (RunEvent& event : events) {
        auto* finished = std::get_if<PointFinished>(&event.body);
        for (std::size_t k = 0; finished != nullptr && finished->index > 0 && k < columns.size(); ++k) {
            const bool isRate = columns[k].role == ColumnRole::PathRate || columns[k].role == ColumnRole::FinalRate;
            finished->values[k] = isRate ? 0 : finished->values[k];
        }
    }
    runs.apply(events);
    tab.refreshNow();
    EXPECT_TRUE(tab.plot()->note().contains("gaps: no look on arrival")) << tab.plot()->note().toStdString();
}

TEST_F(MeasureTabs, PathsOverSizesOpenOnHowTimeGrows) {
    PathChart tab(PathChart::Kind::Times, runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(startsEvents(true));
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "CPU time by size");
    EXPECT_TRUE(tab.plot()->isLogX());
    EXPECT_TRUE(tab.plot()->isLogY());
    tab.chooser()->setCurrentIndex(0); // seconds, by hand
    tab.refreshNow();
    EXPECT_EQ(tab.plot()->curveFigure().title, "CPU time so far");
}

TEST(PathChartQuality, IsOfferedWhereRunsKnowIt) {
    RunCollection collection;
    PathCursor cursor;
    PathChart chart(PathChart::Kind::Quality, collection, cursor);
    chart.resize(900, 600);
    chart.show();
    chart.refreshNow();
    EXPECT_EQ(chart.chooser()->count(), 0);
    collection.apply(judgedEvents());
    EXPECT_TRUE(PathChart::fits(PathChart::Kind::Quality, shownRuns(collection)));
    chart.refreshNow();
    ASSERT_GE(chart.chooser()->count(), static_cast<int>(qualities().size())); // other measures come behind
    chart.chooser()->setCurrentIndex(0);
    chart.refreshNow();
    EXPECT_EQ(chart.plot()->curveFigure().title, "Error, held-out");
    chart.chooser()->setCurrentIndex(4);
    chart.refreshNow();
    EXPECT_EQ(chart.plot()->curveFigure().title, "AUC, cross-validated");
    PathChart items(PathChart::Kind::Items, collection, cursor);
    items.chooser()->setCurrentIndex(2);
    items.refreshNow();
    EXPECT_EQ(items.plot()->curveFigure().curves.size(), 2);
    EXPECT_EQ(items.plot()->curveFigure().curves[1].name, "Samples in L");
}

} // namespace
} // namespace lambdascope
