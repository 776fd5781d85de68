// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of studies, drawn with and without a window, and the window that they bring back.
#include "core/common/number_text.h"
#include "core/families.h"
#include "tests/ui/windows/study_window_fixture.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/study_figures.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/render_command.h"

#include <QComboBox>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>

#include <filesystem>
#include <sstream>

namespace lambdascope {
namespace {

TEST_F(StudyWindow, FiguresAreTheSameWithoutAWindow) {
    vary("problem.k", "2, 3");
    panel().seeds()->setValue(2);
    (void)panel().summary();
    panel().runButton()->click();
    ASSERT_TRUE(waitForStudy());
    view().refreshNow();
    const CurveFigure& shown = static_cast<PlotView*>(view().charts().front())->curveFigure();
    RenderRequest request;
    request.folder = study().folder();
    request.figure = QStringLiteral("list");
    std::ostringstream output;
    std::ostringstream errors;
    ASSERT_EQ(renderFigures(request, output, errors), 0) << errors.str();
    const QString name = view().measure()->currentData().toString() + QStringLiteral(":problem.k");
    EXPECT_NE(output.str().find(name.toStdString()), std::string::npos) << output.str();
    request.figure = name;
    request.out = folder.filePath("figure.csv");
    ASSERT_EQ(renderFigures(request, output, errors), 0) << errors.str();
    QFile file(request.out);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    for (const Curve& curve : shown.curves) {
        EXPECT_TRUE(text.contains(curve.name)) << curve.name.toStdString();
        EXPECT_TRUE(text.contains(QString::fromStdString(exactText(curve.points.back().y())))) << text.toStdString();
    }
    EXPECT_FALSE(output.str().find(":by:") != std::string::npos) << "there is no second axis";
    request.figure = name + QStringLiteral(":by:problem.k");
    EXPECT_EQ(renderFigures(request, output, errors), 2) << "not by the same axis";
    request.figure = QStringLiteral("beauty:problem.k");
    EXPECT_EQ(renderFigures(request, output, errors), 2);
    EXPECT_NE(errors.str().find("beauty"), std::string::npos);
}

TEST_F(StudyWindow, AFigureOfAStudyReopensItWhereverItIsOrRunsItAgain) {
    QFile file(folder.filePath("two.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"experiment": {"family": "metric", "data": {"source": "iris", "subset": 0.3}, "problem": {"k": 2},
                   "path": {"max_points": 2}, "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB"}]},
                   "axes": [{"field": "problem.k", "values": [2, 3]}, {"field": "problem.gamma", "values": [0.05, 0.1]}]})");
    file.close();
    const QString place = folder.filePath("two");
    ASSERT_EQ(QProcess::execute(LAMBDASCOPE_CLI, {"sweep", file.fileName(), "--out", place, "--progress", "none"}), 0);
    workbench->open(place);
    ASSERT_TRUE(waitForStudy());
    view().refreshNow();
    view().measure()->setCurrentIndex(view().measure()->findData("path_rate"));
    view().over()->setCurrentIndex(view().over()->findData("by:problem.gamma"));
    view().lane()->setCurrentText("PGB");
    view().refreshNow();
    ExportPanel& panel = window->exportPanel();
    panel.setPage({ExportPanel::drawnName(view().charts()[0]->accessibleName()),
                   ExportPanel::drawnName(view().charts()[1]->accessibleName())},
                  1, FigureStyle::doubleColumn());
    const QString figure = folder.filePath("page.pdf");
    ASSERT_TRUE(panel.exportTo(figure)) << panel.message().toStdString();
    const auto page = panel.sheet();
    ASSERT_TRUE(page && page->panels.size() == 2);
    const auto comesBack = [&] {
        bool isBack = false;
        QObject::connect(workbench.get(), &Workbench::figureReopened, window.get(), [&isBack] { isBack = true; });
        EXPECT_TRUE(waitUntil([&] { return isBack; }, 60000)) << window->notices().texts().join('\n').toStdString();
        EXPECT_EQ(window->stage().current().id, "study");
        EXPECT_EQ(view().measure()->currentData().toString(), "path_rate");
        EXPECT_EQ(view().over()->currentData().toString(), "by:problem.gamma");
        EXPECT_EQ(view().lane()->currentText(), "PGB");
        EXPECT_TRUE(window->exportPanel().isVisible());
        const auto again = window->exportPanel().sheet();
        ASSERT_TRUE(again) << again.error().describe();
        EXPECT_TRUE(*again == *page);
    };
    reopen(LAMBDASCOPE_CLI);
    workbench->open(figure);
    comesBack();
    std::filesystem::rename(place.toStdString(), folder.filePath("moved").toStdString());
    reopen(LAMBDASCOPE_CLI);
    workbench->open(figure);
    comesBack();
    EXPECT_EQ(study().folder(), folder.filePath("moved"));
    std::filesystem::remove_all(folder.filePath("moved").toStdString());
    reopen(LAMBDASCOPE_CLI);
    workbench->open(figure);
    ASSERT_TRUE(waitUntil([&] { return hasNotice("is not in"); }));
    buttonOf(window->notices(), "Run the study")->click();
    comesBack();
}

// Of several figures drawn without a window, the first alone came back.
TEST_F(StudyWindow, APageOfSeveralFiguresDrawnWithoutAWindowComesBackWhole) {
    const QString file =
        write("two.json", R"({"experiment": {"family": "metric", "data": {"source": "iris", "subset": 0.3},
        "problem": {"k": 2}, "path": {"max_points": 2}, "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB"}]},
        "axes": [{"field": "problem.k", "values": [2, 3]}, {"field": "problem.gamma", "values": [0.05, 0.1]}]})");
    RenderRequest request;
    request.folder = folder.filePath("two");
    ASSERT_EQ(QProcess::execute(LAMBDASCOPE_CLI, {"sweep", file, "--out", request.folder, "--progress", "none"}), 0);
    request.figure = "cpu:problem.gamma";
    request.morePanels = QStringList{"path_rate:problem.k:by:problem.gamma", "path_rate:problem.k:problem.gamma:PGB"};
    request.out = folder.filePath("page.svg");
    std::ostringstream output;
    std::ostringstream errors;
    ASSERT_EQ(renderFigures(request, output, errors), 0) << errors.str();
    bool isBack = false;
    QObject::connect(workbench.get(), &Workbench::figureReopened, window.get(), [&isBack] { isBack = true; });
    workbench->open(request.out);
    ASSERT_TRUE(waitUntil([&] { return isBack; }, 60000)) << window->notices().texts().join('\n').toStdString();
    EXPECT_EQ(window->stage().current().id, "study");
    EXPECT_EQ(view().measure()->currentData().toString(), "cpu") << "the view shows the first";
    EXPECT_EQ(view().along()->currentData().toString(), "problem.gamma");
    ExportPanel& exporter = window->exportPanel();
    EXPECT_EQ(exporter.panelCount(), 4) << "two of them are of one figure, a value each";
    const auto page = exporter.sheet();
    ASSERT_TRUE(page) << page.error().describe();
    QList<Figure> drawn;
    for (const QString& name : QStringList{request.figure} + request.morePanels) {
        const auto figures = studyFiguresCalled(*study().results(), name);
        ASSERT_TRUE(figures) << name.toStdString();
        drawn += *figures;
    }
    EXPECT_TRUE(QList<Figure>(page->panels.begin(), page->panels.end()) == drawn);
    EXPECT_EQ(page->columns, request.columns);
    const QString again = folder.filePath("again.svg");
    ASSERT_TRUE(exporter.exportTo(again)) << exporter.message().toStdString();
    isBack = false;
    workbench->open(again); // it has a recipe like the first
    ASSERT_TRUE(waitUntil([&] { return isBack; }, 60000));
    EXPECT_EQ(exporter.panelCount(), 4);
}

} // namespace
} // namespace lambdascope
