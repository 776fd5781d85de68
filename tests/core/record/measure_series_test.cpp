// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/measure_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

RunRecord recordOf(std::vector<ColumnDescription> columns, const std::vector<std::vector<double>>& rows) {
    RunRecord record(RunId{1});
    RunStarted start;
    start.axisKey = "n";
    start.columns = std::move(columns);
    std::int64_t sequence = 0;
    record.apply({RunId{1}, sequence++, start});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto index = static_cast<std::int32_t>(k);
        record.apply({RunId{1}, sequence++, PointStarted{index, rows[k][0], 0}});
        PointFinished point;
        point.index = index;
        point.axisValue = rows[k][0];
        point.values = rows[k];
        record.apply({RunId{1}, sequence++, point});
    }
    return record;
}

TEST(MeasureSeries, AreColumnsThatSayHowGoodASolutionIsAndChange) {
    const RunRecord record = recordOf({{"n", "n", "", ColumnRole::Other, true},
                                       {"objective", "Objective", "", ColumnRole::Objective, false},
                                       {"error", "Error", "", ColumnRole::HeldOutError, false},
                                       {"constant", "Constant", "", ColumnRole::Other, false},
                                       {"nothing", "Nothing", "", ColumnRole::HeldOutMeasure, false},
                                       {"step", "Step", "", ColumnRole::Other, false},
                                       {"rate", "Rate", "", ColumnRole::PathRate, false},
                                       {"time", "Time", "s", ColumnRole::Other, false},
                                       {"error_q1", "Lower", "", ColumnRole::Other, false}},
                                      {{1, 5, 0.5, 2, kNone, 1, 0, 1, 0}, {2, 4, 0.4, 2, kNone, 2, 1, 2, 1}});
    EXPECT_EQ(measureColumns(record), (std::vector<std::size_t>{1, 2, 5}));
}

TEST(MeasureSeries, SecondsAreSummedUnlessTheRunCountsThem) {
    const std::vector<ColumnDescription> columns = {{"n", "n", "", ColumnRole::Axis, true},
                                                    {"solve", "Solving", "s", ColumnRole::CpuSolve, false},
                                                    {"screen", "Screening", "s", ColumnRole::CpuScreen, false}};
    EXPECT_EQ(elapsedSeconds(recordOf(columns, {{1, 1, 0.5}, {2, 2, 0.25}, {3, 4, 0}})),
              (std::vector<double>{1.5, 3.75, 7.75}));
    std::vector<ColumnDescription> counted = columns;
    counted.push_back({"seconds", "So far", "s", ColumnRole::Other, false});
    EXPECT_EQ(elapsedSeconds(recordOf(counted, {{1, 1, 0.5, 9}, {2, 2, 0.25, 10}})), (std::vector<double>{9, 10}));
}

TEST(MeasureSeries, QuartilesAreFoundByTheirColumn) {
    const RunRecord record = recordOf({{"error_q1", "", "", ColumnRole::Other, false},
                                       {"error", "", "", ColumnRole::HeldOutError, false},
                                       {"error_q3", "", "", ColumnRole::Other, false},
                                       {"other", "", "", ColumnRole::Other, false},
                                       {"other_q1", "", "", ColumnRole::Other, false}},
                                      {{1, 2, 3, 4, 5}});
    const auto quartiles = quartilesOf(record, 1);
    ASSERT_TRUE(quartiles);
    EXPECT_EQ(quartiles->lower, 0u);
    EXPECT_EQ(quartiles->upper, 2u);
    EXPECT_FALSE(quartilesOf(record, 3)); // one alone is no band
    EXPECT_FALSE(quartilesOf(record, 0));
}

TEST(MeasureSeries, TheGoalOfAMeasureIsFoundByItsColumnAndIsNoMeasure) {
    const RunRecord record = recordOf({{"n", "n", "", ColumnRole::Other, true},
                                       {"share", "Share", "", ColumnRole::OtherMeasure, false},
                                       {"share_goal", "Wanted", "", ColumnRole::Other, false},
                                       {"step", "Step", "", ColumnRole::Other, false}},
                                      {{1, 0.9, 1, 1}, {2, 0.4, 0.5, 2}});
    EXPECT_EQ(measureColumns(record), (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(goalOf(record, 1), 2U);
    EXPECT_FALSE(goalOf(record, 3));
}

TEST(MeasureSeries, PathsOverSizesGoOverTheNumberOfItems) {
    const std::vector<ColumnDescription> columns = {{"n", "n", "", ColumnRole::Axis, true},
                                                    {"n_items", "Items", "", ColumnRole::ItemsTotal, true}};
    EXPECT_TRUE(isOverSizes(recordOf(columns, {{100, 100}, {200, 200}})));
    EXPECT_FALSE(isOverSizes(recordOf(columns, {{100, 100}, {200, 100}})));
    EXPECT_FALSE(isOverSizes(recordOf(columns, {{100, 100}}))); // one point shows no growth
    EXPECT_FALSE(isOverSizes(recordOf({{"n", "n", "", ColumnRole::Axis, true}}, {{100}, {200}})));
}

TEST(MeasureSeries, PowerLawsAreFoundWithTheirExponent) {
    for (const double exponent : {-1.5, 0.0, 1.0, 2.0}) {
        std::vector<double> x;
        std::vector<double> y;
        for (int k = 1; k <= 8; ++k) {
            x.push_back(100.0 * k);
            y.push_back(3e-5 * std::pow(x.back(), exponent));
        }
        x.push_back(1000); // no logarithm: left out
        y.push_back(0);
        const auto law = fitPowerLaw(x, y);
        ASSERT_TRUE(law);
        EXPECT_NEAR(law->exponent, exponent, 1e-12);
        EXPECT_NEAR(law->logFactor, std::log(3e-5), 1e-10);
        EXPECT_EQ(law->points, 8u);
    }
    EXPECT_FALSE(fitPowerLaw({}, {}));
    EXPECT_FALSE(fitPowerLaw({5}, {1}));
    EXPECT_FALSE(fitPowerLaw({5, 5}, {1, 2}));
    EXPECT_FALSE(fitPowerLaw({5, 6}, {0, kNone}));
}

} // namespace
} // namespace lambdascope
