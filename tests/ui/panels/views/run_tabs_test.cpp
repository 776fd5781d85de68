// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/measured_runs.h"
#include "tests/ui/figures/solution_runs.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/charts/shape_view.h"
#include "ui/charts/shared_legend.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/views/cost_tab.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/embedding_tab.h"
#include "ui/panels/views/heatmap_tab.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/problems_tab.h"
#include "ui/panels/views/solution_tab.h"
#include "ui/session/inspect/run_lens_session.h"

#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

namespace lambdascope {
namespace {

class RunTabs : public testing::Test {
  protected:
    RunCollection runs;
    PathCursor cursor;
    CursorBar bar{runs, cursor};
    RunLensSession session{runs, {nullptr, {}, {}}};

    /// sampleEvents() without the screenings of the lanes, of which the baseline has empty ones.
    static std::vector<RunEvent> eventsWithoutScreening() {
        std::vector<RunEvent> events = sampleEvents();
        std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Screened>(event.body); });
        return events;
    }

    template <class Tab>
    void show(Tab& tab) {
        tab.resize(900, 600);
        tab.show();
        tab.refreshNow();
    }
};

TEST_F(RunTabs, ChartsAlongThePathFillAndMoveTheirCursor) {
    PathChart rates(PathChart::Kind::Rates, runs, cursor);
    PathChart times(PathChart::Kind::Times, runs, cursor);
    PathChart items(PathChart::Kind::Items, runs, cursor);
    for (PathChart* chart : {&rates, &times, &items}) {
        show(*chart);
        EXPECT_TRUE(chart->plot()->curveFigure().curves.isEmpty());
    }
    runs.apply(sampleEvents());
    for (PathChart* chart : {&rates, &times, &items}) {
        chart->refreshNow();
        EXPECT_FALSE(chart->plot()->curveFigure().curves.isEmpty());
        EXPECT_DOUBLE_EQ(chart->plot()->cursorX(), cursor.value());
    }
    EXPECT_EQ(times.plot()->curveFigure().title, "CPU time so far");
    EXPECT_EQ(times.plot()->curveFigure().curves.size(), 2);
    times.chooser()->setCurrentIndex(1); // the ratio, which the baseline has none of
    times.refreshNow();
    EXPECT_EQ(times.plot()->curveFigure().curves.size(), 1);
    cursor.moveTo(1);
    rates.refreshNow();
    items.refreshNow();
    EXPECT_DOUBLE_EQ(rates.plot()->cursorX(), 4.0); // 8 · 0.5
    EXPECT_DOUBLE_EQ(items.plot()->cursorX(), 4.0);
}

TEST_F(RunTabs, AZoomStaysWhenPointsArrive) {
    PathChart chart(PathChart::Kind::Times, runs, cursor);
    show(chart);
    const std::vector<RunEvent> events = sampleEvents(8);
    const auto half = static_cast<std::ptrdiff_t>(events.size() - 12);
    runs.apply({events.begin(), events.begin() + half});
    chart.refreshNow();
    chart.plot()->zoomTo({1, 4}, {0.2, 0.8});
    const ValueRange x = chart.plot()->shownX();
    const qsizetype before = chart.plot()->curveFigure().curves.last().points.size();
    runs.apply({events.begin() + half, events.end()});
    chart.refreshNow();
    EXPECT_GT(chart.plot()->curveFigure().curves.last().points.size(), before);
    EXPECT_EQ(chart.plot()->shownX(), x);
    EXPECT_TRUE(chart.plot()->isZoomed());
}

TEST_F(RunTabs, LogSwitchesStayWhenPointsArrive) {
    PathChart chart(PathChart::Kind::Items, runs, cursor);
    show(chart);
    const std::vector<RunEvent> events = sampleEvents(8);
    const auto half = static_cast<std::ptrdiff_t>(events.size() - 12);
    runs.apply({events.begin(), events.begin() + half});
    chart.refreshNow();
    EXPECT_TRUE(chart.plot()->isLogX());
    EXPECT_FALSE(chart.plot()->isLogY());
    chart.plot()->setLogY(true);
    runs.apply({events.begin() + half, events.end()});
    chart.refreshNow();
    EXPECT_TRUE(chart.plot()->isLogY());
}

TEST_F(RunTabs, HidingARunTakesItOutOfTheCharts) {
    PathChart rates(PathChart::Kind::Rates, runs, cursor);
    PathChart times(PathChart::Kind::Times, runs, cursor);
    times.chooser()->setCurrentIndex(1);
    show(rates);
    show(times);
    runs.apply(sampleEvents());
    runs.setShown(RunId{902}, false);
    rates.refreshNow();
    times.refreshNow();
    EXPECT_TRUE(rates.plot()->curveFigure().curves.isEmpty() ||
                rates.plot()->curveFigure().curves.first().name == "plain");
    EXPECT_EQ(times.plot()->curveFigure().y.unit, "s"); // no lane left to compare: seconds
}

TEST_F(RunTabs, ALaneThatComputesMayStillScreen) {
    std::vector<RunEvent> events = eventsWithoutScreening();
    const RunEvent end = events.back();
    events.pop_back();
    runs.apply(events);
    EXPECT_TRUE(PathChart::fits(PathChart::Kind::Rates, shownRuns(runs)));
    runs.apply({end});
    EXPECT_FALSE(PathChart::fits(PathChart::Kind::Rates, shownRuns(runs)));
    EXPECT_TRUE(PathChart::fits(PathChart::Kind::Items, shownRuns(runs)))
        << "by set they are worth a look without screening too";
}

TEST_F(RunTabs, APathOverSizesWithoutScreeningIsAboutItsTime) {
    std::vector<RunEvent> events = eventsWithoutScreening();
    std::size_t items = 0; // column of their number
    for (RunEvent& event : events) {
        if (const auto* started = std::get_if<RunStarted>(&event.body)) {
            while (started->columns[items].role != ColumnRole::ItemsTotal) {
                ++items;
            }
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            finished->values[items] = finished->axisValue;
        }
    }
    runs.apply(events);
    PathChart times(PathChart::Kind::Times, runs, cursor);
    show(times);
    EXPECT_FALSE(PathChart::fits(PathChart::Kind::Items, shownRuns(runs)));
    EXPECT_FALSE(times.plot()->curveFigure().curves.isEmpty());
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
    EmbeddingTab tab(runs, cursor, session);
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

TEST_F(RunTabs, AClickedPointOfTheEmbeddingIsASample) {
    EmbeddingTab tab(runs, cursor, session);
    show(tab);
    runs.apply(sampleEvents(5, true));
    tab.refreshNow();
    tab.choose(RunId{902});
    tab.refreshNow();
    QSignalSpy picked(&tab, &RunTab::samplePicked);
    QSignalSpy told(&tab, &RunTab::itemSelected);
    Q_EMIT tab.cloud()->itemActivated("b", 3);
    Q_EMIT tab.cloud()->itemActivated("b", 4); // there is none
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(told.count(), 1);
    EXPECT_EQ(picked.front().at(0).value<RunId>(), RunId{902});
    EXPECT_EQ(picked.front().at(1).toLongLong(), 3);
}

TEST_F(RunTabs, CostTabShowsAllLanesOnOneScaleOrOneLarge) {
    CostTab tab(runs, cursor);
    show(tab);
    EXPECT_TRUE(tab.charts().empty());
    runs.apply(learnedEvents());
    tab.refreshNow();
    ASSERT_EQ(tab.charts().size(), 2U);
    ShapeView* plain = tab.ledger(RunId{901});
    ShapeView* half = tab.ledger(RunId{902});
    EXPECT_EQ(plain->shapeFigure().yRange, half->shapeFigure().yRange);
    EXPECT_EQ(tab.legend()->chips().size(), 3); // two parts and the baseline
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_DOUBLE_EQ(half->cursorX(), 4);
    Q_EMIT tab.legend()->toggled("cpu_rule", false);
    EXPECT_FALSE(plain->isEntryVisible("cpu_rule"));
    EXPECT_FALSE(half->isEntryVisible("cpu_rule"));
    tab.choose(RunId{902});
    tab.refreshNow();
    ASSERT_EQ(tab.charts().size(), 1U);
    EXPECT_EQ(tab.charts()[0], half);
    EXPECT_EQ(tab.chosenRun(), RunId{902});
    tab.choose(RunId{});
    tab.refreshNow();
    EXPECT_EQ(tab.charts().size(), 2U);
}

TEST_F(RunTabs, CostTabMakesRoomForTheHighestBarAsItComes) {
    CostTab tab(runs, cursor);
    show(tab);
    std::vector<RunEvent> events = tinyEvents({.id = RunId{903}});
    const auto& columns = std::get<RunStarted>(events.front().body).columns;
    const auto solve = std::find_if(columns.begin(), columns.end(),
                                    [](const auto& column) { return column.role == ColumnRole::CpuSolve; });
    ASSERT_NE(solve, columns.end());
    const auto place = static_cast<std::size_t>(solve - columns.begin());
    const auto last = std::find_if(events.rbegin(), events.rend(), [](const RunEvent& event) {
        return std::holds_alternative<PointFinished>(event.body);
    });
    std::get<PointFinished>(last->body).values[place] = 1000;
    const auto late = last.base() - 1;
    runs.apply({events.begin(), late});
    tab.refreshNow();
    ASSERT_EQ(tab.charts().size(), 1U);
    EXPECT_LT(tab.ledger(RunId{903})->shapeFigure().yRange->high, 1000);
    runs.apply({late, events.end()});
    tab.refreshNow();
    EXPECT_GE(tab.ledger(RunId{903})->shapeFigure().yRange->high, 1000);
}

TEST_F(RunTabs, EmptyTabsSayWhatIsTrueOfFinishedRuns) {
    std::vector<RunEvent> events = sampleEvents();
    std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Iterated>(event.body); });
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->hasPlane = true;
        }
    }
    runs.apply(events);
    EmbeddingTab embedding(runs, cursor, session);
    show(embedding);
    EXPECT_TRUE(embedding.cloud()->emptyText().contains("The plane shows"))
        << embedding.cloud()->emptyText().toStdString();
    EXPECT_FALSE(embedding.cloud()->emptyText().contains("F5"));
}

TEST_F(RunTabs, SolutionTabScrubsTheMatrixAlongThePath) {
    SolutionTab tab(runs, cursor);
    show(tab);
    EXPECT_TRUE(tab.matrix()->emptyText().contains("F5"));
    EXPECT_TRUE(tab.errorPlot()->emptyText().contains("F5"));
    runs.apply(learnedEvents());
    tab.refreshNow();
    EXPECT_FALSE(tab.showsWeights());
    EXPECT_EQ(tab.matrix()->heatmapFigure().value(0, 0), 10);
    cursor.moveTo(1);
    tab.refreshNow();
    EXPECT_EQ(tab.matrix()->heatmapFigure().value(0, 0), 4);
    EXPECT_DOUBLE_EQ(tab.errorPlot()->cursorX(), 4);
    EXPECT_EQ(tab.errorPlot()->curveFigure().curves.size(), 2);
    QString detail;
    QObject::connect(&tab, &RunTab::itemSelected, &tab, [&](RunId, const QString& text) { detail = text; });
    Q_EMIT tab.matrix()->itemActivated("cell", 1);
    EXPECT_TRUE(detail.contains("= b")) << detail.toStdString();
    EXPECT_TRUE(detail.contains("-2") || detail.contains("−2")) << detail.toStdString();
}

TEST_F(RunTabs, SolutionTabShowsADiagonalAsBarsAndSaysWhatIsMissing) {
    SolutionTab tab(runs, cursor);
    show(tab);
    runs.apply(learnedEvents(5, true));
    tab.refreshNow();
    EXPECT_TRUE(tab.showsWeights());
    EXPECT_EQ(tab.weights()->shapeFigure().shapes.size(), 2);
    runs.remove({RunId{901}, RunId{902}});
    runs.apply(tinyEvents({RunId{903}, "bare", false, 3, 3, 0.6, 1.0, true}));
    tab.refreshNow();
    EXPECT_FALSE(tab.showsWeights());
    EXPECT_TRUE(isEmpty(tab.matrix()->figure()));
    EXPECT_TRUE(tab.matrix()->emptyText().contains("--save-solutions"));
    EXPECT_TRUE(tab.errorPlot()->emptyText().contains("share of rows"));
}

TEST_F(RunTabs, EveryChartHasANameWordsAndATable) {
    runs.apply(learnedEvents());
    std::vector<std::unique_ptr<RunTab>> tabs;
    tabs.push_back(std::make_unique<CostTab>(runs, cursor));
    tabs.push_back(std::make_unique<SolutionTab>(runs, cursor));
    for (const auto& tab : tabs) {
        show(*tab);
        for (FigureView* chart : tab->charts()) {
            EXPECT_FALSE(chart->accessibleName().isEmpty());
            EXPECT_FALSE(chart->accessibleDescription().isEmpty());
            EXPECT_NE(chart->action("export"), nullptr);
            if (!isEmpty(chart->figure())) {
                EXPECT_GT(chart->tableModel()->rowCount(), 0) << chart->accessibleName().toStdString();
            }
        }
    }
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

TEST_F(RunTabs, ProblemsAreShownByTheMeasureThatIsChosen) {
    ProblemsTab tab(runs, cursor);
    show(tab);
    EXPECT_TRUE(tab.charts().empty());
    runs.apply(problemEvents());
    tab.refreshNow();
    ASSERT_EQ(tab.measureChooser()->count(), 2);
    ASSERT_EQ(tab.charts().size(), 1U) << "only one of the lanes has rates";
    EXPECT_DOUBLE_EQ(tab.heatmap(RunId{902})->heatmapFigure().value(1, 2), 0.3);
    tab.prefer("test_error");
    tab.refreshNow();
    EXPECT_EQ(tab.measureChooser()->currentData().toString(), "test_error");
    EXPECT_EQ(tab.charts().size(), 2U);
    EXPECT_DOUBLE_EQ(tab.heatmap(RunId{901})->heatmapFigure().value(1, 2), 0.2);
    const QSignalSpy told(&tab, &RunTab::itemSelected);
    Q_EMIT tab.heatmap(RunId{902})->probeChanged(2, 1);
    ASSERT_EQ(told.size(), 1);
    const QString words = told[0][1].toString();
    EXPECT_TRUE(words.startsWith("c against b, ")) << words.toStdString();
    EXPECT_TRUE(words.contains("error on held-out rows 0.3")) << words.toStdString();
}

} // namespace
} // namespace lambdascope
