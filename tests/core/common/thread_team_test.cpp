// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"
#include "core/common/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>
#include <vector>

namespace lambdascope {
namespace {

bool goOn() {
    return false;
}

TEST(ThreadTeam, VisitsEveryBlockOnceWithAWorkerNumberBelowItsSize) {
    for (const int threads : {0, 1, 2, 5}) {
        ThreadTeam team(threads);
        for (const std::int64_t count : {0, 1, 3, 200}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
            std::atomic<bool> isBelow = true;
            EXPECT_TRUE(team.forEachBlock(
                count,
                [&](std::int64_t block, std::size_t worker) {
                    ++visits[static_cast<std::size_t>(block)];
                    isBelow = isBelow && worker < team.size();
                },
                goOn));
            EXPECT_TRUE(isBelow);
            for (const auto& visit : visits) {
                EXPECT_EQ(visit, 1);
            }
        }
    }
}

TEST(ThreadTeam, AsksOnlyTheCallingThreadWhetherToStopAndThenStops) {
    for (const int threads : {1, 3}) {
        ThreadTeam team(threads);
        const auto caller = std::this_thread::get_id();
        std::atomic<int> visited = 0;
        int asked = 0;
        EXPECT_FALSE(team.forEachBlock(
            100000, [&](std::int64_t, std::size_t) { ++visited; },
            [&] {
                EXPECT_EQ(std::this_thread::get_id(), caller);
                return ++asked == 3;
            }));
        EXPECT_EQ(asked, 3);
        EXPECT_LT(visited, 100000);
    }
}

TEST(ThreadTeam, CreditsTheWorkOfAllThreadsToTheCallersClock) {
    ThreadTeam team(4);
    std::mutex mutex;
    double inBlocks = 0;
    const double start = threadCpuSeconds();
    team.forEachBlock(
        64,
        [&](std::int64_t block, std::size_t) {
            const double begin = threadCpuSeconds();
            volatile double sum = 0;
            for (int i = 0; i < 300000; ++i) {
                sum = sum + std::sqrt(static_cast<double>(i + block));
            }
            const double used = threadCpuSeconds() - begin;
            const std::lock_guard lock(mutex);
            inBlocks += used;
        },
        goOn);
    EXPECT_GE(threadCpuSeconds() - start, 0.999 * inBlocks);
}

} // namespace
} // namespace lambdascope
