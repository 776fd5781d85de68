// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "ui/figures/comparison_figures.h"
#include "ui/figures/cost_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

/// Lane "plain" needs 2 s per point, "half" 1 s; the quartiles of repeats a tenth below and above where wanted.
std::vector<RunRecord> lanes(bool areRepeated) {
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body); started != nullptr && areRepeated) {
            for (const char* key : {"cpu_solve", "cpu_screen"}) {
                for (const char* ending : {"_q1", "_q3"}) {
                    started->columns.push_back({std::string(key) + ending, "quartile", "s", ColumnRole::Other, false});
                }
            }
        } else if (auto* point = std::get_if<PointFinished>(&event.body); point != nullptr && areRepeated) {
            const double seconds = event.run == RunId{901} ? 2 : 1;
            point->values.insert(point->values.end(), {0.9 * seconds, 1.1 * seconds, 0, 0});
        }
    }
    return recordsOf(events);
}

TEST(ComparisonFigures, TotalsAreBarsSplitIntoSolvingAndScreening) {
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* point = std::get_if<PointFinished>(&event.body); point != nullptr && event.run == RunId{902}) {
            const RunRecord whole = recordsOf(sampleEvents()).front();
            point->values[*whole.columnWithRole(ColumnRole::CpuScreen)] = 0.25;
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const ShapeFigure figure = totalsFigure(shownRuns(records));
    EXPECT_EQ(figure.x.names, (QStringList{"plain", "half"}));
    ASSERT_EQ(figure.shapes.size(), 3);
    EXPECT_DOUBLE_EQ(figure.shapes[0].y.high, 10);
    EXPECT_DOUBLE_EQ(figure.shapes[1].y.high, 5);
    EXPECT_DOUBLE_EQ(figure.shapes[2].y.low, 5);
    EXPECT_DOUBLE_EQ(figure.shapes[2].y.high, 6.25);
    EXPECT_TRUE(figure.shapes[1].text.contains("faster")) << figure.shapes[1].text.toStdString();
    EXPECT_EQ(figure.table.rows(), 2);
    EXPECT_TRUE(figure.title.contains("whole path")) << figure.title.toStdString();
    EXPECT_TRUE(isEmpty(Figure(totalsFigure({}))));
}

TEST(ComparisonFigures, TotalsCountOnlyPointsThatAllLanesHave) {
    std::vector<RunEvent> events = tinyEvents({RunId{1}, "plain", true, 5, 3, 0, 2.0, true});
    for (const RunEvent& event : tinyEvents({RunId{2}, "half", false, 3, 3, 0.5, 1.0, false})) {
        events.push_back(event);
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const ShapeFigure figure = totalsFigure(shownRuns(records));
    EXPECT_DOUBLE_EQ(figure.shapes[0].y.high, 6) << "3 of 5 points";
    EXPECT_DOUBLE_EQ(figure.shapes[1].y.high, 3);
    EXPECT_TRUE(figure.title.contains("3 points")) << figure.title.toStdString();
}

TEST(ComparisonFigures, TotalsOfGroupsAreOverTheBaselineOfEach) {
    std::vector<RunEvent> events;
    const auto add = [&](const char* group, const TinyRun& run) {
        for (RunEvent& event : tinyEvents(run)) {
            if (auto* started = std::get_if<RunStarted>(&event.body)) {
                started->laneGroup = group;
            }
            events.push_back(std::move(event));
        }
    };
    add("as published", {RunId{1}, "plain", true, 5, 3, 0, 200.0, true});
    add("as published", {RunId{2}, "half", false, 5, 3, 0.5, 50.0, true});
    add("today", {RunId{3}, "plain, today", true, 5, 3, 0, 2.0, true});
    add("today", {RunId{4}, "half, today", false, 5, 3, 0.5, 1.5, true});
    const std::vector<RunRecord> records = recordsOf(events);
    const ShapeFigure figure = totalsFigure(shownRuns(records));
    EXPECT_EQ(figure.x.names, (QStringList{"plain", "half", "", "plain, today", "half, today"}));
    ASSERT_EQ(figure.shapes.size(), 4);
    EXPECT_DOUBLE_EQ(figure.shapes[0].y.high, 1);
    EXPECT_DOUBLE_EQ(figure.shapes[1].y.high, 0.25);
    EXPECT_DOUBLE_EQ(figure.shapes[2].y.high, 1);
    EXPECT_DOUBLE_EQ(figure.shapes[3].y.high, 0.75);
    EXPECT_GT(figure.shapes[2].x.low, 3) << "a gap between groups";
    EXPECT_TRUE(figure.y.unit.isEmpty()) << "seconds are in the table";
    EXPECT_DOUBLE_EQ(figure.table.numbers[2], 1000);
}

TEST(ComparisonFigures, AnOracleIsALineAcrossTheBarsAndNoBar) {
    std::vector<RunEvent> events = sampleEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body); started != nullptr && event.run == RunId{902}) {
            started->facts = {{"oracle", "GAP"}};
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const ShapeFigure figure = totalsFigure(shownRuns(records));
    EXPECT_EQ(figure.x.names, QStringList{"plain"});
    ASSERT_EQ(figure.shapes.size(), 2);
    EXPECT_EQ(figure.shapes[1].kind, Shape::Kind::Outline);
    EXPECT_EQ(figure.shapes[1].outline, (QVector<QPointF>{{0, 5}, {1, 5}}));
    EXPECT_EQ(figure.groups[figure.shapes[1].group].name, "Limit of GAP");
    EXPECT_EQ(figure.table.rows(), 2) << "the table has its numbers";
    const ShapeFigure alone = totalsFigure({shownRuns(records)[1]});
    EXPECT_EQ(alone.x.names, QStringList{"half"}) << "alone it is what there is to see";
    EXPECT_EQ(alone.shapes.size(), 1);
    EXPECT_EQ(alone.shapes[0].kind, Shape::Kind::Box);
}

TEST(ComparisonFigures, RepeatsGiveEveryTimeABand) {
    const std::vector<RunRecord> once = lanes(false);
    const std::vector<RunRecord> often = lanes(true);
    for (const auto& build : {cpuFigure, cpuRatioFigure}) {
        for (const Curve& curve : build(shownRuns(once)).curves) {
            EXPECT_TRUE(curve.band.isEmpty());
        }
        const CurveFigure figure = build(shownRuns(often));
        ASSERT_FALSE(figure.curves.isEmpty());
        for (const Curve& curve : figure.curves) {
            ASSERT_EQ(curve.band.size(), curve.points.size()) << figure.title.toStdString();
            for (qsizetype i = 0; i < curve.band.size(); ++i) {
                EXPECT_LT(curve.band[i].low, curve.points[i].y());
                EXPECT_GT(curve.band[i].high, curve.points[i].y());
            }
        }
    }
    const CurveFigure sums = cpuFigure(shownRuns(often));
    EXPECT_DOUBLE_EQ(sums.curves[0].band.last().low, 9);
    EXPECT_DOUBLE_EQ(cpuRatioFigure(shownRuns(often)).curves[0].band.last().high, 5.5 / 9);
    const ShapeFigure totals = totalsFigure(shownRuns(often));
    ASSERT_EQ(totals.groups.size(), 3);
    EXPECT_EQ(totals.shapes.last().kind, Shape::Kind::Outline);
    EXPECT_DOUBLE_EQ(totals.shapes.last().y.low, 4.5);
}

TEST(ComparisonFigures, AnyTwoLanesMakeADifferenceAndARatio) {
    const std::vector<RunRecord> records = lanes(true);
    const CurveFigure figure = cpuFigure(shownRuns(records));
    const CurveFigure less = contrastFigure(figure, "half", Contrast::Difference);
    ASSERT_EQ(less.curves.size(), 1);
    EXPECT_EQ(less.curves[0].id, "plain");
    EXPECT_DOUBLE_EQ(less.curves[0].points.last().y(), 5);
    EXPECT_DOUBLE_EQ(less.curves[0].band.last().low, 9 - 5.5);
    EXPECT_DOUBLE_EQ(less.curves[0].band.last().high, 11 - 4.5);
    ASSERT_EQ(less.marks.size(), 1);
    EXPECT_DOUBLE_EQ(less.marks[0].value, 0);
    const CurveFigure times = contrastFigure(figure, "half", Contrast::Ratio);
    EXPECT_DOUBLE_EQ(times.curves[0].points.first().y(), 2);
    EXPECT_EQ(times.y.scale, AxisScale::Log);
    EXPECT_TRUE(times.y.unit.isEmpty());
    EXPECT_TRUE(times.title.contains("half")) << times.title.toStdString();
    EXPECT_EQ(contrastFigure(figure, "nobody", Contrast::Ratio), figure);
}

TEST(ComparisonFigures, SecondsBelow100MsMakeNoRatio) {
    std::vector<RunEvent> events = tinyEvents({RunId{1}, "plain", true, 5, 3, 0, 0.06, true});
    for (const RunEvent& event : tinyEvents({RunId{2}, "half", false, 5, 3, 0.5, 0.03, true})) {
        events.push_back(event);
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const CurveFigure figure = cpuFigure(shownRuns(records));
    const CurveFigure ratio = contrastFigure(figure, "half", Contrast::Ratio);
    ASSERT_EQ(ratio.curves.size(), 1);
    EXPECT_EQ(ratio.curves[0].points.size(), 2) << "those from 0.12 s on";
    EXPECT_EQ(contrastFigure(figure, "half", Contrast::Difference).curves[0].points.size(), 5);
}

// 25,000 points made as many bars, which took seconds to lay out and no screen can show.
TEST(ComparisonFigures, ManyPointsShareBarsThatKeepTheirMeans) {
    constexpr int points = 2000;
    std::vector<RunEvent> events = tinyEvents({RunId{1}, "plain", true, points, 1, 0, 2.0, true});
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<PointStarted>(&event.body)) {
            started->axisValue = 3000 - started->index;
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->axisValue = 3000 - finished->index;
        }
    }
    const std::vector<RunRecord> records = recordsOf(events);
    const ShapeFigure figure = ledgerFigure(shownRuns(records).front());
    ASSERT_FALSE(figure.shapes.isEmpty());
    EXPECT_LE(figure.shapes.size(), 600);
    for (const Shape& bar : figure.shapes) {
        EXPECT_DOUBLE_EQ(bar.y.high, 2);
        EXPECT_LT(bar.x.low, bar.x.high);
    }
    EXPECT_TRUE(figure.shapes.front().text.contains("on average"));
    EXPECT_EQ(figure.table.rows(), points) << "the table has all of them";
}

} // namespace
} // namespace lambdascope
