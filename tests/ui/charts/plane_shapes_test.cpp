// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_test_main.h"
#include "ui/charts/figure_table_model.h"
#include "ui/charts/figure_writer.h"
#include "ui/charts/shape_painter.h"
#include "ui/charts/shape_view.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSet>
#include <QTemporaryDir>

namespace lambdascope {
namespace {

constexpr int kHatched = 0;
constexpr int kPlain = 1;
constexpr int kFull = 2;
constexpr int kHollow = 3;
constexpr int kLine = 4;

/// Four by two cells: the left half hatched, the upper right quarter plain, nothing below it. Two points and a line.
ShapeFigure planeForTests() {
    ShapeFigure figure;
    figure.title = QStringLiteral("Plane");
    figure.x.title = QStringLiteral("first");
    figure.y.title = QStringLiteral("second");
    figure.xRange = ValueRange{0, 4};
    figure.yRange = ValueRange{0, 2};
    figure.groups = {
        {QStringLiteral("hatched"), QStringLiteral("hatched"), 0, Hatch::Rising, true, true},
        {QStringLiteral("plain"), QStringLiteral("plain"), 1, Hatch::None, true, true},
        {QStringLiteral("full"), QStringLiteral("full"), 0, Hatch::None, true, false, MarkerShape::Square},
        {QStringLiteral("hollow"), QStringLiteral("hollow"), 0, Hatch::None, true, false, MarkerShape::Square, true},
        {QStringLiteral("line"), QStringLiteral("line"), 7, Hatch::None, true, false, MarkerShape::None, false,
         DashStyle::Dash}};
    figure.cells = {{0, 4}, {0, 2}, 4, 2, {0, 0, -1, -1, 0, 0, 1, 1}};
    Shape line{Shape::Kind::Outline, kLine, {1, 3}, {0.5, 1.5}, QStringLiteral("line")};
    line.outline = {{1, 0.5}, {2, 0.5}, {3, 1.5}};
    Shape full{Shape::Kind::Point, kFull, {2.5, 2.5}, {0.3, 0.3}, QStringLiteral("full one")};
    full.item = 17;
    const Shape hollow{Shape::Kind::Point, kHollow, {3.5, 3.5}, {0.3, 0.3}, QStringLiteral("hollow one")};
    figure.shapes << line << full << hollow;
    figure.table.numberColumns = {QStringLiteral("first"), QStringLiteral("second")};
    figure.table.numbers = {2.5, 0.3, 3.5, 0.3};
    figure.recipe = QByteArrayLiteral("{}");
    return figure;
}

class PlaneShapes : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(700, 420);
        view.setFigure(planeForTests());
        view.show();
        settleEvents();
    }
    /// Canvas place of a value, from two points whose places are known.
    QPointF placeOf(double x, double y) {
        const QPointF a = view.shapeRect(1).center(); // (2.5, 0.3)
        const QRectF line = view.shapeRect(0);        // from (1, 0.5) to (3, 1.5)
        const double perX = line.width() / 2;
        return {a.x() + (x - 2.5) * perX, a.y() - (y - 0.3) * line.height()};
    }
    QSet<QRgb> coloursRound(double x, double y) {
        const QImage image = view.drawnImage();
        const QPoint middle = placeOf(x, y).toPoint();
        QSet<QRgb> found;
        for (int dx = -12; dx <= 12; ++dx) {
            for (int dy = -12; dy <= 12; ++dy) {
                found.insert(image.pixel(middle + QPoint(dx, dy)));
            }
        }
        return found;
    }

    ShapeView view;
};

TEST_F(PlaneShapes, CellsAreColouredAndHatchedWhereTheirGroupIs) {
    EXPECT_GT(coloursRound(0.9, 1.3).size(), 8); // lines of the hatch, smoothed
    EXPECT_LE(coloursRound(3.4, 1.7).size(), 4); // plain but for the grid
    const QColor plain = view.drawnImage().pixelColor(placeOf(3.4, 1.7).toPoint());
    const QColor nothing = view.drawnImage().pixelColor(placeOf(3.2, 0.7).toPoint());
    EXPECT_EQ(nothing, view.theme().plotArea);
    EXPECT_NE(plain, nothing);
}

TEST_F(PlaneShapes, AHiddenGroupTakesItsCellsAndPointsAway) {
    view.setEntryVisible("hatched", false);
    view.setEntryVisible("full", false);
    EXPECT_LE(coloursRound(0.5, 1.3).size(), 3);
    EXPECT_EQ(view.shapeAt(placeOf(2.5, 0.3)), -1);
    view.setEntryVisible("hatched", true);
    EXPECT_GT(coloursRound(0.5, 1.3).size(), 8);
}

TEST_F(PlaneShapes, TheGroundSaysWhatItIs) {
    EXPECT_TRUE(view.groundText(placeOf(0.9, 1.3)).startsWith("hatched\nfirst = 0.9"))
        << view.groundText(placeOf(0.9, 1.3)).toStdString();
    EXPECT_TRUE(view.groundText(placeOf(3.4, 1.7)).startsWith("plain\n"));
    EXPECT_TRUE(view.groundText(placeOf(3.2, 0.7)).isEmpty()); // no group there
    EXPECT_TRUE(view.groundText({-5, -5}).isEmpty());
    view.setEntryVisible("hatched", false);
    EXPECT_TRUE(view.groundText(placeOf(0.9, 1.3)).isEmpty());
}

TEST_F(PlaneShapes, PointsAndLinesAreMetWhereTheyAre) {
    EXPECT_EQ(view.shapeAt(placeOf(2.5, 0.3)), 1);
    EXPECT_EQ(view.shapeAt(placeOf(3.5, 0.3) + QPointF(3, 2)), 2);
    EXPECT_EQ(view.shapeAt(placeOf(1.5, 0.5)), 0);
    EXPECT_EQ(view.shapeAt(placeOf(2.5, 1.0)), 0);  // on the slope
    EXPECT_EQ(view.shapeAt(placeOf(2.2, 1.2)), -1); // within the line's extent but beside it
    ShapeFigure figure = planeForTests();
    figure.shapes[1].x = {1.5, 1.5};
    figure.shapes[1].y = {0.5, 0.5};
    view.setFigure(figure);
    EXPECT_EQ(view.shapeAt(view.shapeRect(1).center()), 1); // the point rather than the line under it
}

TEST_F(PlaneShapes, HollowPointsDifferFromFullOnes) {
    const QImage image = view.drawnImage();
    const QColor full = image.pixelColor(placeOf(2.5, 0.3).toPoint());
    const QColor hollow = image.pixelColor(placeOf(3.5, 0.3).toPoint());
    EXPECT_NEAR(full.blue(), groupStyle(view.shapeFigure().groups[kFull], view.theme()).colour.blue(), 6);
    EXPECT_EQ(hollow, view.theme().background);
}

TEST_F(PlaneShapes, TheLegendTellsAreasPointsAndLinesApart) {
    const auto entries = view.legendEntries();
    ASSERT_EQ(entries.size(), 5);
    ASSERT_TRUE(entries[kHatched].patch.has_value());
    EXPECT_EQ(entries[kHatched].patch->hatch, Hatch::Rising);
    EXPECT_TRUE(entries[kPlain].patch->isPale);
    EXPECT_FALSE(entries[kFull].patch.has_value());
    EXPECT_EQ(entries[kFull].style.marker, MarkerShape::Square);
    EXPECT_FALSE(entries[kFull].line);
    EXPECT_TRUE(entries[kHollow].style.isHollow);
    EXPECT_TRUE(entries[kLine].line);
    EXPECT_EQ(entries[kLine].style.dash, DashStyle::Dash);
}

TEST_F(PlaneShapes, SayInWordsHowMuchOfTheGroundIsKnown) {
    EXPECT_TRUE(view.accessibleDescription().contains("hatched: 50 % of the ground"))
        << view.accessibleDescription().toStdString();
    EXPECT_EQ(view.tableModel()->rowCount(), 2);
    ShapeFigure groundOnly = planeForTests();
    groundOnly.shapes.clear();
    EXPECT_FALSE(isEmpty(Figure(groundOnly)));
    groundOnly.cells = {};
    EXPECT_TRUE(isEmpty(Figure(groundOnly)));
}

TEST_F(PlaneShapes, AreWrittenToFilesWithGroundHatchAndMarkers) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("plane.svg");
    ASSERT_TRUE(writeFigure(Figure(planeForTests()), path, FigureStyle::singleColumn()));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    EXPECT_EQ(svg.count("<image"), 1);
    EXPECT_GE(svg.count("<use"), 4); // two points, and their entries in the legend
    ShapeFigure bare = planeForTests();
    bare.groups[kHatched].hatch = Hatch::None;
    ASSERT_TRUE(writeFigure(Figure(bare), path, FigureStyle::singleColumn()));
    QFile second(path);
    ASSERT_TRUE(second.open(QIODevice::ReadOnly));
    EXPECT_LT(second.readAll().size(), svg.size() - 200); // the lines of the hatch
    for (const char* ending : {"pdf", "png", "csv"}) {
        EXPECT_TRUE(writeFigure(Figure(planeForTests()), folder.filePath(QStringLiteral("p.") + ending),
                                FigureStyle::doubleColumn()))
            << ending;
    }
}

TEST_F(PlaneShapes, EveryHatchHasLinesOfItsOwnDirections) {
    for (const Hatch hatch : {Hatch::Rising, Hatch::Falling, Hatch::Crossed, Hatch::Level, Hatch::Upright}) {
        ShapeFigure figure = planeForTests();
        figure.groups[kHatched].hatch = hatch;
        view.setFigure(figure);
        EXPECT_GT(coloursRound(0.5, 1.3).size(), 1) << int(hatch);
    }
}

} // namespace
} // namespace lambdascope
