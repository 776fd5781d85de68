// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/time_comparison.h"
#include "tests/core/record/lane_records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lambdascope {
namespace {

RunRecord lane(std::function<double(int)> cpuAt, int points = 20) {
    return laneRecord({.name = "lane", .points = points, .screen = 0, .cpuAt = std::move(cpuAt)});
}
RunRecord steady(double cpu, int points = 20) {
    return lane([cpu](int) { return cpu; }, points);
}

TimeVerdict verdict(const RunRecord& a, const RunRecord& b) {
    return compareTimes(a, b).verdict;
}

TEST(TimeComparison, TellsWhatIsClearAndNothingElse) {
    EXPECT_EQ(verdict(steady(0.1), steady(0.4)), TimeVerdict::Faster);
    EXPECT_EQ(verdict(steady(0.4), steady(0.1)), TimeVerdict::Slower);
    EXPECT_EQ(verdict(steady(0.1), steady(0.12)), TimeVerdict::TooClose);
    EXPECT_EQ(verdict(steady(0.001), steady(0.004)), TimeVerdict::TooShort) << "80 ms, be it four times as long";
    EXPECT_EQ(verdict(steady(0.1, 0), steady(0.1)), TimeVerdict::Unknown);
    EXPECT_DOUBLE_EQ(compareTimes(steady(0.1), steady(0.4)).factor, 4);
}

TEST(TimeComparison, OfATimeThatIsTooShortIsABound) {
    const TimeComparison time = compareTimes(steady(0.0001), steady(0.1));
    EXPECT_EQ(time.verdict, TimeVerdict::Faster);
    EXPECT_TRUE(time.isAtLeast);
    EXPECT_DOUBLE_EQ(time.factor, 20) << "2 s over the 100 ms that could have been";
    EXPECT_EQ(timeText(time), "at least 20 × faster");
    EXPECT_EQ(verdict(steady(0.0001), steady(0.006)), TimeVerdict::TooShort) << "120 ms against up to 100 ms";
}

TEST(TimeComparison, CountsOnlyPointsThatBothHave) {
    EXPECT_EQ(verdict(steady(0.1, 20), steady(0.1, 60)), TimeVerdict::TooClose);
    EXPECT_DOUBLE_EQ(compareTimes(steady(0.1, 20), steady(0.4, 60)).factor, 4);
}

// One point during which the machine did something else made a lane 1.5 times as slow.
TEST(TimeComparison, IsNotTurnedByOnePoint) {
    const RunRecord stalled = lane([](int i) { return i == 7 ? 1.05 : 0.1; });
    EXPECT_GT(compareTimes(stalled, steady(0.1)).factor, kClearFactor);
    EXPECT_EQ(verdict(stalled, steady(0.1)), TimeVerdict::TooClose);
    EXPECT_EQ(verdict(steady(0.1), stalled), TimeVerdict::TooClose);
}

TEST(TimeComparison, SaysNothingOfNoise) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-5, 1);
    std::uniform_real_distribution<double> share(0.8, 1.2);
    std::exponential_distribution<double> hiccup(2000);
    for (int trial = 0; trial < 400; ++trial) {
        const double cost = std::pow(10.0, exponent(random));
        const int points = 1 + trial % 30;
        // At each point a fifth more or less, and half a millisecond of other work.
        const auto noisy = [&](int) { return cost * share(random) + hiccup(random); };
        const RunRecord a = lane(noisy, points);
        const RunRecord b = lane(noisy, points);
        const TimeComparison time = compareTimes(a, b);
        const bool isClaimed = time.verdict == TimeVerdict::Faster || time.verdict == TimeVerdict::Slower;
        EXPECT_TRUE(!isClaimed || (points < 3 && time.factor <= 1.5))
            << cost << " s at " << points << " points: " << timeText(time);
    }
}

TEST(TimeComparison, TrustsQuartilesWhereThereAreSome) {
    const auto repeated = [](double median, double lower, double upper) {
        RunRecord record(RunIdSource::next());
        RunStarted start;
        start.columns = {{"cpu_solve", "CPU", "s", ColumnRole::CpuSolve, false},
                         {"cpu_solve_q1", "", "s", ColumnRole::Other, false},
                         {"cpu_solve_q3", "", "s", ColumnRole::Other, false}};
        record.apply({record.id(), 0, start});
        for (int i = 0; i < 5; ++i) {
            PointFinished point;
            point.index = i;
            point.values = {median, lower, upper};
            record.apply({record.id(), i + 1, point});
        }
        return record;
    };
    EXPECT_EQ(verdict(repeated(0.9, 0.88, 0.92), repeated(1, 0.98, 1.02)), TimeVerdict::Faster);
    EXPECT_EQ(verdict(repeated(0.5, 0.2, 0.8), repeated(1, 0.7, 1.3)), TimeVerdict::TooClose);
}

// Each threshold, just on this side of it and just on the other.
TEST(TimeComparison, TurnsExactlyAtItsThresholds) {
    EXPECT_EQ(verdict(steady(0.0049), steady(0.00495)), TimeVerdict::TooShort) << "99 ms";
    EXPECT_EQ(verdict(steady(0.00503), steady(0.00505)), TimeVerdict::TooClose) << "101 ms";
    EXPECT_FALSE(compareTimes(steady(0.00505), steady(0.1)).isAtLeast);
    EXPECT_TRUE(compareTimes(steady(0.00495), steady(0.1)).isAtLeast);
    EXPECT_EQ(verdict(steady(0.1), steady(0.124)), TimeVerdict::TooClose);
    EXPECT_EQ(verdict(steady(0.1), steady(0.126)), TimeVerdict::Faster);
    // What is left without the one point that tells most has to differ by a twentieth.
    const auto withOneSlow = [](double others) {
        return lane([others](int i) { return i == 0 ? 1.5 : 0.1 * others; });
    };
    EXPECT_EQ(verdict(withOneSlow(1.04), steady(0.1)), TimeVerdict::TooClose);
    EXPECT_EQ(verdict(withOneSlow(1.06), steady(0.1)), TimeVerdict::Slower);
    // Of two points each is half of the path: there is nothing to leave out.
    const auto lastSlow = [](int points) {
        return lane([points](int i) { return i + 1 == points ? 1.0 : 0.1; }, points);
    };
    EXPECT_EQ(verdict(lastSlow(2), steady(0.1, 2)), TimeVerdict::Slower);
    EXPECT_EQ(verdict(lastSlow(3), steady(0.1, 3)), TimeVerdict::TooClose);
}

TEST(TimeComparison, TheFastestAreThoseThatNothingTellsApart) {
    const RunRecord naive = steady(1);
    const RunRecord quick = steady(0.2);
    const RunRecord asQuick = steady(0.23);
    const RunRecord middling = steady(0.5);
    const RunRecord slow = steady(1.1);
    EXPECT_EQ(fastestLanes({&slow, &quick, &middling, &asQuick}, naive), (std::vector<std::size_t>{1, 3}));
    EXPECT_TRUE(fastestLanes({&slow}, naive).empty());
}

TEST(TimeComparison, RatiosBeginWhereTheyMeanSomething) {
    const TimeRatio ratio = tellingTimeRatio(steady(0.0101, 30), steady(0.0404, 30));
    ASSERT_EQ(ratio.values.size(), 21U) << "100 ms are reached with the tenth point";
    EXPECT_EQ(ratio.values.front().index, 9);
    EXPECT_DOUBLE_EQ(ratio.values.back().value, 0.25);
    EXPECT_TRUE(tellingTimeRatio(steady(0.0001), steady(0.04)).isTooShort);
}

TEST(TimeComparison, FactorsHaveTwoDigits) {
    TimeComparison time{.verdict = TimeVerdict::Faster, .factor = 3.4449};
    EXPECT_EQ(timeText(time), "3.4 × faster");
    time.factor = 12.4;
    EXPECT_EQ(timeText(time), "12 × faster");
    time.factor = 1249;
    EXPECT_EQ(timeText(time), "1,200 × faster");
    time.verdict = TimeVerdict::Slower;
    EXPECT_EQ(timeText(time), "1,200 × slower");
}

} // namespace
} // namespace lambdascope
