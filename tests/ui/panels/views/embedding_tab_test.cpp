// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/figures/embedding_figures.h"
#include "ui/figures/figure_catalogue.h"
#include "ui/panels/views/embedding_tab.h"

#include <QComboBox>
#include <QSignalSpy>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace lambdascope {
namespace {

/// Two lanes of ordinal embedding on 24 points of `dimensions` dimensions.
Json smallOrdinalExperiment(int dimensions) {
    return {{"family", "ordinal"},
            {"data", {{"source", "toy:ordinal-gaussian?n=24&d=" + std::to_string(dimensions)}, {"scale", "none"}}},
            {"problem", {{"comparisons", "points"}, {"train", 600}, {"test", 200}, {"dimensions", dimensions}}},
            {"path", {{"epochs", 5}}},
            {"lanes", {{{"name", "STE"}}, {{"name", "SOE"}, {"model", "SOE"}}}}};
}

class EmbeddingTabTest : public testing::Test {
  protected:
    void start(int dimensions = 2, bool isEnded = true, bool keepsSolutions = true) {
        run = std::make_unique<FinishedRun>(smallOrdinalExperiment(dimensions),
                                            RunWishes{.embeddings = true, .solutions = keepsSolutions}, isEnded);
        tab = std::make_unique<EmbeddingTab>(run->runs, run->cursor, run->lens);
        tab->resize(900, 600);
        tab->show();
        tab->refreshNow();
        tab->choose(run->lane(0));
        moveTo(5);
    }
    void moveTo(int point) {
        run->cursor.moveTo(point);
        tab->refreshNow();
    }
    [[nodiscard]] const CloudFigure& shown() const { return tab->cloud()->cloudFigure(); }
    [[nodiscard]] bool waitForArcs() const {
        return waitUntil([&] { return !shown().links.isEmpty(); }, 60000);
    }
    void click(int point) { Q_EMIT tab->cloud()->itemActivated(QString(), point); }

    std::unique_ptr<FinishedRun> run;
    std::unique_ptr<EmbeddingTab> tab;
};

TEST_F(EmbeddingTabTest, AClickOnAPointDrawsWhatIsSaidAboutIt) {
    start();
    EXPECT_TRUE(tab->computedCharts().empty());
    EXPECT_TRUE(tab->statusText().contains("Click a point"));
    QSignalSpy selected(tab.get(), &RunTab::itemSelected);
    click(7);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_TRUE(selected[0][1].toString().startsWith("Point 7: ("))
        << selected[0][1].toString().toStdString(); // of no class
    ASSERT_TRUE(waitForArcs()) << tab->statusText().toStdString();
    const auto direct = run->direct(0);
    const auto told = as<RelationFinder>(*direct).relations(7, 5, 120, {});
    ASSERT_TRUE(told);
    ASSERT_EQ(shown().links.size(), 2 * static_cast<qsizetype>(told->relations.size()));
    ASSERT_EQ(shown().linkGroups.size(), 4);
    // Which arcs are drawn as violated, by the picture itself: with two dimensions it is the solution, turned.
    const auto length = [](const CloudLink& link) {
        return std::hypot(double(link.to.x) - double(link.from.x), double(link.to.y) - double(link.from.y));
    };
    for (qsizetype k = 0; k + 1 < shown().links.size(); k += 2) {
        const double near = length(shown().links[k]);
        const double far = length(shown().links[k + 1]);
        EXPECT_EQ(shown().links[k + 1].group, shown().links[k].group + 1);
        const auto isForwards = [this](const CloudLink& link) {
            return shown().points.indexOf(link.from) < shown().points.indexOf(link.to);
        };
        EXPECT_EQ(isForwards(shown().links[k]), shown().links[k].group == 0); // violated ones bend the other way
        EXPECT_EQ(isForwards(shown().links[k + 1]), shown().links[k].group == 0);
        if (std::abs(near - far) > 1e-4 * (near + far)) {
            EXPECT_EQ(shown().links[k].group == 0, near < far);
        }
    }
    const auto all = told->training.holding + told->training.violated;
    EXPECT_TRUE(
        shown().title.contains(QStringLiteral("comparisons %1 of %2 violated (").arg(told->training.violated).arg(all)))
        << shown().title.toStdString();
    EXPECT_TRUE(shown().title.contains("held-out"));
    EXPECT_EQ(tab->computedCharts().size(), 1u);
}

Json smallConvexExperiment() {
    Json experiment = smallOrdinalExperiment(2);
    experiment["problem"]["model"] = "GNMDS";
    experiment["problem"]["gamma"] = 0.05;
    experiment["solver"] = {{"method", "convex"}};
    experiment["path"] = {{"kind", "lambda"}, {"ratio", 0.7}, {"stop", 0}, {"max_points", 6}};
    experiment["lanes"] = {{{"name", "none"}}, {{"name", "RRPB"}, {"bounds", {"RRPB"}}}};
    return experiment;
}

// Along λ comparisons are items that are screened, and the points of the map are objects all the same.
TEST(EmbeddingTabOfConvexLanes, DrawWhatIsSaidAboutAPoint) {
    for (const bool keepsSolutions : {false, true}) {
        FinishedRun run(smallConvexExperiment(), RunWishes{.embeddings = true, .solutions = keepsSolutions});
        EmbeddingTab tab(run.runs, run.cursor, run.lens);
        run.show(tab, 1, 4);
        EXPECT_TRUE(tab.statusText().contains("Click a point"));
        Q_EMIT tab.cloud()->itemActivated(QString(), 7);
        ASSERT_TRUE(waitUntil([&] { return !tab.cloud()->cloudFigure().links.isEmpty(); }, 60000))
            << tab.statusText().toStdString();
        const auto direct = run.direct(1);
        const auto told = as<RelationFinder>(*direct).relations(7, 4, 120, {});
        ASSERT_TRUE(told);
        EXPECT_EQ(tab.cloud()->cloudFigure().links.size(), 2 * static_cast<qsizetype>(told->relations.size()));
        EXPECT_TRUE(tab.cloud()->cloudFigure().title.contains("comparisons")) << keepsSolutions;
    }
}

TEST(EmbeddingTabOfConvexLanes, ColoursArcsByWhatWasScreened) {
    for (const bool keepsSolutions : {false, true}) {
        FinishedRun run(smallConvexExperiment(), RunWishes{.embeddings = true, .solutions = keepsSolutions});
        EmbeddingTab tab(run.runs, run.cursor, run.lens);
        run.show(tab, 1, 4);
        Q_EMIT tab.cloud()->itemActivated(QString(), 7);
        const auto shown = [&tab]() -> const CloudFigure& { return tab.cloud()->cloudFigure(); };
        ASSERT_TRUE(waitUntil([&] { return !shown().links.isEmpty(); }, 60000)) << tab.statusText().toStdString();
        EXPECT_FALSE(tab.coloursChooser()->isHidden());
        ASSERT_EQ(shown().linkGroups.size(), 4);
        tab.coloursChooser()->setCurrentIndex(1);
        Q_EMIT tab.coloursChooser()->activated(1);
        ASSERT_EQ(shown().linkGroups.size(), 6) << keepsSolutions;
        // Of each colour as many as the lane, asked directly, has put into each set.
        const auto direct = run.direct(1);
        const auto told = as<RelationFinder>(*direct).relations(7, 4, 120, {});
        ASSERT_TRUE(told);
        std::array<int, 3> expected{}; // left to the solver, in R, in L
        for (const PointRelations::Relation& relation : told->relations) {
            expected[static_cast<std::size_t>(relation.set + 1)] += relation.isHeldOut ? 0 : 1;
        }
        EXPECT_GT(expected[1] + expected[2], 0);
        for (int kind = 0; kind < 3; ++kind) {
            for (const int group : {2 * kind, 2 * kind + 1}) {
                EXPECT_EQ(std::count_if(shown().links.begin(), shown().links.end(),
                                        [group](const CloudLink& link) { return link.group == group; }),
                          expected[static_cast<std::size_t>(kind)])
                    << group;
            }
        }
        run.show(tab, 0, 4); // a lane that does not screen
        EXPECT_TRUE(tab.coloursChooser()->isHidden());
    }
}

TEST(EmbeddingTabOfConvexLanes, HaveAFigureOfWhatWasScreened) {
    FinishedRun run(smallConvexExperiment(), RunWishes{.embeddings = true});
    const std::vector<ShownRun> runs = shownRuns(run.runs);
    const auto lens = run.direct(1);
    const LensSource lenses{
        [&lens](const ShownRun&) { return Result<RunLens*>(lens.get()); }, [](const ShownRun&) { return true; }, {}};
    const QStringList names = lensFigureNames(runs, lenses);
    EXPECT_TRUE(names.contains("screened-arcs:RRPB:0"));
    EXPECT_FALSE(names.contains("screened-arcs:none:0"));
    const auto figure = figureByName(runs, "screened-arcs:RRPB:7@4", -1, lenses);
    ASSERT_TRUE(figure) << figure.error().describe();
    EXPECT_EQ(std::get<CloudFigure>(*figure).linkGroups.size(), 6);
    EXPECT_TRUE(figureDescription("screened-arcs:RRPB:7").contains("RRPB"));
}

TEST_F(EmbeddingTabTest, ArcsFollowTheCursorAndGoWithAClickBeside) {
    start();
    click(3);
    ASSERT_TRUE(waitForArcs());
    moveTo(1);
    EXPECT_TRUE(shown().links.isEmpty()); // those of another epoch would be wrong
    ASSERT_TRUE(waitForArcs());
    const auto direct = run->direct(0);
    const auto told = as<RelationFinder>(*direct).relations(3, 1, 120, {});
    EXPECT_EQ(shown().links.size(), 2 * static_cast<qsizetype>(told->relations.size()));
    Q_EMIT tab->cloud()->emptyPlaceClicked();
    EXPECT_TRUE(shown().links.isEmpty());
    EXPECT_EQ(tab->chosenPoint(), -1);
}

TEST_F(EmbeddingTabTest, SaysThatARunHasToEndFirst) {
    start(2, false, false);
    click(3);
    EXPECT_TRUE(tab->statusText().contains("when the run has ended")) << tab->statusText().toStdString();
    EXPECT_FALSE(run->lens.isAsked(EmbeddingTab::topic()));
    EXPECT_TRUE(shown().links.isEmpty());
}

TEST_F(EmbeddingTabTest, ArcsComeWhileARunThatKeepsItsSolutionsComputes) {
    start(2, false);
    moveTo(2);
    click(3);
    ASSERT_TRUE(waitForArcs()) << tab->statusText().toStdString();
    const auto direct = run->direct(0);
    const auto isOf = [&](int epoch) {
        const auto told = as<RelationFinder>(*direct).relations(3, epoch, 120, {});
        EXPECT_TRUE(told);
        return shown().title.contains(QStringLiteral("comparisons %1 of").arg(told->training.violated)) &&
               shown().links.size() == 2 * static_cast<qsizetype>(told->relations.size()) &&
               shown().title.contains(QStringLiteral("= %1").arg(epoch));
    };
    EXPECT_TRUE(isOf(2)) << shown().title.toStdString();
    // The picture stays with its arcs until those of the next epoch are there, so that neither flickers nor lies.
    moveTo(5);
    EXPECT_TRUE(isOf(2)) << shown().title.toStdString();
    EXPECT_TRUE(waitUntil([&] { return isOf(5); }, 60000)) << shown().title.toStdString();
    Q_EMIT tab->cloud()->emptyPlaceClicked();
    EXPECT_TRUE(shown().links.isEmpty());
    moveTo(4); // nothing is waited for any more
    EXPECT_TRUE(shown().title.contains("= 4"));
}

TEST_F(EmbeddingTabTest, ArcsAreAmongTheFiguresOfALane) {
    start();
    const std::vector<ShownRun> runs = shownRuns(run->runs);
    const auto lens = run->direct(1);
    const LensSource lenses{
        [&lens](const ShownRun&) { return Result<RunLens*>(lens.get()); }, [](const ShownRun&) { return true; }, {}};
    EXPECT_TRUE(lensFigureNames(runs, lenses).contains("arcs:SOE:0"));
    EXPECT_EQ(laneOfFigure(runs, "arcs:SOE:0"), &runs[1]);
    for (const auto& [name, point, epoch] :
         {std::tuple("arcs:SOE:7", 7, 5), std::tuple("arcs:SOE:7@2", 7, 2), std::tuple("arcs:SOE:23@0", 23, 0)}) {
        const auto figure = figureByName(runs, name, -1, lenses);
        ASSERT_TRUE(figure) << name << figure.error().describe();
        const auto told = as<RelationFinder>(*lens).relations(point, epoch, 120, {});
        ASSERT_TRUE(told);
        const CloudFigure& cloud = std::get<CloudFigure>(*figure);
        EXPECT_EQ(cloud.links.size(), 2 * static_cast<qsizetype>(told->relations.size())) << name;
        EXPECT_TRUE(cloud.title.contains(relationsText(QStringLiteral("point %1").arg(point), *told))) << name;
    }
    EXPECT_TRUE(figureDescription("arcs:SOE:7").contains("SOE"));
    for (const char* name : {"arcs:SOE", "arcs:SOE:24", "arcs:SOE:-1", "arcs:SOE:nobody", "arcs:nobody:3"}) {
        EXPECT_FALSE(figureByName(runs, name, -1, lenses)) << name;
    }
}

TEST_F(EmbeddingTabTest, MoreDimensionsCanBeSeenByTwoColumns) {
    start(4);
    ASSERT_EQ(tab->xChooser()->count(), 5); // principal, and four columns
    EXPECT_TRUE(tab->xChooser()->isVisible());
    const auto choose = [](QComboBox* chooser, int index) {
        chooser->setCurrentIndex(index);
        Q_EMIT chooser->activated(index);
    };
    choose(tab->xChooser(), 3);
    EXPECT_GT(tab->yChooser()->currentIndex(), 0); // one column alone is no plane
    choose(tab->yChooser(), 2);
    const RunRecord& record = *run->runs.record(run->lane(0));
    const MatrixValues& x = record.finishedPoint(5)->solution->front().values;
    for (int object = 0; object < 24; ++object) {
        EXPECT_FLOAT_EQ(shown().points[object].x, static_cast<float>(x(object, 2)));
        EXPECT_FLOAT_EQ(shown().points[object].y, static_cast<float>(x(object, 1)));
    }
    choose(tab->yChooser(), 3); // the one across has: it takes another
    EXPECT_NE(tab->xChooser()->currentIndex(), tab->yChooser()->currentIndex());
    moveTo(2); // the choice stays
    EXPECT_EQ(tab->yChooser()->currentIndex(), 3);
    choose(tab->xChooser(), 0);
    EXPECT_EQ(tab->yChooser()->currentIndex(), 0);
    EXPECT_TRUE(shown().x.title.contains("principal"));
}

TEST_F(EmbeddingTabTest, KnownPlacesLieBesideTheLearnedOnes) {
    start();
    EXPECT_FALSE(tab->xChooser()->isVisible());
    ASSERT_EQ(shown().shadows.size(), 24);
    EXPECT_EQ(shown().shadowsName, "known coordinates");
    double spread = 0;
    double spreadOfShadows = 0;
    for (int object = 0; object < 24; ++object) {
        spread += std::hypot(double(shown().points[object].x), double(shown().points[object].y));
        spreadOfShadows += std::hypot(double(shown().shadows[object].x), double(shown().shadows[object].y));
    }
    EXPECT_NEAR(spreadOfShadows / spread, 1, 0.25);
    const std::vector<ShownRun> runs = shownRuns(run->runs);
    const auto figure = figureByName(runs, "embedding:STE@2");
    ASSERT_TRUE(figure);
    EXPECT_EQ(std::get<CloudFigure>(*figure).shadows.size(), 24);
}

TEST(EmbeddingsOfScreenedRuns, AskForNoRelations) {
    FinishedRun run(smallMetricExperiment(), {.embeddings = true});
    EmbeddingTab tab(run.runs, run.cursor, run.lens);
    tab.show();
    tab.refreshNow();
    tab.choose(run.lane(1));
    tab.refreshNow();
    QSignalSpy picked(&tab, &RunTab::samplePicked);
    Q_EMIT tab.cloud()->itemActivated(QString(), 4);
    EXPECT_EQ(picked.count(), 1); // the Inspector answers
    EXPECT_FALSE(run.lens.isAsked(EmbeddingTab::topic()));
    EXPECT_TRUE(tab.statusText().isEmpty());
}

} // namespace
} // namespace lambdascope
