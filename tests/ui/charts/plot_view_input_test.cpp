// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/ui/charts/plot_view_fixture.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/overlay_painter.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

namespace lambdascope {

TEST_F(PlotViewTest, ClickMovesTheCursorToTheNearestPointAndTellsTheItem) {
    QSignalSpy moved(&view, &FigureView::cursorMoved);
    QSignalSpy activated(&view, &FigureView::itemActivated);
    const QPointF point = curveFigureForTests(3, 40).curves[1].points[17];
    QTest::mouseClick(surface(), Qt::LeftButton, Qt::NoModifier, view.toPixel(point).toPoint());
    ASSERT_EQ(moved.count(), 1);
    EXPECT_DOUBLE_EQ(moved[0][0].toDouble(), point.x());
    EXPECT_DOUBLE_EQ(view.cursorX(), point.x());
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toString(), "B");
    EXPECT_EQ(activated[0][1].toInt(), 17);
}

TEST_F(PlotViewTest, AClickOnNothingIsToldToo) {
    QSignalSpy clicked(&view, &FigureView::placeClicked);
    QSignalSpy activated(&view, &FigureView::itemActivated);
    const QPointF top = view.toPixel(curveFigureForTests(3, 40).curves[1].points[17]);
    for (const double x : {top.x(), top.x() + 8}) {
        QTest::mouseClick(surface(), Qt::LeftButton, Qt::NoModifier, QPoint(static_cast<int>(x), 40));
    }
    EXPECT_EQ(clicked.count(), 2);
    EXPECT_EQ(activated.count(), 0);
}

TEST_F(PlotViewTest, CursorSetFromOutsideMovesSilentlyAndCanBeDragged) {
    QSignalSpy moved(&view, &FigureView::cursorMoved);
    const auto points = curveFigureForTests(3, 40).curves[0].points;
    view.setCursor(points[10].x());
    EXPECT_EQ(moved.count(), 0);
    const QPoint from = view.toPixel(points[10]).toPoint();
    const QPoint to = view.toPixel(points[30]).toPoint();
    QTest::mousePress(surface(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(surface(), (from + to) / 2);
    QTest::mouseMove(surface(), to);
    QTest::mouseRelease(surface(), Qt::LeftButton, Qt::NoModifier, to);
    EXPECT_DOUBLE_EQ(view.cursorX(), points[30].x());
    EXPECT_FALSE(view.isZoomed()) << "dragging the cursor is no rectangle";
    QTest::keyClick(canvas(), Qt::Key_Right);
    EXPECT_DOUBLE_EQ(view.cursorX(), points[31].x()) << "right means further along the falling axis";
    QTest::keyClick(canvas(), Qt::Key_Left);
    EXPECT_DOUBLE_EQ(view.cursorX(), points[30].x());
}

TEST_F(PlotViewTest, DragZoomsToTheRectangleAndDoubleClickResets) {
    const QPointF from = view.toPixel({300, 2});
    const QPointF to = view.toPixel({30, 1});
    QTest::mousePress(surface(), Qt::LeftButton, Qt::NoModifier, from.toPoint());
    QTest::mouseMove(surface(), ((from + to) / 2).toPoint());
    QTest::mouseMove(surface(), to.toPoint());
    QTest::mouseRelease(surface(), Qt::LeftButton, Qt::NoModifier, to.toPoint());
    ASSERT_TRUE(view.isZoomed());
    EXPECT_NEAR(view.shownX().low, 30, 1);
    EXPECT_NEAR(view.shownX().high, 300, 10);
    EXPECT_NEAR(view.shownY().low, 1, 0.05);
    EXPECT_NEAR(view.shownY().high, 2, 0.05);
    QTest::mouseDClick(surface(), Qt::LeftButton, Qt::NoModifier, to.toPoint());
    EXPECT_FALSE(view.isZoomed());
}

TEST_F(PlotViewTest, WheelZoomsAtThePointer) {
    const QPointF pixel = view.toPixel({100, 1});
    const ValueRange before = view.shownX();
    QWheelEvent wheel(pixel, surface()->mapToGlobal(pixel), QPoint(), QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(surface(), &wheel);
    EXPECT_LT(view.shownX().high / view.shownX().low, before.high / before.low);
    // Other labels may move the edges of the plot by a few pixels.
    EXPECT_NEAR(view.toPixel({100, 1}).x(), pixel.x(), 4) << "what is under the pointer stays there";
    EXPECT_NEAR(view.toPixel({100, 1}).y(), pixel.y(), 4);
}

TEST_F(PlotViewTest, MiddleButtonPans) {
    const QPointF start = view.toPixel({100, 1});
    QTest::mousePress(surface(), Qt::MiddleButton, Qt::NoModifier, start.toPoint());
    QTest::mouseMove(surface(), start.toPoint() + QPoint(40, -25));
    QTest::mouseRelease(surface(), Qt::MiddleButton, Qt::NoModifier, start.toPoint() + QPoint(40, -25));
    EXPECT_NEAR(view.toPixel({100, 1}).x(), start.x() + 40, 1.5);
    EXPECT_NEAR(view.toPixel({100, 1}).y(), start.y() - 25, 1.5);
}

TEST_F(PlotViewTest, KeysToggleLogAxesAndReset) {
    canvas()->setFocus();
    ASSERT_TRUE(view.isLogX());
    view.action("logX")->trigger();
    EXPECT_FALSE(view.isLogX());
    view.action("logY")->trigger();
    EXPECT_TRUE(view.isLogY());
    view.zoomTo({10, 100}, {0.5, 1.5});
    view.setLogX(true);
    EXPECT_NEAR(view.shownX().high, 100, 1e-6) << "the same values stay in view";
    view.action("resetZoom")->trigger();
    EXPECT_FALSE(view.isZoomed());
    EXPECT_EQ(view.action("logX")->shortcut(), QKeySequence(Qt::Key_X));
    EXPECT_EQ(view.action("logY")->shortcut(), QKeySequence(Qt::Key_Y));
    EXPECT_EQ(view.action("resetZoom")->shortcut(), QKeySequence(Qt::Key_Home));
}

TEST_F(PlotViewTest, LegendChipsHideAndSolo) {
    const auto chips = view.findChildren<LegendChip*>();
    ASSERT_EQ(chips.size(), 3);
    QTest::mouseClick(chips[1], Qt::LeftButton);
    EXPECT_FALSE(view.isEntryVisible("B"));
    settleEvents();
    EXPECT_TRUE(view.drawnPoints("B").isEmpty());
    view.updateCurves({grown(1, 50)});
    EXPECT_FALSE(view.isEntryVisible("B")) << "data do not bring it back";
    QTest::mouseDClick(chips[2], Qt::LeftButton);
    EXPECT_TRUE(view.isEntryVisible("C"));
    EXPECT_FALSE(view.isEntryVisible("A"));
    view.soloEntry("C");
    EXPECT_TRUE(view.isEntryVisible("A"));
    EXPECT_TRUE(view.isEntryVisible("B"));
}

TEST_F(PlotViewTest, OnlyTheUsersChoiceOfCurvesOutlivesAFigure) {
    CurveFigure figure = curveFigureForTests(3, 40);
    figure.curves[0].visible = false;
    view.setFigure(figure);
    EXPECT_FALSE(view.isEntryVisible("A"));
    view.setEntryVisible("B", false);
    figure.curves[0].visible = true;
    view.setFigure(figure);
    EXPECT_TRUE(view.isEntryVisible("A"));
    EXPECT_FALSE(view.isEntryVisible("B"));
}

TEST_F(PlotViewTest, TooltipNamesCurveAndValues) {
    const QPointF point = curveFigureForTests(3, 40).curves[2].points[5];
    const QString text = view.tooltipAt(view.toPixel(point));
    EXPECT_TRUE(text.startsWith("C\n")) << text.toStdString();
    EXPECT_TRUE(text.contains(QString::fromStdString(shortText(point.x(), 5))));
    EXPECT_TRUE(text.contains("Rate = ")) << text.toStdString();
    EXPECT_TRUE(view.tooltipAt(QPointF(-500, -500)).isEmpty());
}

// Hovering told of one curve, in a box over a third of the plot.
TEST_F(PlotViewTest, ALineTellsWhatAllCurvesHaveAtTheCursor) {
    const CurveFigure figure = curveFigureForTests(3, 40);
    EXPECT_TRUE(view.readout().isEmpty()) << "no cursor yet";
    view.setCursor(figure.curves[0].points[5].x());
    for (const Curve& curve : figure.curves) {
        const QString value = curve.name + QChar(QChar::Nbsp) + shownNumber(curve.points[5].y());
        EXPECT_TRUE(view.readout().replace(' ', QChar::Nbsp).contains(value)) << view.readout().toStdString();
    }
    view.setEntryVisible("B", false);
    view.setCursor(figure.curves[0].points[6].x());
    EXPECT_FALSE(view.readout().contains("B")) << "hidden";
    view.setFigure(curveFigureForTests(1, 40));
    view.setCursor(figure.curves[0].points[7].x());
    EXPECT_TRUE(view.readout().isEmpty()) << "one curve says it itself";
}

TEST_F(PlotViewTest, ContextMenuOffersEverything) {
    const std::unique_ptr<QMenu> menu(view.createMenu(nullptr));
    QStringList names;
    for (const QAction* entry : menu->actions()) {
        if (!entry->isSeparator()) {
            names << entry->objectName();
        }
    }
    EXPECT_EQ(names, QStringList({"logX", "logY", "follow", "resetZoom", "showTable", "copyImage", "copyTable",
                                  "copyAs", "saveTable", "export"}));
}

} // namespace lambdascope
