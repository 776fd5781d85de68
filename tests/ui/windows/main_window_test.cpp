// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/heatmap_tab.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/question_card.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QSlider>
#include <QTest>

namespace lambdascope {
namespace {

using MainWindowTest = WindowTest;

/// The view with an id, whether or not it is offered now.
template <class Tab>
Tab* viewOf(const MainWindow& window, const QString& id) {
    for (const ViewSpec& view : window.stage().views()) {
        if (view.id == id) {
            return dynamic_cast<Tab*>(view.tab);
        }
    }
    return nullptr;
}

TEST_F(MainWindowTest, OpensWithoutARunAndSaysWhatToDo) {
    EXPECT_TRUE(window->showsWelcome());
    EXPECT_EQ(window->notices().noticeCount(), 0);
    EXPECT_FALSE(window->actions()["run.stop"]->isEnabled());
    window->showWelcome(false);
    EXPECT_EQ(window->stage().offered().size(), 16) << "nothing is left out before there are runs";
}

TEST_F(MainWindowTest, FitsASmallScreen) {
    window->showWelcome(false);
    EXPECT_LE(window->minimumSizeHint().width(), 1280);
    EXPECT_LE(window->minimumSizeHint().height(), 720);
}

TEST_F(MainWindowTest, ARunFillsChartsInspectorAndCursor) {
    compute();
    EXPECT_FALSE(window->showsWelcome());
    auto* times = viewOf<PathChart>(*window, "times");
    ASSERT_NE(times, nullptr);
    ASSERT_TRUE(waitUntil([&] {
        times->refreshNow();
        return !times->plot()->curveFigure().curves.isEmpty();
    }));
    EXPECT_EQ(times->plot()->curveFigure().curves.first().points.size(), 4);
    EXPECT_EQ(window->cursorBar().placeText(), QStringLiteral("λ = 1 · point 4 of 4"));
    window->inspector().refreshNow();
    EXPECT_TRUE(window->inspector().text().contains(QStringLiteral("λ = 1")));
}

TEST_F(MainWindowTest, TheCursorScrubsAllViews) {
    compute();
    window->cursorBar().slider()->setValue(1);
    for (RunTab* tab : window->tabs()) {
        tab->refreshNow();
    }
    auto* rates = viewOf<PathChart>(*window, "rates");
    auto* heatmap = viewOf<HeatmapTab>(*window, "heatmap");
    EXPECT_DOUBLE_EQ(rates->plot()->cursorX(), 4);
    ASSERT_FALSE(heatmap->charts().empty());
    EXPECT_DOUBLE_EQ(static_cast<HeatmapView*>(heatmap->charts().front())->cursorX(), 4);
    auto* gap = static_cast<PlotView*>(viewOf<RunTab>(*window, "convergence")->charts()[0]);
    EXPECT_TRUE(gap->curveFigure().title.contains(QStringLiteral("λ = 4")));
    window->inspector().refreshNow();
    EXPECT_TRUE(window->inspector().text().contains(QStringLiteral("λ = 4")));
    Q_EMIT rates->plot()->cursorMoved(8); // a click in a chart moves all others
    EXPECT_EQ(workbench->cursor().index(), 0);
}

TEST_F(MainWindowTest, ViewsThatTheRunsCannotFillAreNotOffered) {
    compute();
    window->stage().refreshNow();
    const QStringList offered = window->stage().offered();
    EXPECT_TRUE(offered.contains("rates") && offered.contains("times") && offered.contains("heatmap"));
    EXPECT_FALSE(offered.contains("plane")) << "this family has none";
    EXPECT_FALSE(offered.contains("solution")) << "none is kept";
    window->stage().choose("plane");
    EXPECT_NE(window->stage().current().id, "plane");
    for (const Question question : {Question::Screened, Question::Saved, Question::Converged}) {
        EXPECT_TRUE(window->stage().card(question)->hasPicture());
        window->stage().choose(question);
        EXPECT_EQ(window->stage().current().question, question);
        EXPECT_TRUE(window->stage().card(question)->isChecked());
    }
    QStringList seen;
    for (int i = 0; i < offered.size(); ++i) {
        window->actions()["view.next-view"]->trigger();
        seen << window->stage().current().id;
    }
    seen.sort();
    QStringList all = offered;
    all.sort();
    EXPECT_EQ(seen, all) << "the keys reach every view";
}

TEST_F(MainWindowTest, EscMarksNothingAnyMoreBeforeItTakesTheRoomBack) {
    compute();
    ItemBrush& brush = workbench->lens().brush();
    const auto* inspector = window->findChild<QDockWidget*>("inspector-dock");
    ASSERT_NE(inspector, nullptr);
    window->findChild<QDockWidget*>("inspector-dock")->hide();
    brush.mark(workbench->runs().ids().front(), ItemBrush::Kind::Items, {3, 5});
    EXPECT_FALSE(inspector->isHidden()); // it has the answer
    QTest::keyClick(viewOf<PathChart>(*window, "rates")->plot()->focusProxy(), Qt::Key_Return);
    ASSERT_TRUE(window->isEnlarged());
    QTest::keyClick(window.get(), Qt::Key_Escape);
    EXPECT_TRUE(brush.isEmpty());
    EXPECT_TRUE(window->isEnlarged());
    QTest::keyClick(window.get(), Qt::Key_Escape);
    EXPECT_FALSE(window->isEnlarged());
}

TEST_F(MainWindowTest, EnterGivesAChartAllTheRoomAndEscTakesItBack) {
    compute();
    auto* form = window->findChild<QDockWidget*>("experiment-dock");
    auto* plot = viewOf<PathChart>(*window, "rates")->plot();
    window->stage().choose("rates");
    QTest::keyClick(plot->focusProxy(), Qt::Key_Return);
    EXPECT_TRUE(window->isEnlarged());
    EXPECT_TRUE(form->isHidden());
    EXPECT_FALSE(window->stage().card(Question::Saved)->isVisible());
    QTest::keyClick(window.get(), Qt::Key_Escape);
    EXPECT_FALSE(window->isEnlarged());
    EXPECT_FALSE(form->isHidden());
    EXPECT_TRUE(window->stage().card(Question::Saved)->isVisible());
    Q_EMIT plot->enlargeRequested();
    EXPECT_TRUE(window->isEnlarged());
    Q_EMIT plot->enlargeRequested();
    EXPECT_FALSE(window->isEnlarged());
}

TEST_F(MainWindowTest, TheLargeChartIsAtLeast450HighOnASmallScreen) {
    compute();
    window->resize(1280, 800);
    settleEvents();
    for (const char* id : {"rates", "times"}) {
        window->stage().choose(QString::fromLatin1(id));
        settleEvents();
        EXPECT_GE(viewOf<PathChart>(*window, QString::fromLatin1(id))->plot()->height(), 450) << id;
    }
}

TEST_F(MainWindowTest, ANewRunTakesThePlaceOfTheOldUnlessKept) {
    compute();
    compute();
    EXPECT_EQ(workbench->runs().ids().size(), 4U);
    EXPECT_EQ(workbench->runs().shownIds().size(), 2U);
    window->actions()["view.keep-runs"]->trigger();
    compute();
    EXPECT_EQ(workbench->runs().shownIds().size(), 4U);
}

TEST_F(MainWindowTest, PauseResumeAndStopFromTheActions) {
    load({{"points", 100000}, {"delay_us", 200}});
    window->actions()["run.start"]->trigger();
    ASSERT_TRUE(waitUntil([&] { return workbench->controller().state() == RunState::Running; }));
    window->actions()["run.pause"]->trigger();
    ASSERT_TRUE(waitUntil([&] { return workbench->controller().state() == RunState::Paused; }));
    EXPECT_EQ(window->actions()["run.pause"]->text(), "&Resume");
    window->actions()["run.pause"]->trigger();
    ASSERT_TRUE(waitUntil([&] { return workbench->controller().state() == RunState::Running; }));
    ASSERT_TRUE(waitUntil([&] { return !workbench->runs().ids().empty(); }));
    window->actions()["run.stop"]->trigger();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    EXPECT_EQ(window->notices().noticeCount(), 0); // a stop is no problem
}

TEST_F(MainWindowTest, AFailedPreparationIsSaidInTheWindow) {
    load({{"refuse", true}});
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    EXPECT_TRUE(hasNotice("the data were refused"));
    EXPECT_TRUE(hasNotice("Untick it."));
}

// Views of other families stood there, all empty, and "Press F5".
TEST_F(MainWindowTest, WhereNothingCouldStartTheChartsGiveWayToWhy) {
    Json document = tinyDocument({{"refuse", true}});
    document["description"] = "The file is not bundled.";
    workbench->document().load(document);
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    EXPECT_TRUE(window->trouble().contains("not bundled")) << "how to get it";
    EXPECT_TRUE(window->trouble().contains("the data were refused")) << window->trouble().toStdString();
    EXPECT_TRUE(window->trouble().contains("Untick it.")) << "and what helps";
    EXPECT_FALSE(window->stage().isVisible());
    compute();
    EXPECT_TRUE(window->trouble().isEmpty());
    EXPECT_TRUE(window->stage().isVisible());
    load({{"refuse", true}});
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    EXPECT_TRUE(window->stage().isVisible()) << "earlier runs are still to be seen";
}

TEST_F(MainWindowTest, EarlierRunsStayShownWhenTheNextFailsBeforeItsFirstPoint) {
    compute();
    const std::vector<RunId> shown = workbench->runs().shownIds();
    ASSERT_EQ(shown.size(), 2U);
    load({{"refuse", true}});
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    EXPECT_EQ(workbench->runs().shownIds(), shown);
    compute();
    EXPECT_EQ(workbench->runs().shownIds().size(), 2U);
    EXPECT_NE(workbench->runs().shownIds(), shown);
}

TEST_F(MainWindowTest, AnExperimentThatCannotRunSaysWhy) {
    load({{"points", 13}});
    EXPECT_FALSE(window->actions()["run.start"]->isEnabled());
    EXPECT_TRUE(window->actions()["run.start"]->toolTip().contains("Cannot run"));
    workbench->run();
    EXPECT_TRUE(hasNotice("cannot run"));
}

TEST_F(MainWindowTest, LayoutComesBackAndCanBeReset) {
    auto* form = window->findChild<QDockWidget*>("experiment-dock");
    window->actions()["view.experiment"]->trigger();
    window->stage().choose("heatmap");
    EXPECT_TRUE(form->isHidden());
    window->saveLayout();
    close();
    open();
    form = window->findChild<QDockWidget*>("experiment-dock");
    EXPECT_TRUE(form->isHidden());
    EXPECT_FALSE(window->actions()["view.experiment"]->isChecked());
    EXPECT_EQ(window->stage().current().id, "heatmap");
    window->actions()["view.reset-layout"]->trigger();
    EXPECT_FALSE(form->isHidden());
    EXPECT_TRUE(window->actions()["view.experiment"]->isChecked());
}

TEST_F(MainWindowTest, TheExperimentInTheFormOutlivesTheProgram) {
    load({{"points", 7}});
    workbench->saveSession();
    close();
    open();
    workbench->restoreSession();
    EXPECT_EQ(workbench->document().value("problem.points"), 7);
    EXPECT_FALSE(workbench->undoStack().canUndo());
}

TEST_F(MainWindowTest, EveryControlHasANameForAssistiveReaders) {
    compute();
    window->showWelcome(true);
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
        const bool isControl = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                               qobject_cast<const QComboBox*>(widget) != nullptr ||
                               qobject_cast<const QSlider*>(widget) != nullptr ||
                               qobject_cast<const QLineEdit*>(widget) != nullptr;
        const bool isPrivate = widget->objectName().startsWith("qt_") ||
                               QString::fromLatin1(widget->metaObject()->className()).startsWith("QDockWidgetTitle");
        if (!isControl || isPrivate || widget->focusPolicy() == Qt::NoFocus) {
            continue;
        }
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool hasText = button != nullptr && !button->text().isEmpty();
        const QWidget* parent = widget->parentWidget();
        const bool isPartOfNamed =
            parent != nullptr &&
            (parent->inherits("QComboBox") || parent->inherits("QAbstractSpinBox") || parent->inherits("QTabBar") ||
             parent->inherits("QTableView") || parent->inherits("QToolBar") || parent->inherits("QLineEdit"));
        EXPECT_TRUE(hasText || isPartOfNamed || !widget->accessibleName().isEmpty())
            << widget->metaObject()->className() << " '" << widget->objectName().toStdString() << "' in "
            << (parent == nullptr ? "" : parent->metaObject()->className());
    }
    for (RunTab* tab : window->tabs()) {
        for (FigureView* chart : tab->charts()) {
            EXPECT_FALSE(chart->accessibleName().isEmpty());
        }
    }
}

} // namespace
} // namespace lambdascope
