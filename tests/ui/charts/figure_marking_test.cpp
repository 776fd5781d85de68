// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes mark what lies in them, and what is marked looks so.
#include "tests/ui/charts/plot_view_fixture.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/charts/shape_view.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <memory>

namespace lambdascope {
namespace {

void drag(QWidget* surface, const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(surface, Qt::LeftButton, modifiers, from.toPoint());
    QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, modifiers);
    QApplication::sendEvent(surface, &move);
    QTest::mouseRelease(surface, Qt::LeftButton, modifiers, to.toPoint());
}

/// Points (0, 0), (1, 0), … in two rows and two classes.
CloudFigure cloudForMarks() {
    CloudFigure figure;
    figure.title = QStringLiteral("cloud");
    figure.x.title = QStringLiteral("x");
    figure.y.title = QStringLiteral("y");
    figure.classNames = {QStringLiteral("lower"), QStringLiteral("upper")};
    for (int point = 0; point < 20; ++point) {
        figure.points.append({float(point % 10), float(point / 10)});
        figure.classes.append(point / 10);
    }
    return figure;
}

/// Bars for items 100, 101, … from 1 to 2, 1 to 3, …, and a point that stands for item 7.
ShapeFigure barsForMarks() {
    ShapeFigure figure;
    figure.title = QStringLiteral("bars");
    figure.x.title = QStringLiteral("from to");
    figure.y.title = QStringLiteral("items");
    figure.groups = {{QStringLiteral("bars"), QStringLiteral("bars"), 0, Hatch::Rising},
                     {QStringLiteral("dots"), QStringLiteral("dots"), 1}};
    figure.groups[1].marker = MarkerShape::Circle;
    for (int bar = 0; bar < 6; ++bar) {
        Shape shape;
        shape.x = {1, 2.0 + bar};
        shape.y = {bar + 0.1, bar + 0.9};
        shape.item = 100 + bar;
        figure.shapes.append(shape);
    }
    Shape dot;
    dot.kind = Shape::Kind::Point;
    dot.group = 1;
    dot.x = {6.5, 6.5};
    dot.y = {0.5, 0.5};
    dot.item = 7;
    figure.shapes.append(dot);
    return figure;
}

template <class View, class FigureType>
std::unique_ptr<View> shown(const FigureType& figure) {
    auto view = std::make_unique<View>();
    view->resize(600, 400);
    view->setFigure(figure);
    view->setMarkable();
    view->show();
    settleEvents();
    return view;
}

TEST(FigureMarking, ADragWithShiftMarksThePointsInItsBoxAndDoesNotZoom) {
    const auto view = shown<PointCloudView>(cloudForMarks());
    QSignalSpy marked(view.get(), &FigureView::itemsMarked);
    drag(view->focusProxy(), view->toPixel({1.5, -0.5}), view->toPixel({4.5, 0.5}), Qt::ShiftModifier);
    ASSERT_EQ(marked.count(), 1);
    EXPECT_EQ(marked[0][0].value<QVector<qint64>>(), (QVector<qint64>{2, 3, 4}));
    EXPECT_FALSE(view->isZoomed());
    view->setClassVisible(0, false); // hidden points are not meant
    drag(view->focusProxy(), view->toPixel({1.5, -0.5}), view->toPixel({4.5, 1.5}), Qt::ShiftModifier);
    EXPECT_EQ(marked[1][0].value<QVector<qint64>>(), (QVector<qint64>{12, 13, 14}));
    drag(view->focusProxy(), view->toPixel({1.5, -0.5}), view->toPixel({4.5, 1.5}), Qt::NoModifier);
    EXPECT_EQ(marked.count(), 2);
    EXPECT_TRUE(view->isZoomed());
}

TEST(FigureMarking, KeysMarkWithoutAMouse) {
    const auto view = shown<PointCloudView>(cloudForMarks());
    QSignalSpy marked(view.get(), &FigureView::itemsMarked);
    QWidget* surface = view->focusProxy();
    surface->setFocus();
    QTest::keyClick(surface, Qt::Key_M, Qt::ShiftModifier);
    ASSERT_EQ(marked.count(), 1);
    EXPECT_EQ(marked[0][0].value<QVector<qint64>>().size(), 20);
    for (int step = 0; step < 4; ++step) {
        QTest::keyClick(surface, Qt::Key_Plus);
    }
    QTest::keyClick(surface, Qt::Key_M, Qt::ShiftModifier);
    const auto inView = marked[1][0].value<QVector<qint64>>();
    EXPECT_GT(inView.size(), 0);
    EXPECT_LT(inView.size(), 20); // what is seen alone
    QTest::keyClick(surface, Qt::Key_Home);
    QTest::keyClick(surface, Qt::Key_M);
    EXPECT_TRUE(view->action(QStringLiteral("mark"))->isChecked());
    drag(surface, view->toPixel({6.5, -0.5}), view->toPixel({9.5, 0.5}), Qt::NoModifier); // as with Shift, now
    EXPECT_EQ(marked[2][0].value<QVector<qint64>>(), (QVector<qint64>{7, 8, 9}));
    std::unique_ptr<QMenu> menu(view->createMenu(nullptr));
    EXPECT_TRUE(menu->actions().contains(view->action(QStringLiteral("mark"))));
    EXPECT_TRUE(menu->actions().contains(view->action(QStringLiteral("markShown"))));
}

TEST(FigureMarking, ABoxMarksTheBarsThatItTouches) {
    const auto view = shown<ShapeView>(barsForMarks());
    QSignalSpy marked(view.get(), &FigureView::itemsMarked);
    QSignalSpy empty(view.get(), &FigureView::emptyPlaceClicked);
    drag(view->focusProxy(), view->toPixel({2.5, 0.5}), view->toPixel({3.5, 2.5}), Qt::ShiftModifier);
    ASSERT_EQ(marked.count(), 1);
    EXPECT_EQ(marked[0][0].value<QVector<qint64>>(), (QVector<qint64>{101, 102}));
    drag(view->focusProxy(), view->toPixel({6.2, 0.2}), view->toPixel({6.8, 0.8}), Qt::ShiftModifier);
    EXPECT_EQ(marked[1][0].value<QVector<qint64>>(), QVector<qint64>{7});
    drag(view->focusProxy(), view->toPixel({5, 0.2}), view->toPixel({5.8, 0.8}), Qt::ShiftModifier);
    EXPECT_TRUE(marked[2][0].value<QVector<qint64>>().isEmpty());
    EXPECT_TRUE(QToolTip::text().contains("Nothing that can be marked")) << QToolTip::text().toStdString();
    QTest::mouseClick(view->focusProxy(), Qt::LeftButton, Qt::NoModifier, view->toPixel({5, 0.5}).toPoint());
    EXPECT_EQ(empty.count(), 1);
    QTest::mouseClick(view->focusProxy(), Qt::LeftButton, Qt::NoModifier, view->toPixel({1.5, 0.5}).toPoint());
    EXPECT_EQ(empty.count(), 1);
}

TEST(FigureMarking, ChartsWithoutItemsSayThatThereIsNothingToMark) {
    PlotView plot;
    CurveFigure curves;
    Curve curve;
    curve.id = QStringLiteral("1");
    curve.points = {{0, 0}, {1, 1}, {2, 4}};
    curves.curves.append(curve);
    plot.setFigure(curves);
    HeatmapView heatmap;
    HeatmapFigure cells;
    cells.xValues = {0, 1, 2};
    cells.yValues = {0, 1};
    cells.values = {1, 2, 3, 4, 5, 6};
    heatmap.setFigure(cells);
    for (FigureView* view : std::initializer_list<FigureView*>{&plot, &heatmap}) {
        view->resize(600, 400);
        view->show();
        settleEvents();
        QToolTip::hideText();
        QSignalSpy marked(view, &FigureView::itemsMarked);
        auto* area = qobject_cast<QAbstractScrollArea*>(view->focusProxy());
        QWidget* surface = area != nullptr ? area->viewport() : view->focusProxy();
        const QPointF middle = QRectF(surface->rect()).center();
        drag(surface, middle, middle + QPointF(60, 50), Qt::ShiftModifier);
        EXPECT_TRUE(QToolTip::text().contains("no items to mark")) << QToolTip::text().toStdString();
        EXPECT_EQ(marked.count(), 0);
        EXPECT_EQ(view->action(QStringLiteral("mark")), nullptr);
    }
}

TEST(FigureMarking, MarkedOnesAreOutlinedInTheColourOfTextAndOthersStandBack) {
    for (const bool isDark : {false, true}) {
        QPalette palette;
        if (isDark) {
            palette.setColor(QPalette::Window, QColor(30, 30, 30));
            palette.setColor(QPalette::Base, QColor(30, 30, 30));
            palette.setColor(QPalette::WindowText, QColor(230, 230, 230));
            palette.setColor(QPalette::Text, QColor(230, 230, 230));
        }
        const auto cloud = shown<PointCloudView>(cloudForMarks());
        const auto bars = shown<ShapeView>(barsForMarks());
        const auto check = [&](FigureView& view, const QColor& ink, const FigureView::Marks& marks) {
            const int textBefore = pixelsOf(view, view.theme().text);
            const int inkBefore = pixelsOf(view, ink);
            view.setMarks(marks);
            EXPECT_GT(pixelsOf(view, view.theme().text), textBefore + 8) << isDark;
            EXPECT_LT(pixelsOf(view, ink), inkBefore) << isDark;
            view.setMarks({});
            EXPECT_EQ(pixelsOf(view, view.theme().text), textBefore);
            EXPECT_EQ(pixelsOf(view, ink), inkBefore);
        };
        bars->setPalette(palette);
        settleEvents();
        check(*bars, bars->theme().series[0], [](qint64 item) { return item == 101 || item == 7; });
        // Points of a cloud are painted a little transparent: marked ones in full colour.
        cloud->setPalette(palette);
        settleEvents();
        const QColor upper = classColour(1, cloud->theme());
        EXPECT_EQ(pixelsOf(*cloud, upper), 0);
        const int textBefore = pixelsOf(*cloud, cloud->theme().text, 100);
        cloud->setMarks([](qint64 point) { return point == 15; });
        const int of15 = pixelsOf(*cloud, upper);
        EXPECT_GT(of15, 10);
        EXPECT_GT(pixelsOf(*cloud, cloud->theme().text, 100), textBefore + 8);
        cloud->setMarks([](qint64 point) { return point == 15 || point == 12; });
        EXPECT_GT(pixelsOf(*cloud, upper), of15 + 10);
    }
}

} // namespace
} // namespace lambdascope
