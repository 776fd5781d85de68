// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/charts/recording_canvas.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/axis_painter.h"
#include "ui/charts/figure_writer.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/link_painter.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/point_cloud_view.h"

#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

/// A line at y = 1 over x in 0 … 10 with a band from 0.5 to 2.
CurveFigure bandFigure() {
    CurveFigure figure;
    figure.title = QStringLiteral("Errors");
    figure.x.title = QStringLiteral("epoch");
    figure.y.title = QStringLiteral("error");
    Curve curve;
    curve.id = curve.name = QStringLiteral("lane");
    curve.style.marker = MarkerShape::None;
    for (int x = 0; x <= 10; ++x) {
        curve.points << QPointF(x, 1);
        curve.band << BandPoint{double(x), 0.5, 2};
    }
    curve.bandName = QStringLiteral("quartile");
    figure.curves << curve;
    figure.recipe = QByteArrayLiteral("{}");
    return figure;
}

QByteArray written(const Figure& figure, const QString& ending) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.") + ending);
    EXPECT_TRUE(writeFigure(figure, path, FigureStyle::singleColumn()));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

class BandTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(600, 400);
        view.setFigure(bandFigure());
        view.show();
        settleEvents();
    }
    [[nodiscard]] QColor colourAt(double x, double y) {
        return view.drawnImage().pixelColor(view.toPixel({x, y}).toPoint());
    }
    PlotView view;
};

TEST_F(BandTest, IsFilledBetweenItsEdgesAndInTheAxis) {
    EXPECT_LE(view.shownY().low, 0.5);
    EXPECT_GE(view.shownY().high, 2);
    const QColor background = view.theme().background;
    EXPECT_NE(colourAt(4.53, 1.63), background);
    EXPECT_NE(colourAt(4.53, 0.67), background);
    EXPECT_EQ(colourAt(4.53, 2.02), background);
}

TEST_F(BandTest, GoesWithItsCurve) {
    QVector<Curve> curves = view.curveFigure().curves;
    Curve other = curves[0];
    other.id = other.name = QStringLiteral("other");
    other.points = {{0, 1.2}, {10, 1.2}};
    other.band.clear();
    CurveFigure two = bandFigure();
    two.curves << other;
    view.setFigure(two);
    const QColor filled = colourAt(4.53, 1.63);
    view.setEntryVisible(QStringLiteral("lane"), false);
    settleEvents();
    EXPECT_NE(colourAt(4.53, 1.22), filled);
    EXPECT_EQ(view.tableModel()->columnCount(), 2);
}

TEST_F(BandTest, StandsInTheTableAndInFiles) {
    ASSERT_EQ(view.tableModel()->columnCount(), 4);
    EXPECT_EQ(view.tableModel()->headerData(2, Qt::Horizontal).toString(), "lane, lower quartile");
    EXPECT_EQ(view.tableModel()->data(view.tableModel()->index(3, 2)).toString(), "0.5");
    EXPECT_EQ(view.tableModel()->data(view.tableModel()->index(3, 3)).toString(), "2");
    const QByteArray csv = written(bandFigure(), QStringLiteral("csv"));
    EXPECT_EQ(csv.count("lower quartile"), 11);
    EXPECT_EQ(csv.count("upper quartile"), 11);
    const QByteArray svg = written(bandFigure(), QStringLiteral("svg"));
    EXPECT_EQ(svg.count("fill-opacity"), 1) << "one area";
}

TEST_F(BandTest, WithGapsAndZerosOnALogAxisIsHarmless) {
    CurveFigure figure = bandFigure();
    figure.y.scale = AxisScale::Log;
    figure.curves[0].band[3].low = 0;
    figure.curves[0].band[6].high = std::numeric_limits<double>::infinity();
    figure.curves[0].band[7].low = std::numeric_limits<double>::quiet_NaN();
    view.setFigure(figure);
    settleEvents();
    EXPECT_FALSE(view.drawnImage().isNull());
    EXPECT_FALSE(written(figure, QStringLiteral("svg")).isEmpty());
}

/// Four points; an arc from the first to the second, a line from the third to the fourth, and shadows.
CloudFigure linkedFigure() {
    CloudFigure figure;
    figure.title = QStringLiteral("Map");
    figure.x.title = QStringLiteral("first");
    figure.y.title = QStringLiteral("second");
    figure.points = {{-2, 1}, {2, 1}, {-2, -1}, {2, -1}};
    figure.linkGroups = {{QStringLiteral("near"), QStringLiteral("near ones"), 0, DashStyle::Solid, true},
                         {QStringLiteral("far"), QStringLiteral("far ones"), 1, DashStyle::Solid, false}};
    figure.links = {{figure.points[0], figure.points[1], 0}, {figure.points[2], figure.points[3], 1}};
    figure.shadows = {{-2, 2}, {2, 6}, {-2, -2}, {2, -2}};
    figure.pointsName = QStringLiteral("learned");
    figure.shadowsName = QStringLiteral("known");
    return figure;
}

TEST(LinkLines, EndWhereTheyShouldAndArcsBendToTheLeft) {
    const QVector<QPointF> straight = linkLine({0, 0}, {10, 0}, false);
    EXPECT_EQ(straight, (QVector<QPointF>{{0, 0}, {10, 0}}));
    const QVector<QPointF> arc = linkLine({0, 0}, {10, 0}, true);
    EXPECT_EQ(arc.first(), QPointF(0, 0));
    EXPECT_EQ(arc.last(), QPointF(10, 0));
    EXPECT_NEAR(arc[arc.size() / 2].x(), 5, 1e-9);
    EXPECT_NEAR(arc[arc.size() / 2].y(), -1.6, 1e-9); // upwards on the screen
    const QVector<QPointF> back = linkLine({10, 0}, {0, 0}, true);
    EXPECT_NEAR(back[back.size() / 2].y(), 1.6, 1e-9); // so that there and back are two lines
}

class LinkTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(640, 480);
        view.setFigure(linkedFigure());
        view.show();
        settleEvents();
    }
    /// Whether anything but the background is painted within two pixels of a place (grids are pale, lines are not).
    [[nodiscard]] bool isPainted(double x, double y, const QColor& like) {
        const QImage image = view.drawnImage();
        const QPoint at = view.toPixel({x, y}).toPoint();
        for (int dx = -2; dx <= 2; ++dx) {
            for (int dy = -2; dy <= 2; ++dy) {
                const QColor shown = image.pixelColor(at + QPoint(dx, dy));
                const int away = std::abs(shown.red() - like.red()) + std::abs(shown.green() - like.green()) +
                                 std::abs(shown.blue() - like.blue());
                if (away < 230 && std::abs(shown.hsvHue() - like.hsvHue()) < 12) {
                    return true;
                }
            }
        }
        return false;
    }
    [[nodiscard]] LegendChip* chip(const QString& id) {
        for (LegendChip* chip : view.findChildren<LegendChip*>()) {
            if (chip->id() == id) {
                return chip;
            }
        }
        return nullptr;
    }
    PointCloudView view;
};

TEST_F(LinkTest, AreDrawnAndHaveTheirLegend) {
    const QColor far = linkStyle(linkedFigure().linkGroups[1], view.theme()).colour;
    EXPECT_TRUE(isPainted(0.33, -1, far));
    EXPECT_FALSE(isPainted(0.33, -0.4, far));
    for (const char* id : {"0", "shadows", "near", "far"}) {
        EXPECT_NE(chip(QString::fromLatin1(id)), nullptr) << id;
    }
    EXPECT_GE(view.toPixel({2, 6}).y(), 0); // shadows belong to what is seen
    EXPECT_TRUE(view.accessibleDescription().contains("near ones: 1 lines"));
    EXPECT_TRUE(view.accessibleDescription().contains("known"));
}

TEST_F(LinkTest, HiddenOnesStayHiddenInTheNextFigure) {
    const QColor far = linkStyle(linkedFigure().linkGroups[1], view.theme()).colour;
    QTest::mouseClick(chip("far"), Qt::LeftButton);
    EXPECT_FALSE(isPainted(0.33, -1, far));
    QTest::mouseClick(chip("shadows"), Qt::LeftButton);
    EXPECT_FALSE(view.cloudFigure().showsShadows);
    view.setFigure(linkedFigure());
    EXPECT_FALSE(view.cloudFigure().linkGroups[1].visible);
    EXPECT_TRUE(view.cloudFigure().linkGroups[0].visible);
    EXPECT_FALSE(view.cloudFigure().showsShadows);
    QTest::mouseClick(chip("far"), Qt::LeftButton);
    EXPECT_TRUE(isPainted(0.33, -1, far));
}

TEST_F(LinkTest, AClickBesidePointsIsTold) {
    QSignalSpy empty(&view, &PointCloudView::emptyPlaceClicked);
    QSignalSpy activated(&view, &FigureView::itemActivated);
    QTest::mouseClick(view.focusProxy(), Qt::LeftButton, Qt::NoModifier, view.toPixel({0, 0}).toPoint());
    EXPECT_EQ(empty.count(), 1);
    EXPECT_EQ(activated.count(), 0);
    QTest::mouseClick(view.focusProxy(), Qt::LeftButton, Qt::NoModifier, view.toPixel({2, 1}).toPoint());
    EXPECT_EQ(empty.count(), 1);
    EXPECT_EQ(activated.count(), 1);
}

TEST_F(LinkTest, StandInFiles) {
    const QByteArray svg = written(linkedFigure(), QStringLiteral("svg"));
    for (const char* text : {"near ones", "far ones", "learned", "known"}) {
        EXPECT_TRUE(svg.contains(text)) << text;
    }
    const QByteArray csv = written(linkedFigure(), QStringLiteral("csv"));
    EXPECT_TRUE(csv.startsWith("first,second,class,known x,known y")) << csv.toStdString();
    EXPECT_EQ(view.tableModel()->columnCount(), 6);
}

TEST(FigureHeaders, GiveTheTitleRoomBeforeTheButtons) {
    PlotView view;
    CurveFigure figure = curveFigureForTests(1, 10);
    figure.title = QStringLiteral("Screening rate on arrival");
    view.setFigure(figure);
    view.resize(900, 300);
    view.show();
    settleEvents();
    const auto shown = [&view] {
        QStringList names;
        for (const QToolButton* button : view.findChildren<QToolButton*>()) {
            if (button->isVisible()) {
                names << button->text();
            }
        }
        return names;
    };
    EXPECT_TRUE(shown().contains("Table"));
    EXPECT_TRUE(shown().contains("log y"));
    view.resize(320, 300);
    settleEvents();
    EXPECT_FALSE(shown().contains("Table"));
    EXPECT_TRUE(shown().contains(QStringLiteral("⋯"))); // the menu has them all
    EXPECT_NE(view.action("showTable"), nullptr);
    view.resize(900, 300);
    settleEvents();
    EXPECT_TRUE(shown().contains("Table"));
}

// "the ball alone: a", of a line in the middle of a narrow plot.
TEST(MarkLabels, AreNotCutOffWhereNoSideOfTheLineHasRoom) {
    const QString label = QStringLiteral("the ball alone: all between");
    const double wide = 0.5 * 0.9 * 12 * static_cast<double>(label.size());
    for (const double width : {1.1 * wide, 1.5 * wide, 3 * wide}) {
        for (const double at : {0.0, 0.3, 0.5, 0.7, 1.0}) {
            PlotFrame frame;
            frame.font = 12;
            frame.plot = QRectF(30, 10, width, 200);
            frame.x.mapping = AxisMapping({0, 1}, AxisScale::Linear, false);
            frame.y.mapping = frame.x.mapping;
            TextRecorder canvas;
            drawMarks(canvas, frame, {{Qt::Vertical, at, label}}, ChartTheme());
            ASSERT_EQ(canvas.texts.size(), 1);
            EXPECT_GE(canvas.texts[0].left(), frame.plot.left() - 1) << width << " " << at;
            EXPECT_LE(canvas.texts[0].right(), frame.plot.right() + 1) << width << " " << at;
        }
    }
}

} // namespace
} // namespace lambdascope
