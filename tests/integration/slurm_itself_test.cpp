// SPDX-License-Identifier: GPL-3.0-or-later
// Studies by Slurm itself: a node of its own, started for these tests where its packages are installed.
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;
using testing_support::timelessTable;

/// 24 cells of about half a second: long enough for memory to be seen while they run.
const char* const kStudy = R"({"name": "of 24 cells", "experiment": {"family": "metric",
  "data": {"source": "wine", "subset": 0.9}, "problem": {"k": 3}, "path": {"max_points": 40},
  "solver": {"engine": "triplets", "method": "projected-gradient"},
  "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]},
  "axes": [{"field": "problem.k", "values": [4, 6, 8, 10]}, {"seeds": 6}]})";

const char* const kScript = LAMBDASCOPE_TEST_SOURCE_DIR "/tests/integration/own_slurm.sh";

bool succeeds(const std::string& command) {
    return std::system(command.c_str()) == 0; // NOLINT(cert-env33-c): a test
}

class SlurmItself : public testing_support::ScratchFolder {
  protected:
    static void SetUpTestSuite() {
        if (::geteuid() != 0 || !succeeds("command -v slurmctld slurmd sbatch munged >/dev/null 2>&1")) {
            return;
        }
        char name[] = "/tmp/lambdascope-slurm-XXXXXX";
        s_folder = ::mkdtemp(name);
        const int port = 20000 + ::getpid() % 20000 * 2;
        s_isRunning = succeeds(std::string(kScript) + " start " + s_folder + " " + std::to_string(port));
        ::setenv("SLURM_CONF", (s_folder + "/slurm.conf").c_str(), 1);
    }
    static void TearDownTestSuite() {
        if (!s_folder.empty()) {
            (void)succeeds(std::string(kScript) + " stop " + s_folder);
            std::this_thread::sleep_for(std::chrono::seconds(2));
            std::error_code ignored;
            fs::remove_all(s_folder, ignored);
        }
    }
    void SetUp() override {
        if (s_folder.empty()) {
            GTEST_SKIP() << "the packages slurm-wlm and munge are not here, or this is not root";
        }
        ASSERT_TRUE(s_isRunning) << "Slurm does not start";
        write(scratch("study.json"), kStudy);
        if (s_expected.empty()) {
            ASSERT_EQ(cli({"sweep", "study.json", "--out", "whole"}).status, 0);
            s_expected = tablesOf("whole");
        }
    }

    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    [[nodiscard]] std::string tablesOf(const std::string& folder) const {
        return timelessTable(scratch(folder) / "cells.csv") + timelessTable(scratch(folder) / "study.csv");
    }
    [[nodiscard]] std::string job() const {
        const std::string text = contents(scratch("s") / "slurm" / "job");
        return text.substr(0, text.find('\n'));
    }
    std::string status() { return cli({"sweep", "status", "s"}).out; }
    /// Until what `sweep status` prints has the text; what it printed last.
    std::string waitFor(const std::string& text, int seconds = 300) {
        std::string now = status();
        for (int i = 0; i < 2 * seconds && now.find(text) == std::string::npos; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            now = status();
        }
        EXPECT_NE(now.find(text), std::string::npos) << now << logs();
        return now;
    }
    [[nodiscard]] std::string logs() const {
        std::string text;
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(scratch("s") / "slurm", ignored)) {
            text += entry.path().extension() == ".log" ? contents(entry.path()) : std::string();
        }
        return text;
    }
    void expectTheSameTables() {
        const CliResult collected = cli({"sweep", "collect", "s"});
        EXPECT_EQ(collected.status, 0) << collected.err;
        EXPECT_NE(collected.out.find("24 cells: 24 finished"), std::string::npos) << collected.out;
        EXPECT_EQ(tablesOf("s"), s_expected);
    }
    static bool script(const std::string& action) {
        return succeeds(std::string(kScript) + " " + action + " " + s_folder);
    }
    static void killDaemon() {
        const std::string text = contents(s_folder + "/slurmd.pid");
        ASSERT_GT(std::atoi(text.c_str()), 1) << text;
        ::kill(std::atoi(text.c_str()), SIGKILL);
    }

    static std::string s_folder;
    static bool s_isRunning;
    static std::string s_expected;
};
std::string SlurmItself::s_folder;
bool SlurmItself::s_isRunning = false;
std::string SlurmItself::s_expected;

TEST_F(SlurmItself, ComputesTheSameNumbers) {
    const CliResult submitted = cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "3", "--cpus", "2"});
    ASSERT_EQ(submitted.status, 0) << submitted.err;
    EXPECT_NE(submitted.out.find("24 cells in 8 tasks"), std::string::npos) << submitted.out;
    waitFor("RUNNING", 60);
    EXPECT_EQ(cli({"sweep", "s"}).status, 2) << "it is left to the job";
    std::cout << waitFor(": over");
    expectTheSameTables();
}

TEST_F(SlurmItself, WhatWasCancelledIsSubmittedAgain) {
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "2"}).status, 0);
    ASSERT_TRUE(succeeds("scancel " + job() + "_[6-11]"));
    const std::string half = waitFor(": over");
    std::cout << half;
    // Slurm forgets tasks that were cancelled before they began.
    EXPECT_EQ(half.find("24 finished"), std::string::npos) << half;
    EXPECT_EQ(half.find("24 missing"), std::string::npos) << half;
    ASSERT_EQ(cli({"sweep", "s", "--slurm", "--cpus", "2"}).status, 0);
    std::cout << waitFor(": over");
    expectTheSameTables();
}

TEST_F(SlurmItself, CancelEndsTheJobAndKeepsWhatIsFinished) {
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "1"}).status, 0);
    waitFor("COMPLETED", 60);
    ASSERT_EQ(cli({"sweep", "cancel", "s"}).status, 0);
    const std::string cancelled = waitFor(": over", 60);
    std::cout << cancelled;
    EXPECT_EQ(cancelled.find("24 missing"), std::string::npos) << cancelled;
    EXPECT_NE(cancelled.find(" 0 failed"), std::string::npos) << cancelled;
    const CliResult here = cli({"sweep", "s"});
    EXPECT_EQ(here.status, 0) << here.err;
    expectTheSameTables();
}

TEST_F(SlurmItself, AKilledDaemonEndsNothing) {
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "6"}).status, 0);
    waitFor("RUNNING", 60);
    killDaemon();
    std::this_thread::sleep_for(std::chrono::seconds(3));
    ASSERT_TRUE(script("slurmd"));
    std::cout << waitFor(": over");
    expectTheSameTables();
}

TEST_F(SlurmItself, ATaskOutOfMemoryIsSubmittedAgainWithMore) {
    // Less than the program itself needs: Slurm ends the tasks, or the cells are ended before it does so.
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "12", "--mem", "12M"}).status, 0);
    const std::string ended = waitFor(": over");
    std::cout << ended << logs();
    EXPECT_EQ(ended.find("24 finished"), std::string::npos) << ended;
    ASSERT_EQ(cli({"sweep", "s", "--slurm", "--mem", "1G", "--retry"}).status, 0);
    std::cout << waitFor(": over");
    expectTheSameTables();
}

} // namespace
} // namespace lambdascope
