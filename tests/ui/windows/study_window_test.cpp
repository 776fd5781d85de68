// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "tests/ui/windows/study_window_fixture.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/experiment/field_row.h"
#include "ui/panels/study/study_panel.h"
#include "ui/panels/study/study_progress.h"
#include "ui/panels/views/study_tab.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/render_command.h"
#include "ui/windows/study_parts.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace lambdascope {
namespace {

TEST_F(StudyWindow, AFieldThatVariesBecomesAStudyWithTableFiguresAndPaths) {
    vary("problem.k", "2, 3");
    vary("problem.gamma", "0.05, 0.1");
    panel().seeds()->setValue(2);
    EXPECT_EQ(panel().summary(), "8 cells");
    ASSERT_TRUE(panel().runButton()->isEnabled());
    panel().runButton()->click();
    EXPECT_FALSE(panel().runButton()->isEnabled()) << "one study at a time";
    ASSERT_TRUE(waitForStudy()) << window->notices().texts().join('\n').toStdString();
    EXPECT_TRUE(window->study().progress().text().contains("8 of 8 cells"));
    EXPECT_TRUE(window->study().progress().button()->isHidden());
    EXPECT_EQ(window->stage().current().id, "study");
    view().refreshNow();
    EXPECT_EQ(view().table()->rowCount(), 4 * 6) << "a row per combination and lane";
    EXPECT_EQ(view().cells()->rowCount(), 8);
    EXPECT_EQ(view().paper()->rowCount(), 0) << "no paper has this study";
    const auto* plot = static_cast<PlotView*>(view().charts().front());
    EXPECT_EQ(plot->curveFigure().curves.size(), 2 * 6);
    EXPECT_EQ(plot->curveFigure().curves.front().points.size(), 2);
    EXPECT_FALSE(plot->curveFigure().curves.front().band.isEmpty());
    view().over()->setCurrentIndex(1);
    view().refreshNow();
    const auto* heatmap = qobject_cast<HeatmapView*>(view().charts().front());
    ASSERT_NE(heatmap, nullptr);
    EXPECT_EQ(heatmap->heatmapFigure().values.size(), 4);
    view().over()->setCurrentIndex(2);
    EXPECT_EQ(view().over()->currentData().toString(), "by:problem.gamma");
    view().refreshNow();
    ASSERT_EQ(view().charts().size(), 2U) << "a chart per value";
    for (const FigureView* chart : view().charts()) {
        const CurveFigure& panel = dynamic_cast<const PlotView*>(chart)->curveFigure();
        EXPECT_EQ(panel.curves.size(), 6);
        EXPECT_TRUE(panel.title.startsWith("gamma = ")) << panel.title.toStdString();
        EXPECT_TRUE(chart->isVisible());
    }
    view().over()->setCurrentIndex(0);
    view().refreshNow();
    EXPECT_EQ(view().charts().front(), plot) << "one chart again";

    // A cell that is ticked shows its paths beside the others, and no longer when the tick is taken off.
    QTableWidgetItem* cell = view().cells()->item(3, 0);
    cell->setCheckState(Qt::Checked);
    ASSERT_TRUE(waitUntil([&] { return workbench->runs().shownIds().size() == 6; }));
    EXPECT_EQ(workbench->runs().display(workbench->runs().shownIds().front()).folder,
              study().cellFolder(3).toStdString());
    cell->setCheckState(Qt::Unchecked);
    EXPECT_TRUE(workbench->runs().shownIds().empty());
    EXPECT_EQ(workbench->document().value("problem.k"), Json(10)) << "the form stays what it was";
}

TEST_F(StudyWindow, OpensOnTheMeasureThatTheStudyIsAbout) {
    QFile file(folder.filePath("rates.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"experiment": {"family": "metric", "data": {"source": "iris", "subset": 0.3}, "problem": {"k": 2},
                   "path": {"max_points": 3}, "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB"}]},
                   "axes": [{"field": "problem.k", "values": [2, 3]}], "measure": "path_rate"})");
    file.close();
    ASSERT_EQ(QProcess::execute(LAMBDASCOPE_CLI,
                                {"sweep", file.fileName(), "--out", folder.filePath("rates"), "--progress", "none"}),
              0);
    workbench->open(folder.filePath("rates"));
    ASSERT_TRUE(waitForStudy()) << window->notices().texts().join('\n').toStdString();
    view().refreshNow();
    EXPECT_GE(view().measure()->findData("knn_error"), 0) << "what it would open on";
    EXPECT_EQ(view().measure()->currentData().toString(), "path_rate");
}

TEST_F(StudyWindow, AStudyThatIsStoppedGoesOn) {
    workbench->document().setValue("path.max_points", Json(60));
    vary("problem.k", "2..13");
    (void)panel().summary();
    panel().runButton()->click();
    ASSERT_TRUE(waitUntil(
        [&] { return study().results() != nullptr && study().results()->count(CellState::Finished) > 0; }, 60000));
    window->study().progress().button()->click();
    ASSERT_TRUE(waitUntil([&] { return !study().isRunning(); }, 10000));
    EXPECT_EQ(study().results()->count(CellState::Failed), 0U);
    EXPECT_TRUE(window->notices().texts().isEmpty()) << "a stop is no fault";
    const QString place = study().folder();
    reopen(LAMBDASCOPE_CLI);
    workbench->open(place);
    ASSERT_TRUE(waitUntil([&] { return study().results() != nullptr; }));
    EXPECT_EQ(study().results()->cells.size(), 12U);
    if (study().results()->count(CellState::Missing) > 0) {
        EXPECT_EQ(window->study().progress().button()->text(), "Go on");
        study().resume();
    }
    EXPECT_TRUE(waitForStudy());
}

/// A program that hides a cell until the others have been read, and ends when it has brought it back.
TEST_F(StudyWindow, WhatIsReadBeforeTheProgramEndsIsNotComplete) {
    const QString slow = write("slow.sh", std::string("#!/bin/bash\n") + LAMBDASCOPE_CLI + R"( "$@" || exit
        while [ "$1" != --out ]; do shift; done
        first=$(ls "$2/cells" | head -1)
        mv "$2/cells/$first" "$2/hidden"; sleep 1.5; mv "$2/hidden" "$2/cells/$first")");
    QFile(slow).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    reopen(slow);
    vary("problem.k", "2, 3");
    (void)panel().summary();
    std::vector<std::size_t> complete;
    std::size_t missing = 0;
    QObject::connect(&study(), &StudySession::changed, window.get(), [&] {
        if (study().isComplete()) {
            complete.push_back(study().results()->count(CellState::Finished));
        } else if (study().results() != nullptr) {
            missing = std::max(missing, study().results()->count(CellState::Missing));
        }
    });
    panel().runButton()->click();
    ASSERT_TRUE(waitUntil([&] { return study().isComplete(); }, 60000));
    EXPECT_GT(missing, 0U) << "nothing was hidden";
    EXPECT_EQ(complete, std::vector<std::size_t>{2});
}

TEST_F(StudyWindow, FaultsAreToldBeforeAnythingIsComputed) {
    vary("problem.k", "2, 0");
    EXPECT_TRUE(panel().summary().contains("problem.k")) << panel().summary().toStdString();
    EXPECT_FALSE(panel().runButton()->isEnabled());
    panel().valuesOf("problem.k")->setText("");
    EXPECT_TRUE(panel().summary().contains("axes[0]")) << panel().summary().toStdString();
    // What only the data can tell is told by the program that computes.
    panel().valuesOf("problem.k")->setText("3");
    vary("data.source", "iris, nowhere.csv");
    (void)panel().summary();
    panel().runButton()->click();
    ASSERT_TRUE(waitUntil([&] { return !study().isRunning(); }, 20000));
    EXPECT_TRUE(hasNotice("nowhere.csv")) << window->notices().texts().join('\n').toStdString();
    EXPECT_EQ(study().results(), nullptr);
}

TEST_F(StudyWindow, BundledStudiesStandInTheMenuAndStart) {
    QMenu* examples = nullptr;
    for (QMenu* menu : window->findChildren<QMenu*>()) {
        examples = menu->title() == "Studies" ? menu : examples;
        if (menu->title().remove('&') == "Examples") {
            Q_EMIT menu->aboutToShow();
        }
    }
    for (QMenu* menu : window->findChildren<QMenu*>()) {
        examples = menu->title() == "Studies" ? menu : examples;
    }
    ASSERT_NE(examples, nullptr);
    const QList<QAction*> all = examples->actions();
    EXPECT_EQ(all.size(),
              QDir(QString::fromStdString((resourceFolder() / "studies").string())).entryList({"*.json"}).size());
    const auto chosen =
        std::find_if(all.begin(), all.end(), [](QAction* a) { return a->text() == "neighbours and seeds"; });
    ASSERT_NE(chosen, all.end());
    EXPECT_FALSE((*chosen)->toolTip().isEmpty());
    (*chosen)->trigger();
    EXPECT_TRUE(study().isRunning());
    ASSERT_TRUE(waitUntil([&] { return study().results() != nullptr; }, 20000))
        << window->notices().texts().join('\n').toStdString();
    EXPECT_EQ(study().results()->study.name, "neighbours and seeds");
    EXPECT_EQ(study().results()->cells.size(), 15U);
    EXPECT_EQ(window->stage().current().id, "study");
    study().stop();
    EXPECT_TRUE(waitUntil([&] { return !study().isRunning(); }, 10000));
}

/// Programs that behave like Slurm's: the queue is what a file says, which is always there whole.
class SlurmWindow : public StudyWindow {
  protected:
    void SetUp() override {
        QDir().mkpath(folder.filePath("bin"));
        program(
            "sbatch",
            "cp \"${@: -1}\" script; echo 42; printf 'PENDING|Resources\\nPENDING|Resources\\n' > new; mv new queue");
        program("squeue", "cat queue");
        program("scancel", "echo \"$@\" > cancelled; printf 'CANCELLED|None\\nCANCELLED|None\\n' > new; mv new queue");
        qputenv("PATH", folder.filePath("bin").toUtf8() + ':' + m_path);
        StudyWindow::SetUp();
    }
    void TearDown() override {
        StudyWindow::TearDown();
        qputenv("PATH", m_path);
    }
    void program(const QString& name, const std::string& text) {
        const QString file =
            write("bin/" + name, "#!/bin/bash\ncd '" + folder.path().toStdString() + "'\n" + text + "\n");
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QString text() { return window->study().progress().text(); }

    QByteArray m_path = qgetenv("PATH");
};

TEST_F(SlurmWindow, TheQueueShowsTheStatesOfAJobAsTheyCome) {
    vary("problem.k", "2, 3");
    (void)panel().summary();
    ASSERT_FALSE(panel().slurmBox()->isHidden());
    panel().slurmBox()->setChecked(true);
    panel().runButton()->click();
    ASSERT_TRUE(waitUntil([&] { return text().contains("on Slurm (job 42): 2 PENDING (Resources)"); }, 20000))
        << text().toStdString() << window->notices().texts().join('\n').toStdString();
    EXPECT_TRUE(text().contains("0 of 2 cells")) << text().toStdString();
    ASSERT_TRUE(waitUntil([&] { return window->study().progress().button()->text() == "Cancel job"; }, 10000));
    // The first task begins and ends, as Slurm would have it.
    std::filesystem::rename(write("new", "COMPLETED|None\nRUNNING|None\n").toStdString(),
                            folder.filePath("queue").toStdString());
    QProcess task;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_ARRAY_TASK_ID", "0");
    task.setProcessEnvironment(environment);
    task.start("/bin/sh", {folder.filePath("script")});
    ASSERT_TRUE(task.waitForFinished(60000));
    EXPECT_EQ(task.exitCode(), 0) << task.readAllStandardError().toStdString();
    ASSERT_TRUE(
        waitUntil([&] { return text().contains("1 of 2 cells") && text().contains("1 RUNNING; 1 COMPLETED"); }, 10000))
        << text().toStdString();
    window->study().progress().button()->click();
    ASSERT_TRUE(waitUntil([&] { return text().contains("over; 2 CANCELLED"); }, 10000)) << text().toStdString();
    EXPECT_TRUE(QFile::exists(folder.filePath("cancelled")));
    ASSERT_TRUE(waitUntil([&] { return window->study().progress().button()->text() == "Go on"; }, 10000))
        << "once the program that cancels has ended";
    EXPECT_TRUE(window->notices().texts().isEmpty()) << window->notices().texts().join('\n').toStdString();
    // Going on submits what is missing.
    window->study().progress().button()->click();
    ASSERT_TRUE(waitUntil([&] { return text().contains("2 PENDING"); }, 20000)) << text().toStdString();
}

TEST_F(SlurmWindow, AnAnswerThatIsNoneIsToldAndStopsNothing) {
    program("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
    vary("problem.k", "2, 3");
    (void)panel().summary();
    panel().slurmBox()->setChecked(true);
    panel().runButton()->click();
    ASSERT_TRUE(
        waitUntil([&] { return text().contains("not known: ") && text().contains("Unable to contact"); }, 20000))
        << text().toStdString();
    program("squeue", "cat queue");
    ASSERT_TRUE(waitUntil([&] { return text().contains("2 PENDING"); }, 10000)) << text().toStdString();
}

TEST_F(StudyWindow, AMissingProgramAndADamagedFolderAreToldInWords) {
    reopen("/no/such/program");
    vary("problem.k", "2, 3");
    (void)panel().summary();
    panel().runButton()->click();
    EXPECT_TRUE(waitUntil([&] { return hasNotice("/no/such/program"); }));
    EXPECT_FALSE(study().isRunning());
    QDir().mkpath(folder.filePath("broken"));
    (void)write("broken/study.json", "{\"format\": ");
    workbench->open(folder.filePath("broken"));
    EXPECT_TRUE(waitUntil([&] { return hasNotice("study.json"); }));
}

} // namespace
} // namespace lambdascope
