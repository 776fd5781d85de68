// SPDX-License-Identifier: GPL-3.0-or-later
// Two views beside each other, arrangements by family, the palette of commands, and F6.
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/question_card.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/command_palette.h"
#include "ui/windows/theme_switch.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lambdascope {
namespace {

using ArrangementTest = WindowTest;

RunTab* tabOf(const MainWindow& window, const QString& id) {
    for (const ViewSpec& view : window.stage().views()) {
        if (view.id == id) {
            return view.tab;
        }
    }
    return nullptr;
}

TEST_F(ArrangementTest, TwoViewsStandBesideEachOther) {
    compute();
    ViewStage& stage = window->stage();
    stage.refreshNow();
    stage.choose("rates");
    EXPECT_FALSE(tabOf(*window, "times")->isVisible());
    window->actions()["view.split"]->trigger();
    settleEvents();
    EXPECT_EQ(stage.beside(), "times");
    EXPECT_TRUE(tabOf(*window, "rates")->isVisible());
    EXPECT_TRUE(tabOf(*window, "times")->isVisible());
    stage.choose("times");
    EXPECT_EQ(stage.current().id, "times");
    EXPECT_EQ(stage.beside(), "rates") << "they change places";
    EXPECT_TRUE(tabOf(*window, "rates")->isVisible() && tabOf(*window, "times")->isVisible());
    stage.setBeside("plane");
    EXPECT_FALSE(tabOf(*window, "plane")->isVisible()) << "these runs have none";
    EXPECT_TRUE(tabOf(*window, "times")->isVisible());
    stage.setBeside("rates");
    Q_EMIT tabOf(*window, "rates")->enlargeRequested();
    EXPECT_TRUE(tabOf(*window, "rates")->isVisible());
    EXPECT_FALSE(tabOf(*window, "times")->isVisible()) << "the one beside has all the room";
    window->setEnlarged(false);
    EXPECT_TRUE(tabOf(*window, "rates")->isVisible() && tabOf(*window, "times")->isVisible());
    window->actions()["view.split"]->trigger();
    EXPECT_TRUE(stage.beside().isEmpty());
    EXPECT_FALSE(tabOf(*window, "rates")->isVisible());
    EXPECT_TRUE(tabOf(*window, "times")->isVisible());
}

TEST_F(ArrangementTest, EachFamilyKeepsItsOwnAndItOutlivesTheProgram) {
    compute();
    window->stage().refreshNow();
    window->stage().choose("heatmap");
    window->stage().setBeside("times");
    const auto of = [this](const char* family, RunId id) {
        std::vector<RunEvent> events = tinyEvents({.id = id});
        std::get<RunStarted>(events.front().body).family = family;
        workbench->runs().apply(events);
    };
    of("another", RunId{5001});
    window->stage().choose("convergence");
    window->stage().setBeside({});
    of("tiny", RunId{5002});
    window->stage().refreshNow();
    EXPECT_EQ(window->stage().current().id, "heatmap");
    EXPECT_EQ(window->stage().beside(), "times");
    window->saveLayout();
    close();
    open();
    of("another", RunId{5003});
    window->stage().refreshNow();
    EXPECT_EQ(window->stage().current().id, "convergence");
    EXPECT_TRUE(window->stage().beside().isEmpty());
    workbench->runs().setShown(RunId{5003}, false);
    of("tiny", RunId{5004});
    window->stage().refreshNow();
    EXPECT_EQ(window->stage().current().id, "heatmap");
    EXPECT_EQ(window->stage().beside(), "times");
    window->actions()["view.reset-layout"]->trigger();
    EXPECT_TRUE(window->stage().beside().isEmpty());
    window->stage().arrange("no-such-view neither 1,2,3");
    EXPECT_TRUE(window->stage().beside().isEmpty()) << "damaged settings do no harm";
}

TEST_F(ArrangementTest, SmallPicturesAreDrawnOneByOneWithATurnForOthersBetween) {
    window->showWelcome(false);
    settleEvents();
    const auto drawn = [this] {
        int count = 0;
        for (int question = 0; question < kQuestionCount; ++question) {
            count += window->stage().card(static_cast<Question>(question))->hasPicture() ? 1 : 0;
        }
        return count;
    };
    ASSERT_EQ(drawn(), 0);
    int before = 0;
    int most = 0;
    QTimer others;
    QObject::connect(&others, &QTimer::timeout, &others, [&] {
        most = std::max(most, drawn() - before);
        before = drawn();
    });
    others.start(0);
    workbench->runs().apply(tinyEvents({.id = RunId{5005}}));
    ASSERT_TRUE(waitUntil([&] { return before >= 3; }));
    EXPECT_EQ(most, 1);
}

TEST_F(ArrangementTest, AnExperimentOpensOnTheViewItNamesOnce) {
    const auto start = [this](RunId id, const char* name, const char* view) {
        std::vector<RunEvent> events = tinyEvents({.id = id});
        auto& started = std::get<RunStarted>(events.front().body);
        started.experimentName = name;
        started.experiment["view"] = view;
        workbench->runs().apply(events);
        window->stage().refreshNow();
    };
    start(RunId{6101}, "one", "times");
    EXPECT_EQ(window->stage().current().id, "times");
    window->stage().choose("rates");
    start(RunId{6102}, "one", "times");
    EXPECT_EQ(window->stage().current().id, "rates") << "it was chosen by hand since";
    start(RunId{6103}, "two", "heatmap");
    EXPECT_EQ(window->stage().current().id, "heatmap");
    start(RunId{6104}, "three", "no-such-view");
    EXPECT_EQ(window->stage().current().id, "heatmap");
}

// The preset about ranges computed for half a minute under "This run still computes".
TEST_F(ArrangementTest, WhatIsComputedFromAnEndedRunGivesItsPlaceUntilThen) {
    std::vector<RunEvent> events = tinyEvents({.id = RunId{6201}});
    auto& started = std::get<RunStarted>(events.front().body);
    started.experimentName = "ranges";
    started.experiment["view"] = "bounds";
    const RunEvent end = events.back();
    events.pop_back();
    ViewStage& stage = window->stage();
    workbench->runs().apply(events);
    stage.refreshNow();
    EXPECT_FALSE(stage.offered().contains("bounds"));
    EXPECT_EQ(stage.current().question, Question::Screened);
    EXPECT_FALSE(stage.card(Question::Safe)->isEnabled());
    workbench->runs().apply({end});
    stage.refreshNow();
    EXPECT_TRUE(stage.card(Question::Safe)->isEnabled());
    EXPECT_EQ(stage.current().id, "bounds") << "nobody has chosen another one";
}

TEST_F(ArrangementTest, EachPresetOfAPaperNamesAViewThatThereIs) {
    int named = 0;
    for (const auto& file : std::filesystem::directory_iterator(LAMBDASCOPE_TEST_SOURCE_DIR "/resources/presets")) {
        std::ifstream stream(file.path());
        const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        const auto document = parseJsonDocument(text, file.path().string());
        ASSERT_TRUE(document) << file.path();
        const std::string view = document->value.value("view", std::string());
        const std::string name = document->value.value("name", std::string());
        EXPECT_TRUE(!view.empty() || !(name.starts_with("Figure") || name.starts_with("Table"))) << file.path();
        const QString id = QString::fromStdString(view).section('/', 0, 0);
        EXPECT_TRUE(view.empty() || tabOf(*window, id) != nullptr) << file.path();
        named += view.empty() ? 0 : 1;
    }
    EXPECT_GT(named, 40);
}

TEST_F(ArrangementTest, APaperOpensBesideItsNumbersUntilSomebodyClosesThem) {
    const auto start = [this](RunId id) {
        std::vector<RunEvent> events = tinyEvents({.id = id});
        std::get<RunStarted>(events.front().body).experiment["published"] =
            Json::array({{{"label", "time"}, {"value", 12}, {"source", "[T]"}, {"measure", "cpu"}, {"lane", "plain"}}});
        workbench->runs().apply(events);
        window->stage().refreshNow();
    };
    window->showWelcome(false);
    window->setWindowState(Qt::WindowNoState);
    window->resize(1280, 800);
    settleEvents();
    start(RunId{6001});
    EXPECT_EQ(window->stage().beside(), "paper");
    EXPECT_TRUE(tabOf(*window, "paper")->isVisible());
    for (const ViewSpec& view : window->stage().views()) { // "Click to look" stood under "What is screened"
        if (view.id == "paper") {
            EXPECT_EQ(view.question, Question::Saved);
            ASSERT_TRUE(view.words);
            EXPECT_TRUE(view.words(shownRuns(workbench->runs())).startsWith("1 published number"));
        }
    }
    window->actions()["view.split"]->trigger();
    EXPECT_FALSE(tabOf(*window, "paper")->isVisible());
    start(RunId{6002});
    EXPECT_TRUE(window->stage().beside().isEmpty());
}

TEST_F(ArrangementTest, ThePaletteFindsEveryCommandByAFewLetters) {
    compute();
    window->actions()["help.palette"]->trigger();
    CommandPalette& palette = window->commandPalette();
    ASSERT_TRUE(palette.isVisible());
    for (const QAction* action : window->actions().all()) {
        EXPECT_TRUE(action->objectName() == "help.palette" || palette.offered().contains(plainText(action->text())))
            << action->objectName().toStdString();
    }
    QTest::keyClicks(palette.input(), "verify");
    ASSERT_FALSE(palette.offered().isEmpty());
    EXPECT_EQ(palette.offered().front(), "Verify all lanes");
    palette.input()->clear();
    QTest::keyClicks(palette.input(), "view each");
    EXPECT_EQ(palette.offered().front(), "View: Each check");
    QTest::keyClick(palette.input(), Qt::Key_Return);
    EXPECT_FALSE(palette.isVisible());
    EXPECT_EQ(window->stage().current().id, "heatmap");
    window->actions()["help.palette"]->trigger();
    QTest::keyClicks(palette.input(), "zzzz");
    EXPECT_TRUE(palette.offered().isEmpty());
    QTest::keyClick(palette.input(), Qt::Key_Return);
    EXPECT_TRUE(palette.isVisible()) << "nothing to do";
    palette.close();
}

TEST(CommandPaletteScore, WordsAtTheBeginningCountMost) {
    EXPECT_GT(paletteScore("ru", "Run", ""), paletteScore("ru", "Open run folder", ""));
    EXPECT_GT(paletteScore("run", "Open run folder", ""), paletteScore("run", "Prune", ""));
    EXPECT_GT(paletteScore("export", "Export figure", ""), paletteScore("export", "Reset", "after an export"));
    EXPECT_EQ(paletteScore("export zebra", "Export figure", ""), 0);
    EXPECT_GT(paletteScore("", "anything", ""), 0);
}

TEST_F(ArrangementTest, F6GoesThroughThePartsOfTheWindow) {
    compute();
    window->activateWindow();
    window->form().setFocus();
    std::vector<const QWidget*> seen;
    const std::vector<const QWidget*> parts{&window->form(), window->stage().current().tab, &window->cursorBar()};
    const auto partOf = [&]() -> const QWidget* {
        for (const QWidget* part : parts) {
            if (QApplication::focusWidget() != nullptr && part->isAncestorOf(QApplication::focusWidget())) {
                return part;
            }
        }
        return nullptr;
    };
    for (int i = 0; i < 8; ++i) {
        window->actions()["view.next-region"]->trigger();
        ASSERT_NE(QApplication::focusWidget(), nullptr);
        seen.push_back(partOf());
    }
    for (const QWidget* part : parts) {
        EXPECT_NE(std::find(seen.begin(), seen.end(), part), seen.end()) << part->metaObject()->className();
    }
    const QWidget* last = QApplication::focusWidget();
    window->actions()["view.next-region"]->trigger();
    window->actions()["view.previous-region"]->trigger();
    EXPECT_EQ(QApplication::focusWidget(), last) << "back where one was";
}

TEST_F(ArrangementTest, TheKeyOfADrawerBringsItBeforeTheOthersFirst) {
    auto* runs = window->findChild<QDockWidget*>("runs-dock");
    settleEvents();
    ASSERT_TRUE(runs->visibleRegion().isEmpty()) << "the form stands before it";
    window->actions()["view.runs"]->trigger();
    settleEvents();
    EXPECT_FALSE(runs->isHidden());
    EXPECT_FALSE(runs->visibleRegion().isEmpty());
    window->actions()["view.runs"]->trigger();
    EXPECT_TRUE(runs->isHidden());
    window->actions()["view.runs"]->trigger();
    settleEvents();
    EXPECT_FALSE(runs->visibleRegion().isEmpty());
}

// In the dark, tick boxes and fields had no frame that could be seen.
TEST_F(ArrangementTest, TickBoxesAndFieldsHaveAFrameInTheDark) {
    ThemeSwitch theme(workbench->settings());
    window->actions()["view.theme-dark"]->trigger();
    settleEvents();
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const auto strongest = [&](QWidget& widget) { // contrast of any pixel with the ground
        widget.resize(120, 30);
        widget.ensurePolished();
        const QImage image = widget.grab().toImage();
        const double ground = luminance(widget.palette().color(QPalette::Window));
        double most = 1;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const double here = luminance(image.pixelColor(x, y));
                most = std::max(most, (std::max(here, ground) + 0.05) / (std::min(here, ground) + 0.05));
            }
        }
        return most;
    };
    QCheckBox box;
    QLineEdit field;
    EXPECT_GE(strongest(box), 2.9);
    EXPECT_GE(strongest(field), 2.9);
    window->actions()["view.theme-light"]->trigger();
}

} // namespace
} // namespace lambdascope
