// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment_runner.h"
#include "core/store/run_folder_writer.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/shared/notice_bar.h"
#include "ui/windows/main_window.h"
#include "ui/windows/workbench.h"

#include <gtest/gtest.h>

#include <QSettings>
#include <QTemporaryDir>

#include <fstream>
#include <memory>

namespace lambdascope {

/// Runs an experiment without a window and writes its run folder; `path`.
inline QString writeRunOf(const QString& path, const Validated<Experiment>& experiment, const Family& family) {
    ExperimentRunner runner(experiment, family, {{}, {}, tinyPlaces()});
    EXPECT_TRUE(runner.prepare());
    RunFolderFacts facts;
    facts.experiment = runner.resolvedDocument();
    facts.version = "0";
    facts.lanes = runner.laneNames();
    auto writer = RunFolderWriter::create(path.toStdString(), facts);
    EXPECT_TRUE(writer && runner.run(**writer) && (*writer)->finish());
    return path;
}

/// A workbench of the tiny family and its window, with empty settings.
class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        QSettings().clear();
        open();
    }
    void TearDown() override { close(); }

    void open() {
        Workbench::Options options;
        options.catalog = &tinyCatalog();
        options.run.findFamily = findTinyFamily;
        workbench = std::make_unique<Workbench>(std::move(options));
        window = std::make_unique<MainWindow>(*workbench);
        window->show();
        settleEvents();
    }
    void close() {
        window.reset();
        workbench.reset();
        settleEvents();
    }

    void load(const Json& problem) { workbench->document().load(tinyDocument(problem)); }
    /// Runs a tiny experiment to its end.
    void compute(const Json& problem = {{"points", 4}}) {
        load(problem);
        workbench->run();
        ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
        workbench->bridge().drainNow();
    }
    [[nodiscard]] bool hasNotice(const QString& words) const {
        return window->notices().texts().join('\n').contains(words);
    }
    [[nodiscard]] QString write(const QString& name, const std::string& contents) const {
        const QString path = folder.filePath(name);
        std::ofstream(path.toStdString()) << contents;
        return path;
    }

    QTemporaryDir folder;
    std::unique_ptr<Workbench> workbench;
    std::unique_ptr<MainWindow> window;
};

} // namespace lambdascope
