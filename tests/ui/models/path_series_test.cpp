// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_record.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/models/path_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {

namespace {

RunRecord recordOf(const TinyRun& run) {
    return recordsOf(tinyEvents(run)).front();
}

} // namespace

TEST(PathSeries, RatesAndCountsAddUp) {
    const RunRecord run = recordOf({.id = RunId{1}, .points = 4, .share = 0.6});
    const auto rates = rateSeries(run, ScreeningStage::Final);
    const auto removed = removedSeries(run, ScreeningStage::Final);
    const auto active = activeSeries(run, ScreeningStage::Final);
    ASSERT_EQ(rates.size(), 4);
    ASSERT_EQ(removed.size(), 4);
    ASSERT_EQ(active.size(), 4);
    for (qsizetype i = 0; i < rates.size(); ++i) {
        EXPECT_EQ(rates[i].x(), 8 * std::pow(0.5, i));
        EXPECT_EQ(removed[i].y() + active[i].y(), 1000);
        EXPECT_DOUBLE_EQ(rates[i].y() * 1000, removed[i].y());
        EXPECT_LE(rateSeries(run, ScreeningStage::Path)[i].y(), rates[i].y());
    }
}

TEST(PathSeries, CpuRatiosComparePointsThatBothRunsFinished) {
    const RunRecord baseline = recordOf({.id = RunId{1}, .points = 3, .cpuPerPoint = 4});
    const RunRecord run = recordOf({.id = RunId{2}, .points = 5, .cpuPerPoint = 1});
    const auto ratios = cpuRatioSeries(run, baseline);
    ASSERT_EQ(ratios.size(), 3);
    for (const QPointF& point : ratios) {
        EXPECT_DOUBLE_EQ(point.y(), 0.25);
    }
    const auto cumulative = cumulativeCpuRatioSeries(run, baseline);
    ASSERT_EQ(cumulative.size(), 3);
    EXPECT_DOUBLE_EQ(cumulative.back().y(), *totalCpuRatio(run, baseline));
    const RunRecord idle = recordOf({.id = RunId{3}, .cpuPerPoint = 0});
    EXPECT_TRUE(cpuRatioSeries(run, idle).isEmpty());
    EXPECT_TRUE(cumulativeCpuRatioSeries(run, idle).isEmpty());
}

TEST(PathSeries, ConvergenceFallsToTheEndOfThePoint) {
    const RunRecord run = recordOf({.id = RunId{1}, .points = 2, .iterations = 20});
    const ConvergenceCurve curve = convergenceCurve(run, 1);
    ASSERT_EQ(curve.byIteration.size(), 20);
    EXPECT_EQ(curve.byCpu.size(), 20);
    EXPECT_EQ(curve.byIteration.front().x(), 0);
    EXPECT_EQ(curve.byIteration.back().y(), std::pow(0.5, 19));
    EXPECT_EQ(curve.tolerance, 1e-6);
    EXPECT_TRUE(convergenceCurve(run, 7).byIteration.isEmpty());
}

TEST(PathSeries, HeatmapHasOneColumnPerPointAndOneRowPerCheck) {
    const RunRecord run = recordOf({.id = RunId{1}, .points = 3, .share = 0.9});
    const ScreeningHeatmap map = screeningHeatmap(run);
    EXPECT_EQ(map.axis, (std::vector<double>{8, 4, 2}));
    ASSERT_EQ(map.checkCount, 3);
    EXPECT_DOUBLE_EQ(map.rate(0, 0), 0.3);
    EXPECT_DOUBLE_EQ(map.rate(2, 2), 0.9);
    EXPECT_TRUE(screeningHeatmap(RunRecord(RunId{1})).isEmpty());
}

TEST(PathSeries, HeatmapLeavesChecksThatNeverTookPlaceEmpty) {
    auto events = tinyEvents({.id = RunId{1}, .points = 2, .share = 0.9});
    std::erase_if(events, [](const RunEvent& event) {
        const auto* screened = std::get_if<Screened>(&event.body);
        return screened != nullptr && screened->pointIndex == 1 && screened->check == 2;
    });
    const ScreeningHeatmap map = screeningHeatmap(recordsOf(events).front());
    EXPECT_TRUE(std::isnan(map.rate(2, 1)));
    EXPECT_FALSE(std::isnan(map.rate(1, 1)));
}

TEST(PathSeries, AbsentColumnsGiveEmptySeries) {
    auto events = tinyEvents({.id = RunId{1}, .points = 2});
    auto& start = std::get<RunStarted>(events.front().body);
    for (ColumnDescription& column : start.columns) {
        if (column.role != ColumnRole::Axis && column.role != ColumnRole::Index) {
            column.role = ColumnRole::Other;
        }
    }
    const RunRecord run = recordsOf(events).front();
    EXPECT_TRUE(rateSeries(run, ScreeningStage::Path).isEmpty());
    EXPECT_TRUE(removedSeries(run, ScreeningStage::Path).isEmpty());
    EXPECT_TRUE(activeSeries(run, ScreeningStage::Path).isEmpty());
    EXPECT_TRUE(cpuSeries(run).isEmpty());
    EXPECT_FALSE(lastRate(run, ScreeningStage::Final).has_value());
}

TEST(PathSeries, LeavesOutValuesThatAreNoNumbers) {
    auto events = tinyEvents({.id = RunId{1}, .points = 3});
    for (RunEvent& event : events) {
        if (auto* point = std::get_if<PointFinished>(&event.body); point != nullptr && point->index == 1) {
            point->values[3] = std::nan("");
        }
    }
    EXPECT_EQ(columnSeries(recordsOf(events).front(), ColumnRole::Objective).size(), 2);
}

TEST(PathSeries, CommonAxisHoldsEachValueOnceInPathOrder) {
    const RunRecord longer = recordOf({.id = RunId{1}, .points = 4});
    auto events = tinyEvents({.id = RunId{2}, .points = 2});
    for (RunEvent& event : events) {
        if (auto* point = std::get_if<PointFinished>(&event.body)) {
            point->axisValue *= point->index == 0 ? 1 + 1e-13 : 1.5; // rounding, and a value of its own
        }
    }
    const RunRecord other = recordsOf(events).front();
    const std::vector<double> axis = commonAxis({&longer, &other});
    ASSERT_EQ(axis.size(), 5U);
    EXPECT_NEAR(axis[0], 8, 1e-9);
    EXPECT_EQ(axis[1], 6);
    EXPECT_EQ(axis[4], 1);
    EXPECT_TRUE(commonAxis({}).empty());
    EXPECT_EQ(pointAt(longer, 4), 1);
    EXPECT_EQ(pointAt(longer, 6), 0) << "the last point before it on the path";
    EXPECT_EQ(pointAt(longer, 0.1), 3);
    EXPECT_EQ(pointAt(longer, 100), -1);
}

} // namespace lambdascope
