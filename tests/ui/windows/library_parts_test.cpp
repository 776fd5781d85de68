// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are taken into the library and out of it by the window.
#include "core/store/run_library.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/windows/library_parts.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTreeView>

#include <algorithm>

namespace lambdascope {
namespace {

class LibraryWindow : public WindowTest {
  protected:
    void SetUp() override {
        QSettings().clear();
        auto opened = RunLibrary::open(folder.filePath("library.sqlite").toStdString());
        ASSERT_TRUE(opened.has_value());
        library = *opened;
        Workbench::Options options;
        options.run.library = library;
        workbench = std::make_unique<Workbench>(std::move(options));
        window = std::make_unique<MainWindow>(*workbench);
        window->show();
        settleEvents();
    }
    void TearDown() override {
        WindowTest::TearDown();
        library.reset();
    }
    /// A small run folder of this name.
    void compute(const QString& name, const QString& lanes = "naive,PGB") {
        QProcess program;
        program.start(LAMBDASCOPE_CLI, {"run", "iris-six-lanes", "--lanes", lanes, "--set", "path.max_points=3",
                                        "--out", folder.filePath(name), "--library", "none", "--progress", "none"});
        ASSERT_TRUE(program.waitForFinished(60000));
        ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    }
    LibraryParts& parts() { return *window->findChild<LibraryParts*>(); }
    RunsPanel& panel() { return *window->findChild<RunsPanel*>(); }
    bool says(const QString& words) {
        return waitUntil([&] { return hasNotice(words); }, 10000);
    }
    QByteArray contents(const QString& name) {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
        return file.readAll();
    }

    std::shared_ptr<RunLibrary> library;
};

TEST_F(LibraryWindow, RunFoldersGoInAndComeOutTheSame) {
    compute("runs/one");
    compute("runs/two", "naive");
    EXPECT_TRUE(window->actions()["file.import-runs"]->isEnabled());
    parts().importFrom(folder.filePath("runs"));
    ASSERT_TRUE(says("2 runs taken into the run library.")) << window->notices().texts().join('\n').toStdString();
    ASSERT_TRUE(waitUntil([&] { return panel().tree().rowCount() == 2; })) << "they appear among the runs";
    parts().importFrom(folder.filePath("runs/one"));
    ASSERT_TRUE(says("0 runs taken into the run library, 1 in it already."));

    // What the menu of an experiment asks for.
    QAction* command = nullptr;
    for (QAction* action : panel().runActions()) {
        command = action->text().startsWith("Export Run Folder") ? action : command;
    }
    ASSERT_NE(command, nullptr);
    EXPECT_FALSE(command->isEnabled()) << "no run is chosen";
    panel().view()->setCurrentIndex(panel().view()->model()->index(0, 0));
    settleEvents();
    EXPECT_TRUE(command->isEnabled());

    const auto experiments = library->experiments();
    ASSERT_TRUE(experiments);
    const auto both = std::find_if(experiments->begin(), experiments->end(),
                                   [](const LibraryExperiment& one) { return one.runs.size() == 2; });
    ASSERT_NE(both, experiments->end());
    QDir().mkpath(folder.filePath("home"));
    parts().exportTo(both->id.value, folder.filePath("home"));
    ASSERT_TRUE(says("Exported to " + folder.filePath("home")));
    const QStringList made = QDir(folder.filePath("home")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    ASSERT_EQ(made.size(), 1);
    for (const char* table : {"naive/path.csv", "PGB/path.csv", "PGB/dynamic.csv"}) {
        EXPECT_EQ(contents("home/" + made.front() + '/' + table), contents(QString("runs/one/") + table)) << table;
    }
    parts().exportTo(both->id.value, folder.filePath("home"));
    EXPECT_TRUE(says(made.front())) << "the folder is there already: "
                                    << window->notices().texts().join('\n').toStdString();
}

TEST_F(LibraryWindow, FoldersWithoutRunsAndPlacesThatCannotBeWrittenAreToldInWords) {
    QDir().mkpath(folder.filePath("empty"));
    parts().importFrom(folder.filePath("empty"));
    EXPECT_TRUE(says("empty")) << window->notices().texts().join('\n').toStdString();
    compute("one", "naive");
    parts().importFrom(folder.filePath("one"));
    ASSERT_TRUE(says("1 run taken into the run library."));
    parts().exportTo(1, write("file", "no folder"));
    EXPECT_TRUE(says("file")) << window->notices().texts().join('\n').toStdString();
    parts().exportTo(99, folder.path());
    EXPECT_TRUE(says("99")) << window->notices().texts().join('\n').toStdString();
}

} // namespace
} // namespace lambdascope
