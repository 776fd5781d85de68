// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/abandonable_call.h"
#include "core/common/clocks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace lambdascope {
namespace {

/// A call that runs until it is let go.
class Gate {
  public:
    [[nodiscard]] std::function<void()> call() const {
        return [open = m_open, ended = m_ended] {
            open.wait();
            ++*ended;
        };
    }
    void open() { m_promise.set_value(); }
    [[nodiscard]] int ended() const { return *m_ended; }

  private:
    std::promise<void> m_promise;
    std::shared_future<void> m_open = m_promise.get_future().share();
    std::shared_ptr<std::atomic<int>> m_ended = std::make_shared<std::atomic<int>>(0);
};

StopCheck stopAtQuestion(int number) {
    return StopCheck([number, asked = 0]() mutable { return ++asked >= number; });
}

TEST(AbandonableCall, WaitsForTheEndAndCreditsItsCpuTime) {
    StopCheck stopCheck;
    const double before = threadCpuSeconds();
    bool isDone = false;
    ASSERT_TRUE(callAbandonably(
        [&isDone] {
            const double start = threadCpuSeconds();
            while (threadCpuSeconds() < start + 0.03) {
            }
            isDone = true;
        },
        stopCheck));
    EXPECT_TRUE(isDone);
    EXPECT_GE(threadCpuSeconds() - before, 0.03);
}

TEST(AbandonableCall, ThrowsWhatTheCallThrew) {
    StopCheck stopCheck;
    EXPECT_THROW((void)callAbandonably([] { throw std::runtime_error("no memory"); }, stopCheck), std::runtime_error);
}

TEST(AbandonableCall, DoesNotBeginWhatIsStoppedAlready) {
    StopCheck stopCheck([] { return true; });
    bool hasBegun = false;
    EXPECT_FALSE(callAbandonably([&] { hasBegun = true; }, stopCheck));
    EXPECT_FALSE(hasBegun);
}

TEST(AbandonableCall, IsLeftRunningByAStop) {
    Gate gate;
    StopCheck stopCheck = stopAtQuestion(3);
    EXPECT_FALSE(callAbandonably(gate.call(), stopCheck));
    EXPECT_EQ(gate.ended(), 0);
    gate.open();
    while (gate.ended() == 0) {
        std::this_thread::yield();
    }
}

TEST(AbandonableCall, CreditsItsCpuTimeUpToItsAbandoning) {
    const auto hasWorked = std::make_shared<std::atomic<bool>>(false);
    const auto isLeft = std::make_shared<std::atomic<bool>>(false);
    StopCheck stopCheck([hasWorked] { return hasWorked->load(); });
    const double before = threadCpuSeconds();
    EXPECT_FALSE(callAbandonably(
        [hasWorked, isLeft] {
            const double start = threadCpuSeconds();
            while (!*isLeft) {
                *hasWorked = threadCpuSeconds() > start + 0.03;
            }
        },
        stopCheck));
    EXPECT_GE(threadCpuSeconds() - before, 0.03);
    *isLeft = true;
}

TEST(AbandonableCall, WaitsWhileTwoAbandonedOnesRun) {
    Gate gates[2];
    for (const Gate& gate : gates) {
        StopCheck stopCheck = stopAtQuestion(3);
        ASSERT_FALSE(callAbandonably(gate.call(), stopCheck));
    }
    bool hasBegun = false;
    StopCheck impatient = stopAtQuestion(4);
    EXPECT_FALSE(callAbandonably([&] { hasBegun = true; }, impatient));
    EXPECT_FALSE(hasBegun);
    int questions = 0;
    StopCheck patient([&] {
        if (++questions == 3) {
            gates[0].open();
        }
        return false;
    });
    EXPECT_TRUE(callAbandonably([&] { hasBegun = true; }, patient));
    EXPECT_TRUE(hasBegun);
    EXPECT_GE(questions, 3);
    gates[1].open();
}

using AbandonableCallDeathTest = testing::Test;

TEST_F(AbandonableCallDeathTest, LeavesTheProcessAtOnceWithItsStatus) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            StopCheck stopCheck = stopAtQuestion(3);
            (void)callAbandonably([] { std::this_thread::sleep_for(std::chrono::hours(1)); }, stopCheck);
            exitWithoutAbandonedCalls(7);
        },
        testing::ExitedWithCode(7), "");
    EXPECT_EXIT(exitWithoutAbandonedCalls(3), testing::ExitedWithCode(3), "");
}

} // namespace
} // namespace lambdascope
