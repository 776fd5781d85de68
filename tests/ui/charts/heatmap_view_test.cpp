// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/heatmap_view.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace lambdascope {
namespace {

class HeatmapViewTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(600, 400);
        view.setFigure(heatmapFigureForTests(12, 5));
        view.show();
        settleEvents();
    }

    QWidget* canvas() { return view.focusProxy(); }

    HeatmapView view;
};

TEST_F(HeatmapViewTest, CellsAndPixelsMapToEachOther) {
    for (const bool reversed : {false, true}) {
        HeatmapFigure figure = heatmapFigureForTests(12, 5);
        figure.x.reversed = reversed;
        figure.y.reversed = reversed;
        view.setFigure(figure);
        for (int row = 0; row < 5; ++row) {
            for (int column = 0; column < 12; ++column) {
                const HeatmapView::Cell cell{row, column};
                ASSERT_EQ(view.cellAt(view.cellRect(cell).center()), cell);
            }
        }
        const bool left = view.cellRect({0, 0}).left() < view.cellRect({0, 1}).left();
        const bool below = view.cellRect({0, 0}).top() > view.cellRect({1, 0}).top();
        EXPECT_EQ(left, !reversed);
        EXPECT_EQ(below, !reversed);
    }
    EXPECT_EQ(view.cellAt({-5, -5}), std::nullopt);
}

TEST_F(HeatmapViewTest, PixelsHaveTheColourOfTheirCell) {
    const QImage image = view.drawnImage();
    const HeatmapFigure figure = heatmapFigureForTests(12, 5);
    for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 12; ++column) {
            const double value = figure.value(row, column);
            const QColor expected = std::isnan(value) ? view.theme().absent : mapColour(value);
            const QColor shown = image.pixelColor(view.cellRect({row, column}).center().toPoint());
            EXPECT_NEAR(shown.red(), expected.red(), 3) << row << ' ' << column;
            EXPECT_NEAR(shown.green(), expected.green(), 3);
            EXPECT_NEAR(shown.blue(), expected.blue(), 3);
        }
    }
}

// Of ten columns that fall on one pixel nine were not drawn.
TEST_F(HeatmapViewTest, WhatStandsOutIsSeenWhereColumnsAreNarrowerThanPixels) {
    for (const bool reversed : {false, true}) {
        for (const int odd : {0, 1, 2503, 4999}) {
            HeatmapFigure figure = heatmapFigureForTests(5000, 3);
            figure.x.reversed = reversed;
            figure.range = ValueRange{0, 1};
            figure.values.fill(0.9);
            figure.values[5000 + odd] = 0.1;
            view.setFigure(figure);
            const QImage image = view.drawnImage();
            const QPoint place = view.cellRect({1, odd}).center().toPoint();
            const auto isOdd = [&](int x) {
                const QColor shown = image.pixelColor(std::clamp(x, 0, image.width() - 1), place.y());
                return shown.red() < 100 && shown.blue() < 170; // also below the frame of the focus
            };
            EXPECT_TRUE(isOdd(place.x() - 1) || isOdd(place.x()) || isOdd(place.x() + 1)) << odd << ' ' << reversed;
        }
    }
    const HeatmapFigure few = condensed(heatmapFigureForTests(12, 5), {100, 100});
    EXPECT_EQ(few, heatmapFigureForTests(12, 5)) << "nothing falls together";
}

TEST_F(HeatmapViewTest, ClickMovesTheCursorToTheColumn) {
    QSignalSpy moved(&view, &FigureView::cursorMoved);
    QSignalSpy activated(&view, &FigureView::itemActivated);
    QTest::mouseClick(canvas(), Qt::LeftButton, Qt::NoModifier, view.cellRect({2, 7}).center().toPoint());
    ASSERT_EQ(moved.count(), 1);
    EXPECT_DOUBLE_EQ(moved[0][0].toDouble(), view.heatmapFigure().xValues[7]);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][1].toInt(), 2 * 12 + 7);
    view.setCursor(view.heatmapFigure().xValues[3]);
    EXPECT_EQ(moved.count(), 1) << "setting it from outside is silent";
}

TEST_F(HeatmapViewTest, CursorColumnIsHighlighted) {
    const QImage before = view.drawnImage();
    view.setCursor(view.heatmapFigure().xValues[3]);
    const QImage after = view.drawnImage();
    const QPoint edge = view.cellRect({2, 3}).center().toPoint() - QPoint(int(view.cellRect({2, 3}).width() / 2), 0);
    EXPECT_NE(before.pixel(edge), after.pixel(edge));
    const QPoint elsewhere = view.cellRect({2, 9}).center().toPoint();
    EXPECT_EQ(before.pixel(elsewhere), after.pixel(elsewhere));
}

TEST_F(HeatmapViewTest, ProbeSpeaksAndIsReachableByKeys) {
    EXPECT_EQ(view.cellText({1, 0}), QString::fromUtf8("λ = 100, check = 2: rate 0.2"));
    EXPECT_EQ(view.cellText({4, 0}), QString::fromUtf8("λ = 100, check = 5: no value"));
    QSignalSpy probed(&view, &HeatmapView::probeChanged);
    QTest::keyClick(canvas(), Qt::Key_Right);
    ASSERT_TRUE(view.probe().has_value());
    const HeatmapView::Cell first = *view.probe();
    QTest::keyClick(canvas(), Qt::Key_Right);
    EXPECT_EQ(view.probe()->column, first.column + 1);
    QTest::keyClick(canvas(), Qt::Key_Up);
    EXPECT_EQ(view.probe()->row, first.row + 1);
    EXPECT_EQ(probed.count(), 3);
}

TEST_F(HeatmapViewTest, ZoomStaysWhenTheMapGrowsAndResets) {
    QTest::keyClick(canvas(), Qt::Key_Plus);
    ASSERT_TRUE(view.isZoomed());
    const QRectF before = view.cellRect({2, 5});
    view.setFigure(heatmapFigureForTests(20, 5));
    EXPECT_TRUE(view.isZoomed());
    EXPECT_NEAR(view.cellRect({2, 5}).width(), before.width(), 3);
    view.resetZoom();
    EXPECT_FALSE(view.isZoomed());
    EXPECT_LT(view.cellRect({2, 5}).width(), before.width());
}

TEST_F(HeatmapViewTest, ImageHasOnePixelPerCell) {
    const QImage image = heatmapImage(heatmapFigureForTests(100, 30), view.theme());
    EXPECT_EQ(image.size(), QSize(100, 30));
}

TEST_F(HeatmapViewTest, HasWordsAndATable) {
    EXPECT_EQ(view.accessibleName(), "Heat");
    EXPECT_TRUE(view.accessibleDescription().contains("12 columns, 5 rows"));
    EXPECT_EQ(view.tableModel()->rowCount(), 5);
    EXPECT_EQ(view.tableModel()->columnCount(), 13);
    view.setFigure(heatmapFigureForTests(14, 6));
    EXPECT_EQ(view.tableModel()->rowCount(), 6);
}

TEST_F(HeatmapViewTest, EmptyMapIsHarmless) {
    view.setFigure({});
    EXPECT_EQ(view.cellAt({300, 200}), std::nullopt);
    QTest::keyClick(canvas(), Qt::Key_Right);
    EXPECT_FALSE(view.probe().has_value());
    view.setCursor(5);
    EXPECT_FALSE(view.drawnImage().isNull());
}

// Most of a map was grey: most points are solved after few checks.
TEST_F(HeatmapViewTest, AboveTheLastValueOfAColumnItStaysPaler) {
    HeatmapFigure figure;
    const double none = std::nan("");
    figure.xValues = {1, 2};
    figure.yValues = {0, 1, 2};
    figure.values = {0, none, 1, none, none, none};
    figure.range = ValueRange{0, 1};
    const ChartTheme& theme = view.theme();
    EXPECT_EQ(heatmapImage(figure, theme).pixel(0, 0), theme.absent.rgb()) << "unless it is asked for";
    figure.staysAbove = true;
    const QImage image = heatmapImage(figure, theme); // the first row lies at the bottom
    EXPECT_EQ(image.pixel(0, 1), colourTable(figure.colours)[255]) << "values are as they were";
    EXPECT_EQ(image.pixel(0, 2), colourTable(figure.colours)[0]);
    EXPECT_EQ(image.pixel(1, 0), theme.absent.rgb()) << "a column without a value";
    const auto distance = [](QRgb a, QRgb b) {
        return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
    };
    const QRgb above = image.pixel(0, 0);
    EXPECT_NE(above, theme.absent.rgb());
    EXPECT_GT(distance(above, image.pixel(0, 1)), 60) << "not to be taken for a check";
    EXPECT_LT(distance(above, image.pixel(0, 1)), distance(above, image.pixel(0, 2))) << "of the last value";
}

} // namespace
} // namespace lambdascope
