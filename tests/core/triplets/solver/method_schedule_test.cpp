// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/schedule_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace lambdascope::triplets {
namespace {

using benchmarks::leastWorstSchedule;
using benchmarks::StepWork;

/// Of all schedules.
double leastWorstByHand(const std::vector<StepWork>& work, std::size_t window) {
    const std::vector<double> first = benchmarks::workOfOne(work, 0);
    const std::vector<double> second = benchmarks::workOfOne(work, 1);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t bits = 0; bits < std::size_t{1} << work.size(); ++bits) {
        double worst = 0;
        for (std::size_t begin = 0; begin + window <= work.size(); ++begin) {
            double total = 0;
            double ofFirst = 0;
            double ofSecond = 0;
            for (std::size_t at = begin; at < begin + window; ++at) {
                total += work[at][at > 0 ? (bits >> (at - 1)) & 1 : 0][(bits >> at) & 1];
                ofFirst += first[at];
                ofSecond += second[at];
            }
            worst = std::max(worst, total / std::min(ofFirst, ofSecond));
        }
        least = std::min(least, worst);
    }
    return least;
}

TEST(MethodSchedule, HasTheLeastWorstWindowOfAllSchedules) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> unit(0.2, 2);
        std::vector<StepWork> work(8);
        for (StepWork& step : work) {
            step = {{{unit(random), 1.5 * unit(random)}, {1.5 * unit(random), unit(random)}}};
        }
        work[0][1] = work[0][0];
        for (const std::size_t window : {1U, 2U, 3U, 8U}) {
            const benchmarks::MethodSchedule found = leastWorstSchedule(work, window);
            EXPECT_NEAR(found.worstWindow, leastWorstByHand(work, window), 1e-12) << "seed " << seed;
            ASSERT_EQ(found.methods.size(), work.size());
        }
        // One window of all λ is the whole path.
        const benchmarks::MethodSchedule whole = leastWorstSchedule(work, work.size());
        EXPECT_NEAR(whole.worstWindow, whole.wholePath, 1e-12);
    }
}

} // namespace
} // namespace lambdascope::triplets
