// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/shape_view.h"
#include "ui/figures/figure_catalogue.h"
#include "ui/figures/plane_figure.h"
#include "ui/panels/views/bounds_tab.h"
#include "ui/panels/views/plane_tab.h"

#include <QComboBox>
#include <QSignalSpy>

#include <cmath>
#include <map>
#include <set>

namespace lambdascope {
namespace {

/// The tab of a finished run, shown at a point of a lane.
class PlaneTabTest : public testing::Test {
  protected:
    void start(const Json& document = smallSvmExperiment(), std::size_t lane = 1) {
        run = std::make_unique<FinishedRun>(document);
        tab = std::make_unique<PlaneTab>(run->runs, run->cursor, run->lens);
        tab->resize(900, 600);
        tab->show();
        tab->refreshNow();
        tab->choose(run->lane(lane));
        moveTo(2);
    }
    void moveTo(int point) {
        run->cursor.moveTo(point);
        tab->refreshNow();
        ASSERT_TRUE(waitUntil(
            [&] { return tab->plane()->shapeFigure().title.contains(axisText(point)) && !isEmpty(shown()); }, 60000))
            << tab->plane()->emptyText().toStdString();
    }
    [[nodiscard]] QString axisText(int point) const {
        return QStringLiteral("C = %1").arg(run->cursor.axis()[static_cast<std::size_t>(point)]);
    }
    [[nodiscard]] Figure shown() const { return tab->plane()->figure(); }

    std::unique_ptr<FinishedRun> run;
    std::unique_ptr<PlaneTab> tab;
};

TEST_F(PlaneTabTest, ShowsWhatTheLensDrawsAndMovesWithC) {
    start();
    const auto direct = run->direct(1);
    for (const int point : {2, 1, 3, 2}) { // the last one is remembered
        moveTo(point);
        const auto plane = as<PlaneSampler>(*direct).plane(point, {}, {});
        ASSERT_TRUE(plane);
        const ShapeFigure& figure = tab->plane()->shapeFigure();
        EXPECT_EQ(figure.cells.columns, plane->columns);
        EXPECT_EQ(figure.xRange, (ValueRange{plane->xLow, plane->xHigh}));
        const auto known = std::count_if(plane->cells.begin(), plane->cells.end(), [](auto area) { return area >= 0; });
        EXPECT_GT(known, 0);
        EXPECT_EQ(figure.cells.groups.size() - figure.cells.groups.count(-1), known);
        std::set<qint64> items;
        for (const Shape& shape : figure.shapes) {
            if (shape.kind == Shape::Kind::Point) {
                items.insert(shape.item);
            }
        }
        EXPECT_EQ(static_cast<std::int64_t>(items.size()), as<ItemExplainer>(*direct).items());
        EXPECT_EQ(tab->plane()->tableModel()->rowCount(), as<ItemExplainer>(*direct).items());
    }
    EXPECT_TRUE(tab->statusText().contains("% of samples")) << tab->statusText().toStdString();
    EXPECT_EQ(tab->xChooser()->count(), 2);
}

TEST_F(PlaneTabTest, ARegressionShowsItsCurveInTheTubeAndRowsByState) {
    start(Json{
        {"family", "svm"},
        {"data", {{"source", "toy:sine?n=60"}}},
        {"problem", {{"task", "regression"}, {"epsilon", 0.2}, {"kernel", "rbf"}, {"intercept", "free"}}},
        {"path", {{"kind", "list"}, {"values", {0.1, 0.5, 2, 10}}}},
        {"lanes", {{{"name", "Full"}}, {{"name", "BT1+GAP"}, {"bounds", {"BT1", "GAP"}}, {"schedule", "every"}}}}});
    const auto plane = as<PlaneSampler>(*run->direct(1)).plane(2, {}, {});
    ASSERT_TRUE(plane);
    const ShapeFigure& figure = tab->plane()->shapeFigure();
    EXPECT_EQ(figure.y.title, QString::fromStdString(plane->yLabel));
    EXPECT_EQ(figure.yRange, (ValueRange{plane->yLow, plane->yHigh}));
    EXPECT_EQ(tab->xChooser()->count(), 1);
    EXPECT_EQ(tab->yChooser()->currentText(), figure.y.title);
    EXPECT_FALSE(tab->yChooser()->isEnabled());
    std::map<QString, int> rows;
    int lines = 0;
    std::set<std::tuple<int, bool, int, int>> looks;
    for (const Shape& shape : figure.shapes) {
        const ShapeGroup& group = figure.groups[shape.group];
        lines += shape.kind == Shape::Kind::Outline ? 1 : 0;
        if (shape.kind == Shape::Kind::Point) {
            ++rows[group.name];
            EXPECT_TRUE(shape.text.startsWith("row ")) << shape.text.toStdString();
            looks.insert({static_cast<int>(group.marker), group.isHollow, group.colourIndex, 0});
        }
    }
    EXPECT_EQ(lines, 3) << "f and both ends of the tube";
    EXPECT_EQ(looks.size(), rows.size()) << "each state has a look of its own";
    int all = 0;
    for (const DecisionPlane::Item& item : plane->items) {
        EXPECT_GT(rows[QString::fromStdString(plane->states[static_cast<std::size_t>(item.state)])], 0);
        ++all;
    }
    EXPECT_EQ(all, 60);
    EXPECT_EQ(figure.table.rows(), 60);
    EXPECT_EQ(figure.table.texts.size(), 60 * figure.table.textColumns.size());
    EXPECT_TRUE(tab->statusText().contains("% of rows")) << tab->statusText().toStdString();
}

TEST_F(PlaneTabTest, OffersALaneThatScreensUntilOneIsChosen) {
    FinishedRun finished(smallSvmExperiment());
    PlaneTab fresh(finished.runs, finished.cursor, finished.lens);
    fresh.show();
    fresh.refreshNow();
    EXPECT_EQ(fresh.chosenRun(), finished.lane(2));
    fresh.choose(finished.lane(0));
    fresh.refreshNow();
    EXPECT_EQ(fresh.chosenRun(), finished.lane(0));
}

TEST_F(PlaneTabTest, ClassesStatesAndAreasDifferInMoreThanColour) {
    start();
    std::set<std::tuple<int, bool, int, int>> looks;
    for (const ShapeGroup& group : tab->plane()->shapeFigure().groups) {
        const auto look = std::make_tuple(static_cast<int>(group.marker), group.isHollow, static_cast<int>(group.hatch),
                                          static_cast<int>(group.dash));
        EXPECT_TRUE(looks.insert(look).second) << group.name.toStdString();
    }
    EXPECT_GE(looks.size(), 6u);
}

TEST_F(PlaneTabTest, AClickOnASamplePicksIt) {
    start();
    QSignalSpy picked(tab.get(), &RunTab::itemPicked);
    const auto& shapes = tab->plane()->shapeFigure().shapes;
    for (int i = 0; i < shapes.size(); ++i) {
        if (shapes[i].kind == Shape::Kind::Point) {
            Q_EMIT tab->plane()->itemActivated({}, i);
            ASSERT_EQ(picked.count(), 1);
            EXPECT_EQ(picked.front().at(1).toLongLong(), shapes[i].item);
            break;
        }
    }
    Q_EMIT tab->plane()->itemActivated({}, static_cast<int>(shapes.size()) - 1); // a line is no item
    EXPECT_EQ(picked.count(), 1);
}

TEST_F(PlaneTabTest, AnyTwoOfMoreFeaturesCanBeChosen) {
    start(smallSvmExperiment(4));
    ASSERT_EQ(tab->xChooser()->count(), 4);
    EXPECT_NE(tab->xChooser()->currentIndex(), tab->yChooser()->currentIndex());
    EXPECT_TRUE(tab->plane()->shapeFigure().title.contains("other features at their means"));
    const auto choose = [this](QComboBox* chooser, int feature) {
        chooser->setCurrentIndex(feature);
        Q_EMIT chooser->activated(feature);
        return waitUntil(
            [&] {
                return tab->plane()->shapeFigure().x.title == tab->xChooser()->currentText() &&
                       tab->plane()->shapeFigure().y.title == tab->yChooser()->currentText();
            },
            60000);
    };
    ASSERT_TRUE(choose(tab->yChooser(), 3));
    ASSERT_TRUE(choose(tab->xChooser(), 0));
    EXPECT_EQ(tab->plane()->shapeFigure().x.title, tab->xChooser()->itemText(0));
    ASSERT_TRUE(choose(tab->xChooser(), 3)); // what the other axis has: they change places
    EXPECT_EQ(tab->xChooser()->currentIndex(), 3);
    EXPECT_EQ(tab->yChooser()->currentIndex(), 0);
    moveTo(1); // the choice stays
    EXPECT_EQ(tab->xChooser()->currentIndex(), 3);
}

TEST_F(PlaneTabTest, SaysWhatToDoWithoutAPlane) {
    RunCollection none;
    PathCursor cursor;
    RunLensSession lens(none, {nullptr, {}, {}});
    PlaneTab empty(none, cursor, lens);
    empty.show();
    empty.refreshNow();
    EXPECT_TRUE(empty.plane()->emptyText().contains("F5"));
    EXPECT_FALSE(empty.xChooser()->isEnabled());

    FinishedRun metric;
    PlaneTab other(metric.runs, metric.cursor, metric.lens);
    other.show();
    other.refreshNow();
    EXPECT_TRUE(isEmpty(other.plane()->figure()));
    EXPECT_TRUE(other.plane()->emptyText().contains("support vector machine"));
    EXPECT_FALSE(metric.lens.isAsked(PlaneTab::topic()));
}

TEST(PlaneFigures, TakeNamesAndLooksFromTheLensWhateverTheFamily) {
    DecisionPlane plane;
    plane.features = {"a", "b"};
    plane.xLabel = "a";
    plane.yLabel = "b";
    plane.valueLabel = "f";
    plane.xHigh = plane.yHigh = 3;
    plane.columns = 3;
    plane.rows = 1;
    plane.cells = {0, 1, 2};
    plane.areas = {{"σ = 0", 1, true}, {"σ = c₂/2", -1, true}, {"σ = c₂", 0, true}};
    plane.levels = {{"f = 0", true, {{{0, 0}, {3, 1}}}}};
    plane.sides = {"labelled", "unlabeled"};
    plane.states = {"σ = 0, screened", "σ = c₂/2, screened", "σ = c₂, screened", "σ = 0", "σ = c₂/2", "σ = c₂"};
    plane.screenedStates = 3;
    for (std::int32_t state = 0; state < 6; ++state) {
        for (std::int32_t side = 0; side < 2; ++side) {
            plane.items.push_back({2 * state + side, 0.5 * state, 0.5, 1, side, state, "sample"});
        }
    }
    plane.total = 12;
    FinishedRun run;
    const std::vector<ShownRun> shown = shownRuns(run.runs);
    const ShapeFigure figure = planeFigure(shown[0], 0, plane);
    QStringList names;
    std::set<std::tuple<int, bool, int, int>> looks;
    for (const ShapeGroup& group : figure.groups) {
        names << group.name;
        looks.insert({static_cast<int>(group.marker), group.isHollow, static_cast<int>(group.hatch),
                      static_cast<int>(group.dash)});
    }
    EXPECT_EQ(figure.groups.size(), 3 + 12 + 1);
    EXPECT_EQ(looks.size(), static_cast<std::size_t>(figure.groups.size())); // all differ in more than colour
    EXPECT_TRUE(names.contains("certainly σ = c₂/2"));
    EXPECT_TRUE(names.contains("unlabeled: σ = c₂, screened"));
    EXPECT_TRUE(names.contains("f = 0"));
    for (const QString& name : names) {
        EXPECT_FALSE(name.contains("margin") || name.contains("decision boundary")) << name.toStdString();
    }
}

TEST(PlaneFigures, AreInTheCatalogueOfRunsThatHaveThem) {
    FinishedRun run(smallSvmExperiment());
    const std::vector<ShownRun> shown = shownRuns(run.runs);
    auto lens = run.direct(2);
    const LensSource lenses{
        [&lens](const ShownRun&) { return Result<RunLens*>(lens.get()); }, [](const ShownRun&) { return true; }, {}};
    const QStringList names = lensFigureNames(shown, lenses);
    EXPECT_TRUE(names.contains("plane:Full")); // no bounds are needed for a boundary
    EXPECT_TRUE(names.contains("plane:DT"));
    EXPECT_FALSE(names.contains("slice:Full"));
    const auto figure = figureByName(shown, "plane:DT@1", -1, lenses);
    ASSERT_TRUE(figure);
    EXPECT_TRUE(figureTitle(*figure).contains("C = 0.7")) << figureTitle(*figure).toStdString();
    EXPECT_TRUE(figureDescription("plane:DT").contains("DT"));
    EXPECT_FALSE(figureByName(shown, "plane:nobody", -1, lenses));
}

TEST(BoundsTabOfSvms, HasNoCursorOnAnAxisThatIsNotThePath) {
    Json document = smallSvmExperiment();
    document["path"] = {{"kind", "reference"}, {"c", 5}, {"values", {0.3, 0.6, 0.9}}};
    FinishedRun run(document);
    BoundsTab tab(run.runs, run.cursor, run.lens);
    run.show(tab, 1, 1);
    ASSERT_TRUE(
        waitUntil([&] { return !isEmpty(tab.lifetimes()->figure()) && !isEmpty(tab.ranges()->figure()); }, 60000));
    EXPECT_EQ(tab.lifetimes()->shapeFigure().x.title, "C"); // solutions decide over C, the path is over shares of it
    EXPECT_TRUE(tab.lifetimes()->shapeFigure().title.contains("C₀ = 3"))
        << tab.lifetimes()->shapeFigure().title.toStdString();
    EXPECT_TRUE(std::isnan(tab.lifetimes()->cursorX()));
    Q_EMIT tab.lifetimes()->cursorMoved(0.3);
    EXPECT_EQ(run.cursor.index(), 1); // a click there is about no point of the path
}

TEST(BoundsTabOfSvms, DrawsBothBallsTheirLensAndTheCap) {
    FinishedRun run(smallSvmExperiment());
    BoundsTab tab(run.runs, run.cursor, run.lens);
    tab.resize(900, 500);
    tab.show();
    tab.refreshNow();
    for (const auto& [lane, parts] : {std::pair(1, QStringList{"BT1", "BT2", "IT"}), std::pair(2, QStringList{"DT"})}) {
        tab.choose(run.lane(static_cast<std::size_t>(lane)));
        run.cursor.moveTo(2);
        tab.refreshNow();
        const auto drawn = [&] {
            QStringList names;
            for (const Shape& shape : tab.slice()->shapeFigure().shapes) {
                names << tab.slice()->shapeFigure().groups[shape.group].name;
            }
            names.sort();
            return names;
        };
        EXPECT_TRUE(waitUntil([&, &wanted = parts] { return drawn() == wanted; }, 60000))
            << drawn().join(", ").toStdString();
        for (const Shape& shape : tab.slice()->shapeFigure().shapes) {
            const ShapeGroup& group = tab.slice()->shapeFigure().groups[shape.group];
            if (shape.kind == Shape::Kind::Outline) { // what is in common stands out from the balls
                EXPECT_EQ(group.dash, DashStyle::Solid);
                EXPECT_GT(group.lineWidth, 3);
            } else {
                EXPECT_LE(group.lineWidth, 2);
            }
        }
        bool hasOutline = false;
        for (const Shape& shape : tab.slice()->shapeFigure().shapes) {
            hasOutline = hasOutline || (shape.kind == Shape::Kind::Outline && shape.outline.size() > 1);
        }
        EXPECT_TRUE(hasOutline) << lane;
    }
}

} // namespace
} // namespace lambdascope
