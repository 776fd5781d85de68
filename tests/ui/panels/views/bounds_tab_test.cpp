// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/views/bounds_tab.h"
#include "ui/panels/views/heatmap_tab.h"

#include <QAbstractItemModel>
#include <QSignalSpy>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace lambdascope {
namespace {

TEST(BoundsTab, ShowsBallsLifetimesAndRangesOfALane) {
    FinishedRun run;
    BoundsTab tab(run.runs, run.cursor, run.lens);
    tab.resize(900, 500);
    tab.show();
    tab.refreshNow();
    tab.choose(run.lane(2));
    run.cursor.moveTo(5);
    tab.refreshNow();
    ASSERT_TRUE(waitUntil([&] { return !isEmpty(tab.slice()->figure()) && !isEmpty(tab.ranges()->figure()); }, 60000));

    const auto direct = run.direct(2);
    const auto slice = as<RegionSlicer>(*direct).slice(5, {});
    ASSERT_TRUE(slice);
    std::int32_t checks = 0;
    for (const BallSlice::Ball& ball : slice->balls) {
        checks = std::max(checks, ball.check + 1);
    }
    EXPECT_EQ(tab.checkSlider()->maximum(), checks - 1);
    EXPECT_FALSE(isEmpty(tab.lifetimes()->figure()));
    EXPECT_TRUE(tab.lifetimes()->emptyText().contains("no removal")) << "a lane without bars seemed to be computing";
    for (FigureView* chart : tab.charts()) {
        EXPECT_FALSE(chart->accessibleName().isEmpty());
        EXPECT_GT(chart->tableModel()->rowCount(), 0) << chart->accessibleName().toStdString();
    }
    const auto grid = as<RegionSlicer>(*direct).ranges({}, {});
    ASSERT_TRUE(grid);
    const auto shown = static_cast<const HeatmapView*>(tab.ranges())->heatmapFigure();
    EXPECT_EQ(shown.columns(), static_cast<int>(grid->targets.size()));
    EXPECT_EQ(shown.rows(), static_cast<int>(grid->references.size()));
}

TEST(BoundsTab, OpensOnTheLastLaneThatScreensUntilOneIsChosen) {
    FinishedRun run;
    BoundsTab tab(run.runs, run.cursor, run.lens);
    tab.show();
    tab.refreshNow();
    EXPECT_EQ(tab.chosenRun(), run.lane(2));
    tab.choose(run.lane(1));
    run.runs.rename(run.lane(2), QStringLiteral("another name"));
    tab.refreshNow();
    EXPECT_EQ(tab.chosenRun(), run.lane(1));
}

// One of the lanes of figure 8 looks where it pays, which it hardly does: half of the view was empty.
TEST(BoundsTab, OpensOnALaneThatLooksBeforeOneThatHardlyDoes) {
    FinishedRun run({{"family", "metric"},
                     {"data", {{"source", "wine"}, {"scale", "minmax"}, {"subset", 0.9}}},
                     {"problem", {{"k", 8}, {"loss", "smoothed-hinge"}, {"gamma", 0.05}}},
                     {"solver", {{"engine", "pairs"}, {"method", "auto"}, {"tolerance", 1e-6}}},
                     {"path", {{"ratio", 0.9}, {"max_points", 70}}},
                     {"lanes",
                      {{{"name", "always"}, {"bounds", {"RRPB"}}, {"schedule", "every"}},
                       {{"name", "where it pays"}, {"bounds", {"RRPB"}}, {"schedule", "auto"}}}}});
    const auto& points = run.runs.record(run.lane(1))->points();
    const auto looked = std::ranges::count_if(points, [](const PointRecord& at) { return !at.screenings.empty(); });
    ASSERT_GT(looked, 0);
    ASSERT_LT(2 * looked, std::ssize(points));
    BoundsTab tab(run.runs, run.cursor, run.lens);
    tab.show();
    tab.refreshNow();
    EXPECT_EQ(tab.chosenRun(), run.lane(0));
    run.runs.setShown({run.lane(0)}, false);
    tab.refreshNow();
    EXPECT_EQ(tab.chosenRun(), run.lane(1));
}

TEST(BoundsTab, SaysWhatToDoWithoutALaneThatScreens) {
    FinishedRun run;
    run.runs.setShown({run.lane(1), run.lane(2)}, false);
    BoundsTab tab(run.runs, run.cursor, run.lens);
    tab.show();
    tab.refreshNow();
    EXPECT_TRUE(isEmpty(tab.slice()->figure()));
    EXPECT_TRUE(tab.slice()->emptyText().contains(QStringLiteral("F5")));
    EXPECT_FALSE(run.lens.isAsked(BoundsTab::topic()));
}

// Below its small picture with the radii, the view was empty but for a sentence, beside buttons that did nothing.
TEST(BoundsTab, ShowsTheRadiiWhereAFamilyDrawsNoBalls) {
    FinishedRun run(smallPuExperiment());
    BoundsTab tab(run.runs, run.cursor, run.lens);
    run.show(tab, 1, 2);
    ASSERT_TRUE(waitUntil([&] { return tab.radii()->isVisible(); }, 60000));
    EXPECT_FALSE(isEmpty(tab.radii()->figure()));
    EXPECT_FALSE(tab.slice()->isVisible());
    EXPECT_FALSE(tab.checkSlider()->isVisible());
    EXPECT_FALSE(tab.statusText().isEmpty()) << "why there are no balls";
    EXPECT_EQ(tab.radii()->cursorX(), run.cursor.value());
}

// A lane that checked nothing at a point seemed to be computing for ever.
TEST(BoundsTab, SaysThatNothingWasCheckedAtAPoint) {
    FinishedRun run(smallSvmExperiment());
    BoundsTab tab(run.runs, run.cursor, run.lens);
    run.show(tab, 1, 1);
    ASSERT_TRUE(waitUntil([&] { return !isEmpty(tab.slice()->figure()); }, 60000));
    EXPECT_FALSE(tab.slice()->emptyText().contains("Computing")) << tab.slice()->emptyText().toStdString();
    EXPECT_TRUE(tab.slice()->emptyText().contains("solved before")) << tab.slice()->emptyText().toStdString();
    EXPECT_FALSE(tab.radii()->isVisible());
    EXPECT_TRUE(tab.checkSlider()->isVisible());
}

// Of one class no test tells of another ν: two of three charts were empty, and took half of the room.
TEST(BoundsTab, LeavesOutWhatIsEmptyBesideTheBalls) {
    FinishedRun run({{"family", "svm"},
                     {"data", {{"source", "toy:two-moons?n=120"}, {"scale", "none"}}},
                     {"problem", {{"task", "novelty"}, {"kernel", "rbf"}, {"gamma", 2}, {"gamma_unit", "absolute"}}},
                     {"path", {{"kind", "grid"}, {"ratio", 1.5}, {"max_c", 0.1}}},
                     {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}}}}});
    BoundsTab tab(run.runs, run.cursor, run.lens);
    run.show(tab, 0, 2);
    EXPECT_TRUE(waitUntil([&] { return !isEmpty(tab.slice()->figure()) && !tab.ranges()->isVisible(); }, 60000));
    EXPECT_FALSE(tab.lifetimes()->isVisible());
    EXPECT_TRUE(tab.slice()->isVisible());
}

TEST(BoundsTab, SaysThatUnscreenedLanesHaveNothingToShow) {
    FinishedRun run;
    run.runs.showOnly({run.lane(0)}); // without bounds
    BoundsTab bounds(run.runs, run.cursor, run.lens);
    HeatmapTab heatmaps(run.runs, run.cursor);
    for (RunTab* tab : std::initializer_list<RunTab*>{&bounds, &heatmaps}) {
        tab->show();
        tab->refreshNow();
    }
    EXPECT_TRUE(bounds.slice()->emptyText().contains("no bounds")) << bounds.slice()->emptyText().toStdString();
    EXPECT_FALSE(bounds.ranges()->isVisible()) << "said once";
    EXPECT_FALSE(bounds.lifetimes()->isVisible());
    EXPECT_TRUE(bounds.statusText().isEmpty()) << bounds.statusText().toStdString();
    EXPECT_TRUE(heatmaps.emptyText().contains("no bounds"));
}

TEST(BoundsTab, ABarOfTheLifetimesStandsForItsItem) {
    FinishedRun run;
    BoundsTab tab(run.runs, run.cursor, run.lens);
    run.show(tab, 2, 5);
    ASSERT_TRUE(waitUntil([&] { return !isEmpty(tab.lifetimes()->figure()); }, 60000));
    const auto lens = run.direct(2);
    const auto& shapes = tab.lifetimes()->shapeFigure().shapes;
    ASSERT_GT(shapes.size(), 3);
    const Shape& bar = shapes[2];
    EXPECT_TRUE(bar.text.contains(QString::number(bar.item))) << bar.text.toStdString();
    QSignalSpy picked(&tab, &RunTab::itemPicked);
    Q_EMIT tab.lifetimes()->itemActivated({}, 2);
    Q_EMIT tab.slice()->itemActivated({}, 0); // a ball is no item
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked.front().at(1).toLongLong(), bar.item);
    EXPECT_TRUE(as<ItemExplainer>(*lens).explain(bar.item, 5, {}));
}

} // namespace
} // namespace lambdascope
