// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

namespace lambdascope {
namespace {

/// Not-a-number, the value of what could not be measured, is itself.
bool isSameNumber(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

namespace fs = std::filesystem;
using testing_support::CliProcess;

/// A path on a bundled data set that takes long enough to be caught in the middle.
std::vector<std::string> longRun() {
    return {"run",
            "digits-embedding",
            "--out",
            "out",
            "--save-solutions",
            "--set",
            "data.subset=0.5",
            "--set",
            "problem.k=10",
            "--set",
            R"(lanes=[{"name":"slow","bounds":[],"solver":{"engine":"triplets"}},{"name":"quick","bounds":["RRPB"]}])"};
}

class EndedFromOutside : public testing_support::ScratchFolder {
  protected:
    [[nodiscard]] std::vector<std::string> rowsOf(const std::string& lane) const {
        std::vector<std::string> rows;
        std::ifstream stream(scratch("out") / lane / "path.csv");
        for (std::string row; std::getline(stream, row);) {
            rows.push_back(row);
        }
        return rows;
    }
    /// Waits until the slow lane has this many finished points; false when the process ends before.
    [[nodiscard]] bool reaches(CliProcess& process, std::size_t points) const {
        while (rowsOf("slow").size() < points + 1) {
            if (process.hasEnded()) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    }
    /// Checks that folder and library hold the same whole points, and returns how many the slow lane has.
    std::size_t expectWholePoints(RunRecord::State state) {
        const auto records = readRunFolder(scratch("out"));
        EXPECT_TRUE(records) << records.error().describe();
        const auto library = RunLibrary::open(scratch("xdg") / "lambdascope" / "library.sqlite");
        EXPECT_TRUE(library) << library.error().describe();
        const auto runs = (*library)->experiments()->at(0).runs;
        EXPECT_EQ(records->size(), 2U);
        EXPECT_EQ(runs.size(), 2U);
        for (std::size_t lane = 0; lane < records->size(); ++lane) {
            const RunRecord& record = records->at(lane);
            EXPECT_EQ(record.state(), state);
            const auto kept = (*library)->loadRecord(runs.at(lane).id);
            EXPECT_TRUE(kept);
            EXPECT_EQ(kept->state(), state);
            // Folder and library are written one after the other; a kill may come between.
            const std::size_t inFolder = record.finishedPointCount();
            const std::size_t inLibrary = kept->finishedPointCount();
            EXPECT_LE(inFolder, inLibrary + 1);
            EXPECT_LE(inLibrary, inFolder + 1);
            for (std::size_t i = 0; i < std::min(inFolder, inLibrary); ++i) {
                EXPECT_EQ(record.points()[i].index, static_cast<std::int32_t>(i));
                EXPECT_TRUE(std::ranges::equal(record.points()[i].values, kept->points()[i].values, isSameNumber));
                EXPECT_EQ(record.points()[i].values.size(), record.start().columns.size());
                EXPECT_EQ(record.points()[i].embedding->coordinates, kept->points()[i].embedding->coordinates);
                EXPECT_NE(kept->points()[i].solution, nullptr);
            }
            const std::vector<std::string> rows = rowsOf(record.start().laneName);
            EXPECT_LE(rows.size(), inFolder + 1 + 1);
            EXPECT_GE(rows.size() + 1, inFolder + 1);
        }
        return records->at(0).finishedPointCount();
    }
};

TEST_F(EndedFromOutside, AKillLosesAtMostThePointInWork) {
    for (const std::size_t points : {1U, 4U}) {
        SCOPED_TRACE(points);
        fs::remove_all(scratch("out"));
        fs::remove_all(scratch("xdg"));
        CliProcess process(scratch(""), longRun());
        ASSERT_TRUE(reaches(process, points)) << process.err();
        process.signal(SIGKILL);
        ASSERT_EQ(process.wait(), -SIGKILL);
        EXPECT_GE(expectWholePoints(RunRecord::State::Interrupted), points);
        EXPECT_EQ((*readRunSummary(scratch("out")))["state"], "running") << "nobody was left to say otherwise";
        // The library is not locked, and lists the run for what it is.
        const auto listed = testing_support::runCli(scratch(""), {"runs"});
        EXPECT_EQ(listed.status, 0) << listed.err;
        EXPECT_NE(listed.out.find("interrupted"), std::string::npos) << listed.out;
    }
}

TEST_F(EndedFromOutside, AnInterruptEndsGracefullyAndKeepsFinishedPoints) {
    CliProcess process(scratch(""), longRun());
    ASSERT_TRUE(reaches(process, 2)) << process.err();
    process.signal(SIGINT);
    ASSERT_EQ(process.wait(), 130) << process.err();
    EXPECT_GE(expectWholePoints(RunRecord::State::Stopped), 2U);
    const auto summary = readRunSummary(scratch("out"));
    EXPECT_EQ((*summary)["state"], "stopped");
    EXPECT_EQ((*summary)["lanes"][0]["termination"], "stopped by user");
    EXPECT_NE(process.out().find("stopped by user"), std::string::npos);
    EXPECT_NE(process.err().find("finished points are kept"), std::string::npos);
}

TEST_F(EndedFromOutside, AnInterruptBeforeTheFirstPointSaysSo) {
    // Draws and sorts comparisons for seconds.
    const std::vector<std::string> slowStart = {"run", "slow.json", "--out", "out", "--library", "none"};
    write(scratch("slow.json"),
          R"({"family": "ordinal", "data": {"source": "digits"}, "path": {"epochs": 2},
              "problem": {"comparisons": "classes", "train": 4000000}, "lanes": [{"name": "s"}]})");
    int status = -SIGINT;
    for (int delay = 50; status == -SIGINT && delay < 4000; delay *= 2) { // until the program listens
        CliProcess process(scratch(""), slowStart);
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        process.signal(SIGINT);
        status = process.wait();
        if (status != -SIGINT) {
            EXPECT_EQ(process.err(), "interrupted before the first point\n");
        }
    }
    EXPECT_EQ(status, 130);
    EXPECT_FALSE(fs::exists(scratch("out")));
}

TEST_F(EndedFromOutside, AnInterruptedConversionLeavesNothingBehind) {
    write(scratch("there.csv"), "a,b\n1,2\n");
    CliProcess process(scratch(""), {"convert", "toy:two-moons?n=1000000", "there.csv", "--force"});
    while (!fs::exists(scratch("there.csv.part")) && !process.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    process.signal(SIGINT);
    EXPECT_EQ(process.wait(), 130) << process.err();
    EXPECT_NE(process.err().find("interrupted"), std::string::npos) << process.err();
    EXPECT_FALSE(fs::exists(scratch("there.csv.part")));
    EXPECT_EQ(contents(scratch("there.csv")), "a,b\n1,2\n") << "what was there before is kept";
}

TEST_F(EndedFromOutside, AFullDiskStopsTheRunAndKeepsWholePoints) {
    constexpr std::size_t kLargestFile = 60'000; // a few points of the event log
    std::vector<std::string> arguments = longRun();
    arguments.insert(arguments.end(), {"--library", "none"});
    CliProcess process(scratch(""), arguments, {.largestFile = kLargestFile});
    EXPECT_EQ(process.wait(), 1) << process.err();
    EXPECT_NE(process.err().find("cannot write"), std::string::npos) << process.err();
    EXPECT_NE(process.out().find("stopped by user"), std::string::npos) << "it went on for nothing: " << process.out();
    const auto records = readRunFolder(scratch("out"));
    ASSERT_TRUE(records) << records.error().describe();
    for (const RunRecord& record : *records) {
        EXPECT_LE(rowsOf(record.start().laneName).size(), record.finishedPointCount() + 1)
            << "a row without its events";
    }
}

TEST_F(EndedFromOutside, TwoProgramsMayUseTheLibraryAtOnce) {
    CliProcess first(scratch(""), longRun());
    ASSERT_TRUE(reaches(first, 1)) << first.err();
    const auto listed = testing_support::runCli(scratch(""), {"runs"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_NE(listed.out.find("running"), std::string::npos) << listed.out;
    const auto second = testing_support::runCli(
        scratch(""), {"run", "iris-six-lanes", "--progress", "none", "--set", "path.max_points=5"});
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_TRUE(second.err.empty()) << second.err;
    first.signal(SIGINT);
    (void)first.wait();
    EXPECT_EQ(first.err().find("warning"), std::string::npos) << first.err();
}

} // namespace
} // namespace lambdascope
