// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_headline.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/figure_builders.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/panels/views/headline_bar.h"
#include "ui/panels/views/lane_chips.h"
#include "ui/panels/views/run_tab.h"
#include "ui/windows/theme_switch.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>

namespace lambdascope {
namespace {

using HeadlineTest = WindowTest;

QString shownRemark(const MainWindow& window) {
    return window.headline().remark();
}

TEST_F(HeadlineTest, SaysWhatTheRecordsSayAndIsCopied) {
    EXPECT_TRUE(window->headline().sentence().isEmpty());
    compute();
    window->headline().refreshNow();
    std::vector<HeadlineLane> lanes;
    for (const RunId id : workbench->runs().ids()) {
        const RunRecord& record = *workbench->runs().record(id);
        lanes.push_back({&record, record.start().laneName, nullptr});
    }
    EXPECT_FALSE(window->headline().sentence().isEmpty());
    EXPECT_EQ(window->headline().sentence(), QString::fromStdString(headlineOf(lanes)));
    EXPECT_TRUE(window->findChild<QLabel*>("headline")->isVisible());
    window->actions()["edit.copy-caption"]->trigger();
    const QString name =
        QString::fromStdString(workbench->runs().record(workbench->runs().ids()[0])->start().experimentName);
    EXPECT_EQ(QApplication::clipboard()->text(), name + ". " + window->headline().sentence());
}

// What an example is for stood in the menu alone, where nobody looks once it is open.
TEST_F(HeadlineTest, SaysWhatTheExperimentIsForWhereThereIsRoom) {
    window->setWindowState(Qt::WindowNoState);
    window->resize(1280, 800);
    compute();
    const auto* about = window->findChild<QLabel*>("about");
    ASSERT_NE(about, nullptr);
    window->headline().refreshNow();
    EXPECT_FALSE(about->isVisible()) << "it says nothing of itself";
    Json document = tinyDocument({{"points", 4}});
    document["description"] = "Four points,\nto see what comes.";
    workbench->document().load(document);
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    workbench->bridge().drainNow();
    window->headline().refreshNow();
    EXPECT_EQ(about->text(), "Four points, to see what comes.");
    EXPECT_EQ(about->toolTip(), about->text());
    EXPECT_TRUE(about->isVisible());
    window->resize(1180, 600);
    EXPECT_TRUE(waitUntil([&] { return !about->isVisible(); })) << "charts need the room";
}

// The form showed one experiment and the charts another, without a word.
TEST_F(HeadlineTest, TellsThatTheFormWasChangedAfterTheRunShown) {
    compute();
    EXPECT_EQ(shownRemark(*window), QString());
    workbench->document().setValue("problem.points", 9);
    EXPECT_TRUE(shownRemark(*window).contains("changed after this run")) << shownRemark(*window).toStdString();
    EXPECT_TRUE(window->findChild<QLabel*>("form-remark")->isVisible());
    workbench->undoStack().undo();
    EXPECT_EQ(shownRemark(*window), QString());
    workbench->document().setValue("name", "another name");
    EXPECT_EQ(shownRemark(*window), QString()) << "that changes no number";
    workbench->document().addLane();
    EXPECT_TRUE(shownRemark(*window).contains("lane ")) << shownRemark(*window).toStdString();
    workbench->document().setValue("data.source", "wine");
    EXPECT_TRUE(shownRemark(*window).contains("another experiment")) << shownRemark(*window).toStdString();
}

TEST_F(HeadlineTest, ChipsAreTheSwitchOfTheirLanes) {
    compute();
    ASSERT_EQ(window->chips().chips().size(), 2);
    LegendChip* half = window->chips().chips()[1];
    half->click();
    EXPECT_EQ(workbench->runs().shownIds().size(), 1U);
    ASSERT_EQ(window->chips().chips().size(), 2) << "what is hidden can be shown again";
    window->chips().chips()[0]->click();
    EXPECT_TRUE(workbench->runs().shownIds().empty());
    ASSERT_EQ(window->chips().chips().size(), 2);
    window->chips().chips()[0]->click();
    window->chips().chips()[1]->click();
    EXPECT_EQ(workbench->runs().shownIds().size(), 2U);
}

TEST_F(HeadlineTest, ALaneHasOneColourInChipsChartsTablesExportsAndThemes) {
    compute();
    ThemeSwitch theme(workbench->settings());
    for (const char* mode : {"view.theme-dark", "view.theme-light"}) {
        window->actions()[QString::fromLatin1(mode)]->trigger();
        settleEvents();
        const ChartTheme colours = ChartTheme::fromPalette(QApplication::palette());
        for (const ShownRun& run : shownRuns(workbench->runs())) {
            const int place = LaneColours().placesOf(laneNamesOf(*run.record)).at(run.name);
            const QColor expected = colours.series[place % colours.series.size()];
            EXPECT_EQ(run.styleIndex, place);
            for (const Figure& figure : {Figure(cpuFigure({run})), Figure(iterationsFigure({run}))}) { // as exported
                const Curve& curve = std::get<CurveFigure>(figure).curves.first();
                EXPECT_EQ(resolveStyle(curve.style, 5, colours).colour, expected);
            }
            const int row = window->runsPanel().model().rowOf(run.record->id());
            EXPECT_EQ(window->runsPanel().model().index(row, 0).data(RunsModel::StyleIndexRole).toInt(), place);
            for (RunTab* tab : window->tabs()) {
                tab->refreshNow();
                for (FigureView* chart : tab->charts()) {
                    for (const LegendBar::Entry& entry : chart->legendEntries()) {
                        EXPECT_TRUE(entry.id != run.id || entry.style.colour == expected) << entry.name.toStdString();
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace lambdascope
