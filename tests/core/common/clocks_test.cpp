// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace lambdascope;

TEST(Clocks, ThreadClockStandsStillWhileAThreadSleeps) {
    const double cpu = threadCpuSeconds();
    const double wall = wallSeconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_GE(wallSeconds() - wall, 0.059);
    EXPECT_LT(threadCpuSeconds() - cpu, 0.05);
}

TEST(Clocks, ThreadClockIgnoresOtherThreads) {
    const double before = threadCpuSeconds();
    double used = 0;
    std::thread worker([&] {
        const CpuCharge charge(used);
        volatile double sum = 0;
        while (threadCpuSeconds() < 0.05) {
            sum = sum + 1;
        }
    });
    worker.join();
    EXPECT_GE(used, 0.03);
    EXPECT_LT(threadCpuSeconds() - before, used);
}

TEST(Clocks, ChargesAddUpInOneAccount) {
    double account = 0;
    double last = 0;
    for (int i = 0; i < 3; ++i) {
        {
            const CpuCharge charge(account);
            volatile double sum = 0;
            for (int k = 0; k < 100000; ++k) {
                sum = sum + k;
            }
        }
        EXPECT_GT(account, last);
        last = account;
    }
}
