// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/shape_painter.h"
#include "ui/charts/shape_view.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace lambdascope {
namespace {

class ShapeViewTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(700, 450);
        view.setFigure(shapeFigureForTests(6));
        view.show();
        settleEvents();
    }

    QWidget* canvas() { return view.focusProxy(); }
    QColor colourAt(const QPointF& pixel) { return view.drawnImage().pixelColor(pixel.toPoint()); }

    ShapeView view;
};

TEST_F(ShapeViewTest, EveryShapeIsFoundWhereItIsDrawn) {
    for (int shape = 0; shape < view.shapeFigure().shapes.size(); ++shape) {
        EXPECT_EQ(view.shapeAt(view.shapeRect(shape).center()), shape);
    }
    EXPECT_EQ(view.shapeAt({-5, -5}), -1);
}

TEST_F(ShapeViewTest, BarsHaveTheColourOfTheirGroupAndStandOnEachOther) {
    const QRectF rule = view.shapeRect(4);
    const QRectF rest = view.shapeRect(5);
    EXPECT_NEAR(rule.top(), rest.bottom(), 1e-6);
    EXPECT_NEAR(rest.height(), 2 * rule.height(), 1e-6);
    // The plain group; the other one is hatched.
    const QColor expected = groupStyle(view.shapeFigure().groups[1], view.theme()).colour;
    const QColor shown = colourAt(rest.center() + QPointF(0, rest.height() / 4));
    EXPECT_NEAR(shown.red(), expected.red(), 3);
    EXPECT_NEAR(shown.blue(), expected.blue(), 3);
    EXPECT_GT(view.shapeRect(2).left(), view.shapeRect(0).left()); // the axis falls
}

TEST_F(ShapeViewTest, HatchedGroupsDifferInMoreThanColour) {
    const QImage image = view.drawnImage();
    const QRect rule = view.shapeRect(0).toAlignedRect().adjusted(2, 2, -2, -2);
    const QRect rest = view.shapeRect(1).toAlignedRect().adjusted(2, 2, -2, -2);
    const auto colours = [&image](const QRect& part) {
        QSet<QRgb> found;
        for (int y = part.top(); y <= part.bottom(); ++y) {
            found.insert(image.pixel(part.left() + 1, y));
        }
        return found.size();
    };
    EXPECT_GT(colours(rule), colours(rest));
    EXPECT_EQ(colours(rest.adjusted(0, 0, 0, -rest.height() * 3 / 4)), 1); // above the line on top
}

TEST_F(ShapeViewTest, HiddenGroupsAreGoneAndStayHidden) {
    const QPointF place = view.shapeRect(1).center();
    view.setEntryVisible("rest", false);
    EXPECT_EQ(view.shapeAt(place), -1);
    EXPECT_FALSE(view.legendEntries()[1].visible);
    view.setFigure(shapeFigureForTests(7));
    EXPECT_FALSE(view.isEntryVisible("rest"));
    view.soloEntry("rule");
    EXPECT_FALSE(view.shapeFigure().curves[0].visible);
    view.soloEntry("rule");
    EXPECT_TRUE(view.isEntryVisible("rest"));
    EXPECT_TRUE(view.shapeFigure().curves[0].visible);
}

TEST_F(ShapeViewTest, KeysStepFromShapeToShape) {
    QSignalSpy probes(&view, &ShapeView::probeChanged);
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_Right);
    const int first = view.probe();
    ASSERT_GE(first, 0);
    QTest::keyClick(canvas(), Qt::Key_Right);
    EXPECT_EQ(view.probe(), first + 2); // the same part of the next bar
    QTest::keyClick(canvas(), Qt::Key_Up);
    EXPECT_EQ(view.shapeFigure().shapes[view.probe()].x, view.shapeFigure().shapes[first + 2].x);
    QTest::keyClick(canvas(), Qt::Key_Left);
    EXPECT_EQ(view.shapeFigure().shapes[view.probe()].x, view.shapeFigure().shapes[first].x);
    EXPECT_EQ(probes.size(), view.probe() == first ? 3 : 4); // none where there is nothing further
    const int last = view.probe();
    QTest::keyClick(canvas(), Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(view.probe(), last) << "with Ctrl they are left to who shows the view";
}

TEST_F(ShapeViewTest, AClickTellsPlaceAndShape) {
    QSignalSpy places(&view, &FigureView::cursorMoved);
    QSignalSpy shapes(&view, &FigureView::itemActivated);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, view.shapeRect(6).center().toPoint());
    ASSERT_EQ(places.size(), 1);
    EXPECT_NEAR(places[0][0].toDouble(), 12.5, 0.5);
    ASSERT_EQ(shapes.size(), 1);
    EXPECT_EQ(shapes[0][0].toString(), "rule");
    EXPECT_EQ(shapes[0][1].toInt(), 6);
}

TEST_F(ShapeViewTest, ZoomStaysWhenDataComeAndHomeTakesItBack) {
    const QRectF before = view.shapeRect(0);
    QTest::keyClick(canvas(), Qt::Key_Plus);
    ASSERT_TRUE(view.isZoomed());
    const QRectF zoomed = view.shapeRect(0);
    EXPECT_NE(zoomed, before);
    view.setFigure(shapeFigureForTests(12));
    EXPECT_TRUE(view.isZoomed());
    EXPECT_EQ(view.shapeRect(0), zoomed);
    QTest::keyClick(canvas(), Qt::Key_Home);
    EXPECT_FALSE(view.isZoomed());
}

TEST_F(ShapeViewTest, TheCursorMovesWithoutPaintingTheShapesAgain) {
    view.setCursor(1); // the first one makes room for its tag
    (void)view.drawnImage();
    const int paints = view.layerPaints();
    view.setCursor(25);
    (void)view.drawnImage();
    view.setProbe(3);
    (void)view.drawnImage();
    EXPECT_EQ(view.layerPaints(), paints);
    view.setFigure(shapeFigureForTests(5));
    (void)view.drawnImage();
    EXPECT_EQ(view.layerPaints(), paints + 1);
}

TEST_F(ShapeViewTest, BallsAreRoundAndMetAtTheirOutline) {
    view.setFigure(ballFigureForTests());
    for (int shape = 0; shape < 2; ++shape) {
        const QRectF place = view.shapeRect(shape);
        EXPECT_NEAR(place.width(), place.height(), 1); // the plot ends at whole pixels
        EXPECT_EQ(view.shapeAt({place.center().x(), place.top()}), shape);
    }
    EXPECT_EQ(view.shapeAt(view.shapeRect(1).center()), -1);
}

TEST_F(ShapeViewTest, ADragBeginsWhereItMayAndElsewhereARectangle) {
    const QRectF rule = view.shapeRect(4);
    view.setDrag([rule](const QPointF& pixel) { return rule.contains(pixel); }, Qt::PointingHandCursor);
    QSignalSpy began(&view, &ShapeView::dragBegan);
    QSignalSpy moved(&view, &ShapeView::dragMoved);
    QSignalSpy ended(&view, &ShapeView::dragEnded);
    const QPoint from = rule.center().toPoint();
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas(), from + QPoint(40, -30));
    QTest::mouseMove(canvas(), from + QPoint(50, -35));
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, from + QPoint(50, -35));
    ASSERT_EQ(began.size(), 1);
    EXPECT_EQ(began[0][0].toPointF(), QPointF(from));
    ASSERT_EQ(moved.size(), 2);
    EXPECT_EQ(moved[1][0].toPointF(), QPointF(from + QPoint(50, -35)));
    EXPECT_EQ(ended.size(), 1);
    EXPECT_FALSE(view.isZoomed());
    QTest::mouseDClick(canvas(), Qt::LeftButton, {}, from);
    EXPECT_EQ(began.size(), 2) << "two quick presses are two drags";
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, from);
    const QPoint beside = rule.bottomRight().toPoint() + QPoint(8, 0);
    QTest::mousePress(canvas(), Qt::LeftButton, {}, beside);
    QTest::mouseMove(canvas(), beside + QPoint(60, -60));
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, beside + QPoint(60, -60));
    EXPECT_EQ(began.size(), 2);
    EXPECT_TRUE(view.isZoomed());
}

TEST_F(ShapeViewTest, NoWordsCoverThePlaceOfADrag) {
    const QPoint from = view.shapeRect(4).center().toPoint();
    const QPoint to = view.shapeRect(1).center().toPoint();
    const auto picture = [&] { return canvas()->grab().toImage(); };
    const auto differing = [](const QImage& one, const QImage& other) {
        int count = 0;
        for (int y = 0; y < one.height(); ++y) {
            for (int x = 0; x < one.width(); ++x) {
                count += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
            }
        }
        return count;
    };
    const QImage plain = picture();
    QTest::mouseMove(canvas(), to);
    const int withWords = differing(picture(), plain);
    view.setDrag([](const QPointF&) { return true; });
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas(), to);
    EXPECT_LT(differing(picture(), plain), withWords - 500) << "but for the outline of what is under the pointer";
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to);
    EXPECT_EQ(differing(picture(), plain), withWords);
}

TEST_F(ShapeViewTest, PlacesGoToPixelsAndBack) {
    const QPointF value(12.5, 0.4);
    const QPointF again = view.toValue(view.toPixel(value));
    EXPECT_NEAR(again.x(), value.x(), 1e-9);
    EXPECT_NEAR(again.y(), value.y(), 1e-9);
}

TEST_F(ShapeViewTest, SaysWhatItShowsAndWhatToDoWhenEmpty) {
    EXPECT_TRUE(view.accessibleDescription().contains("Rule: 6"));
    EXPECT_FALSE(canvas()->accessibleName().isEmpty());
    const QImage full = view.drawnImage();
    view.setEmptyText("Press F5 to see bars.");
    view.setFigure({});
    EXPECT_NE(view.drawnImage(), full);
    view.setTableShown(true);
    EXPECT_TRUE(view.tableText().trimmed().isEmpty());
}

TEST_F(ShapeViewTest, AShapeWithoutPlaceOnALogAxisIsLeftOut) {
    ShapeFigure figure = shapeFigureForTests(3);
    figure.shapes[0].x.low = 0;
    view.setFigure(figure);
    EXPECT_TRUE(view.shapeRect(0).isNull());
    EXPECT_EQ(view.shapeAt(view.shapeRect(2).center()), 2);
}

} // namespace
} // namespace lambdascope
