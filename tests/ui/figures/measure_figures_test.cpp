// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/measured_runs.h"
#include "ui/figures/figure_catalogue.h"
#include "ui/figures/measure_figures.h"
#include "ui/figures/quality_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

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
        ASSERT_EQ(curve.points.size(), kStartsPoints);
        ASSERT_EQ(curve.band.size(), kStartsPoints);
        for (int k = 0; k < kStartsPoints; ++k) {
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

// The share of rows outside stood alone with a mark where it was "least", though it is to come near ν.
TEST_F(MeasureFigures, HaveTheirGoalBesideThem) {
    std::vector<RunEvent> events = startsEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->columns.push_back({"outside", "Share outside", "", ColumnRole::OtherMeasure, false});
            started->columns.push_back({"outside_goal", "wanted", "", ColumnRole::Other, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values.push_back(0.9 / (finished->index + 1));
            finished->values.push_back(1.0 / (finished->index + 1));
        }
    }
    const std::vector<RunRecord> told = recordsOf(events);
    const CurveFigure figure = measureFigure(shownRuns(told), "outside");
    ASSERT_EQ(figure.curves.size(), 3) << "two lanes and one goal";
    EXPECT_EQ(figure.curves[0].name, "wanted");
    EXPECT_EQ(figure.curves[0].points.at(1).y(), 0.5);
    EXPECT_EQ(figure.curves[1].points.at(1).y(), 0.45);
    EXPECT_TRUE(figure.marks.isEmpty());
    EXPECT_EQ(figure.title, "Share outside");
    for (const Measure& measure : measuresOf(shownRuns(told))) {
        EXPECT_NE(measure.key, "outside_goal");
    }
}

TEST_F(MeasureFigures, AreRacedAgainstTheSecondsOfTheSolver) {
    const CurveFigure figure = raceFigure(runs, "test_error");
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.x.unit, "s");
    EXPECT_FALSE(figure.x.reversed);
    for (int k = 0; k < kStartsPoints; ++k) {
        EXPECT_DOUBLE_EQ(figure.curves[0].points[k].x(), 3.0 * k);
        EXPECT_DOUBLE_EQ(figure.curves[0].band[k].x, 3.0 * k);
        EXPECT_DOUBLE_EQ(figure.curves[0].points[k].y(), 0.5 / (k + 1));
    }
}

TEST_F(MeasureFigures, QualitiesHaveTheSameBands) {
    const CurveFigure figure = qualityFigure(runs, qualities().front());
    ASSERT_FALSE(figure.curves.isEmpty());
    EXPECT_EQ(figure.curves[0].band.size(), kStartsPoints);
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
    std::vector<RunEvent> brief = startsEvents(true); // a slope of -0.26 was told from points of milliseconds
    for (RunEvent& event : brief) {
        if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values[12] *= finished->index < kStartsPoints - 1 ? 1e-9 : 1;
        }
    }
    for (const Curve& curve : growthFigure(shownRuns(recordsOf(brief))).curves) {
        EXPECT_TRUE(curve.name.endsWith("too short for a slope")) << curve.name.toStdString();
    }
    const std::vector<RunRecord> others = recordsOf(startsEvents(false));
    EXPECT_TRUE(growthFigure(shownRuns(others)).curves.isEmpty());
}

} // namespace
} // namespace lambdascope
