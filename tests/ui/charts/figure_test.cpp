// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "ui/charts/figure.h"
#include "ui/charts/figure_table_model.h"
#include "ui/charts/table_actions.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace lambdascope {
namespace {

TEST(Figure, DescriptionNamesTitleAxesAndCurves) {
    const QString text = describeFigure(curveFigureForTests(2, 10));
    for (const char* part : {"Rate along the path", "Rate (%)", "λ", "A: 10 points", "B: 10 points"}) {
        EXPECT_TRUE(text.contains(QString::fromUtf8(part))) << part << " in " << text.toStdString();
    }
    EXPECT_TRUE(describeFigure(heatmapFigureForTests(4, 3)).contains("4 columns, 3 rows"));
    EXPECT_TRUE(describeFigure(cloudFigureForTests(7)).contains("7 points"));
    const QString shapes = describeFigure(shapeFigureForTests(4));
    for (const char* part : {"Cost", "Rule: 4", "break-even at 50"}) {
        EXPECT_TRUE(shapes.contains(part)) << shapes.toStdString();
    }
}

TEST(Figure, KnowsWhenThereIsNothingToDraw) {
    EXPECT_TRUE(isEmpty(CurveFigure()));
    EXPECT_TRUE(isEmpty(HeatmapFigure()));
    EXPECT_TRUE(isEmpty(CloudFigure()));
    EXPECT_TRUE(isEmpty(ShapeFigure()));
    EXPECT_FALSE(isEmpty(shapeFigureForTests(1)));
    EXPECT_FALSE(isEmpty(curveFigureForTests(1, 1)));
    EXPECT_FALSE(isEmpty(heatmapFigureForTests(1, 1)));
}

TEST(Figure, HeatmapRangeComesFromTheDataWhenNotGiven) {
    HeatmapFigure figure = heatmapFigureForTests(4, 3);
    figure.range.reset();
    EXPECT_EQ(figure.shownRange(), (ValueRange{0, 11.0 / 12}));
    EXPECT_TRUE(std::isnan(figure.value(3, 0)));
    EXPECT_DOUBLE_EQ(figure.value(1, 2), 6.0 / 12);
}

TEST(FigureTableModel, JoinsCurvesByX) {
    CurveFigure figure;
    figure.x.title = "x";
    figure.curves = {Curve{"a", "a", {{1, 10}, {2, 20}, {2, 21}}, {}, true},
                     Curve{"b", "b", {{2, 5}, {3, 6}}, {}, true}, Curve{"c", "c", {{9, 9}}, {}, false}};
    FigureTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFigure(figure);
    EXPECT_EQ(typedTable(model, {}).text(TableFormat::Csv), "x,a,b\n1,10,\n2,20,5\n2,21,\n3,,6\n");
    figure.x.reversed = true;
    model.setFigure(figure);
    EXPECT_TRUE(typedTable(model, {}).text(TableFormat::Csv).starts_with("x,a,b\n3,,6\n"));
}

TEST(FigureTableModel, HeatmapHasOneRowPerCellRow) {
    FigureTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFigure(heatmapFigureForTests(4, 3));
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.columnCount(), 5);
    EXPECT_FALSE(model.index(0, 1).data().isValid()) << "an absent cell stays empty";
    EXPECT_EQ(model.index(2, 1).data(Qt::EditRole).toDouble(), 0);
    EXPECT_EQ(model.index(0, 4).data(Qt::EditRole).toDouble(), 11.0 / 12);
}

TEST(FigureTableModel, CloudHasOneRowPerPoint) {
    FigureTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFigure(cloudFigureForTests(5));
    EXPECT_EQ(model.rowCount(), 5);
    EXPECT_EQ(model.index(4, 2).data().toString(), "two");
    EXPECT_EQ(float(model.index(4, 0).data(Qt::EditRole).toDouble()), cloudFigureForTests(5).points[4].x);
}

TEST(FigureTableModel, NamedHeatmapShowsTheNamesAndAllValues) {
    HeatmapFigure figure = heatmapFigureForTests(2, 3);
    figure.xNames = {"left", "right"};
    figure.yNames = {"low", "middle", "high"};
    FigureTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFigure(figure);
    ASSERT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "left");
    EXPECT_EQ(model.index(2, 2).data().toString(), "low"); // top row first
    EXPECT_EQ(model.index(2, 1).data(Qt::EditRole).toDouble(), figure.value(0, 1));
    EXPECT_EQ(figure.xText(1), "right");
}

TEST(FigureTableModel, ShapesShowTheirTable) {
    FigureTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFigure(shapeFigureForTests(3));
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.index(1, 0).data(Qt::EditRole).toDouble(), 50);
    EXPECT_EQ(model.index(1, 2).data().toString(), "a, \"b\"");
}

} // namespace
} // namespace lambdascope
