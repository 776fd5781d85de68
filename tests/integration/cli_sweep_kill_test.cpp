// SPDX-License-Identifier: GPL-3.0-or-later
// A study of 150 cells, killed at 20 moments and resumed.
#include "core/common/random_stream.h"
#include "core/common/resource_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <chrono>
#include <csignal>
#include <iostream>
#include <random>
#include <thread>

namespace lambdascope {
namespace {

using testing_support::CliProcess;
using testing_support::timelessTable;

class LargeStudy : public testing_support::ScratchFolder {};

TEST_F(LargeStudy, IsTheSameAfterTwentyKills) {
    constexpr int kKills = 20;
    const std::string study = (resourceFolder() / "studies" / "three-sets.json").string();
    // Shorter paths than the study's own: what is tested is the cells.
    const auto command = [&](const std::string& folder) {
        return std::vector<std::string>{"sweep", study,        "--out", folder,  "--jobs",
                                        "2",     "--progress", "none",  "--set", "path.max_points=8"};
    };
    const auto start = std::chrono::steady_clock::now();
    const auto whole = testing_support::runCli(scratch(""), command("whole"));
    ASSERT_EQ(whole.status, 0) << whole.err;
    const std::chrono::duration<double> wholeSeconds = std::chrono::steady_clock::now() - start;
    RandomStream random(std::random_device{}());
    int killed = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        CliProcess process(scratch(""), command("killed"));
        std::this_thread::sleep_for(wholeSeconds * random.uniform(0, 2.0 / kKills));
        killed += process.hasEnded() ? 0 : 1;
        process.signal(SIGKILL);
        (void)process.wait();
    }
    const auto rest = testing_support::runCli(scratch(""), command("killed"));
    ASSERT_EQ(rest.status, 0) << rest.err;
    std::cout << killed << " of " << kKills << " were killed at work; then: " << rest.out;
    EXPECT_GE(killed, kKills / 2);
    for (const char* table : {"cells.csv", "study.csv"}) {
        const std::string ours = timelessTable(scratch("killed") / table);
        EXPECT_EQ(ours, timelessTable(scratch("whole") / table)) << table;
        EXPECT_GT(ours.size(), 1000U);
    }
}

} // namespace
} // namespace lambdascope
