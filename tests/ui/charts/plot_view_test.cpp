// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/ui/charts/plot_view_fixture.h"
#include "ui/charts/elided_label.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/readout_label.h"

#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>

#include <cmath>
#include <limits>

namespace lambdascope {

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

// A curve that one figure hid stayed hidden in the next, as if the user had hidden it.
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

// The values of the last lanes were cut off at the edge of the chart.
TEST_F(PlotViewTest, AReadoutOfManyLanesTakesASecondLine) {
    const auto readout = [&] {
        for (QLabel* label : view.findChildren<QLabel*>()) {
            if (auto* found = dynamic_cast<ReadoutLabel*>(label)) {
                return found;
            }
        }
        return static_cast<ReadoutLabel*>(nullptr);
    }();
    ASSERT_NE(readout, nullptr);
    const double x = curveFigureForTests(3, 40).curves[0].points[7].x();
    view.setCursor(x);
    settleEvents();
    EXPECT_EQ(readout->lines(), 1);
    CurveFigure many = curveFigureForTests(8, 40);
    for (Curve& curve : many.curves) {
        curve.name = QStringLiteral("a longer name of lane ") + curve.name;
    }
    view.setFigure(many);
    view.setCursor(x);
    settleEvents();
    EXPECT_GE(readout->lines(), 2);
    EXPECT_GE(readout->height(), readout->heightForWidth(readout->width())) << "no line is cut";
    EXPECT_FALSE(readout->text().contains("longer name")) << "no line ends within a name";
    view.resize(300, 450); // beside another chart and a table
    settleEvents();
    EXPECT_GE(readout->height(), readout->heightForWidth(readout->width())) << "the third line was cut in half";
    EXPECT_TRUE(readout->text().contains("more")) << "what there is no room for is counted";
    EXPECT_LE(readout->lines(), 3);
    EXPECT_TRUE(view.readout().contains(many.curves.back().name.back())) << "the reader hears all";
    view.resize(4000, 450);
    settleEvents();
    EXPECT_EQ(readout->lines(), 1) << "there is room for it";
}

// Beside a table, a remark left a chart three letters of its title.
TEST_F(PlotViewTest, ATitleComesBeforeARemark) {
    CurveFigure figure = curveFigureForTests(3, 40);
    figure.title = QStringLiteral("Error on held-out comparisons");
    view.setFigure(figure);
    view.setRemark(QStringLiteral("SBB-1, SBB-10, SBB-100 lie on each other"));
    HintLabel* note = nullptr;
    for (QLabel* label : view.findChildren<QLabel*>()) {
        auto* found = dynamic_cast<HintLabel*>(label);
        note = found != nullptr ? found : note;
    }
    ASSERT_NE(note, nullptr);
    view.resize(900, 450);
    settleEvents();
    EXPECT_TRUE(note->isVisible());
    view.resize(250, 450);
    settleEvents();
    EXPECT_FALSE(note->isVisible());
    EXPECT_TRUE(view.note().contains("SBB-10")) << "whoever asks is told";
    view.resize(900, 450);
    settleEvents();
    EXPECT_TRUE(note->isVisible());
}

// Titles of long words took three lines where two had room, and lost the tops of the first.
TEST(ElidedLabelTest, ShowsNoMoreThanItsLinesHaveRoomFor) {
    ElidedLabel title(nullptr);
    title.setText(QStringLiteral("CPU time of Shrink+IT+GAP: too short to tell"));
    for (int width = 60; width < 400; width += 10) {
        title.resize(width, title.heightForWidth(width));
        const QString shown = title.shownText();
        EXPECT_LE(title.fontMetrics().boundingRect(title.rect(), Qt::TextWordWrap, shown).height(), title.height())
            << width << " " << shown.toStdString();
        EXPECT_TRUE(shown.endsWith(QStringLiteral("tell")) || shown.endsWith(QStringLiteral("…")));
    }
    EXPECT_TRUE(title.shownText().endsWith(QStringLiteral("tell")));
}

// Hints ended in the middle of a letter.
TEST(HintLabelTest, EndsInDotsWhereItsRoomEnds) {
    HintLabel hint(QStringLiteral("Certain: 95 % of places, 80 % of samples"), nullptr);
    hint.resize(hint.sizeHint());
    EXPECT_EQ(hint.shownText(), hint.text());
    hint.resize(hint.width() / 2, hint.height());
    EXPECT_TRUE(hint.shownText().endsWith(QStringLiteral("…"))) << hint.shownText().toStdString();
    EXPECT_LE(hint.fontMetrics().horizontalAdvance(hint.shownText()), hint.width());
    EXPECT_EQ(hint.minimumWidth(), 1) << "and widens nothing";
}

} // namespace lambdascope
