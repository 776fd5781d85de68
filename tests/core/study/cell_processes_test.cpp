// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"
#include "core/study/cell_processes.h"
#include "tests/core/store/scratch_folder.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

/// CPU seconds of all child processes that have ended.
double childrenCpu() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/// Cells are shell commands here, which see their folder as $0.
class Processes : public testing_support::ScratchFolder {
  protected:
    CellProcesses::Settings settings(int jobs, std::function<std::string(std::size_t)> script) {
        CellProcesses::Settings settings;
        settings.jobs = jobs;
        settings.work = scratch("");
        settings.command = [this, script](std::size_t cell, const fs::path& work) {
            m_started.push_back(cell);
            m_mostRunning = std::max(m_mostRunning, m_started.size() - m_ends.size());
            return std::vector<std::string>{"/bin/sh", "-c", script(cell), work.string()};
        };
        settings.ended = [this](const CellProcessEnd& end) { m_ends.push_back(end); };
        settings.progress = [this](const CellProgress& progress) { m_progress.push_back(progress); };
        return settings;
    }
    [[nodiscard]] const CellProcessEnd& endOf(std::size_t cell) const {
        return *std::find_if(m_ends.begin(), m_ends.end(), [&](const auto& end) { return end.cell == cell; });
    }
    static std::vector<CellTask> tasks(std::size_t count, std::size_t groups = 1) {
        std::vector<CellTask> tasks;
        for (std::size_t cell = 0; cell < count; ++cell) {
            tasks.push_back({cell, cell % groups});
        }
        return tasks;
    }

    std::vector<std::size_t> m_started;
    std::vector<CellProcessEnd> m_ends;
    std::vector<CellProgress> m_progress;
    std::size_t m_mostRunning = 0;
};

TEST_F(Processes, EveryCellEndsOnceWithItsStatusAndItsLog) {
    CellProcesses processes(tasks(7), settings(3, [](std::size_t cell) {
                                return "echo out; echo err >&2; mkdir \"$0\"; exit " + std::to_string(cell % 3);
                            }));
    ASSERT_TRUE(processes.run({}));
    ASSERT_EQ(m_ends.size(), 7U);
    for (std::size_t cell = 0; cell < 7; ++cell) {
        EXPECT_EQ(endOf(cell).status, static_cast<int>(cell % 3));
        EXPECT_EQ(contents(endOf(cell).log), "out\nerr\n");
        EXPECT_TRUE(fs::is_directory(endOf(cell).work));
    }
    EXPECT_LE(m_mostRunning, 3U);
}

TEST_F(Processes, SignalsAndProgramsThatAreNotThereAreEnds) {
    CellProcesses killed(tasks(1), settings(1, [](std::size_t) { return std::string("kill -9 $$"); }));
    ASSERT_TRUE(killed.run({}));
    EXPECT_EQ(m_ends.at(0).status, -SIGKILL);
    auto none = settings(1, {});
    none.command = [](std::size_t, const fs::path&) { return std::vector<std::string>{"/no/such/program"}; };
    CellProcesses absent(tasks(1), none);
    ASSERT_TRUE(absent.run({}));
    EXPECT_EQ(m_ends.at(1).status, 127);
}

TEST_F(Processes, SignalsThatReachTheWholeGroupAreUpToTheOneThatStartedThem) {
    CellProcesses told(tasks(4), settings(2, [](std::size_t cell) {
                           const std::array<const char*, 4> names = {"TERM", "HUP", "INT", "QUIT"};
                           return std::string("kill -") + names.at(cell) + " $$; exit 3";
                       }));
    ASSERT_TRUE(told.run({}));
    for (std::size_t cell = 0; cell < 4; ++cell) {
        EXPECT_EQ(endOf(cell).status, 3) << "cell " << cell << " went on";
    }
}

TEST_F(Processes, FirstOneOfEachGroupThenTheLongest) {
    // Cells 1, 3, 5 of group 1 take longer than 0, 2, 4 of group 0.
    CellProcesses processes(tasks(6, 2), settings(1, [](std::size_t cell) {
                                return std::string(cell % 2 == 1 ? "sleep 0.08" : "exit 0");
                            }));
    ASSERT_TRUE(processes.run({}));
    EXPECT_EQ(m_started, (std::vector<std::size_t>{0, 1, 3, 5, 2, 4}));
    EXPECT_TRUE(m_progress.back().secondsLeft.has_value());
}

TEST_F(Processes, NoMoreBeginThanMemoryIsExpectedFor) {
    auto limited = settings(4, [](std::size_t) { return std::string("sleep 0.02"); });
    limited.memory = 2.5e9;
    CellProcesses processes(tasks(6), limited);
    processes.learn(0, 1, 1e9);
    ASSERT_TRUE(processes.run({}));
    EXPECT_EQ(m_ends.size(), 6U);
    EXPECT_EQ(m_mostRunning, 2U) << "two of 1 GB each fit";
}

/// Has 60 MB for a while.
const char* const kLarge = "exec dd if=/dev/zero of=/dev/null bs=60000000 count=60";

TEST_F(Processes, TheYoungestGiveWayWhenMemoryRunsOut) {
    auto limited = settings(3, [](std::size_t) { return std::string(kLarge); });
    limited.memory = 100e6;
    CellProcesses processes(tasks(3), limited);
    ASSERT_TRUE(processes.run({}));
    ASSERT_EQ(m_ends.size(), 3U);
    for (const CellProcessEnd& end : m_ends) {
        EXPECT_EQ(end.status, 0);
        EXPECT_FALSE(end.isOverBudget);
    }
    EXPECT_GT(m_started.size(), 3U) << "some began twice";
}

TEST_F(Processes, OneThatExceedsTheBudgetAloneIsEnded) {
    auto limited = settings(2, [](std::size_t cell) { return std::string(cell == 0 ? kLarge : "exit 0"); });
    limited.memory = 20e6;
    CellProcesses processes({{0, 0}, {1, 1}}, limited);
    ASSERT_TRUE(processes.run({}));
    EXPECT_TRUE(endOf(0).isOverBudget);
    EXPECT_EQ(endOf(1).status, 0);
}

TEST_F(Processes, AStopEndsAllAtOnceAndLeavesNothing) {
    std::stop_source stop;
    CellProcesses processes(tasks(4), settings(2, [](std::size_t) { return std::string("mkdir \"$0\"; sleep 60"); }));
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        stop.request_stop();
    });
    const double start = wallSeconds();
    ASSERT_TRUE(processes.run(stop.get_token()));
    EXPECT_LT(wallSeconds() - start, 20);
    EXPECT_TRUE(m_ends.empty());
    EXPECT_TRUE(fs::is_empty(scratch("")));
}

/// Uses CPU, and as much wall time.
const char* const kBusy = "while :; do :; done";

TEST_F(Processes, WhatAStopCutsOffIsCountedAsUsed) {
    std::stop_source stop;
    CellProcesses processes(tasks(3),
                            settings(2, [](std::size_t cell) { return std::string(cell == 0 ? "exit 0" : kBusy); }));
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        stop.request_stop();
    });
    const double before = childrenCpu();
    ASSERT_TRUE(processes.run(stop.get_token()));
    ASSERT_EQ(m_ends.size(), 1U);
    const CellProcesses::Usage& usage = processes.usage();
    EXPECT_NEAR(usage.cpu, childrenCpu() - before, 1e-3) << "as the system counts it";
    EXPECT_NEAR(usage.lostCpu, usage.cpu - m_ends.front().cpu, 1e-9);
    EXPECT_GT(usage.lostCpu, 10 * m_ends.front().cpu);
    EXPECT_GE(usage.seconds + 1e-3, usage.cpu);
}

TEST_F(Processes, WhatMemoryCutsOffIsCountedAsUsed) {
    auto limited = settings(3, [](std::size_t) { return std::string(kLarge); });
    limited.memory = 100e6;
    CellProcesses processes(tasks(3), limited);
    const double before = childrenCpu();
    ASSERT_TRUE(processes.run({}));
    double ended = 0;
    for (const CellProcessEnd& end : m_ends) {
        ended += end.cpu;
    }
    EXPECT_NEAR(processes.usage().cpu, childrenCpu() - before, 1e-3);
    EXPECT_NEAR(processes.usage().lostCpu, processes.usage().cpu - ended, 1e-9);
    EXPECT_GT(processes.usage().lostCpu, 0);
}

TEST_F(Processes, EndWithTheProcessThatStartedThem) {
    const pid_t parent = ::fork();
    if (parent == 0) {
        CellProcesses processes(
            tasks(1), settings(1, [](std::size_t) { return std::string("echo $$ > \"$0\".id; exec sleep 60"); }));
        (void)processes.run({});
        ::_exit(0);
    }
    fs::path file;
    while (file.empty()) {
        for (const auto& entry : fs::directory_iterator(scratch(""))) {
            if (entry.path().extension() == ".id" && fs::file_size(entry.path()) > 0) {
                file = entry.path();
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const int child = std::stoi(contents(file));
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    int left = 2000; // milliseconds
    const auto isThere = [child] {
        return contents("/proc/" + std::to_string(child) + "/stat").find(" Z ") == std::string::npos;
    };
    while (fs::exists("/proc/" + std::to_string(child)) && isThere() && left > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        left -= 5;
    }
    EXPECT_GT(left, 0) << "the process of the cell goes on alone";
}

} // namespace
} // namespace lambdascope
