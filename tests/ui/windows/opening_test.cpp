// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "tests/ui/figures/sample_runs.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/figure_writer.h"
#include "ui/figures/figure_export.h"
#include "ui/panels/experiment/data_page.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/views/run_tab.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/file_kind.h"
#include "ui/windows/render_command.h"

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>

#include <sstream>

namespace lambdascope {
namespace {

class Opening : public WindowTest {
  protected:
    /// As if the files were dropped on the middle of the window.
    void drop(const QStringList& paths) {
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : paths) {
            urls << QUrl::fromLocalFile(path);
        }
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
    }

    /// A run folder with the two lanes of sampleEvents.
    QString writeRunFolder() {
        const QString path = folder.filePath("run");
        RunFolderFacts facts;
        facts.experiment = tinyExperiment({{"points", 5}})->document;
        facts.version = "0";
        facts.lanes = {"plain", "half"};
        auto writer = RunFolderWriter::create(path.toStdString(), facts);
        EXPECT_TRUE(writer.has_value());
        for (RunEvent event : sampleEvents(5)) {
            if (auto* start = std::get_if<RunStarted>(&event.body)) {
                start->experiment = facts.experiment;
            }
            (*writer)->publish(event);
        }
        EXPECT_TRUE((*writer)->finish().has_value());
        return path;
    }
};

TEST_F(Opening, KindsOfFilesAreToldApart) {
    EXPECT_EQ(fileKind(folder.filePath("none")), FileKind::Missing);
    EXPECT_EQ(fileKind(folder.path()), FileKind::OtherFolder);
    EXPECT_EQ(fileKind(write("a.csv", "1,2\n")), FileKind::Data);
    EXPECT_EQ(fileKind(write("a.json", "{}")), FileKind::Experiment);
    EXPECT_EQ(fileKind(write("a.PDF", "x")), FileKind::FigureFile);
    EXPECT_EQ(fileKind(write("run.json", "{}")), FileKind::RunFolder);
    EXPECT_EQ(fileKind(folder.path()), FileKind::RunFolder);
}

TEST_F(Opening, DroppedDataBecomesTheSourceAndIsSummarized) {
    const QString path = write("flowers.csv", "a,b,label\n1,2,x\n2,1,x\n3,5,y\n4,4,y\n");
    drop({path});
    EXPECT_EQ(workbench->document().value("data.source"), path.toStdString());
    EXPECT_EQ(workbench->document().title(), "flowers");
    EXPECT_FALSE(window->showsWelcome());
    DataPreview& preview = window->form().dataPreview();
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Ready; }))
        << preview.summary().toStdString();
    EXPECT_EQ(factsOf(*preview.dataset()).rows, 4);
    EXPECT_EQ(window->notices().noticeCount(), 0);
    EXPECT_TRUE(workbench->recentFiles()[1]->files().contains(path));
}

// The page of the data lists what is wrong with them; a notice said it again in a fifth of the window.
TEST_F(Opening, ABadDataFileIsListedOnItsPageWithItsLineAndInNoDialog) {
    drop({write("bad.csv", "a,b,label\n1,2,x\n3,oops,y\n4,4,y\n1,1,x\n")});
    DataPreview& preview = window->form().dataPreview();
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Failed; }));
    ASSERT_TRUE(window->showsData());
    const auto tables = window->dataPage()->findChildren<QTableWidget*>();
    const auto list = std::find_if(tables.begin(), tables.end(),
                                   [](QTableWidget* table) { return table->accessibleName() == "What is wrong"; });
    ASSERT_NE(list, tables.end());
    ASSERT_TRUE(waitUntil([&] { return (*list)->rowCount() > 0; }));
    EXPECT_EQ((*list)->item(0, 0)->text(), "3");
    EXPECT_EQ(window->notices().noticeCount(), 0) << window->notices().texts().join('\n').toStdString();
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
}

TEST_F(Opening, BadDataKeepRunDisabledUntilTheyAreMended) {
    const QString path = write("bad.csv", "a,b,label\n1,2,x\n3,oops,y\n");
    drop({path});
    QAction* run = window->actions()["run.start"];
    ASSERT_TRUE(waitUntil([&] { return !run->isEnabled(); }));
    EXPECT_TRUE(run->toolTip().contains("bad.csv:3")) << run->toolTip().toStdString();
    EXPECT_FALSE(window->form().runButton()->isEnabled());
    workbench->run(); // by whatever way
    EXPECT_FALSE(workbench->controller().isBusy());
    (void)write("bad.csv", "a,b,label\n1,2,x\n3,4,y\n");
    QEvent back(QEvent::WindowActivate);
    QApplication::sendEvent(&window->form(), &back);
    EXPECT_TRUE(waitUntil([&] { return run->isEnabled(); }));
    EXPECT_EQ(window->notices().noticeCount(), 0) << window->notices().texts().join('\n').toStdString();
}

TEST_F(Opening, AMissingDataFileKeepsRunDisabledUntilOthersAreOpened) {
    drop({write("some.csv", "a,b,label\n1,2,x\n3,4,y\n")});
    workbench->document().setValue("data.source", folder.filePath("gone.csv").toStdString());
    QAction* run = window->actions()["run.start"];
    ASSERT_TRUE(waitUntil([&] { return !run->isEnabled(); }));
    EXPECT_TRUE(run->toolTip().contains("gone.csv")) << run->toolTip().toStdString();
    drop({folder.filePath("some.csv")});
    EXPECT_TRUE(waitUntil([&] { return run->isEnabled(); }));
}

TEST_F(Opening, ADroppedExperimentFillsTheForm) {
    Json document = tinyDocument({{"points", 9}});
    document["name"] = "dropped";
    drop({write("experiment.json", document.dump())});
    EXPECT_EQ(workbench->document().value("problem.points"), 9);
    EXPECT_EQ(workbench->document().title(), "dropped");
    EXPECT_EQ(window->notices().noticeCount(), 0);
}

TEST_F(Opening, ABrokenExperimentIsSaidWithItsPlace) {
    drop({write("broken.json", "{\n  \"family\": \"tiny\",\n  oops\n}")});
    EXPECT_TRUE(hasNotice("broken.json:3")) << window->notices().texts().join('\n').toStdString();
    Json faulty = tinyDocument({{"points", -3}});
    drop({write("faulty.json", faulty.dump())});
    EXPECT_TRUE(hasNotice("cannot run yet"));
    EXPECT_FALSE(workbench->document().isRunnable());
}

TEST_F(Opening, AllFaultsOfAnExperimentAreToldWithTheirPlaces) {
    drop({write("faulty.json", "{ \"family\": \"tiny\",\n  \"oops\": 1,\n  \"problem\": {\"points\": -3,\n    "
                               "\"pionts\": 2},\n  \"lanes\": [{\"name\": \"a\"}] }")});
    for (const char* words : {"cannot run yet", "faulty.json:2:3: oops: unknown key", "faulty.json:3", "problem.points",
                              "faulty.json:4:5: problem.pionts: unknown key", "Did you mean"}) {
        EXPECT_TRUE(hasNotice(words)) << words << " in " << window->notices().texts().join('\n').toStdString();
    }
    EXPECT_FALSE(workbench->document().isRunnable());
    // A new experiment has nothing to do with that.
    window->actions()["file.new"]->trigger();
    EXPECT_TRUE(workbench->document().isRunnable());
    EXPECT_EQ(window->notices().noticeCount(), 0);
    workbench->undoStack().undo();
    ASSERT_FALSE(workbench->document().isRunnable());
    drop({write("good.csv", "a,b,label\n1,2,x\n3,4,y\n")});
    EXPECT_TRUE(workbench->document().isRunnable()) << workbench->document().reasonNotRunnable().toStdString();
    EXPECT_TRUE(hasNotice("left out: ")) << window->notices().texts().join('\n').toStdString();
    EXPECT_TRUE(hasNotice("problem.pionts"));
    EXPECT_FALSE(hasNotice("cannot run"));
}

TEST_F(Opening, ADroppedRunFolderShowsItsLanes) {
    drop({writeRunFolder()});
    ASSERT_TRUE(waitUntil([&] { return workbench->runs().ids().size() == 2; }));
    EXPECT_FALSE(window->showsWelcome());
    EXPECT_EQ(workbench->cursor().count(), 5);
    EXPECT_EQ(workbench->document().value("problem.points"), 5);
}

TEST_F(Opening, ADroppedFigureReopensItsExperiment) {
    compute({{"points", 6}});
    const QString path = folder.filePath("figure.pdf");
    ASSERT_TRUE(exportFigure(shownRuns(workbench->runs()), "iterations", path, {}).has_value());
    load({{"points", 2}});
    drop({path});
    EXPECT_EQ(workbench->document().value("problem.points"), 6);
    EXPECT_TRUE(hasNotice("Reopened"));
}

TEST_F(Opening, WhatIsNothingOfOursIsSaid) {
    drop({folder.path()});
    EXPECT_TRUE(hasNotice("holds no run and no study"));
    workbench->openAll({folder.filePath("gone.csv")});
    EXPECT_TRUE(hasNotice("gone.csv"));
    drop({write("picture.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")});
    EXPECT_EQ(window->notices().noticeCount(), 1); // the newest of the source "open"
}

TEST_F(Opening, ExportPanelWritesOneAndAll) {
    ExportPanel& panel = window->exportPanel();
    panel.refresh();
    EXPECT_TRUE(panel.message().contains("F5"));
    compute();
    panel.refresh();
    panel.chooseFigure("cpu-ratio");
    EXPECT_EQ(panel.figureName(), "cpu-ratio");
    const QString path = folder.filePath("ratio.pdf");
    EXPECT_TRUE(panel.exportTo(path).has_value());
    EXPECT_TRUE(QFile::exists(path));
    EXPECT_TRUE(panel.message().contains("ratio.pdf"));
    EXPECT_TRUE(panel.exportAllTo(folder.filePath("all")).has_value());
    EXPECT_EQ(QDir(folder.filePath("all")).entryList(QDir::Files).size(),
              figureNames(shownRuns(workbench->runs())).size());
    EXPECT_FALSE(panel.exportTo("/nowhere/at/all/x.pdf").has_value());
    EXPECT_TRUE(panel.message().contains("/nowhere"));
}

TEST_F(Opening, ExportPanelOffersWhatTheScreenShowsAsItIsDrawn) {
    compute();
    ExportPanel& panel = window->exportPanel();
    CurveFigure figure;
    figure.title = "Anything";
    figure.curves = {Curve{"a", "a", {{0, 0}, {1, 1}}, {}, true}};
    panel.setDrawn([&figure] { return std::vector<DrawnFigure>{{"Plane", Figure(figure)}}; });
    panel.refresh();
    panel.chooseTitle("Plane");
    ASSERT_TRUE(panel.exportTo(folder.filePath("plane.csv")).has_value());
    QFile file(folder.filePath("plane.csv"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("a,1,1"));
    EXPECT_TRUE(panel.exportAllTo(folder.filePath("everything")).has_value());
    EXPECT_TRUE(QFile::exists(folder.filePath("everything/Plane.pdf")));
    panel.chooseFigure("cpu-ratio");
    EXPECT_EQ(panel.figureName(), "cpu-ratio");
}

TEST_F(Opening, RenderListsDrawsAndComplains) {
    RenderRequest request{writeRunFolder(), "list", "", "single", {}};
    std::ostringstream out;
    std::ostringstream errors;
    EXPECT_EQ(renderFigures(request, out, errors), 0);
    EXPECT_NE(out.str().find("cpu-ratio\n"), std::string::npos);
    EXPECT_EQ(out.str().find("embedding"), std::string::npos); // the tiny family has none

    request = {request.folder, "cpu-ratio", folder.filePath("r.svg"), "double", {}};
    EXPECT_EQ(renderFigures(request, out, errors), 0);
    EXPECT_TRUE(QFile::exists(folder.filePath("r.svg")));

    request = {request.folder, "all", folder.filePath("all"), "single", {}};
    EXPECT_EQ(renderFigures(request, out, errors), 0);
    EXPECT_TRUE(QFile::exists(folder.filePath("all/path-rate.pdf")));
    EXPECT_TRUE(QFile::exists(folder.filePath("all/path-rate.png")));
    EXPECT_TRUE(errors.str().empty()) << errors.str();

    for (const RenderRequest& bad : {RenderRequest{"/nowhere", "all", folder.path(), "single", {}},
                                     RenderRequest{request.folder, "x", "x.pdf", "single", {}},
                                     RenderRequest{request.folder, "cpu", "", "single", {}},
                                     RenderRequest{request.folder, "cpu", "x.gif", "single", {}},
                                     RenderRequest{request.folder, "cpu", "x.pdf", "huge", {}}}) {
        std::ostringstream complaint;
        EXPECT_EQ(renderFigures(bad, out, complaint), 2);
        EXPECT_FALSE(complaint.str().empty());
    }
}

/// Writes the run folder of a small experiment with real lanes.
QString writeRealRun(const QString& path) {
    const Json document = {
        {"family", "metric"},
        {"data", {{"source", "iris"}, {"subset", 0.3}}},
        {"problem", {{"k", 2}}},
        {"path", {{"max_points", 5}, {"ratio", 0.7}}},
        {"lanes", {{{"name", "naive"}}, {{"name", "GB"}, {"bounds", {"GB"}}, {"schedule", "every"}}}}};
    const auto experiment = validateExperiment(document, builtInCatalog());
    EXPECT_TRUE(experiment);
    return writeRunOf(path, *experiment, *findFamily("metric"));
}

TEST_F(Opening, RenderComputesLanesAgainForWhatARunDoesNotKeep) {
    const QString run = writeRealRun(folder.filePath("real"));
    std::ostringstream out;
    std::ostringstream errors;
    ASSERT_EQ(renderFigures({run, "list", "", "single", {}}, out, errors), 0);
    EXPECT_NE(out.str().find("slice:GB\nlifetimes:GB\nranges:GB\n"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("slice:naive"), std::string::npos); // it has no bounds
    EXPECT_TRUE(errors.str().empty());                           // a list computes nothing

    ASSERT_EQ(renderFigures({run, "slice:GB@2", folder.filePath("s.csv"), "single", {}}, out, errors), 0)
        << errors.str();
    EXPECT_NE(errors.str().find("computing lane GB again"), std::string::npos);
    QFile table(folder.filePath("s.csv"));
    ASSERT_TRUE(table.open(QIODevice::ReadOnly));
    EXPECT_TRUE(table.readAll().contains("GB"));

    errors.str({});
    ASSERT_EQ(renderFigures({run, "all", folder.filePath("all"), "single", {}}, out, errors), 0);
    for (const char* name : {"slice-GB.pdf", "lifetimes-GB.png", "ranges-GB.pdf", "path-rate.pdf"}) {
        EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("all/%1").arg(QLatin1String(name))))) << name;
    }
    EXPECT_EQ(errors.str(), "computing lane GB again\n"); // once for all figures
}

TEST_F(Opening, RenderSaysWhyALaneCannotBeComputedAgain) {
    const QString run = writeRealRun(folder.filePath("real"));
    // The same run, as another version would have computed it: one value differs.
    QFile events(run + "/GB/events.jsonl");
    ASSERT_TRUE(events.open(QIODevice::ReadOnly));
    QByteArray text = events.readAll();
    events.close();
    const qsizetype at = text.indexOf("\"values\":[") + 10;
    ASSERT_GT(at, 10);
    text.insert(at, '7');
    ASSERT_TRUE(events.open(QIODevice::WriteOnly) && events.write(text) == text.size());
    events.close();
    std::ostringstream out;
    std::ostringstream errors;
    EXPECT_EQ(renderFigures({run, "all", folder.filePath("all"), "single", {}}, out, errors), 0);
    EXPECT_NE(errors.str().find("left out slice:GB, lifetimes:GB, ranges:GB"), std::string::npos) << errors.str();
    EXPECT_NE(errors.str().find("comes out differently"), std::string::npos) << errors.str();
    EXPECT_TRUE(QFile::exists(folder.filePath("all/path-rate.pdf")));
    EXPECT_EQ(renderFigures({run, "ranges:GB", folder.filePath("r.pdf"), "single", {}}, out, errors), 2);
}

} // namespace
} // namespace lambdascope
