// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>

using namespace lambdascope;

namespace {

double systemCpuSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void work(int operations) {
    volatile double sum = 0;
    for (int k = 0; k < operations; ++k) {
        sum = sum + k;
    }
}

} // namespace

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
        while (threadCpuSeconds() < 0.05) {
            work(1);
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
            work(100000);
        }
        EXPECT_GT(account, last);
        last = account;
    }
}

TEST(Clocks, ThreadClockIsThatOfTheSystemWithinItsWindowHoweverTheThreadRuns) {
    constexpr double kReading = 1e-4; // what reading both clocks may take
    std::thread worker([] {           // that nothing was credited to
        double last = 0;
        for (int i = 0; i < 400; ++i) {
            work(10 << (i % 14));
            if (i % 3 == 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(50 << (i % 6)));
            }
            const double before = systemCpuSeconds();
            const double seconds = threadCpuSeconds();
            EXPECT_GE(seconds, before - kReading);
            EXPECT_LE(seconds, systemCpuSeconds() + kCpuClockWindow + kReading);
            EXPECT_GT(seconds, last);
            last = seconds;
        }
    });
    worker.join();
}
