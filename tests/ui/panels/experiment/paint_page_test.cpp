// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/experiment/paint_page.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include <set>

namespace lambdascope {
namespace {

class PaintPageTest : public testing::Test {
  protected:
    void open(const QString& family, const std::string& source) {
        document.newExperiment(family);
        document.setValue("data.source", source);
        if (family == "pu") {
            document.setValue("path.stop", 0.01);
        } else {
            document.setValue("path.max_points", 4);
        }
        stack.clear();
        page.resize(1000, 640);
        page.show();
        ASSERT_TRUE(waitUntil([&] { return page.editor().isOpen(); })) << page.editor().trouble().toStdString();
        settle();
        for (int pass = 0; pass < 3; ++pass) { // the legend takes its room as it is painted first
            page.grab();
            QTest::qWait(20);
        }
    }
    /// Until the path and the plane of the rows as they are now are there, and drawn.
    void settle() {
        const auto isThere = [&] {
            const auto& path = page.live().path();
            return !page.live().isBusy() && (!page.live().trouble().empty() ||
                                             (path != nullptr && path->isWhole && path->edits == page.editor().text()));
        };
        ASSERT_TRUE(waitUntil(isThere)) << page.statusText().toStdString();
        const int frames = page.frames();
        Q_EMIT page.editor().changed(); // a picture of what is there
        ASSERT_TRUE(waitUntil([&] { return page.frames() > frames && !page.live().isBusy(); }));
        settleEvents(); // the legend takes the room that it needs now
        settleEvents();
    }
    QWidget* canvas() { return page.plane().focusProxy(); }
    QPoint pixelOf(std::int64_t row) {
        return page.plane().toPixel({page.editor().value(row, 0), page.editor().value(row, 1)}).toPoint();
    }
    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas(), (from + to) / 2);
        QTest::mouseMove(canvas(), to);
        QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to);
    }
    std::string edits() { return document.value("data.edits").get<std::string>(); }
    [[nodiscard]] std::int64_t probed() {
        return page.plane().probe() < 0 ? -1 : page.plane().shapeFigure().shapes[page.plane().probe()].item;
    }

    QUndoStack stack;
    ExperimentDocument document{builtInCatalog(), &stack};
    PaintPage page{document, {&builtInCatalog(), findFamily}};
};

TEST_F(PaintPageTest, PaintsClassesInStrokesThatCanBeUndone) {
    open("svm", "painted");
    EXPECT_EQ(page.tool(), PaintPage::Tool::Paint) << "there is nothing to move";
    EXPECT_TRUE(page.statusText().contains("no row is painted yet")) << page.statusText().toStdString();
    const QPoint middle = canvas()->rect().center();
    drag(middle + QPoint(-100, 0), middle + QPoint(-60, -60));
    const std::int64_t first = page.editor().rows();
    EXPECT_GT(first, 10);
    EXPECT_EQ(page.editor().className(0), "A");
    ASSERT_TRUE(waitUntil([&] { return page.statusText().contains("another class"); })) << "a class is not enough";
    page.setClass("two words");
    page.setBrush(0);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, middle + QPoint(100, 50));
    ASSERT_EQ(page.editor().rows(), first + 1);
    EXPECT_EQ(page.editor().className(first), "two words");
    const QPointF place = page.plane().toPixel({page.editor().value(first, 0), page.editor().value(first, 1)});
    EXPECT_LT(QLineF(place, middle + QPoint(100, 50)).length(), 1.5);
    settle();
    EXPECT_EQ(page.live().trouble(), "");
    EXPECT_EQ(page.live().path()->edits, edits());
    EXPECT_EQ(stack.count(), 2);
    stack.undo();
    EXPECT_EQ(page.editor().rows(), first);
    stack.undo();
    EXPECT_EQ(page.editor().rows(), 0);
    stack.redo();
    EXPECT_EQ(page.editor().rows(), first);
    page.setClass("");
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, middle);
    EXPECT_EQ(page.editor().rows(), first);
    ASSERT_TRUE(waitUntil([&] { return page.statusText().contains("Name a class first"); }));
}

TEST_F(PaintPageTest, ADraggedRowTakesThePathAlong) {
    open("svm", "toy:two-moons?n=60");
    const QPoint from = pixelOf(7);
    const QPoint to = from + QPoint(40, -30);
    const double before = page.editor().value(7, 0);
    EXPECT_FALSE(page.plane().isZoomed());
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas(), to);
    EXPECT_GT(page.editor().value(7, 0), before);
    EXPECT_EQ(edits(), "") << "no step before the button is released";
    ASSERT_TRUE(waitUntil([&] { return page.live().path()->edits == page.editor().text(); })) << "while it is dragged";
    QTest::keyClick(canvas(), Qt::Key_Escape);
    EXPECT_EQ(page.editor().text(), "") << "Esc takes the stroke back";
    QTest::mouseMove(canvas(), to + QPoint(5, 5));
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to + QPoint(5, 5));
    EXPECT_EQ(page.editor().text(), "");
    EXPECT_EQ(stack.count(), 0);
    settle();
    EXPECT_TRUE(waitUntil([&] { return pixelOf(7) == from; }, 5000)) << "the plane is where it was";
    drag(from, to);
    EXPECT_LT(QLineF(pixelOf(7), to).length(), 1.5);
    EXPECT_EQ(edits(), page.editor().text());
    EXPECT_LT(edits().size(), 30U) << "as few digits as can be seen: " << edits();
    EXPECT_EQ(stack.undoText(), "moving row 7");
    settle();
    ASSERT_EQ(page.chart().curveFigure().curves.size(), 2) << "as read, and now";
    EXPECT_EQ(page.chart().curveFigure().curves[1].points.size(), 4);
    stack.undo();
    EXPECT_EQ(page.editor().value(7, 0), before);
}

TEST_F(PaintPageTest, ErasesAndRelabelsUnderTheBrush) {
    open("svm", "toy:two-moons?n=60");
    page.setBrush(0);
    page.setTool(PaintPage::Tool::Erase);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, pixelOf(3));
    EXPECT_TRUE(page.editor().isOmitted(3));
    EXPECT_EQ(edits(), "omit 3");
    page.setTool(PaintPage::Tool::Relabel);
    const std::string other = page.editor().className(0) == page.editor().classes().front()
                                  ? page.editor().classes().back()
                                  : page.editor().classes().front();
    page.setClass(QString::fromStdString(other));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, pixelOf(0));
    EXPECT_EQ(edits(), "relabel 0 " + other + "; omit 3");
    settle();
    EXPECT_EQ(page.live().path()->edits, edits());
    QPushButton* discard = buttonOf(page, "Discard all edits");
    ASSERT_NE(discard, nullptr);
    discard->click();
    EXPECT_EQ(edits(), "");
}

TEST_F(PaintPageTest, KeysReachAllThatTheMouseDoes) {
    open("svm", "toy:two-moons?n=60");
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_Right);
    const std::int64_t row = probed();
    ASSERT_GE(row, 0);
    const double x = page.editor().value(row, 0);
    const double y = page.editor().value(row, 1);
    QTest::keyClick(canvas(), Qt::Key_Right, Qt::ControlModifier);
    const double step = page.editor().value(row, 0) - x;
    EXPECT_GT(step, 0);
    QTest::keyClick(canvas(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_GT(page.editor().value(row, 1), y);
    settle();
    ASSERT_EQ(probed(), row) << "it is still the same one, though its way is drawn before it";
    QTest::keyClick(canvas(), Qt::Key_Right, Qt::ControlModifier);
    EXPECT_NEAR(page.editor().value(row, 0), x + 2 * step, 0.1 * step);
    EXPECT_EQ(stack.count(), 3);
    const std::string other = page.editor().className(row) == page.editor().classes().front()
                                  ? page.editor().classes().back()
                                  : page.editor().classes().front();
    page.setClass(QString::fromStdString(other));
    QTest::keyClick(canvas(), Qt::Key_C);
    EXPECT_EQ(page.editor().className(row), other);
    QTest::keyClick(canvas(), Qt::Key_Insert);
    ASSERT_EQ(page.editor().rows(), 61);
    EXPECT_EQ(probed(), 60) << "so that it can be moved";
    EXPECT_EQ(page.editor().className(60), other);
    QTest::keyClick(canvas(), Qt::Key_Delete);
    EXPECT_EQ(page.editor().rows(), 60);
    EXPECT_EQ(stack.count(), 6);
    settle();
    EXPECT_EQ(page.live().path()->edits, edits());
}

TEST_F(PaintPageTest, KeysPaintWhereThereIsNothingYet) {
    open("svm", "painted");
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_Insert);
    EXPECT_EQ(edits(), "add 0.5 0.5 A");
    QTest::keyClick(canvas(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    page.setClass("B");
    QTest::keyClick(canvas(), Qt::Key_Insert);
    EXPECT_EQ(page.editor().rows(), 2);
    settle();
    EXPECT_EQ(page.live().trouble(), "");
}

TEST_F(PaintPageTest, EachFamilyShowsItsPathAndItsSides) {
    for (const char* family : {"svm", "pu", "metric"}) {
        open(family, "toy:two-moons?n=60");
        EXPECT_FALSE(page.chart().curveFigure().curves.isEmpty()) << family;
        for (const Curve& curve : page.chart().curveFigure().curves) {
            EXPECT_GT(curve.points.size(), 1) << family;
        }
        const LivePath::Plane* plane = page.live().plane().get();
        ASSERT_NE(plane, nullptr) << family;
        const ShapeFigure& figure = page.plane().shapeFigure();
        EXPECT_GE(figure.shapes.size(), 60) << family;
        if (plane->drawn.columns == 0) {
            EXPECT_EQ(figure.shapes.front().kind, Shape::Kind::Outline) << "what the metric makes of a circle";
            continue;
        }
        EXPECT_FALSE(figure.cells.groups.isEmpty()) << family;
        std::set<int> grounds;
        for (std::size_t i = 0; i < plane->drawn.cells.size(); ++i) {
            const int ground = figure.cells.groups[static_cast<qsizetype>(i)];
            ASSERT_EQ(ground < 0, plane->drawn.cells[i] < 0) << family;
            if (ground >= 0 && grounds.insert(ground).second) {
                const DecisionPlane::Area& area = plane->drawn.areas[static_cast<std::size_t>(plane->drawn.cells[i])];
                EXPECT_TRUE(figure.groups[ground].name.contains(QString::fromStdString(area.name))) << area.name;
            }
        }
        // A row has the colour of the side that the plane says it is on.
        ASSERT_EQ(plane->scaling.centre.size(), 2U);
        const auto unscaled = [plane](double value, std::size_t feature) {
            return plane->scaling.centre[feature] + plane->scaling.spread[feature] * value;
        };
        int compared = 0;
        for (const DecisionPlane::Item& item : plane->drawn.items) {
            const QPointF place(unscaled(item.x, 0), unscaled(item.y, 1));
            for (const Shape& shape : figure.shapes) {
                if (shape.kind == Shape::Kind::Point &&
                    QLineF(place, QPointF(shape.x.low, shape.y.low)).length() < 1e-9) {
                    EXPECT_EQ(figure.groups[shape.group].colourIndex, item.side) << family << ", row " << shape.item;
                    ++compared;
                }
            }
        }
        EXPECT_GE(compared, 60) << family;
    }
}

TEST_F(PaintPageTest, RowsOfManyFeaturesAreMovedInThePlaneOfTwo) {
    open("metric", "iris");
    EXPECT_FALSE(buttonOf(page, "Paint")->isEnabled());
    EXPECT_EQ(page.plane().shapeFigure().title, "The rows") << "nothing of the solution is drawn among four features";
    const double beside = page.editor().value(5, 3);
    drag(pixelOf(5), pixelOf(5) + QPoint(30, 30));
    EXPECT_TRUE(edits().starts_with("move ")) << edits();
    EXPECT_EQ(page.editor().value(5, 3), beside);
    settle();
    buttonOf(page, "New set")->click();
    ASSERT_TRUE(waitUntil([&] { return page.editor().isOpen() && page.editor().isPainted(); }));
    EXPECT_EQ(edits(), "") << "they were of other rows";
    EXPECT_EQ(page.tool(), PaintPage::Tool::Paint);
    stack.undo();
    ASSERT_TRUE(waitUntil([&] { return page.editor().isOpen() && page.editor().rows() == 150; }));
    EXPECT_TRUE(page.editor().isChanged(5) || !edits().empty()) << "with their edits";
}

} // namespace
} // namespace lambdascope
