// SPDX-License-Identifier: GPL-3.0-or-later
// Results are removed while they are computed: that is told at once, they are kept elsewhere, and the status says so.
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliProcess;

std::vector<std::string> longSlowRun() {
    return {"run",   "digits-embedding",
            "--out", "out",
            "--set", "data.subset=0.5",
            "--set", "problem.k=10",
            "--set", R"(lanes=[{"name":"slow","bounds":[],"solver":{"engine":"triplets"}}])"};
}

class Loss : public testing_support::ScratchFolder {
  protected:
    [[nodiscard]] static std::size_t rowsOf(const fs::path& folder) {
        std::ifstream stream(folder / "slow" / "path.csv");
        std::size_t rows = 0;
        for (std::string row; std::getline(stream, row);) {
            ++rows;
        }
        return rows;
    }
    /// Waits until `isTrue`; false when the process ends before.
    [[nodiscard]] static bool waitFor(CliProcess& process, const std::function<bool()>& isTrue) {
        while (!isTrue()) {
            if (process.hasEnded()) {
                return isTrue();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    }
    /// Starts a run, disturbs it, waits until that is told while it still runs, ends it some points later.
    void disturb(const std::function<void()>& act, const fs::path& keptIn, const std::string& word) {
        CliProcess process(scratch(""), longSlowRun());
        ASSERT_TRUE(waitFor(process, [&] { return rowsOf(scratch("out")) >= 3; })) << process.err();
        act();
        ASSERT_TRUE(waitFor(process, [&] { return process.err().find(word) != std::string::npos; }))
            << "nothing is told: " << process.err();
        EXPECT_FALSE(process.hasEnded()) << "it is told only at the end";
        const std::size_t rows = rowsOf(keptIn);
        EXPECT_GE(rows, 3U);
        EXPECT_TRUE(waitFor(process, [&] { return rowsOf(keptIn) > rows; })) << process.err();
        process.signal(SIGINT);
        EXPECT_EQ(process.wait(), 1) << process.err();
        const auto records = readRunFolder(keptIn);
        ASSERT_TRUE(records) << records.error().describe();
        EXPECT_EQ(records->at(0).finishedPointCount() + 1, rowsOf(keptIn));
        EXPECT_EQ(records->at(0).state(), RunRecord::State::Stopped);
        EXPECT_NE(process.out().find("run folder: "), std::string::npos);
    }
};

TEST_F(Loss, ARemovedFolderIsWrittenAgain) {
    disturb([&] { fs::remove_all(scratch("out")); }, scratch("out"), "was removed while the run computes");
}

TEST_F(Loss, ARenamedFolderIsWrittenUnderItsNewName) {
    disturb([&] { fs::rename(scratch("out"), scratch("elsewhere")); }, scratch("elsewhere"), "elsewhere");
    EXPECT_FALSE(fs::exists(scratch("out")));
}

TEST_F(Loss, RemovedFilesAreWrittenAgain) {
    const auto removeFiles = [&] {
        std::error_code wasReplaced; // by the run, which writes there
        while (fs::remove_all(scratch("out") / "slow", wasReplaced), wasReplaced) {
        }
    };
    disturb(removeFiles, scratch("out"), "are written again");
}

TEST_F(Loss, ARemovedLibraryIsWrittenAgain) {
    const fs::path file = scratch("xdg") / "lambdascope" / "library.sqlite";
    disturb([&] { fs::remove_all(file.parent_path()); }, scratch("out"), "library.sqlite");
    const auto library = RunLibrary::open(file);
    ASSERT_TRUE(library) << library.error().describe();
    const auto experiments = (*library)->experiments();
    ASSERT_TRUE(experiments);
    ASSERT_EQ(experiments->size(), 1U);
    const auto record = (*library)->loadRecord(experiments->at(0).runs.at(0).id);
    ASSERT_TRUE(record) << record.error().describe();
    EXPECT_EQ(record->finishedPointCount() + 1, rowsOf(scratch("out")));
}

TEST_F(Loss, AnUndisturbedRunSaysNothing) {
    const auto run = testing_support::runCli(
        scratch(""), {"run", "iris-six-lanes", "--progress", "none", "--out", "out", "--set", "path.max_points=3"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
}

} // namespace
} // namespace lambdascope
