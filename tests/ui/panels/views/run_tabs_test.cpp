// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/panels/views/sample_runs.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/views/convergence_tab.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/embedding_tab.h"
#include "ui/panels/views/heatmap_tab.h"
#include "ui/panels/views/path_tab.h"

#include <gtest/gtest.h>

#include <QSlider>
#include <QTest>

#include <cmath>

namespace lambdascope {
namespace {

class RunTabs : public testing::Test {
  protected:
    RunCollection runs;
    PathCursor cursor;
    CursorBar bar{runs, cursor};

    template <class Tab>
    void show(Tab& tab) {
        tab.resize(900, 600);
        tab.show();
        tab.refreshNow();
    }
};

TEST_F(RunTabs, PathTabFillsAndMovesItsCursor) {
    PathTab tab(runs, cursor);
    show(tab);
    EXPECT_TRUE(tab.ratePlot()->curveFigure().curves.isEmpty());
    runs.apply(sampleEvents());
    tab.refreshNow();
    EXPECT_FALSE(tab.ratePlot()->curveFigure().curves.isEmpty());
    EXPECT_EQ(tab.cpuPlot()->curveFigure().curves.size(), 1);
    EXPECT_FALSE(tab.itemsPlot()->curveFigure().curves.isEmpty());
    EXPECT_DOUBLE_EQ(tab.ratePlot()->cursorX(), cursor.value());
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_DOUBLE_EQ(tab.ratePlot()->cursorX(), 4.0); // 8 · 0.5
    EXPECT_DOUBLE_EQ(tab.itemsPlot()->cursorX(), 4.0);
}

TEST_F(RunTabs, AZoomStaysWhenPointsArrive) {
    PathTab tab(runs, cursor);
    show(tab);
    const std::vector<RunEvent> events = sampleEvents(8);
    const auto half = static_cast<std::ptrdiff_t>(events.size() - 12);
    runs.apply({events.begin(), events.begin() + half});
    tab.refreshNow();
    tab.cpuPlot()->zoomTo({1, 4}, {0.2, 0.8});
    const ValueRange x = tab.cpuPlot()->shownX();
    const qsizetype before = tab.cpuPlot()->curveFigure().curves.first().points.size();
    runs.apply({events.begin() + half, events.end()});
    tab.refreshNow();
    EXPECT_GT(tab.cpuPlot()->curveFigure().curves.first().points.size(), before);
    EXPECT_EQ(tab.cpuPlot()->shownX(), x);
    EXPECT_TRUE(tab.cpuPlot()->isZoomed());
}

TEST_F(RunTabs, LogSwitchesStayWhenPointsArrive) {
    PathTab tab(runs, cursor);
    show(tab);
    const std::vector<RunEvent> events = sampleEvents(8);
    const auto half = static_cast<std::ptrdiff_t>(events.size() - 12);
    runs.apply({events.begin(), events.begin() + half});
    tab.refreshNow();
    EXPECT_TRUE(tab.itemsPlot()->isLogX());
    EXPECT_FALSE(tab.itemsPlot()->isLogY());
    tab.itemsPlot()->setLogY(true);
    runs.apply({events.begin() + half, events.end()});
    tab.refreshNow();
    EXPECT_TRUE(tab.itemsPlot()->isLogY());
}

TEST_F(RunTabs, HidingARunTakesItOutOfTheCharts) {
    PathTab tab(runs, cursor);
    show(tab);
    runs.apply(sampleEvents());
    tab.refreshNow();
    runs.setShown(RunId{902}, false);
    tab.refreshNow();
    EXPECT_TRUE(tab.ratePlot()->curveFigure().curves.isEmpty() ||
                tab.ratePlot()->curveFigure().curves.first().name == "plain");
    EXPECT_EQ(tab.cpuPlot()->curveFigure().y.unit, "s"); // no lane left to compare: seconds
}

TEST_F(RunTabs, HeatmapsShowScreeningLanesAndFollowTheCursor) {
    HeatmapTab tab(runs, cursor);
    show(tab);
    EXPECT_TRUE(tab.charts().empty());
    runs.apply(sampleEvents());
    tab.refreshNow();
    HeatmapView* map = tab.heatmap(RunId{902});
    ASSERT_NE(map, nullptr);
    EXPECT_EQ(map->heatmapFigure().columns(), 5);
    cursor.moveTo(2);
    tab.refreshNow();
    EXPECT_DOUBLE_EQ(map->cursorX(), 2.0);
    QString detail;
    QObject::connect(&tab, &RunTab::itemSelected, &tab, [&](RunId, const QString& text) { detail = text; });
    map->setProbe(HeatmapView::Cell{1, 2});
    EXPECT_TRUE(detail.contains("check 1")) << detail.toStdString();
    EXPECT_TRUE(detail.contains("items"));
}

TEST_F(RunTabs, EmbeddingMovesSmoothlyAlongThePath) {
    EmbeddingTab tab(runs, cursor);
    show(tab);
    runs.apply(sampleEvents(5, true));
    tab.refreshNow();
    tab.choose(RunId{902});
    tab.refreshNow();
    ASSERT_EQ(tab.cloud()->cloudFigure().points.size(), 4);
    EXPECT_FLOAT_EQ(tab.cloud()->cloudFigure().points[0].x, 5);
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_FLOAT_EQ(tab.cloud()->cloudFigure().points[0].x, 2);
    EXPECT_EQ(tab.cloud()->cloudFigure().classNames, (QStringList{"a", "b"}));
    tab.choose(RunId{901});
    tab.refreshNow();
    EXPECT_TRUE(tab.cloud()->cloudFigure().points.isEmpty());
    EXPECT_TRUE(tab.cloud()->emptyText().contains("F5")); // an empty state says what to do
}

TEST_F(RunTabs, ConvergenceShowsTheCursorsPoint) {
    ConvergenceTab tab(runs, cursor);
    show(tab);
    runs.apply(sampleEvents());
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_TRUE(tab.gapPlot()->isLogY());
    EXPECT_TRUE(tab.gapPlot()->curveFigure().title.contains("λ = 4"));
    ASSERT_EQ(tab.gapPlot()->curveFigure().curves.size(), 2);
    EXPECT_EQ(tab.gapPlot()->curveFigure().curves[0].points.size(), 6);
    cursor.moveTo(3);
    tab.refreshNow();
    EXPECT_TRUE(tab.gapPlot()->curveFigure().title.contains("λ = 1"));
    EXPECT_FALSE(tab.iterationsPlot()->curveFigure().curves.isEmpty());
}

TEST_F(RunTabs, CursorBarSaysWhereItIsAndScrubs) {
    EXPECT_EQ(bar.placeText(), "No path point yet");
    runs.apply(sampleEvents());
    EXPECT_EQ(bar.placeText(), QStringLiteral("λ = 0.5 · point 5 of 5"));
    bar.slider()->setValue(1);
    EXPECT_EQ(cursor.index(), 1);
    EXPECT_FALSE(cursor.isFollowing());
    bar.stepBy(1);
    EXPECT_EQ(bar.placeText(), QStringLiteral("λ = 2 · point 3 of 5"));
    cursor.setFollowing(true);
    EXPECT_EQ(cursor.index(), 4);
}

TEST_F(RunTabs, PlayingRunsFromTheStartToTheEndAndStops) {
    runs.apply(sampleEvents());
    bar.setPlaying(true);
    EXPECT_EQ(cursor.index(), 0);
    EXPECT_TRUE(waitUntil([&] { return !bar.isPlaying(); }));
    EXPECT_EQ(cursor.index(), 4);
}

TEST_F(RunTabs, InspectorTellsTheNumbersAtTheCursor) {
    RunLensSession lens(runs, {&tinyCatalog(), findTinyFamily, {}});
    InspectorPanel inspector(runs, cursor, lens, tinyCatalog());
    inspector.refreshNow();
    EXPECT_TRUE(inspector.text().isEmpty());
    runs.apply(sampleEvents());
    cursor.moveTo(1);
    inspector.selectRun(RunId{902});
    inspector.refreshNow();
    const QString text = inspector.text();
    EXPECT_TRUE(text.contains("Rate (final): 60.0 %")) << text.toStdString();
    EXPECT_TRUE(text.contains("Iterations: 3"));
    EXPECT_TRUE(text.contains("CPU ratio, total: 0.50"));
    EXPECT_TRUE(text.contains("plain:")); // all shown lanes at this point
    inspector.selectItem(RunId{902}, "the cell");
    EXPECT_TRUE(inspector.text().startsWith("the cell"));
}

} // namespace
} // namespace lambdascope
