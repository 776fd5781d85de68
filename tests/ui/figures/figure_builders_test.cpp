// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "ui/figures/embedding_figures.h"
#include "ui/figures/figure_builders.h"
#include "ui/figures/figure_remarks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

class FigureBuilders : public testing::Test {
  protected:
    std::vector<RunRecord> records = recordsOf(sampleEvents(5, true));
    std::vector<ShownRun> runs = shownRuns(records);
};

TEST_F(FigureBuilders, RateIsDrawnForLanesThatScreenOnly) {
    const CurveFigure figure = rateFigure(runs, ScreeningStage::BeforeSolved);
    for (const Curve& curve : figure.curves) {
        ASSERT_EQ(curve.points.size(), 5);
        for (const QPointF& point : curve.points) {
            EXPECT_GE(point.y(), 0);
            EXPECT_LE(point.y(), 1);
        }
    }
    ASSERT_FALSE(figure.curves.isEmpty());
    EXPECT_EQ(figure.curves.last().name, "half");
    EXPECT_NEAR(figure.curves.last().points[2].y(), 0.6, 1e-12);
    EXPECT_NEAR(rateFigure(runs, ScreeningStage::OnArrival).curves.last().points[2].y(), 0.2, 1e-12);
}

/// Sample runs whose second lane made no look at point 1, screened at points 1 and 2 as given, and looked first at
/// `iteration` of point 2.
std::vector<RunEvent> eventsWithoutLooks(double rate, std::int64_t iteration) {
    std::vector<RunEvent> events = sampleEvents();
    const std::vector<ColumnDescription> columns = std::get<RunStarted>(events.front().body).columns;
    std::erase_if(events, [](const RunEvent& event) {
        const auto* look = std::get_if<Screened>(&event.body);
        return look != nullptr && event.run == RunId{902} && look->pointIndex == 1;
    });
    for (RunEvent& event : events) {
        if (auto* look = std::get_if<Screened>(&event.body); look != nullptr && look->pointIndex == 2) {
            look->iteration += iteration;
            look->fixedLow = iteration > 0 ? look->fixedLow : 0;
            look->fixedHigh = iteration > 0 ? look->fixedHigh : 0;
        }
        auto* finished = std::get_if<PointFinished>(&event.body);
        for (std::size_t k = 0; finished != nullptr && k < columns.size(); ++k) {
            const bool isOfArrival = columns[k].role == ColumnRole::PathRate && finished->index == 2;
            const bool isWithout = columns[k].role == ColumnRole::FinalRate || columns[k].role == ColumnRole::PathRate;
            if (isOfArrival || (isWithout && finished->index == 1)) {
                finished->values[k] = rate;
            }
        }
    }
    return events;
}

// Lanes that look where it pays seemed to have weak bounds wherever they did not look.
TEST_F(FigureBuilders, WhereNoLookWasMadeIsAGapAndNotZero) {
    const std::vector<RunRecord> lanes = recordsOf(eventsWithoutLooks(0, 7));
    const CurveFigure solved = rateFigure(shownRuns(lanes), ScreeningStage::BeforeSolved);
    EXPECT_TRUE(std::isnan(solved.curves.last().points[1].y()));
    EXPECT_NEAR(solved.curves.last().points[2].y(), 0.6, 1e-12);
    EXPECT_EQ(gapsText(solved, ScreeningStage::BeforeSolved), "gaps: no look, which would not have paid");
    const CurveFigure arrival = rateFigure(shownRuns(lanes), ScreeningStage::OnArrival);
    EXPECT_NEAR(arrival.curves.last().points[0].y(), 0.2, 1e-12);
    EXPECT_TRUE(std::isnan(arrival.curves.last().points[1].y()));
    EXPECT_TRUE(std::isnan(arrival.curves.last().points[2].y())) << "the first look came later";
    EXPECT_TRUE(gapsText(arrival, ScreeningStage::OnArrival).startsWith("gaps: no look on arrival"));
    EXPECT_EQ(columnByRole(lanes[1], ColumnRole::PathRate)[1], 0) << "what was measured stays";
}

TEST_F(FigureBuilders, AFigureOfGapsAloneIsEmpty) {
    std::vector<RunEvent> events = eventsWithoutLooks(0, 7);
    std::erase_if(events, [](const RunEvent& event) {
        const auto* finished = std::get_if<PointFinished>(&event.body);
        return finished != nullptr && finished->index != 1 && finished->index != 2;
    });
    const std::vector<RunRecord> lanes = recordsOf(events);
    const std::vector<ShownRun> half = {shownRuns(lanes).back()};
    EXPECT_TRUE(rateFigure(half, ScreeningStage::OnArrival).curves.isEmpty());
    EXPECT_FALSE(rateFigure(half, ScreeningStage::BeforeSolved).curves.isEmpty());
}

TEST_F(FigureBuilders, ALookInVainAndWhatWasScreenedWithoutOneAreDrawn) {
    const std::vector<RunRecord> inVain = recordsOf(eventsWithoutLooks(0, 0));
    EXPECT_EQ(rateFigure(shownRuns(inVain), ScreeningStage::OnArrival).curves.last().points[2].y(), 0);
    const std::vector<RunRecord> recalled = recordsOf(eventsWithoutLooks(0.4, 7));
    for (const ScreeningStage stage : {ScreeningStage::OnArrival, ScreeningStage::BeforeSolved}) {
        const CurveFigure figure = rateFigure(shownRuns(recalled), stage);
        EXPECT_EQ(figure.curves.last().points[1].y(), 0.4);
        EXPECT_EQ(gapsText(figure, stage), QString());
    }
}

TEST_F(FigureBuilders, WhatIsJudgedAfterwardsIsDrawnApartFromWhatWasScreened) {
    EXPECT_TRUE(rateFigure(runs, ScreeningStage::Afterwards).curves.isEmpty());
    // A lane that screened nothing in time: no checks, and what its rate column says came with the solution.
    std::vector<RunEvent> events = sampleEvents(5, true);
    std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Screened>(event.body); });
    for (RunEvent& event : events) {
        if (auto* start = std::get_if<RunStarted>(&event.body); start != nullptr && start->laneName == "half") {
            for (ColumnDescription& column : start->columns) {
                column.role = column.role == ColumnRole::FinalRate ? ColumnRole::AfterRate : column.role;
            }
        }
    }
    const std::vector<RunRecord> late = recordsOf(events);
    const std::vector<ShownRun> shown = shownRuns(late);
    const CurveFigure after = rateFigure(shown, ScreeningStage::Afterwards);
    ASSERT_EQ(after.curves.size(), 1);
    EXPECT_EQ(after.curves.first().name, "half");
    EXPECT_TRUE(after.title.contains("afterwards")) << after.title.toStdString();
    EXPECT_TRUE(rateFigure(shown, ScreeningStage::BeforeSolved).curves.isEmpty());
    EXPECT_FALSE(hasChecks(*shown[1].record));
}

TEST_F(FigureBuilders, CpuRatioComparesWithTheBaselineAndLeavesItOut) {
    const CurveFigure figure = cpuRatioFigure(runs);
    ASSERT_EQ(figure.curves.size(), 1);
    EXPECT_EQ(figure.curves[0].name, "half");
    for (const QPointF& point : figure.curves[0].points) {
        EXPECT_DOUBLE_EQ(point.y(), 0.5);
    }
    ASSERT_EQ(figure.marks.size(), 1);
    EXPECT_EQ(figure.marks[0].value, 1.0);
}

// Ratios of points of 0.1 ms were drawn as if they meant something.
TEST_F(FigureBuilders, RatiosOfShortTimesAreNotDrawn) {
    const std::vector<RunRecord> brief = recordsOf([] {
        std::vector<RunEvent> events = sampleEvents();
        for (RunEvent& event : events) {
            if (auto* finished = std::get_if<PointFinished>(&event.body)) {
                finished->values[12] *= 1e-4;
                finished->values[13] *= 1e-4;
            }
        }
        return events;
    }());
    EXPECT_TRUE(cpuRatioFigure(shownRuns(brief)).curves.isEmpty());
    EXPECT_EQ(cpuFigure(shownRuns(brief)).curves.size(), 2) << "seconds are what they are";
}

TEST_F(FigureBuilders, TimesAddUpAlongThePath) {
    const Curve plain = cpuFigure(runs).curves.first();
    for (qsizetype i = 0; i < plain.points.size(); ++i) {
        EXPECT_DOUBLE_EQ(plain.points[i].y(), 2.0 * static_cast<double>(i + 1));
    }
}

TEST(FigureSameness, IsSaidInWords) {
    CurveFigure figure;
    figure.x.title = QString::fromUtf8("λ");
    figure.y.title = "k-NN error";
    EXPECT_EQ(samenessText(figure), QString());
    Curve curve;
    curve.points = {{4, 0}, {2, 0}, {1, std::nan("")}};
    figure.curves = {curve, curve};
    figure.curves[0].name = "GB";
    EXPECT_EQ(samenessText(figure), QString::fromUtf8("k-NN error is 0 at every λ"));
    figure.curves[0].points[1].setY(0.5);
    EXPECT_EQ(samenessText(figure), QString()) << "lanes differ";
    figure.curves[1] = figure.curves[0];
    figure.curves[1].name = "PGB";
    figure.y.title = "Objective";
    EXPECT_EQ(samenessText(figure), "GB and PGB have the same objective") << "others may have no curve";
    figure.curves = {figure.curves[0], figure.curves[0], figure.curves[0], figure.curves[0]};
    EXPECT_EQ(samenessText(figure), "All lanes here have the same objective");
    figure.curves = {figure.curves[0]};
    EXPECT_EQ(samenessText(figure), QString()) << "one lane may change along its path";
}

// Lanes that were not to be seen for others, or along the axis, and nothing said so.
TEST(FigureSameness, NamesCurvesThatLieOnOthersOrOnZero) {
    CurveFigure figure;
    figure.x.title = QString::fromUtf8("λ");
    figure.y.title = "Rate";
    const auto add = [&figure](const char* name, QVector<QPointF> points) {
        Curve curve;
        curve.name = name;
        curve.points = std::move(points);
        figure.curves << curve;
    };
    add("naive", {{4, 0}, {2, 0}, {1, 0}});
    add("GB", {{4, 1}, {2, 0.5}, {1, 0.1}});
    EXPECT_EQ(remarkText(figure), QString::fromUtf8("naive is 0 at every λ"));
    add("PGB", {{4, 1}, {2, 0.5001}}); // behind, and not to be told apart by eye
    EXPECT_EQ(remarkText(figure), QString::fromUtf8("PGB coincides with GB · naive is 0 at every λ"));
    add("thinned", {{3, 0.75}, {1.5, 0.3}}); // its points stand elsewhere on the line of GB
    EXPECT_TRUE(remarkText(figure).contains("GB, PGB, thinned coincide")) << remarkText(figure).toStdString();
    figure.curves.back().points[1].setY(0.35);
    EXPECT_FALSE(remarkText(figure).contains("thinned"));
    figure.curves.removeLast();
    add("DGB", {{4, 1}, {2, 0.9}});
    EXPECT_FALSE(remarkText(figure).contains("DGB"));
    figure.curves = {figure.curves[1], figure.curves[2]};
    EXPECT_EQ(remarkText(figure), "PGB coincides with GB");
    add("RRPB", {{4, 1e-9}, {2, 1e-9}});
    figure.y.scale = AxisScale::Log; // where 0.1 and 0.1001 are one line, and 1e-9 is another
    EXPECT_EQ(remarkText(figure), "PGB coincides with GB");
    figure.curves.removeFirst();
    EXPECT_EQ(remarkText(figure), QString());
    figure.curves = {figure.curves[1]};
    EXPECT_EQ(remarkText(figure), QString::fromUtf8("Rate is 1e-09 at every λ"));
    EXPECT_EQ(remarkText(figure), levelText(figure));
    figure.curves[0].points = {{4, 124.6}, {2, 124.60001}}; // a path all the same, but nothing for a small picture
    EXPECT_TRUE(levelText(figure).isEmpty());
    EXPECT_EQ(levelText(figure, 1e-6), QString::fromUtf8("Rate is 124.6 at every λ"));
    figure.curves[0].points = {{4, 20000}, {2, 20000}};
    EXPECT_EQ(levelText(figure), QString::fromUtf8("Rate is 20,000 at every λ")) << "counts are written in full";
}

// The small picture of why it is safe was empty until somebody clicked on it.
TEST(RadiusFigure, HasTheRadiusOnArrivalAtEachPoint) {
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* check = std::get_if<Screened>(&event.body)) {
            check->radius = check->check == 0 ? 1.0 / (check->pointIndex + 1) : 1e-9;
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const CurveFigure figure = radiusFigure(shownRuns(records));
    ASSERT_FALSE(figure.curves.isEmpty());
    EXPECT_EQ(figure.y.scale, AxisScale::Log);
    const QVector<QPointF>& points = figure.curves.back().points;
    ASSERT_GT(points.size(), 2);
    for (qsizetype i = 0; i < points.size(); ++i) {
        EXPECT_DOUBLE_EQ(points[i].y(), 1.0 / static_cast<double>(i + 1));
    }
    EXPECT_TRUE(radiusFigure({}).curves.isEmpty());
}

TEST_F(FigureBuilders, WithoutABaselineThereIsNoRatioButThereAreSeconds) {
    const std::vector<ShownRun> alone{{&records[1], nullptr, "902", "half", 1}};
    EXPECT_TRUE(cpuRatioFigure(alone).curves.isEmpty());
    ASSERT_EQ(cpuFigure(alone).curves.size(), 1);
    EXPECT_DOUBLE_EQ(cpuFigure(alone).curves[0].points[0].y(), 1.0);
}

TEST_F(FigureBuilders, LeftAndRemovedItemsAddUpToAll) {
    const Curve left = itemsFigure(runs, ItemSide::LeftToSolver).curves.last();
    const Curve removed = itemsFigure(runs, ItemSide::Removed).curves.last();
    ASSERT_EQ(left.points.size(), removed.points.size());
    for (int i = 0; i < left.points.size(); ++i) {
        EXPECT_DOUBLE_EQ(left.points[i].y() + removed.points[i].y(), 1000);
    }
}

TEST_F(FigureBuilders, AFallingGeometricPathIsReversedAndLogarithmic) {
    const AxisSpec axis = iterationsFigure(runs).x;
    EXPECT_EQ(axis.title, QStringLiteral("λ"));
    EXPECT_TRUE(axis.reversed);
    EXPECT_EQ(axis.scale, AxisScale::Log);
}

TEST_F(FigureBuilders, ConvergenceShowsOnePointOfEachLaneWithTheTolerance) {
    const CurveFigure figure = convergenceFigure(runs, 2);
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.curves[0].points.size(), 6);
    EXPECT_EQ(figure.curves[1].points.size(), 3);
    EXPECT_EQ(figure.y.scale, AxisScale::Log);
    ASSERT_EQ(figure.marks.size(), 1);
    EXPECT_DOUBLE_EQ(figure.marks[0].value, 1e-6);
    std::vector<RunEvent> events = sampleEvents(); // a lane that stops earlier stood above a line that was not its own
    for (RunEvent& event : events) {
        if (auto* step = std::get_if<Iterated>(&event.body); step != nullptr && event.run == events.front().run) {
            step->tolerance = 1e-3;
        } else if (step != nullptr) {
            step->tolerance *= 1 + 1e-9 * static_cast<double>(step->iteration);
        }
    }
    const std::vector<RunRecord> others = recordsOf(events);
    const CurveFigure two = convergenceFigure(shownRuns(others), 2);
    ASSERT_EQ(two.marks.size(), 2);
    EXPECT_EQ(two.marks[1].label, "tolerance of plain");
    EXPECT_TRUE(isEmpty(Figure(convergenceFigure(runs, 99))));
}

// Gaps of 5.77e-15 and 5.79e-15 stood at the two ends of the axis.
TEST_F(FigureBuilders, ConvergenceLetsRoundingBeSmallBesideWhatIsToBeReached) {
    for (const double size : {1e-15, 1e-9, 1e-2}) {
        for (const double tolerance : {0.0, 1e-6}) {
            for (const double doubt : {1e-3, 0.5}) {
                SCOPED_TRACE(testing::Message() << size << " " << tolerance << " " << doubt);
                std::vector<RunEvent> events = sampleEvents();
                int count = 0;
                for (RunEvent& event : events) {
                    if (auto* step = std::get_if<Iterated>(&event.body)) {
                        step->optimality.value = size * (1 + doubt * (count++ % 2));
                        step->tolerance = tolerance;
                    }
                }
                const std::vector<RunRecord> rounded = recordsOf(events);
                const CurveFigure figure = convergenceFigure(shownRuns(rounded), 2);
                ASSERT_TRUE(figure.yRange);
                EXPECT_LT(figure.yRange->low, size);
                EXPECT_GT(figure.yRange->high, size * (1 + doubt));
                EXPECT_GE(figure.yRange->high, tolerance);
                EXPECT_TRUE(tolerance == 0 || figure.yRange->low <= tolerance);
                EXPECT_GE(figure.yRange->high, 10 * figure.yRange->low) << "at least a decade";
                const double least = tolerance > 0 ? std::min(size, tolerance) : size;
                EXPECT_LE(figure.yRange->high / figure.yRange->low, 100 * std::max(2 * size, tolerance) / least);
            }
        }
    }
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* step = std::get_if<Iterated>(&event.body)) {
            step->optimality.value = 0;
        }
    }
    const std::vector<RunRecord> solved = recordsOf(events);
    EXPECT_FALSE(convergenceFigure(shownRuns(solved), 2).yRange) << "0 has a place of its own below";
}

TEST_F(FigureBuilders, HeatmapHasAColumnPerPointAndARowPerCheck) {
    const HeatmapFigure figure = heatmapFigure(runs[1]);
    ASSERT_EQ(figure.columns(), 5);
    ASSERT_EQ(figure.rows(), 3);
    for (int row = 0; row < 3; ++row) {
        EXPECT_NEAR(figure.value(row, 4), 0.2 * (row + 1), 1e-12);
    }
}

TEST_F(FigureBuilders, EmbeddingFollowsThePoint) {
    const CloudFigure first = embeddingFigure(runs[1], 0);
    const CloudFigure fourth = embeddingFigure(runs[1], 3);
    ASSERT_EQ(first.points.size(), 4);
    EXPECT_FLOAT_EQ(first.points[0].x, 1);
    EXPECT_FLOAT_EQ(fourth.points[0].x, 4);
    EXPECT_EQ(first.classNames, (QStringList{"a", "b"}));
    EXPECT_EQ(first.classes.size(), first.points.size());
    EXPECT_TRUE(embeddingFigure(runs[0], 0).points.isEmpty());
}

TEST_F(FigureBuilders, ARunLooksTheSameInEveryFigure) {
    const CurveStyle inCpu = cpuRatioFigure(runs).curves[0].style;          // first of its figure
    const CurveStyle inIterations = iterationsFigure(runs).curves[1].style; // second of its figure
    EXPECT_EQ(inCpu, inIterations);
}

TEST(FigureBuildersOfSolverSteps, ShowTheObjectiveWhereAPointHasNoIterations) {
    std::vector<RunEvent> events = sampleEvents(5, true);
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            for (ColumnDescription& column : started->columns) {
                const bool isIterations = column.role == ColumnRole::Iterations;
                const bool isObjective = column.role == ColumnRole::Objective;
                column.role = isIterations ? ColumnRole::Objective : isObjective ? ColumnRole::Other : column.role;
                column.label = isIterations ? "Mean loss" : column.label;
            }
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const CurveFigure figure = iterationsFigure(shownRuns(records));
    EXPECT_EQ(figure.title, "Mean loss");
    EXPECT_EQ(figure.y.title, "Mean loss");
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.curves[0].points.size(), 5);
}

TEST(FigureBuildersWithoutRuns, GiveEmptyFigures) {
    for (const Figure& figure :
         {Figure(rateFigure({}, ScreeningStage::OnArrival)), Figure(cpuRatioFigure({})), Figure(cpuFigure({})),
          Figure(itemsFigure({}, ItemSide::Removed)), Figure(iterationsFigure({})), Figure(convergenceFigure({}, 0))}) {
        EXPECT_TRUE(isEmpty(figure));
    }
}

} // namespace
} // namespace lambdascope
