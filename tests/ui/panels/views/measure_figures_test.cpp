// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/panels/views/sample_runs.h"
#include "ui/charts/plot_view.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/figure_catalogue.h"
#include "ui/panels/views/measure_figures.h"
#include "ui/panels/views/path_tab.h"
#include "ui/panels/views/quality_figures.h"
#include "ui/panels/views/race_tab.h"

#include <gtest/gtest.h>

#include <QComboBox>

#include <cmath>

namespace lambdascope {
namespace {

constexpr int kPoints = 6;
constexpr std::size_t kItems = 5; // place of the number of items among the columns

/// sampleEvents() of several starts: at point p an error of 0.5 / (p + 1), quartiles a tenth of it below and a fifth
/// above, a step of 10^−p, seconds 3 p; with `areSizes` the path goes over sizes and a point takes (axis value)^1.5 s.
std::vector<RunEvent> startsEvents(bool areSizes = false) {
    std::vector<RunEvent> events = sampleEvents(kPoints);
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            auto& columns = started->columns;
            columns.push_back({"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false});
            columns.push_back({"test_error_q1", "lower", "", ColumnRole::Other, false});
            columns.push_back({"test_error_q3", "upper", "", ColumnRole::Other, false});
            columns.push_back({"step", "Step", "", ColumnRole::Other, false});
            columns.push_back({"seconds", "So far", "s", ColumnRole::Other, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            const double error = 0.5 / (finished->index + 1);
            finished->values.insert(finished->values.end(), {error, 0.9 * error, 1.2 * error,
                                                             std::pow(10.0, -finished->index), 3.0 * finished->index});
            if (areSizes) {
                finished->values[kItems] = finished->axisValue;
                finished->values[12] = std::pow(finished->axisValue, 1.5);
                finished->values[13] = 0;
            }
        }
    }
    return events;
}

class MeasureFigures : public testing::Test {
  protected:
    std::vector<RunRecord> records = recordsOf(startsEvents());
    std::vector<ShownRun> runs = shownRuns(records);
};

TEST_F(MeasureFigures, AreAlongThePathWithQuartilesAsBands) {
    const CurveFigure figure = measureFigure(runs, "test_error");
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.title, "Error on held-out rows, median and quartiles");
    EXPECT_EQ(figure.y.scale, AxisScale::Linear);
    for (const Curve& curve : figure.curves) {
        ASSERT_EQ(curve.points.size(), kPoints);
        ASSERT_EQ(curve.band.size(), kPoints);
        for (int k = 0; k < kPoints; ++k) {
            EXPECT_EQ(curve.band[k].x, curve.points[k].x());
            EXPECT_DOUBLE_EQ(curve.band[k].low, 0.9 * curve.points[k].y());
            EXPECT_DOUBLE_EQ(curve.band[k].high, 1.2 * curve.points[k].y());
        }
    }
    const CurveFigure steps = measureFigure(runs, "step");
    EXPECT_EQ(steps.y.scale, AxisScale::Log); // over five decades
    EXPECT_EQ(steps.title, "Step");
    EXPECT_TRUE(steps.curves[0].band.isEmpty());
    EXPECT_TRUE(isEmpty(Figure(measureFigure(runs, "nothing"))));
}

TEST_F(MeasureFigures, AreRacedAgainstTheSecondsOfTheSolver) {
    const CurveFigure figure = raceFigure(runs, "test_error");
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.x.unit, "s");
    EXPECT_FALSE(figure.x.reversed);
    for (int k = 0; k < kPoints; ++k) {
        EXPECT_DOUBLE_EQ(figure.curves[0].points[k].x(), 3.0 * k);
        EXPECT_DOUBLE_EQ(figure.curves[0].band[k].x, 3.0 * k);
        EXPECT_DOUBLE_EQ(figure.curves[0].points[k].y(), 0.5 / (k + 1));
    }
}

TEST_F(MeasureFigures, QualitiesHaveTheSameBands) {
    const CurveFigure figure = qualityFigure(runs, qualities().front());
    ASSERT_FALSE(figure.curves.isEmpty());
    EXPECT_EQ(figure.curves[0].band.size(), kPoints);
    EXPECT_TRUE(figure.title.contains("quartiles"));
    EXPECT_GE(figure.yRange->high, 0.6); // the upper quartile is in view
}

TEST_F(MeasureFigures, AreInTheCatalogue) {
    const QStringList names = figureNames(runs);
    EXPECT_TRUE(names.contains("measure:step"));
    EXPECT_FALSE(names.contains("measure:test_error")); // that is test-error
    EXPECT_TRUE(names.contains("race:test_error"));
    EXPECT_TRUE(figureByName(runs, "race:step")); // asked for by name
    EXPECT_FALSE(figureByName(runs, "race:nothing"));
    EXPECT_FALSE(names.contains("growth"));
    EXPECT_FALSE(figureDescription("race:test_error").contains("%1"));
}

TEST(GrowthFigures, HaveTheSlopeInTheLegend) {
    const std::vector<RunRecord> records = recordsOf(startsEvents(true));
    const CurveFigure figure = growthFigure(shownRuns(records));
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.x.scale, AxisScale::Log);
    EXPECT_EQ(figure.y.scale, AxisScale::Log);
    for (const Curve& curve : figure.curves) {
        EXPECT_TRUE(curve.name.endsWith("slope 1.50")) << curve.name.toStdString();
    }
    EXPECT_TRUE(figureNames(shownRuns(records)).contains("growth"));
    const std::vector<RunRecord> others = recordsOf(startsEvents(false));
    EXPECT_TRUE(growthFigure(shownRuns(others)).curves.isEmpty());
}

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
    EXPECT_EQ(tab.measureChooser()->currentData().toString(), "test_error"); // what has not been learned comes first
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
    EXPECT_EQ(tab.pathPlot()->curveFigure().curves[0].points.size(), kPoints);
}

TEST_F(MeasureTabs, PathOffersEveryMeasure) {
    PathTab tab(runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(startsEvents());
    tab.refreshNow();
    const int step = tab.qualityChooser()->findText("Step");
    ASSERT_GE(step, 0);
    EXPECT_EQ(tab.qualityChooser()->findText("Error on held-out rows"), -1); // there as a quality
    tab.qualityChooser()->setCurrentIndex(step);
    tab.refreshNow();
    EXPECT_EQ(tab.qualityPlot()->curveFigure().title, "Step");
    runs.setShown(RunId{902}, false);
    tab.refreshNow();
    EXPECT_EQ(tab.qualityPlot()->curveFigure().title, "Step"); // the choice stays
}

TEST_F(MeasureTabs, PathsOverSizesOpenOnHowTimeGrows) {
    PathTab tab(runs, cursor);
    tab.resize(900, 600);
    tab.show();
    runs.apply(startsEvents(true));
    tab.refreshNow();
    EXPECT_EQ(tab.cpuPlot()->curveFigure().title, "CPU time by size");
    EXPECT_TRUE(tab.cpuPlot()->isLogX());
    EXPECT_TRUE(tab.cpuPlot()->isLogY());
    tab.cpuChooser()->setCurrentIndex(1); // seconds, by hand
    tab.refreshNow();
    EXPECT_EQ(tab.cpuPlot()->curveFigure().title, "CPU time");
}

} // namespace
} // namespace lambdascope
