// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "core/store/run_library.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/export_dialog.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/figure_origin.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/render_command.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>

#include <filesystem>
#include <sstream>

namespace lambdascope {
namespace {

/// The window over a library of runs, closed and opened again.
class FigureReopeningTest : public WindowTest {
  protected:
    void SetUp() override {
        QSettings().clear();
        reopen();
    }
    void reopen() {
        close();
        Workbench::Options options;
        options.catalog = &tinyCatalog();
        options.run.findFamily = findTinyFamily;
        auto library = RunLibrary::open(folder.filePath("library.sqlite").toStdString());
        ASSERT_TRUE(library);
        options.run.library = *library;
        workbench = std::make_unique<Workbench>(std::move(options));
        window = std::make_unique<MainWindow>(*workbench);
        window->show();
        connectOnce();
        settleEvents();
    }
    void connectOnce() {
        reopened = 0;
        QObject::connect(workbench.get(), &Workbench::figureReopened, window.get(), [this] { ++reopened; });
    }
    PathChart& chartOf(const QString& id) {
        for (const ViewSpec& view : window->stage().views()) {
            if (view.id == id) {
                return dynamic_cast<PathChart&>(*view.tab);
            }
        }
        throw std::runtime_error("no such view");
    }
    /// As its menu does.
    void exportChart(PathChart& chart, const QString& path) {
        chart.refreshNow();
        chart.plot()->exportFigure();
        auto* dialog = chart.plot()->findChild<ExportDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->setPath(path);
        buttonOf(*dialog, "Export")->click();
        settleEvents();
        ASSERT_TRUE(QFile::exists(path));
    }
    void openFigure(const QString& path) {
        workbench->open(path);
        ASSERT_TRUE(waitUntil([&] { return reopened > 0; })) << window->notices().texts().join('\n').toStdString();
    }
    /// As if it was dropped on the middle of the window.
    void dropFigure(const QString& path) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
        ASSERT_TRUE(waitUntil([&] { return reopened > 0; })) << window->notices().texts().join('\n').toStdString();
    }
    /// The drawing of an SVG, without the recipe.
    [[nodiscard]] static QString drawing(const QString& path) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        QString text = QString::fromUtf8(file.readAll());
        EXPECT_TRUE(text.contains("<desc>"));
        return text.remove(QRegularExpression("<desc>.*</desc>", QRegularExpression::DotMatchesEverythingOption));
    }
    [[nodiscard]] QStringList shownLanes() const {
        QStringList lanes;
        for (const RunId id : workbench->runs().shownIds()) {
            lanes << workbench->runs().display(id).name;
        }
        return lanes;
    }

    int reopened = 0;
};

TEST_F(FigureReopeningTest, AChartComesBackOnItsRunWithViewChoiceScalePlaceAndLanes) {
    compute({{"points", 6}});
    const RunId plain = workbench->runs().ids()[0];
    PathChart& items = chartOf("items");
    window->stage().choose("items");
    items.refreshNow();
    items.chooser()->setCurrentText("removed");
    workbench->runs().setShown(plain, false);
    workbench->cursor().moveTo(2);
    items.refreshNow();
    items.plot()->setLogX(!items.plot()->isLogX());
    const bool isLogX = items.plot()->isLogX();
    exportChart(items, folder.filePath("first.svg"));
    const auto before = QFileInfo(folder.filePath("first.svg")).size();
    EXPECT_GT(before, 0);

    reopen();
    compute({{"points", 3}}); // something else meanwhile
    window->stage().choose("times");
    openFigure(folder.filePath("first.svg"));
    EXPECT_EQ(window->stage().current().id, "items");
    PathChart& again = chartOf("items");
    EXPECT_EQ(again.chooser()->currentText(), "removed");
    EXPECT_EQ(again.plot()->isLogX(), isLogX);
    EXPECT_EQ(workbench->cursor().index(), 2);
    EXPECT_EQ(shownLanes(), QStringList{"half"});
    EXPECT_EQ(workbench->document().value("problem.points"), 6);
    EXPECT_TRUE(hasNotice("Reopened what first.svg shows"));
    exportChart(again, folder.filePath("second.svg"));
    EXPECT_EQ(drawing(folder.filePath("second.svg")), drawing(folder.filePath("first.svg")));
    // Once more: what is open already is not read again.
    const std::size_t runs = workbench->runs().ids().size();
    reopened = 0;
    openFigure(folder.filePath("second.svg"));
    EXPECT_EQ(workbench->runs().ids().size(), runs);
}

TEST_F(FigureReopeningTest, ASizeChosenByHandIsTheNextExportsToo) {
    compute({{"points", 5}});
    PathChart& times = chartOf("times");
    window->stage().choose("times");
    times.refreshNow();
    times.plot()->exportFigure();
    auto* dialog = times.plot()->findChild<ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
    FigureStyle style = FigureStyle::doubleColumn();
    style.widthMm = 133;
    style.heightMm = 71;
    style.fontPt = 9.5;
    style.showTitle = false;
    dialog->setStyle(style);
    dialog->setPath(folder.filePath("own.svg"));
    buttonOf(*dialog, "Export")->click();
    settleEvents();
    reopen();
    openFigure(folder.filePath("own.svg"));
    exportChart(chartOf("times"), folder.filePath("again.svg"));
    EXPECT_EQ(drawing(folder.filePath("again.svg")), drawing(folder.filePath("own.svg")));
    EXPECT_TRUE(drawing(folder.filePath("again.svg")).contains("133mm"));
}

TEST_F(FigureReopeningTest, EachFormatAndAPageOfPanelsComeBack) {
    compute({{"points", 5}});
    workbench->cursor().moveTo(1);
    for (const char* ending : {"svg", "pdf", "png"}) {
        ExportPanel& panel = window->exportPanel();
        FigureStyle style = FigureStyle::doubleColumn();
        style.widthMm = 150;
        style.grey = true;
        panel.setPage({"final-rate", "cpu", "convergence"}, 3, style);
        EXPECT_EQ(panel.panelCount(), 3);
        const QString path = folder.filePath(QStringLiteral("page.") + ending);
        ASSERT_TRUE(panel.exportTo(path)) << panel.message().toStdString();
        const QString drawn = folder.filePath("page-before.svg");
        ASSERT_TRUE(panel.exportTo(drawn));
        reopen();
        dropFigure(path);
        ExportPanel& again = window->exportPanel();
        EXPECT_TRUE(again.isVisible()) << ending << ": several panels are a matter of this window";
        EXPECT_EQ(again.panelNames(), (QStringList{"final-rate", "cpu", "convergence"}));
        EXPECT_EQ(window->stage().current().id, "rates");
        EXPECT_EQ(chartOf("rates").chooser()->currentText(), "before solved");
        EXPECT_EQ(workbench->cursor().index(), 1);
        ASSERT_TRUE(again.exportTo(folder.filePath("page-after.svg")));
        EXPECT_EQ(drawing(folder.filePath("page-after.svg")), drawing(drawn)) << ending;
    }
}

TEST_F(FigureReopeningTest, ADeletedRunIsSaidAndRunAgainOnItsView) {
    compute({{"points", 4}});
    window->stage().choose("items");
    PathChart& items = chartOf("items");
    items.refreshNow();
    items.chooser()->setCurrentText("removed");
    workbench->runs().setShown(workbench->runs().ids()[0], false);
    const QString path = folder.filePath("lost.svg");
    exportChart(items, path);
    const auto library = workbench->controller().library();
    const auto kept = library->experiments();
    ASSERT_TRUE(kept && kept->size() == 1);
    reopen();
    ASSERT_TRUE(workbench->controller().library()->discard({kept->front().id}));
    load({{"points", 9}});
    workbench->open(path);
    ASSERT_TRUE(waitUntil([&] { return hasNotice("not kept any more"); }));
    EXPECT_EQ(reopened, 0);
    EXPECT_EQ(workbench->document().value("problem.points"), 4);
    QPushButton* run = buttonOf(window->notices(), "Run it");
    ASSERT_NE(run, nullptr);
    run->click();
    ASSERT_TRUE(waitUntil([&] { return reopened == 1; }));
    EXPECT_EQ(window->stage().current().id, "items");
    EXPECT_EQ(chartOf("items").chooser()->currentText(), "removed");
    EXPECT_EQ(shownLanes(), QStringList{"half"});
    exportChart(chartOf("items"), folder.filePath("found.svg"));
    EXPECT_EQ(drawing(folder.filePath("found.svg")), drawing(path));
}

TEST_F(FigureReopeningTest, AnotherRunOfTheSameExperimentTakesThePlaceOfADeletedOneAndThatIsSaid) {
    compute({{"points", 4}});
    window->stage().choose("items");
    exportChart(chartOf("items"), folder.filePath("a.svg"));
    const auto first = workbench->controller().library()->experiments();
    ASSERT_TRUE(first && first->size() == 1);
    Json document = tinyDocument({{"points", 4}});
    document["name"] = "the same under another name";
    workbench->document().load(document);
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    compute({{"points", 5}});
    reopen();
    ASSERT_TRUE(workbench->controller().library()->discard({first->front().id}));
    openFigure(folder.filePath("a.svg"));
    EXPECT_TRUE(hasNotice("another one of the same experiment")) << window->notices().texts().join('\n').toStdString();
    EXPECT_EQ(workbench->cursor().count(), 4);
    EXPECT_EQ(shownLanes(), (QStringList{"plain", "half"}));
}

TEST_F(FigureReopeningTest, TheVeryRunIsPreferredToANewerOneOfTheSameExperiment) {
    compute({{"points", 4}});
    window->stage().choose("items");
    exportChart(chartOf("items"), folder.filePath("a.svg"));
    const auto first = workbench->controller().library()->experiments();
    ASSERT_TRUE(first && first->size() == 1);
    compute({{"points", 4}});
    for (const bool isOpen : {true, false}) { // the newer one is in the window, or nothing is
        reopen();
        if (isOpen) {
            workbench->openLibraryExperiment(first->front().id.value + 1);
            ASSERT_TRUE(waitUntil([&] { return workbench->runs().ids().size() == 2; }));
        }
        openFigure(folder.filePath("a.svg"));
        EXPECT_FALSE(hasNotice("another one"));
        ASSERT_EQ(shownLanes().size(), 2);
        const auto kept = workbench->controller().library()->keptRun(workbench->runs().shownIds().front());
        ASSERT_TRUE(kept);
        EXPECT_EQ(*kept, first->front().runs.front().id);
    }
}

/// A run folder with the two lanes of the tiny family.
QString writeTinyRun(const QString& path, int points) {
    return writeRunOf(path, tinyExperiment({{"points", points}}), *findTinyFamily("tiny"));
}

TEST_F(FigureReopeningTest, ARunFolderIsFoundWhereItWasAndWhereItWasMovedTo) {
    const QString run = writeTinyRun(folder.filePath("runs/first"), 4);
    writeTinyRun(folder.filePath("runs/second"), 5);
    std::ostringstream out;
    std::ostringstream errors;
    const QString figure = folder.filePath("runs/removed.pdf");
    ASSERT_EQ(renderFigures({run, "removed", figure, "single", {}}, out, errors), 0) << errors.str();
    openFigure(figure);
    EXPECT_EQ(window->stage().current().id, "items");
    EXPECT_EQ(chartOf("items").chooser()->currentText(), "removed");
    EXPECT_EQ(workbench->cursor().count(), 4);
    EXPECT_FALSE(hasNotice("another one"));
    EXPECT_FALSE(window->exportPanel().isVisible());
    EXPECT_EQ(window->exportPanel().figureName(), "removed");
    std::filesystem::rename(run.toStdString(), folder.filePath("runs/renamed").toStdString());
    reopen();
    openFigure(figure);
    EXPECT_EQ(workbench->cursor().count(), 4);
    EXPECT_FALSE(hasNotice("another one")) << "it is the very run";
    ASSERT_TRUE(window->exportPanel().exportTo(folder.filePath("after.svg")));
    ASSERT_EQ(renderFigures({folder.filePath("runs/renamed"), "removed", folder.filePath("cli.svg"), "single", {}}, out,
                            errors),
              0);
    EXPECT_EQ(drawing(folder.filePath("after.svg")), drawing(folder.filePath("cli.svg")));
}

TEST_F(FigureReopeningTest, FiguresOfOlderVersionsAndDamagedRecipesAreTold) {
    compute({{"points", 4}});
    const RunRecord* record = workbench->runs().record(workbench->runs().ids().front());
    const auto picture = [&](const QString& name, const std::string& recipe) {
        QString escaped = QString::fromStdString(recipe).toHtmlEscaped();
        return write(name, "<svg xmlns='http://www.w3.org/2000/svg'><desc>" + escaped.toStdString() + "</desc></svg>");
    };
    const QString old = picture("old.svg", record->start().experiment.dump(4));
    reopen();
    openFigure(old);
    EXPECT_EQ(shownLanes(), (QStringList{"plain", "half"})) << "found in the library by its experiment";
    for (const char* bad : {"{\"lambdascope_figure\": 1}", "{\"lambdascope_figure\": 1, \"runs\": 7}", "[1]", "{", "",
                            "{\"lambdascope_figure\": 1, \"runs\": [{\"lanes\": [\"a\"]}]}",
                            "{\"lambdascope_figure\": 1, \"runs\": [], \"views\": [{\"view\": 3}]}"}) {
        const std::size_t before = workbench->runs().ids().size();
        workbench->open(picture("bad.svg", bad));
        settleEvents();
        EXPECT_TRUE(hasNotice("bad.svg")) << bad << window->notices().texts().join('\n').toStdString();
        EXPECT_EQ(workbench->runs().ids().size(), before);
        window->notices().dismissAll();
    }
}

TEST_F(FigureReopeningTest, FiguresOpenedTogetherComeOneAfterTheOther) {
    compute({{"points", 4}});
    window->stage().choose("items");
    exportChart(chartOf("items"), folder.filePath("a.svg"));
    compute({{"points", 7}});
    exportChart(chartOf("times"), folder.filePath("b.svg"));
    reopen();
    workbench->openAll({folder.filePath("a.svg"), folder.filePath("b.svg")});
    ASSERT_TRUE(waitUntil([&] { return reopened == 2; }));
    EXPECT_EQ(workbench->runs().ids().size(), 4U);
    EXPECT_EQ(workbench->cursor().count(), 7);
    EXPECT_EQ(window->stage().current().id, "times");
}

TEST(FigureOriginTest, WhatIsWrittenIsRead) {
    FigureOrigin origin;
    origin.runs.push_back({Json{{"family", "tiny"}}, 12, "2031-04-05T06:07:08Z", "/a/b", {"x", "y"}, {"x", "why"}});
    FigureLook look{{"x"}, true, true, false, ValueRange{1, 2}, ValueRange{-0.1, 1e300}};
    origin.views.push_back({"rates", Json{{"Rate", "on arrival"}}, 1, look});
    origin.point = 3;
    origin.panels = QStringList{"cpu", "drawn:λ = 3"};
    origin.columns = 4;
    origin.style = FigureStyle::slide();
    const auto read = readFigureOrigin(recipeText(origin), "f.svg");
    ASSERT_TRUE(read) << read.error().describe();
    ASSERT_EQ(read->runs.size(), 1U);
    EXPECT_EQ(read->runs[0].experiment, origin.runs[0].experiment);
    EXPECT_EQ(read->runs[0].kept, 12);
    EXPECT_EQ(read->runs[0].createdAt, origin.runs[0].createdAt);
    EXPECT_EQ(read->runs[0].folder, "/a/b");
    EXPECT_EQ(read->runs[0].names, origin.runs[0].names);
    ASSERT_EQ(read->views.size(), 1U);
    EXPECT_EQ(read->views[0].look, look);
    EXPECT_EQ(read->views[0].state, origin.views[0].state);
    EXPECT_EQ(read->panels, origin.panels);
    EXPECT_EQ(read->columns, 4);
    EXPECT_TRUE(read->style == origin.style);
    EXPECT_EQ(read->point, 3);
    EXPECT_TRUE(areSameExperiment(Json::parse("{\"a\": 1, \"name\": \"x\", \"b\": {\"c\": 2, \"d\": 3}}"),
                                  Json::parse("{\"b\": {\"d\": 3, \"c\": 2}, \"a\": 1}")));
    EXPECT_FALSE(areSameExperiment(Json::parse("{\"a\": 1}"), Json::parse("{\"a\": 2}")));
    EXPECT_EQ(viewOfFigure("heatmap:a:b@3").id, "heatmap");
    EXPECT_EQ(viewOfFigure("heatmap:a:b@3").state.at("Lane"), "a:b");
    EXPECT_TRUE(viewOfFigure("nothing").id.isEmpty());
}

} // namespace
} // namespace lambdascope
