// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "ui/charts/curve_geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QVector<QPointF> noise(int count) {
    RandomStream random(7);
    QVector<QPointF> points;
    for (int index = 0; index < count; ++index) {
        points << QPointF(index, random.normal());
    }
    return points;
}

PreparedCurve prepared(const QVector<QPointF>& points, const ValueRange& shown, int columns,
                       AxisScale y = AxisScale::Linear) {
    return prepareCurve(points, AxisScale::Linear, y, curveFloors({Curve{"a", "a", points, {}, true}}), shown, columns);
}

TEST(CurveGeometry, ThinningKeepsTheExtremesOfEachColumn) {
    const auto points = noise(20000);
    const int columns = 100;
    const PreparedCurve curve = prepared(points, {0, 20000}, columns);
    ASSERT_TRUE(curve.thinned);
    EXPECT_LE(curve.drawn, 2 * columns);
    EXPECT_EQ(curve.inView, 20000);
    for (int column = 0; column < columns; ++column) {
        double low = 1e9;
        double high = -1e9;
        double keptLow = 1e9;
        double keptHigh = -1e9;
        for (int index = column * 200; index < (column + 1) * 200; ++index) {
            low = std::min(low, points[index].y());
            high = std::max(high, points[index].y());
        }
        for (const auto& vertex : curve.pieces.first()) {
            if (vertex.source / 200 == column) {
                keptLow = std::min(keptLow, vertex.at.y());
                keptHigh = std::max(keptHigh, vertex.at.y());
            }
        }
        EXPECT_EQ(low, keptLow);
        EXPECT_EQ(high, keptHigh);
    }
}

TEST(CurveGeometry, RoundingNoiseIsNotMagnified) {
    Curve curve;
    curve.points = {{1, 498.928688559045}, {2, 498.928688559046}};
    for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log}) {
        const ValueRange range = dataRangeY({curve}, scale, curveFloors({curve}));
        EXPECT_GT(range.high - range.low, 1e-6);
    }
    curve.points = {{1, 3}, {2, 7}};
    EXPECT_EQ(dataRangeY({curve}, AxisScale::Linear, curveFloors({curve})), (ValueRange{3, 7}));
}

TEST(CurveGeometry, FewPointsAreLeftAlone) {
    const PreparedCurve curve = prepared(noise(150), {0, 150}, 100);
    EXPECT_FALSE(curve.thinned);
    EXPECT_EQ(curve.drawn, 150);
}

TEST(CurveGeometry, CurveThatGoesToAndFroStaysWithinTheLimit) {
    RandomStream random(3);
    QVector<QPointF> points;
    for (int index = 0; index < 10000; ++index) {
        points << QPointF(random.uniform(), random.uniform());
    }
    const PreparedCurve curve = prepared(points, {0, 1}, 100);
    EXPECT_LE(curve.drawn, 2 * 100 + 4);
}

TEST(CurveGeometry, NanIsAGap) {
    const PreparedCurve curve = prepared({{0, 1}, {1, 2}, {2, kNan}, {3, 1}, {4, INFINITY}, {5, 1}}, {0, 5}, 100);
    ASSERT_EQ(curve.pieces.size(), 3);
    EXPECT_EQ(curve.pieces[0].size(), 2);
    EXPECT_EQ(curve.pieces[1].first().source, 3);
}

TEST(CurveGeometry, CurveFullOfHolesDoesNotBecomeThousandsOfLines) {
    auto points = noise(20000);
    for (int index = 1; index < points.size(); index += 2) {
        points[index].setY(kNan);
    }
    EXPECT_LE(prepared(points, {0, 20000}, 400).pieces.size(), 61);
}

TEST(CurveGeometry, OnlyNeighboursOfTheShownRangeRemain) {
    const PreparedCurve curve = prepared(noise(1000), {100.5, 110.5}, 500);
    ASSERT_EQ(curve.pieces.size(), 1);
    EXPECT_EQ(curve.pieces.first().first().source, 100);
    EXPECT_EQ(curve.pieces.first().last().source, 111);
    EXPECT_EQ(curve.inView, 10);
}

TEST(CurveGeometry, ZeroOnALogAxisStandsBelowAllPositiveValues) {
    const PreparedCurve curve = prepared({{0, 1}, {1, 0}, {2, 1e-3}, {3, -5}}, {0, 3}, 100, AxisScale::Log);
    EXPECT_EQ(curve.clamped, 2);
    ASSERT_EQ(curve.pieces.size(), 1);
    EXPECT_TRUE(curve.pieces.first()[1].clamped);
    EXPECT_LT(curve.pieces.first()[1].at.y(), -3);
    EXPECT_GT(curve.pieces.first()[1].at.y(), -4);
}

TEST(CurveGeometry, FloorStandsStillWhileValuesOfTheSameSizeArrive) {
    const auto floor = [](double smallest) { return curveFloors({Curve{"a", "a", {{1, smallest}}, {}, true}}).y; };
    EXPECT_EQ(floor(0.0102), floor(0.0110));
    EXPECT_LT(floor(1e-9), floor(1e-8));
}

} // namespace
} // namespace lambdascope
