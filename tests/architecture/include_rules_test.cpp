// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/include_rules.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace lambdascope;

namespace {

namespace fs = std::filesystem;

/// A tiny source tree that keeps the rules until a test adds a line.
class HouseRules : public ::testing::Test {
  protected:
    void SetUp() override {
        m_root = fs::path(LAMBDASCOPE_TEST_BINARY_DIR) / "architecture" /
                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_root);
        for (const char* file : {"core/common/error.h",
                                 "core/config/field.h",
                                 "core/data/dataset.h",
                                 "core/numeric/blas.h",
                                 "core/run/event.h",
                                 "core/record/run_record.h",
                                 "core/metric/family.h",
                                 "core/metric/problem/triplets.h",
                                 "core/metric/solver/loop.h",
                                 "core/metric/path/task.h",
                                 "core/metric/inspect/audit.h",
                                 "core/svm/problem/samples.h",
                                 "core/triplets/problem/items.h",
                                 "core/triplets/solver/point.h",
                                 "core/store/library.h",
                                 "core/families.h",
                                 "ui/session/bridge.h",
                                 "ui/session/settings.h",
                                 "ui/session/experiment/document.h",
                                 "ui/session/runs/runs.h",
                                 "ui/session/inspect/lens.h",
                                 "ui/models/runs.h",
                                 "ui/charts/plot.h",
                                 "ui/panels/metric/panel.h",
                                 "ui/panels/shared/bar.h",
                                 "ui/panels/views/tab.h",
                                 "ui/windows/main_window.h",
                                 "app/main.cpp",
                                 "app/cli_main.cpp",
                                 "app/cli/run_command.cpp"}) {
            write(file, "#pragma once\n");
        }
        ASSERT_TRUE(houseRuleBreaches(m_root).empty());
    }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& file, const std::string& text) {
        fs::create_directories((m_root / file).parent_path());
        std::ofstream(m_root / file) << text;
    }

    std::size_t breachesWith(const std::string& file, const std::string& line) {
        write(file, "#pragma once\n" + line + "\n");
        return houseRuleBreaches(m_root).size();
    }

    fs::path m_root;
};

TEST_F(HouseRules, DownwardIncludesAreFine) {
    EXPECT_EQ(breachesWith("core/metric/problem/triplets.h", "#include \"core/run/event.h\""), 0U);
    EXPECT_EQ(breachesWith("core/families.h", "#include \"core/metric/problem/triplets.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/windows/main_window.h", "#include \"ui/panels/metric/panel.h\"\n#include <QMainWindow>"),
              0U);
    EXPECT_EQ(breachesWith("app/main.cpp", "#include \"ui/windows/main_window.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/charts/plot.h", "#include <QtCharts/QChart>"), 0U);
}

TEST_F(HouseRules, UpwardIncludesAreBreaches) {
    EXPECT_EQ(breachesWith("core/common/error.h", "#include \"core/config/field.h\""), 1U);
}
TEST_F(HouseRules, RunMayNotKnowAFamily) {
    EXPECT_EQ(breachesWith("core/run/event.h", "#include \"core/metric/problem/triplets.h\""), 1U);
}
TEST_F(HouseRules, RunsDoNotKnowTheirRecordsAndSolversNeither) {
    EXPECT_EQ(breachesWith("core/record/run_record.h", "#include \"core/run/event.h\""), 0U);
    EXPECT_EQ(breachesWith("core/run/event.h", "#include \"core/record/run_record.h\""), 1U);
    write("core/run/event.h", "#pragma once\n");
    EXPECT_EQ(breachesWith("core/metric/path/task.h", "#include \"core/record/run_record.h\""), 1U);
}
TEST_F(HouseRules, CoreMayNotKnowTheWindow) {
    EXPECT_EQ(breachesWith("core/store/library.h", "#include \"ui/session/bridge.h\""), 1U);
}
TEST_F(HouseRules, FamiliesMayNotKnowEachOther) {
    EXPECT_EQ(breachesWith("core/metric/problem/triplets.h", "#include \"core/svm/problem/samples.h\""), 1U);
}
TEST_F(HouseRules, FamiliesShareRoomsThatKnowNone) {
    EXPECT_EQ(breachesWith("core/metric/problem/triplets.h", "#include \"core/triplets/solver/point.h\""), 0U);
    EXPECT_EQ(breachesWith("core/triplets/solver/point.h", "#include \"core/triplets/problem/items.h\""), 0U);
    EXPECT_EQ(breachesWith("core/triplets/solver/point.h", "#include \"core/metric/problem/triplets.h\""), 1U);
    write("core/triplets/solver/point.h", "#pragma once\n");
    EXPECT_EQ(breachesWith("core/triplets/problem/items.h", "#include \"core/triplets/solver/point.h\""), 1U);
}
TEST_F(HouseRules, RoomsOfAFamilyPointDown) {
    EXPECT_EQ(breachesWith("core/metric/solver/loop.h", "#include \"core/metric/problem/triplets.h\""), 0U);
    EXPECT_EQ(breachesWith("core/metric/path/task.h", "#include \"core/metric/inspect/audit.h\""), 0U);
    EXPECT_EQ(breachesWith("core/metric/family.h", "#include \"core/metric/path/task.h\""), 0U);
    EXPECT_EQ(breachesWith("core/metric/problem/triplets.h", "#include \"core/metric/solver/loop.h\""), 1U);
    write("core/metric/problem/triplets.h", "#pragma once\n");
    EXPECT_EQ(breachesWith("core/metric/solver/loop.h", "#include \"core/metric/path/task.h\""), 1U);
    EXPECT_EQ(breachesWith("core/metric/solver/loop.h", "#include \"core/metric/family.h\""), 1U);
}
TEST_F(HouseRules, FilesOfAFamilyStandInARoom) {
    write("core/metric/stray.h", "#pragma once\n#include \"core/metric/problem/triplets.h\"\n");
    EXPECT_EQ(houseRuleBreaches(m_root).size(), 1U);
}
TEST_F(HouseRules, ChartsKnowNoEngine) {
    EXPECT_EQ(breachesWith("ui/charts/plot.h", "#include \"core/run/event.h\""), 1U);
}
TEST_F(HouseRules, PartsOfARoomPointDown) {
    EXPECT_EQ(breachesWith("ui/session/inspect/lens.h", "#include \"ui/session/runs/runs.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/session/runs/more.h", "#include \"ui/session/settings.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/panels/views/tab.h", "#include \"ui/panels/shared/bar.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/session/runs/runs.h", "#include \"ui/session/inspect/lens.h\""), 1U);
    EXPECT_EQ(breachesWith("ui/session/runs/runs.h", "#include \"ui/session/experiment/document.h\""), 1U);
    EXPECT_EQ(breachesWith("ui/panels/shared/bar.h", "#include \"ui/panels/views/tab.h\""), 2U);
    EXPECT_EQ(breachesWith("ui/session/settings.h", "#include \"ui/session/runs/runs.h\""), 3U); // each stays
}
TEST_F(HouseRules, FiguresKnowNoPanels) {
    EXPECT_EQ(breachesWith("ui/figures/curves.h", "#include \"ui/charts/plot.h\""), 0U);
    EXPECT_EQ(breachesWith("ui/figures/curves.h", "#include \"ui/panels/views/tab.h\""), 1U);
}
TEST_F(HouseRules, ModelsKnowNoPanels) {
    EXPECT_EQ(breachesWith("ui/models/runs.h", "#include \"ui/panels/metric/panel.h\""), 1U);
}
TEST_F(HouseRules, QtIsABreachInCoreAndCommandLine) {
    EXPECT_EQ(breachesWith("core/data/dataset.h", "#include <QString>"), 1U);
    EXPECT_EQ(breachesWith("app/cli_main.cpp", "#include <QtCore/QObject>"), 2U);
    EXPECT_EQ(breachesWith("app/cli/run_command.cpp", "#include <QString>"), 3U);
}
TEST_F(HouseRules, CommandLineMayNotIncludeUi) {
    EXPECT_EQ(breachesWith("app/cli_main.cpp", "#include \"ui/session/bridge.h\""), 1U);
    EXPECT_EQ(breachesWith("app/cli/run_command.cpp", "#include \"ui/session/bridge.h\""), 2U);
}
TEST_F(HouseRules, QtChartsOutsideItsRoomIsABreach) {
    EXPECT_EQ(breachesWith("ui/panels/metric/panel.h", "class QChartView;"), 1U);
}
TEST_F(HouseRules, ViewsThatTheSecondCompilerDoesNotKnowAreBreaches) {
    EXPECT_EQ(breachesWith("ui/panels/views/tab.cpp", "#include <ranges>"), 1U);
}
TEST_F(HouseRules, IncludesMustStartAtTheRootAndExist) {
    EXPECT_EQ(breachesWith("core/data/dataset.h", "#include \"error.h\""), 1U);
    EXPECT_EQ(breachesWith("core/data/dataset.h", "#include \"core/common/nothing.h\""), 1U);
}
TEST_F(HouseRules, FilesMayHaveFourHundredLines) {
    const std::string lines(398, '\n'); // between the first and the last
    EXPECT_EQ(breachesWith("core/data/dataset.h", lines + "// 400"), 0U);
    EXPECT_EQ(breachesWith("core/data/dataset.h", lines + "\n// 401"), 1U);
}
TEST_F(HouseRules, StrayFilesAtTheRootAreBreaches) {
    write("notes.txt", "x");
    EXPECT_EQ(houseRuleBreaches(m_root).size(), 1U);
}

TEST(House, KeepsItsRules) {
    for (const std::string& breach : houseRuleBreaches(LAMBDASCOPE_TEST_SOURCE_DIR)) {
        ADD_FAILURE() << breach;
    }
}

} // namespace
