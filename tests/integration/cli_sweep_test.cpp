// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliProcess;
using testing_support::CliResult;
using testing_support::timelessTable;

/// Twelve cells of two lanes and four points.
const char* const kStudy = R"({"name": "small", "experiment": {"family": "metric",
  "data": {"source": "iris", "subset": 0.5}, "problem": {"k": 3}, "path": {"max_points": 4},
  "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]},
  "axes": [{"field": "data.source", "values": ["iris", "wine"]}, {"field": "problem.k", "values": [2, 3]}, {"seeds": 3}]})";

class SweepProgram : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }

    [[nodiscard]] std::string tablesOf(const std::string& folder) const {
        return timelessTable(scratch(folder) / "cells.csv") + timelessTable(scratch(folder) / "study.csv");
    }
    [[nodiscard]] std::size_t finishedCells(const std::string& folder) const {
        std::error_code ignored;
        const auto entries = fs::directory_iterator(scratch(folder) / "cells", ignored);
        return static_cast<std::size_t>(std::distance(fs::begin(entries), fs::end(entries)));
    }
};

TEST_F(SweepProgram, ComputesEveryCellOnceAndWritesBothTables) {
    write(scratch("study.json"), kStudy);
    const CliResult first = cli({"sweep", "study.json", "--out", "s", "--jobs", "2", "--progress", "none"});
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.err, "");
    EXPECT_NE(first.out.find("12 cells: 12 finished, 12 of them now; 0 failed, 0 missing"), std::string::npos)
        << first.out;
    const std::string cells = contents(scratch("s") / "cells.csv");
    EXPECT_EQ(std::count(cells.begin(), cells.end(), '\n'), 1 + 12 * 2);
    const std::string rows = contents(scratch("s") / "study.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 4 * 2);
    EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    for (const auto& cell : fs::directory_iterator(scratch("s") / "cells")) {
        EXPECT_TRUE(readRunFolder(cell.path())) << cell.path();
    }
    const CliResult again = cli({"sweep", "s", "--progress", "none"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(again.out.find("12 finished, 0 of them now"), std::string::npos) << again.out;
    EXPECT_EQ(contents(scratch("s") / "cells.csv"), cells) << "to the last bit";
    EXPECT_EQ(contents(scratch("s") / "study.csv"), rows);
    const CliResult longer = cli({"sweep", "study.json", "--out", "s", "--set", "axes[1].values=[2,3,4]"});
    EXPECT_EQ(longer.status, 0) << longer.err;
    EXPECT_NE(longer.out.find("18 finished, 6 of them now"), std::string::npos) << longer.out;
}

TEST_F(SweepProgram, IsResumedAfterBeingKilledAtAnyMoment) {
    write(scratch("study.json"), kStudy);
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "whole", "--jobs", "2"}).status, 0);
    int killed = 0;
    for (int delay = 60; delay < 2000 && killed < 4; delay += 90) {
        CliProcess process(scratch(""), {"sweep", "study.json", "--out", "killed", "--jobs", "2"});
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        killed += process.hasEnded() ? 0 : 1;
        process.signal(SIGKILL);
        (void)process.wait();
    }
    const CliResult rest = cli({"sweep", "study.json", "--out", "killed", "--jobs", "2"});
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(tablesOf("killed"), tablesOf("whole"));
    EXPECT_TRUE(fs::is_empty(scratch("killed") / "work"));
}

TEST_F(SweepProgram, AnInterruptKeepsFinishedCellsAndSaysSo) {
    write(scratch("study.json"), kStudy);
    CliProcess process(scratch(""),
                       {"sweep", "study.json", "--out", "s", "--jobs", "1", "--set", "path.max_points=60"});
    while (finishedCells("s") < 2 && !process.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    process.signal(SIGINT);
    ASSERT_EQ(process.wait(), 130) << process.err();
    EXPECT_NE(process.err().find("finished cells are kept"), std::string::npos) << process.err();
    EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    EXPECT_NE(contents(scratch("s") / "study.csv").find("iris"), std::string::npos);
    const CliResult rest = cli({"sweep", "s"});
    EXPECT_EQ(rest.status, 0) << rest.err;
}

TEST_F(SweepProgram, TwoAtOnceDoNotMix) {
    write(scratch("study.json"), kStudy);
    CliProcess first(scratch(""), {"sweep", "study.json", "--out", "s", "--jobs", "1", "--set", "path.max_points=60"});
    while (finishedCells("s") < 1 && !first.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    fs::create_directories(scratch("second"));
    const CliResult second = testing_support::runCli(scratch("second"), {"sweep", scratch("s").string()});
    EXPECT_EQ(second.status, 2);
    EXPECT_NE(second.err.find("another process is computing the study"), std::string::npos) << second.err;
    first.signal(SIGTERM);
    (void)first.wait();
}

TEST_F(SweepProgram, FaultsAreAllNamedBeforeAnythingIsMade) {
    write(scratch("study.json"), R"({"experiment": "iris-six-lanes", "axes": [
      {"field": "problem.k", "values": [0, 3]}, {"field": "problem.gamma", "values": [-1, 0.05]}, {"seeds": 2}]})");
    const CliResult bad = cli({"sweep", "study.json", "--out", "s"});
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("6 of 8 cells have faults"), std::string::npos) << bad.err;
    EXPECT_NE(bad.err.find("problem.k"), std::string::npos) << bad.err;
    EXPECT_NE(bad.err.find("problem.gamma"), std::string::npos) << bad.err;
    // What the data cannot do is known from the data alone.
    const CliResult data = cli({"sweep", "study.json", "--out", "s", "--set", "axes[0].values=[3,500]", "--set",
                                "axes[1].values=[0.05]", "--set", "data.source=nothing.csv"});
    EXPECT_EQ(data.status, 2);
    EXPECT_NE(data.err.find("nothing was run"), std::string::npos) << data.err;
    EXPECT_NE(data.err.find("nothing.csv"), std::string::npos) << data.err;
    const CliResult large =
        cli({"sweep", "study.json", "--out", "s", "--set", "axes[0].values=[3,500]", "--set", "axes[1].values=[0.05]"});
    EXPECT_EQ(large.status, 2);
    EXPECT_NE(large.err.find("in the cell k = 500, gamma = 0.05, seed = 1"), std::string::npos) << large.err;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"sweep", "study.json"},
                                               {"sweep", "nothing.json", "--out", "s"},
                                               {"sweep", "xdg", "--out", "s"},
                                               {"sweep", "study.json", "--out", "study.json"},
                                               {"sweep", "study.json", "--out", "s", "--jobs", "0"},
                                               {"sweep", "study.json", "--out", "s", "--memory", "much"},
                                               {"sweep", "study.json", "--out", "s", "--set", "axes[7].values=[1]"}}) {
        fs::create_directories(scratch("xdg"));
        EXPECT_EQ(cli(arguments).status, 2) << arguments.back();
    }
    EXPECT_FALSE(fs::exists(scratch("s")));
}

TEST_F(SweepProgram, FailedCellsAreNamedAndComputedAgainOnRequest) {
    write(scratch("a.csv"), "x,y,label\n0,0,a\n0,1,a\n0,2,a\n5,5,b\n5,6,b\n5,7,b\n");
    // Its λ_max lies below the least λ allowed, which shows when the path begins.
    write(scratch("study.json"),
          R"({"experiment": {"family": "metric", "data": {"source": "a.csv"}, "problem": {"k": 1},
        "path": {"max_points": 3}, "lanes": [{"name": "naive", "bounds": []}]},
        "axes": [{"field": "path.min_lambda", "values": [1e-12, 1e9]}, {"seeds": 2}]})");
    const CliResult first = cli({"sweep", "study.json", "--out", "s", "--progress", "none"});
    EXPECT_EQ(first.status, 1);
    EXPECT_NE(first.out.find("4 cells: 2 finished, 2 of them now; 2 failed, 0 missing"), std::string::npos)
        << first.out;
    EXPECT_NE(first.err.find("failed: min_lambda = 1000000000.0, seed = 1: "), std::string::npos) << first.err;
    EXPECT_NE(first.err.find("lane naive"), std::string::npos) << first.err;
    const CliResult again = cli({"sweep", "s", "--progress", "none"});
    EXPECT_EQ(again.status, 1) << "they are named, but not computed again";
    EXPECT_NE(again.out.find("0 of them now"), std::string::npos) << again.out;
    const CliResult retried = cli({"sweep", "s", "--progress", "none", "--retry"});
    EXPECT_EQ(retried.status, 1);
    EXPECT_NE(retried.err.find("failed: min_lambda"), std::string::npos) << retried.err;
}

TEST_F(SweepProgram, AFullDiskEndsItAndKeepsWhatIsThere) {
    write(scratch("study.json"), kStudy);
    CliProcess process(scratch(""), {"sweep", "study.json", "--out", "s", "--jobs", "1"}, {.largestFile = 6000});
    EXPECT_EQ(process.wait(), 2) << process.err();
    EXPECT_NE(process.err().find("could not be written"), std::string::npos) << process.err();
    const CliResult rest = cli({"sweep", "s"});
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_NE(rest.out.find("12 finished"), std::string::npos) << rest.out;
}

} // namespace
} // namespace lambdascope
