// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/path_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {
namespace {

TEST(PathPlan, FallsGeometricallyFromLambdaMax) {
    PathConfig config;
    config.maxPoints = 4;
    const auto schedule = pathSchedule(config, 100);
    ASSERT_EQ(schedule.size(), 4u);
    EXPECT_EQ(schedule[0], 100);
    EXPECT_DOUBLE_EQ(schedule[3], 100 * 0.9 * 0.9 * 0.9);
}

TEST(PathPlan, KeepsToGivenStartAndSmallestLambda) {
    PathConfig config;
    config.start = 8.0;
    config.ratio = 0.5;
    config.minLambda = 1;
    EXPECT_EQ(pathSchedule(config, 100), (std::vector<double>{8, 4, 2, 1}));
}

TEST(PathPlan, StopsWhenTheLossNoLongerPays) {
    PathConfig config;
    std::vector<PathMark> marks = {{100, 50}, {90, 45}, {81, 44}};
    EXPECT_DOUBLE_EQ(lossGain(marks[0], marks[1]), 1.0);
    EXPECT_FALSE(pathEnds(config, marks));
    marks.push_back({72.9, 44 * (1 - 0.0005)}); // gain 0.005 < 0.01
    EXPECT_TRUE(pathEnds(config, marks));
    config.stop = 0;
    EXPECT_FALSE(pathEnds(config, marks));
}

TEST(PathPlan, DoesNotStopWhileGainsStillRise) {
    const PathConfig config;
    const std::vector<PathMark> marks = {{100, 50}, {90, 50 * (1 - 1e-4)}, {81, 50 * (1 - 4e-4)}};
    EXPECT_LT(lossGain(marks[1], marks[2]), config.stop);
    EXPECT_FALSE(pathEnds(config, marks));
}

TEST(PathPlan, StopsWhenNoLossIsLeft) {
    const PathConfig config;
    EXPECT_TRUE(pathEnds(config, {{100, 1}, {90, 0}, {81, 0}}));
}

TEST(PathPlan, EstimatesTheLengthOfAGeometricTail) {
    const PathConfig config;
    std::vector<PathMark> marks = {{1, 1}};
    std::int32_t length = 0;
    std::vector<std::int32_t> estimates;
    while (!pathEnds(config, marks)) {
        const double gain = 0.5 * std::pow(0.95, static_cast<double>(marks.size()));
        marks.push_back({marks.back().lambda * 0.9, marks.back().loss * (1 - 0.1 * gain)});
        estimates.push_back(estimatedPoints(config, marks, 300));
    }
    length = static_cast<std::int32_t>(marks.size());
    EXPECT_EQ(estimates.back(), length);
    EXPECT_EQ(estimates[2], 0); // nothing known yet
    for (std::size_t i = 20; i < estimates.size(); ++i) {
        EXPECT_NEAR(estimates[i], length, 2);
        EXPECT_GE(estimates[i], static_cast<std::int32_t>(i) + 1);
    }
}

// On a fine path the guess jumped from 1,844 points to 930 and 776 within seconds.
TEST(PathPlan, EstimatesOfAFinePathDoNotJumpWithTheNoiseOfItsGains) {
    const PathConfig config;
    std::vector<PathMark> marks = {{1, 1}};
    std::vector<std::int32_t> guesses;
    std::int32_t before = 0;
    double largest = 0;
    while (!pathEnds(config, marks) && marks.size() < 500) {
        const auto count = marks.size();
        const double noise = 1 + 0.05 * std::sin(static_cast<double>(7 * count * count));
        const double gain = 0.5 * std::pow(0.99, static_cast<double>(count)) * noise;
        marks.push_back({marks.back().lambda * 0.99, marks.back().loss * (1 - 0.01 * gain)});
        const std::int32_t about = estimatedPoints(config, marks, 2000);
        if (before > 0 && about > 0 && count > 100) {
            largest = std::max(largest, std::abs(std::log(static_cast<double>(about) / before)));
        }
        before = about;
        guesses.push_back(about);
    }
    const auto length = static_cast<double>(marks.size());
    ASSERT_GT(length, 200);
    for (std::size_t i = 100; i < guesses.size(); ++i) {
        EXPECT_NEAR(guesses[i], length, 0.2 * length) << i;
    }
    EXPECT_LT(largest, std::log(1.1));
}

} // namespace
} // namespace lambdascope::triplets
