// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/plot_canvas.h"
#include "ui/charts/plot_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

/// A shown view of a fixed size with three curves of 40 points.
class PlotViewTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(700, 450);
        view.setFigure(curveFigureForTests(3, 40));
        view.show();
        settleEvents();
    }

    PlotCanvas* canvas() { return view.findChild<PlotCanvas*>(); }
    QWidget* surface() { return canvas()->viewport(); }
    Curve grown(int curve, int count) {
        Curve next = curveFigureForTests(3, count).curves[curve];
        next.points << QPointF(0.001, 50);
        return next;
    }
    /// Pixels of the drawing close to a colour.
    int pixels(const QColor& colour) {
        const QImage image = view.drawnImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor here = image.pixelColor(x, y);
                count += std::abs(here.red() - colour.red()) + std::abs(here.green() - colour.green()) +
                                     std::abs(here.blue() - colour.blue()) <
                                 30
                             ? 1
                             : 0;
            }
        }
        return count;
    }

    PlotView view;
};

// On a log axis of Qt Charts one zero hides the whole series.
TEST_F(PlotViewTest, ZeroOnALogAxisKeepsTheSeriesVisibleAndIsMarked) {
    CurveFigure figure = curveFigureForTests(1, 40);
    figure.curves[0].points[20].setY(0);
    view.setFigure(figure);
    settleEvents();
    const int linear = pixels(view.theme().series[0]);
    ASSERT_GT(linear, 200);
    view.setLogY(true);
    EXPECT_EQ(view.clampedPoints("A"), 1);
    EXPECT_EQ(view.drawnPoints("A").size(), 40);
    EXPECT_GT(pixels(view.theme().series[0]), linear / 2);
    EXPECT_TRUE(view.note().contains("1")) << "the header says that a value is clamped";
    const QPointF floor = view.toPixel({figure.curves[0].points[20].x(), view.drawnPoints("A")[20].y()});
    EXPECT_TRUE(view.tooltipAt(floor).contains("Rate = 0"));
}

TEST_F(PlotViewTest, ZoomOfTheUserStaysWhenDataArrive) {
    view.zoomTo({10, 100}, {0.5, 1.5});
    view.updateCurves({grown(0, 60)});
    settleEvents();
    EXPECT_TRUE(view.isZoomed());
    EXPECT_NEAR(view.shownX().low, 10, 1e-9);
    EXPECT_NEAR(view.shownX().high, 100, 1e-9);
    EXPECT_NEAR(view.shownY().high, 1.5, 1e-9);
    CurveFigure next = curveFigureForTests(4, 80);
    view.setFigure(next);
    EXPECT_TRUE(view.isZoomed()) << "a new figure with the same axes keeps it too";
    view.resetZoom();
    EXPECT_FALSE(view.isZoomed());
    EXPECT_LT(view.shownX().low, 2);
}

TEST_F(PlotViewTest, FollowShowsAllDataAsTheyArrive) {
    view.setFollow(true);
    view.zoomTo({10, 100}, {0.5, 1.5});
    view.updateCurves({grown(0, 60)});
    settleEvents();
    EXPECT_FALSE(view.isZoomed());
    EXPECT_LE(view.shownX().low, 0.001);
    EXPECT_GE(view.shownY().high, 50);
    EXPECT_TRUE(view.action("follow")->isChecked());
}

TEST_F(PlotViewTest, WithoutZoomTheAxesGrowWithTheData) {
    view.updateCurves({grown(0, 60)});
    EXPECT_GE(view.shownY().high, 50);
}

TEST_F(PlotViewTest, ThinsLongCurvesKeepsExtremesAndSaysSo) {
    CurveFigure figure = curveFigureForTests(1, 20000);
    figure.x.scale = AxisScale::Linear;
    figure.curves[0].points[7777].setY(9);
    figure.curves[0].points[3333].setY(-9);
    view.setFigure(figure);
    view.setLogX(false);
    const auto drawn = view.drawnPoints("A");
    EXPECT_LE(drawn.size(), 2 * 700);
    EXPECT_TRUE(drawn.contains(figure.curves[0].points[7777]));
    EXPECT_TRUE(drawn.contains(figure.curves[0].points[3333]));
    EXPECT_TRUE(view.note().contains(QRegularExpression("1 in \\d+ shown"))) << view.note().toStdString();
    EXPECT_EQ(std::get<CurveFigure>(view.figure()).curves[0].points.size(), 20000) << "exports get all points";
    view.zoomTo({500, 510}, {-10, 10});
    EXPECT_TRUE(view.note().isEmpty()) << "close up every point is drawn";
}

TEST_F(PlotViewTest, EachCurveIsOneSeriesAndUpdatesAreBundled) {
    QList<QLineSeries*> series;
    for (QAbstractSeries* each : canvas()->chart()->series()) {
        series << qobject_cast<QLineSeries*>(each);
    }
    ASSERT_EQ(series.size(), 3);
    QSignalSpy replaced(series[0], &QXYSeries::pointsReplaced);
    QSignalSpy added(series[0], &QXYSeries::pointAdded);
    for (int update = 0; update < 50; ++update) {
        view.updateCurves({grown(0, 50 + update)});
    }
    settleEvents();
    EXPECT_EQ(replaced.count(), 1);
    EXPECT_EQ(added.count(), 0);
    EXPECT_EQ(canvas()->chart()->series().size(), 3);
}

TEST_F(PlotViewTest, TableTwinEqualsTheData) {
    view.setTableShown(true);
    EXPECT_TRUE(view.isTableShown());
    const CurveFigure figure = curveFigureForTests(3, 40);
    const QAbstractItemModel* table = view.tableModel();
    ASSERT_EQ(table->rowCount(), 40);
    ASSERT_EQ(table->columnCount(), 4);
    for (int row = 0; row < 40; ++row) {
        EXPECT_EQ(*parseNumber(table->index(row, 0).data().toString().toStdString()), figure.curves[0].points[row].x());
        for (int curve = 0; curve < 3; ++curve) {
            EXPECT_EQ(*parseNumber(table->index(row, 1 + curve).data().toString().toStdString()),
                      figure.curves[curve].points[row].y());
        }
    }
    view.updateCurves({grown(1, 40)});
    settleEvents();
    EXPECT_EQ(view.tableModel()->rowCount(), 41) << "the table follows the data";
    view.copyTable();
    EXPECT_EQ(QApplication::clipboard()->text(), view.tableText());
    EXPECT_EQ(view.tableText().count('\n'), 42);
}

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

// A curve that one figure hid stayed hidden in the next, as if the user had hidden it.
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

TEST_F(PlotViewTest, GapsAreNotBridged) {
    CurveFigure figure = curveFigureForTests(1, 40);
    figure.curves[0].points[20].setY(NAN);
    view.setFigure(figure);
    EXPECT_EQ(view.drawnPoints("A").size(), 39);
    EXPECT_EQ(canvas()->prepared()[0].pieces.size(), 2);
}

TEST_F(PlotViewTest, HasWordsForScreenReaders) {
    EXPECT_EQ(view.accessibleName(), "Rate along the path");
    EXPECT_TRUE(view.accessibleDescription().contains("A: 40 points"));
    for (const QAbstractButton* button : view.findChildren<QAbstractButton*>()) {
        const bool ours = !QString(button->metaObject()->className()).contains("TableCorner");
        EXPECT_TRUE(!ours || !button->accessibleName().isEmpty() || !button->text().isEmpty());
    }
    EXPECT_EQ(canvas()->accessibleName(), "Rate along the path");
}

TEST_F(PlotViewTest, ContextMenuOffersEverything) {
    const std::unique_ptr<QMenu> menu(view.createMenu(nullptr));
    QStringList names;
    for (const QAction* entry : menu->actions()) {
        if (!entry->isSeparator()) {
            names << entry->objectName();
        }
    }
    EXPECT_EQ(names,
              QStringList({"logX", "logY", "follow", "resetZoom", "showTable", "copyImage", "copyTable", "export"}));
}

TEST_F(PlotViewTest, ThemeFollowsThePaletteAtOnce) {
    QPalette dark = view.palette();
    dark.setColor(QPalette::Window, QColor(30, 30, 30));
    dark.setColor(QPalette::WindowText, Qt::white);
    dark.setColor(QPalette::Base, QColor(20, 22, 24));
    dark.setColor(QPalette::Text, Qt::white);
    view.setPalette(dark);
    settleEvents();
    EXPECT_TRUE(view.theme().dark);
    EXPECT_EQ(view.drawnImage().pixelColor(1, 1), QColor(20, 22, 24));
    EXPECT_GT(pixels(view.theme().series[0]), 100);
}

TEST_F(PlotViewTest, ALongLegendLeavesRoomForTheChart) {
    CurveFigure figure = view.curveFigure();
    figure.curves.clear();
    for (int curve = 0; curve < 11; ++curve) {
        Curve next = grown(0, 5);
        next.id = QString::number(curve);
        next.name = QStringLiteral("RRPB+PGB+CDGB (%1)").arg(curve);
        figure.curves.append(next);
    }
    view.resize(330, 200);
    view.setFigure(figure);
    settleEvents();
    const auto* legend = view.findChild<LegendBar*>();
    ASSERT_NE(legend, nullptr);
    EXPECT_EQ(legend->chips().size(), 11);
    EXPECT_LE(legend->height(), 2 * legend->chips().first()->height());
    EXPECT_GE(canvas()->height(), 120);
    EXPECT_TRUE(legend->rect().contains(legend->moreButton()->geometry())) << "the others are in its menu";
}

TEST_F(PlotViewTest, TheTagOfTheCursorStandsAboveThePlot) {
    view.setCursor(std::numeric_limits<double>::quiet_NaN());
    settleEvents();
    const double without = canvas()->frame().plot.top();
    view.setCursor(view.curveFigure().curves.first().points.last().x());
    settleEvents();
    EXPECT_GE(canvas()->frame().plot.top(), view.fontMetrics().height());
    EXPECT_GT(canvas()->frame().plot.top(), without);
}

TEST_F(PlotViewTest, EmptyChartSaysWhatToDo) {
    PlotView empty;
    empty.resize(500, 300);
    empty.show();
    settleEvents();
    EXPECT_EQ(empty.emptyText(), "Runs appear here. Press F5.");
    const QImage with = empty.drawnImage();
    empty.setEmptyText(QString());
    settleEvents();
    const QImage without = empty.drawnImage();
    EXPECT_NE(with, without) << "the text is really painted";
    int drawn = 0; // the frame of the focus lies at the edge
    for (int y = 2; y < without.height() - 2; ++y) {
        for (int x = 2; x < without.width() - 2; ++x) {
            drawn += without.pixelColor(x, y) != empty.theme().background ? 1 : 0;
        }
    }
    EXPECT_EQ(drawn, 0) << "no axes, grid or ticks of values that are not there";
}

TEST_F(PlotViewTest, HiddenChartCatchesUpWhenShown) {
    view.hide();
    view.updateCurves({grown(0, 90)});
    settleEvents();
    view.show();
    settleEvents();
    EXPECT_EQ(canvas()->prepared()[0].inView, 91);
}

} // namespace
} // namespace lambdascope
