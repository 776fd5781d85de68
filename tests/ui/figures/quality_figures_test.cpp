// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/measured_runs.h"
#include "ui/figures/figure_catalogue.h"
#include "ui/figures/quality_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

class QualityFigures : public testing::Test {
  protected:
    [[nodiscard]] const Quality& quality(const char* name) const {
        return *std::find_if(qualities().begin(), qualities().end(),
                             [name](const Quality& each) { return std::string(each.name) == name; });
    }
    [[nodiscard]] static double axisOf(const RunRecord& record, std::size_t point) {
        return record.points()[point].axisValue;
    }
    std::vector<RunRecord> records = recordsOf(judgedEvents());
    std::vector<ShownRun> runs = shownRuns(records);
};

TEST_F(QualityFigures, AreThoseTheRunsKnow) {
    EXPECT_EQ(qualitiesOf(runs).size(), qualities().size());
    const std::vector<RunRecord> uncrossed = recordsOf(judgedEvents(false));
    const auto some = qualitiesOf(shownRuns(uncrossed));
    ASSERT_EQ(some.size(), 2u);
    EXPECT_STREQ(some[0]->name, "test-error");
    EXPECT_STREQ(some[1]->name, "test-measure");
    const std::vector<RunRecord> unjudged = recordsOf(sampleEvents());
    EXPECT_TRUE(qualitiesOf(shownRuns(unjudged)).empty());
    const QStringList names = figureNames(runs);
    for (const Quality& each : qualities()) {
        EXPECT_TRUE(names.contains(each.name)) << each.name;
        EXPECT_TRUE(figureByName(runs, each.name)) << each.name;
    }
}

TEST_F(QualityFigures, AnErrorIsMarkedWhereItIsLeastAndAnAucWhereItIsLargest) {
    const CurveFigure error = qualityFigure(runs, quality("cross-error"));
    ASSERT_EQ(error.marks.size(), 1);
    EXPECT_EQ(error.marks[0].value, axisOf(records[0], 3));
    EXPECT_EQ(error.title, "Error, cross-validated");
    const CurveFigure auc = qualityFigure(runs, quality("test-measure"));
    EXPECT_EQ(auc.marks[0].value, axisOf(records[0], 2));
    EXPECT_EQ(auc.yRange->high, 1);
    EXPECT_LT(auc.yRange->low, 0.8);
    EXPECT_EQ(auc.y.title, "AUC");
    EXPECT_EQ(auc.title, "AUC, held-out");
}

// MAP, precision and recall of a retrieval were drawn as their sum, 2.35.
TEST_F(QualityFigures, SeveralMeasuresAreNotAdded) {
    std::vector<RunEvent> events = judgedEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->columns.push_back({"recall", "Recall of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values.push_back(0.9);
        }
    }
    const std::vector<RunRecord> several = recordsOf(events);
    const CurveFigure one = qualityFigure(runs, quality("test-measure"));
    const CurveFigure same = qualityFigure(shownRuns(several), quality("test-measure"));
    ASSERT_EQ(same.curves.size(), one.curves.size());
    EXPECT_EQ(same.curves[0].points, one.curves[0].points);
    EXPECT_EQ(same.title, "AUC, held-out");
}

TEST_F(QualityFigures, TheMarkIsAtTheBestOfAllLanesAndNamesIt) {
    CurveFigure same = qualityFigure(runs, quality("test-error"));
    ASSERT_EQ(same.curves.size(), 2);
    EXPECT_EQ(same.marks.at(0).label, "least: 0"); // both lanes reach it
    std::vector<RunEvent> events = judgedEvents();
    const RunId second = records[1].id();
    for (RunEvent& event : events) {
        auto* finished = std::get_if<PointFinished>(&event.body);
        if (finished != nullptr) {
            const std::size_t held = finished->values.size() - 6;
            finished->values[held] = event.run == second ? std::abs(finished->index - 4) / 10.0 + 0.01 : 0.3;
        }
    }
    const std::vector<RunRecord> unequal = recordsOf(events);
    const CurveFigure figure = qualityFigure(shownRuns(unequal), quality("test-error"));
    ASSERT_EQ(figure.marks.size(), 1);
    EXPECT_EQ(figure.marks[0].value, axisOf(records[1], 4));
    EXPECT_EQ(figure.marks[0].label, "least: 0.01, " + figure.curves[1].name);
}

// Lanes that solve one problem were told apart by what their solvers leave: "best: 0.4483, Shrink+GAP" of five equals.
TEST_F(QualityFigures, TheMarkNamesAllThatReachTheNumberItIsToldBy) {
    const auto markOf = [this](double ofSecond, double elsewhere) {
        std::vector<RunEvent> events = judgedEvents();
        for (RunEvent& event : events) {
            if (auto* finished = std::get_if<PointFinished>(&event.body)) {
                const double own = event.run == records[1].id() ? ofSecond : 0.25;
                finished->values[finished->values.size() - 6] = finished->index == 3 ? own : elsewhere;
            }
        }
        const std::vector<RunRecord> told = recordsOf(events);
        return qualityFigure(shownRuns(told), quality("test-error")).marks.at(0).label;
    };
    EXPECT_EQ(markOf(0.25 - 1e-9, 0.5), "least: 0.25");
    EXPECT_EQ(markOf(0.24, 0.5), "least: 0.24, " + runs[1].name);
}

TEST_F(QualityFigures, BothWaysStandInOneChartAndDifferInDash) {
    const CurveFigure both = qualityFigure(runs, quality("both-measures"));
    ASSERT_EQ(both.curves.size(), 4);
    EXPECT_EQ(both.y.title, "AUC");
    EXPECT_EQ(both.title, "AUC, both");
    EXPECT_EQ(both.curves[0].points[2].y(), 1);
    EXPECT_EQ(both.curves[2].points[3].y(), 1);
    EXPECT_EQ(both.curves[0].style.colourIndex, both.curves[2].style.colourIndex);
    EXPECT_NE(both.curves[0].style.dash, both.curves[2].style.dash);
    EXPECT_NE(both.curves[0].id, both.curves[2].id);
}

TEST_F(QualityFigures, SetsAreCountedOnceForAllLanesOfAnExperiment) {
    const CurveFigure sets = setsFigure(runs);
    ASSERT_EQ(sets.curves.size(), 2);
    EXPECT_EQ(sets.curves[0].name, "Samples in R");
    for (qsizetype point = 0; point < sets.curves[0].points.size(); ++point) {
        EXPECT_EQ(sets.curves[0].points[point].y() + sets.curves[1].points[point].y(), 100);
    }
    EXPECT_NE(sets.curves[0].style, sets.curves[1].style);
    EXPECT_TRUE(figureNames(runs).contains("sets"));
    const std::vector<RunRecord> uncounted = recordsOf(sampleEvents());
    EXPECT_TRUE(isEmpty(Figure(setsFigure(shownRuns(uncounted)))));
}

/// Axis scale of a path with these values.
AxisScale scaleOf(const std::vector<double>& values) {
    std::vector<RunEvent> events = sampleEvents(static_cast<int>(values.size()));
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<PointStarted>(&event.body)) {
            started->axisValue = values[static_cast<std::size_t>(started->index)];
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->axisValue = values[static_cast<std::size_t>(finished->index)];
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    return iterationsFigure(shownRuns(records)).x.scale;
}

TEST(PathAxis, IsNotThatOfALaneWithoutPoints) {
    std::vector<RunEvent> events = sampleEvents(1);
    const RunId first = events.front().run;
    std::size_t lanesWaiting = 0;
    std::vector<RunEvent> kept;
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<PointStarted>(&event.body)) {
            started->axisValue = 0;
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->axisValue = 0;
        }
        const bool isStart = std::holds_alternative<RunStarted>(event.body);
        if (event.run == first || isStart) {
            lanesWaiting += event.run != first ? 1 : 0;
            kept.push_back(std::move(event));
        }
    }
    ASSERT_GT(lanesWaiting, 0U);
    const std::vector<RunRecord> records = recordsOf(kept);
    EXPECT_EQ(iterationsFigure(shownRuns(records)).x.scale, AxisScale::Linear);
}

TEST(PathAxis, IsTheOneOnWhichThePointsLieMoreEvenly) {
    EXPECT_EQ(scaleOf({0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}), AxisScale::Linear);
    EXPECT_EQ(scaleOf({1, 2, 3, 4}), AxisScale::Linear);
    EXPECT_EQ(scaleOf({0, 0.5, 1}), AxisScale::Linear);
    EXPECT_EQ(scaleOf({0.01, 0.02, 0.04, 0.08}), AxisScale::Log);
    EXPECT_EQ(scaleOf({1, 2, 5, 10, 20, 50, 100}), AxisScale::Log);
    EXPECT_EQ(scaleOf({100, 50, 20, 10, 5}), AxisScale::Log);
    EXPECT_EQ(scaleOf({0.3, 0.9}), AxisScale::Log); // too few to tell
}

} // namespace
} // namespace lambdascope
