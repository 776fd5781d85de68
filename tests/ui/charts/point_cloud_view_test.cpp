// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/point_cloud_canvas.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/charts/point_grid.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QGraphicsItem>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

class PointCloudViewTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(640, 480);
        view.setFigure(cloudFigureForTests(200));
        view.show();
        settleEvents();
    }

    PointCloudCanvas* canvas() { return view.findChild<PointCloudCanvas*>(); }
    QPointF value(int point) const {
        const CloudPoint& at = view.cloudFigure().points[point];
        return {double(at.x), double(at.y)};
    }

    PointCloudView view;
};

TEST_F(PointCloudViewTest, EachPointIsFoundWhereItIsDrawn) {
    for (int point = 0; point < 200; ++point) {
        EXPECT_EQ(view.pointAt(view.toPixel(value(point))), point);
    }
    EXPECT_EQ(view.pointAt({2, 2}), -1);
    EXPECT_EQ(view.pointAt(view.toPixel(value(7)) + QPointF(3, 0), 1), -1) << "out of reach";
}

// The words about one of some marked points lay over the others.
TEST_F(PointCloudViewTest, WordsAboutAPointKeepClearOfMarkedOnes) {
    CloudFigure figure;
    figure.classNames = QStringList{"a"};
    for (const QPointF& at : {QPointF(0, 0), {10, 10}, {-10, -10}, {1, 0.6}, {1.4, 0.9}, {1.8, 1.1}, {1.2, 0.5}}) {
        figure.points.append({float(at.x()), float(at.y())});
        figure.classes.append(0);
        figure.pointLabels.append(QStringLiteral("a point of some name"));
    }
    view.setFigure(figure);
    const auto coveredOf = [&](const std::function<bool(qint64)>& marks) {
        view.setMarks(marks);
        QTest::mouseMove(canvas(), QPoint(3, 3));
        settleEvents();
        const QImage before = canvas()->grab().toImage();
        QTest::mouseMove(canvas(), view.toPixel({0, 0}).toPoint());
        settleEvents();
        const QImage after = canvas()->grab().toImage();
        EXPECT_NE(before, after) << "it says nothing";
        int covered = 0;
        for (int point = 3; point < figure.points.size(); ++point) {
            const QPoint at = (view.toPixel(value(point)) * before.devicePixelRatio()).toPoint();
            covered += before.pixelColor(at) != after.pixelColor(at) ? 1 : 0;
        }
        return covered;
    };
    EXPECT_GT(coveredOf({}), 0) << "where nothing is marked it stands as always";
    EXPECT_EQ(coveredOf([](qint64 point) { return point >= 3; }), 0);
}

TEST_F(PointCloudViewTest, PointsAreReallyPaintedInTheColourOfTheirClass) {
    const QImage image = view.drawnImage();
    for (int point = 0; point < 200; point += 11) {
        const QColor shown = image.pixelColor(view.toPixel(value(point)).toPoint());
        const QColor full = classColour(point % 3, view.theme());
        // Points are a little transparent.
        EXPECT_LT(std::abs(shown.red() - full.red()) + std::abs(shown.green() - full.green()) +
                      std::abs(shown.blue() - full.blue()),
                  150)
            << point;
        EXPECT_NE(shown, view.theme().background);
    }
}

TEST_F(PointCloudViewTest, TwentyThousandPointsAreOneItemPaintedOnce) {
    view.setFigure(cloudFigureForTests(20000));
    settleEvents();
    EXPECT_TRUE(canvas()->findChildren<QObject*>(QString(), Qt::FindDirectChildrenOnly).size() <= 1)
        << "the navigator only: no widget or item per point";
    static_cast<void>(view.drawnImage());
    const int paints = canvas()->layerPaints();
    for (int step = 0; step < 10; ++step) {
        QTest::mouseMove(canvas(), QPoint(100 + 20 * step, 150));
        static_cast<void>(view.drawnImage());
    }
    view.setHighlighted({1, 2, 3});
    static_cast<void>(view.drawnImage());
    EXPECT_EQ(canvas()->layerPaints(), paints) << "hovering must not paint the points again";
    view.updatePoints(cloudFigureForTests(20000).points);
    static_cast<void>(view.drawnImage());
    EXPECT_EQ(canvas()->layerPaints(), paints + 1);
}

TEST_F(PointCloudViewTest, BothAxesHaveOneScale) {
    const QPointF origin = view.toPixel({0, 0});
    EXPECT_NEAR(view.toPixel({1, 0}).x() - origin.x(), origin.y() - view.toPixel({0, 1}).y(), 0.5);
    view.resize(900, 300);
    settleEvents();
    const QPointF moved = view.toPixel({0, 0});
    EXPECT_NEAR(view.toPixel({1, 0}).x() - moved.x(), moved.y() - view.toPixel({0, 1}).y(), 0.5);
}

TEST_F(PointCloudViewTest, HiddenClassesCannotBeHit) {
    QTest::mouseClick(view.findChildren<LegendChip*>()[1], Qt::LeftButton);
    EXPECT_FALSE(view.isClassVisible(1));
    EXPECT_NE(view.pointAt(view.toPixel(value(1)), 1), 1);
    EXPECT_EQ(view.pointAt(view.toPixel(value(0))), 0);
    view.soloClass(2);
    EXPECT_FALSE(view.isClassVisible(0));
    EXPECT_TRUE(view.isClassVisible(2));
    view.soloClass(2);
    EXPECT_TRUE(view.isClassVisible(0));
}

TEST_F(PointCloudViewTest, ZoomStaysWhenPointsMoveUnlessFollowing) {
    QTest::keyClick(canvas(), Qt::Key_Plus);
    ASSERT_TRUE(view.isZoomed());
    const QPointF before = view.toPixel({1, 1});
    QVector<CloudPoint> moved = view.cloudFigure().points;
    for (CloudPoint& point : moved) {
        point.x *= 10;
    }
    view.updatePoints(moved);
    EXPECT_EQ(view.toPixel({1, 1}), before);
    view.setFollow(true);
    view.updatePoints(moved);
    EXPECT_FALSE(view.isZoomed());
    EXPECT_NE(view.toPixel({1, 1}), before);
}

TEST_F(PointCloudViewTest, ClickTellsThePoint) {
    QSignalSpy activated(&view, &FigureView::itemActivated);
    QTest::mouseClick(canvas(), Qt::LeftButton, Qt::NoModifier, view.toPixel(value(50)).toPoint());
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toString(), "three");
    EXPECT_EQ(activated[0][1].toInt(), 50);
}

TEST_F(PointCloudViewTest, HasWordsAndATable) {
    EXPECT_EQ(view.accessibleName(), "Cloud");
    EXPECT_TRUE(view.accessibleDescription().contains("200 points"));
    EXPECT_EQ(view.tableModel()->rowCount(), 200);
    EXPECT_TRUE(view.action("export"));
    EXPECT_FALSE(view.action("logX"));
}

TEST_F(PointCloudViewTest, NanPointsAndEmptyCloudsAreHarmless) {
    CloudFigure figure = cloudFigureForTests(10);
    figure.points[3] = {std::numeric_limits<float>::quiet_NaN(), 0};
    view.setFigure(figure);
    EXPECT_FALSE(view.drawnImage().isNull());
    EXPECT_EQ(view.pointAt(view.toPixel(value(4))), 4);
    view.setFigure({});
    EXPECT_FALSE(view.drawnImage().isNull());
    EXPECT_EQ(view.pointAt({300, 200}), -1);
}

TEST(PointGrid, AgreesWithLookingAtAllPoints) {
    RandomStream random(11);
    QVector<CloudPoint> points;
    for (int index = 0; index < 3000; ++index) {
        points << CloudPoint{float(random.normal() * 3), float(random.normal())};
    }
    const PointGrid grid(points);
    const QPointF reach(0.2, 0.05);
    const auto accept = [](int point) { return point % 5 != 0; };
    for (int query = 0; query < 500; ++query) {
        const QPointF at(random.normal() * 3, random.normal());
        int expected = -1;
        double least = 1;
        for (int index = 0; index < points.size(); ++index) {
            const double dx = (double(points[index].x) - at.x()) / reach.x();
            const double dy = (double(points[index].y) - at.y()) / reach.y();
            if (accept(index) && dx * dx + dy * dy <= least) {
                least = dx * dx + dy * dy;
                expected = index;
            }
        }
        EXPECT_EQ(grid.nearest(at, reach, accept), expected);
    }
}

} // namespace
} // namespace lambdascope
