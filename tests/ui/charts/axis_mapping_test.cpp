// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_mapping.h"
#include "ui/charts/axis_painter.h"
#include "ui/charts/painter_canvas.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {
namespace {

TEST(AxisMapping, FractionAndValueAreInverse) {
    for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log}) {
        for (const bool reversed : {false, true}) {
            const AxisMapping mapping({-1, 3}, scale, reversed);
            for (const double fraction : {0.0, 0.2, 0.5, 1.0}) {
                EXPECT_NEAR(mapping.fraction(mapping.valueAt(fraction)), fraction, 1e-12);
            }
        }
    }
}

TEST(AxisMapping, ReversedAxisPutsTheLargestValueFirst) {
    const AxisMapping falling({0, 2}, AxisScale::Log, true);
    EXPECT_DOUBLE_EQ(falling.valueAt(0), 100);
    EXPECT_DOUBLE_EQ(falling.valueAt(1), 1);
}

TEST(AxisMapping, ValueWithoutLogarithmHasNoPlace) {
    EXPECT_TRUE(std::isnan(AxisMapping::toAxis(0, AxisScale::Log)));
    EXPECT_TRUE(std::isnan(AxisMapping::toAxis(-1, AxisScale::Log)));
    EXPECT_TRUE(std::isnan(AxisMapping::toAxis(INFINITY, AxisScale::Linear)));
    EXPECT_DOUBLE_EQ(AxisMapping::toAxis(1000, AxisScale::Log), 3);
}

TEST(AxisMapping, EmptyRangeIsWidenedRoundTheValue) {
    const AxisMapping mapping({5, 5}, AxisScale::Linear, false);
    EXPECT_LT(mapping.range().low, 5);
    EXPECT_GT(mapping.range().high, 5);
}

TEST(AxisTicks, OfCountsAreWholeNumbers) {
    for (const double length : {0.8, 1.0, 3.0, 17.0, 400.0}) {
        for (const AxisTick& tick : axisTicks({0, length}, AxisScale::Linear, 8, true)) {
            EXPECT_EQ(tick.coordinate, std::round(tick.coordinate)) << length;
        }
    }
}

TEST(AxisTicks, ALogAxisHasTwoLabelsAtLeast) {
    for (const double length : {0.7, 1.2, 1.9, 2.0, 2.3, 3.5, 9.0}) {
        for (const double low : {-2.9, -2.4, 0.1, 1.77}) {
            const auto ticks = axisTicks({low, low + length}, AxisScale::Log, 2);
            const auto labels = std::count_if(ticks.begin(), ticks.end(), [](const auto& t) { return t.isMajor(); });
            EXPECT_GE(labels, 2) << low << " + " << length;
        }
    }
}

/// Labelled ticks lie inside, ascend, and are neither missing nor crowded, whatever the range.
TEST(AxisTicks, AreFewRoundAndInside) {
    for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log}) {
        for (const double length : {1e-3, 0.05, 0.3, 0.9, 1.7, 2.5, 7.0, 40.0}) {
            for (const double low : {-3.3, 0.0, 0.77, 2.1}) {
                const ValueRange range{low, low + length};
                const auto ticks = axisTicks(range, scale, 6);
                int major = 0;
                double previous = -1e9;
                for (const AxisTick& tick : ticks) {
                    EXPECT_GE(tick.coordinate, range.low - 1e-6 * length);
                    EXPECT_LE(tick.coordinate, range.high + 1e-6 * length);
                    EXPECT_GT(tick.coordinate, previous);
                    previous = tick.coordinate;
                    major += tick.isMajor() ? 1 : 0;
                }
                EXPECT_GE(major, 1) << low << " + " << length << (scale == AxisScale::Log ? " log" : " linear");
                EXPECT_LE(major, 14) << low << " + " << length;
            }
        }
    }
}

TEST(AxisTicks, LinearLabelsShowTheStep) {
    const auto ticks = axisTicks({0, 1}, AxisScale::Linear, 5);
    QStringList labels;
    for (const AxisTick& tick : ticks) {
        if (tick.isMajor()) {
            labels << tick.label;
        }
    }
    EXPECT_EQ(labels, QStringList({"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
}

TEST(AxisTicks, LogLabelsFarFromOneArePowersOfTen) {
    const auto ticks = axisTicks({-8, -2}, AxisScale::Log, 8);
    QStringList labels;
    for (const AxisTick& tick : ticks) {
        if (tick.isMajor()) {
            labels << tick.label;
        }
    }
    EXPECT_EQ(labels.first(), QString::fromUtf8("10⁻⁸"));
    EXPECT_EQ(labels.last(), QString::fromUtf8("10⁻²"));
    EXPECT_EQ(labels.size(), 7);
}

TEST(AxisTicks, NegativeNumbersHaveARealMinusSign) {
    EXPECT_EQ(tickLabel(-0.5, 0.5), QString::fromUtf8("−0.5"));
    EXPECT_EQ(tickLabel(2e7, 1e7), QString::fromUtf8("2·10⁷"));
}

TEST(CellAxis, HasItsPowersOfTenInTheMiddleOfTheCellsThatAreThem) {
    QImage image(400, 100, QImage::Format_RGB32);
    QPainter painter(&image);
    const PainterCanvas canvas(painter, QFont(), PainterCanvas::Fonts::Hinted);
    QVector<double> values{1000, 300, 100, 30, 10, 3, 1};
    for (const bool rises : {false, true}) {
        if (rises) {
            std::reverse(values.begin(), values.end());
        }
        const DrawnAxis axis =
            cellAxis(canvas, {}, values, {}, AxisMapping({0, 7}, AxisScale::Linear, false), 400, 10, Qt::Horizontal);
        QVector<double> places;
        for (const AxisTick& tick : axis.ticks) {
            if (tick.isMajor()) {
                places.append(tick.coordinate);
            }
        }
        std::sort(places.begin(), places.end());
        ASSERT_EQ(places.size(), 4);
        for (int power = 0; power < 4; ++power) {
            EXPECT_NEAR(places[power], 0.5 + 2 * power, 1e-9);
        }
    }
}

// Of seven bars only each second one had its name.
TEST(AxisNames, WideOnesTakeTurnsInTwoRowsAndUseTheRoomThereIs) {
    const AxisMapping mapping({0, 7}, AxisScale::Linear, false);
    AxisSpec spec;
    spec.names = QStringList{"Full", "Shrink", "BT1", "Shrink+BT1", "IT", "Shrink+IT", "LIBLINEAR"};
    const auto labels = [&](const DrawnAxis& axis) {
        QStringList all;
        for (const AxisTick& tick : axis.ticks) {
            all << tick.label;
        }
        return all;
    };
    const DrawnAxis narrow = drawnAxis(spec, mapping, 500, 12, Qt::Horizontal);
    EXPECT_EQ(narrow.labelRows, 2);
    EXPECT_EQ(labels(narrow), spec.names);
    const DrawnAxis wide = drawnAxis(spec, mapping, 1500, 12, Qt::Horizontal);
    EXPECT_EQ(wide.labelRows, 1);
    EXPECT_EQ(labels(wide), spec.names);
    spec.names[3] = QStringLiteral("pairs, RRPB+PGB");
    EXPECT_EQ(labels(drawnAxis(spec, mapping, 1500, 12, Qt::Horizontal)), spec.names) << "longer than ten letters";
    EXPECT_EQ(drawnAxis(spec, mapping, 500, 12, Qt::Vertical).labelRows, 1);
    spec.names[3] = QStringLiteral("Shrink+IT+GAP"); // "Shrink+IT+G…" beside bars without any name
    const DrawnAxis narrower = drawnAxis(spec, mapping, 380, 12, Qt::Horizontal);
    EXPECT_EQ(labels(narrower), spec.names);
    EXPECT_EQ(narrower.labelRows, 3);
    for (double length = 320; length < 900; length += 10) {
        EXPECT_EQ(labels(drawnAxis(spec, mapping, length, 12, Qt::Horizontal)), spec.names) << length;
    }
    for (double length = 120; length < 320; length += 10) { // a column of a paper, where every other bar was nameless
        const DrawnAxis axis = drawnAxis(spec, mapping, length, 12, Qt::Horizontal);
        EXPECT_EQ(labels(axis), spec.names) << length;
        EXPECT_TRUE(axis.areLabelsTurned || axis.labelRows > 2) << length;
    }
    EXPECT_LT(labels(drawnAxis(spec, mapping, 60, 12, Qt::Horizontal)).size(), 7) << "no room at all";
    QImage image(8, 8, QImage::Format_RGB32);
    QPainter painter(&image);
    const PainterCanvas canvas(painter, QFont(), PainterCanvas::Fonts::Hinted);
    EXPECT_GT(axisMargins(canvas, narrow, wide, 12).bottom(), axisMargins(canvas, wide, wide, 12).bottom() + 12);
    const DrawnAxis turned = drawnAxis(spec, mapping, 200, 12, Qt::Horizontal);
    ASSERT_TRUE(turned.areLabelsTurned);
    TextStyle style;
    style.size = 12;
    EXPECT_GT(axisMargins(canvas, turned, wide, 12).bottom(), canvas.textWidth(QStringLiteral("Shrink+IT+GAP"), style));
}

} // namespace
} // namespace lambdascope
