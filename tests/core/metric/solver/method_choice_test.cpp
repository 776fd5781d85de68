// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/method_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace lambdascope::metric {
namespace {

constexpr std::size_t kPoints = 120;
constexpr std::size_t kWindow = 10;

/// Work of both methods along a path: that of projected gradient rises, that of Newton changes, smoothly and with
/// noise.
struct Works {
    std::vector<double> gradient;
    std::vector<double> newton;
    double guessOverWork = 1; ///< of Newton

    Works(std::uint64_t seed, bool guessesWell) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> unit(0, 1);
        const double growth = 0.02 * unit(random);
        const double ratio = std::exp(4 * unit(random) - 1);
        const double fall = 0.03 * unit(random);
        guessOverWork = guessesWell ? 1 : 0.5 + 0.9 * unit(random);
        for (std::size_t at = 0; at < kPoints; ++at) {
            const auto t = static_cast<double>(at);
            gradient.push_back(1e6 * std::exp(growth * t) * (1 + 0.1 * (unit(random) - 0.5)));
            newton.push_back(1e6 * ratio * std::exp(-fall * t));
        }
    }
};

/// Work of the first Newton in a row over that of another one, its system's share, and what is spent before that.
constexpr double kFirstNewton = 1.4;
constexpr double kBeforeSystem = 0.1;

/// Plays a path as NewtonMethod does.
std::vector<double> play(const Works& works, std::vector<bool>& choices) {
    MethodRecord record;
    std::vector<double> spent;
    for (std::size_t at = 0; at < kPoints; ++at) {
        MethodChoice choice(record, works.guessOverWork * works.newton[at], false);
        double work = 0;
        double before = 0;
        bool usesNewton = choice.beginsWithNewton();
        const double newton = works.newton[at] * (record.wasNewton ? 1 : kFirstNewton);
        if (usesNewton && choice.givesUpNewton(kBeforeSystem * newton, (1 - kBeforeSystem) * newton)) {
            usesNewton = false;
            work = kBeforeSystem * newton;
        }
        constexpr double kSteps = 20; // of projected gradient, each with its share of the way of log(gap)
        const double first = 1e3;
        for (int step = 1; step <= kSteps && !usesNewton; ++step) {
            work += works.gradient[at] / kSteps;
            if (step < kSteps && choice.givesUpGradient(work, std::pow(first, 1 - step / kSteps), first)) {
                usesNewton = true;
                before = work;
            }
        }
        work += usesNewton ? newton : 0;
        record = choice.finished(work, before, usesNewton);
        spent.push_back(work);
        choices.push_back(usesNewton);
    }
    return spent;
}

double sum(const std::vector<double>& values, std::size_t first) {
    double total = 0;
    for (std::size_t at = first; at < first + kWindow; ++at) {
        total += values[at];
    }
    return total;
}

/// The worst ten λ in a row over the better method, after those at the beginning, where nothing is known.
double worstWindow(const Works& works, const std::vector<double>& spent) {
    double worst = 0;
    for (std::size_t first = kWindow; first + kWindow <= kPoints; ++first) {
        worst = std::max(worst, sum(spent, first) / std::min(sum(works.gradient, first), sum(works.newton, first)));
    }
    return worst;
}

TEST(MethodChoice, StaysNearTheBetterMethodOverAnyTenPoints) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const Works works(seed, seed % 2 == 0);
        std::vector<bool> choices;
        EXPECT_LE(worstWindow(works, play(works, choices)), 1.25) << "seed " << seed;
    }
}

TEST(MethodChoice, StaysWithinATenthOnMostPaths) {
    int within = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const Works works(seed, seed % 2 == 0);
        std::vector<bool> choices;
        within += worstWindow(works, play(works, choices)) <= 1.1 ? 1 : 0;
    }
    EXPECT_GE(within, 900);
}

TEST(MethodChoice, RepeatsItself) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Works works(seed, false);
        std::vector<bool> once;
        std::vector<bool> again;
        EXPECT_EQ(play(works, once), play(works, again));
        EXPECT_EQ(once, again);
    }
}

TEST(MethodChoice, TriesTheOtherMethodWhenItsWorkIsExpectedToBeLess) {
    MethodRecord record;
    record.gradientWork = 100;
    record.meanWork = 100;
    EXPECT_FALSE(MethodChoice(record, 150, false).beginsWithNewton());
    EXPECT_TRUE(MethodChoice(record, 115, false).beginsWithNewton()); // of a guess nobody knows what it is worth
    record.newton[0] = {300, 100};                                    // three times the guess
    EXPECT_FALSE(MethodChoice(record, 90, false).beginsWithNewton());
    EXPECT_TRUE(MethodChoice(record, 30, false).beginsWithNewton());
    EXPECT_TRUE(MethodChoice(record, 90, true).beginsWithNewton()); // of the other kind nothing is known yet
    record.pause = 3;
    EXPECT_FALSE(MethodChoice(record, 30, false).beginsWithNewton());
    record.wasNewton = true;
    EXPECT_TRUE(MethodChoice(record, 90, false).beginsWithNewton());
    record.pause = 0;
    EXPECT_FALSE(MethodChoice(record, 90, false).beginsWithNewton());
    EXPECT_TRUE(MethodChoice(record, 30, false).beginsWithNewton());
}

TEST(MethodChoice, GivesATrialOfNewtonABudget) {
    MethodRecord record;
    record.gradientWork = 100;
    record.meanWork = 100;
    MethodChoice choice(record, 90, false);
    ASSERT_TRUE(choice.beginsWithNewton());
    EXPECT_FALSE(choice.givesUpNewton(20, 150));
    EXPECT_TRUE(choice.givesUpNewton(40, 150));
    EXPECT_FALSE(choice.givesUpGradient(1e12, 10, 100)); // no way back at this λ
    const MethodRecord after = choice.finished(140, 0, false);
    EXPECT_FALSE(after.wasNewton);
    EXPECT_GT(after.pause, 0);
    EXPECT_DOUBLE_EQ(after.gradientWork, 100);
    EXPECT_GT(after.newton[0].work, 100); // it would have taken more, and the next guess says so
    EXPECT_FALSE(MethodChoice(after, 90, false).beginsWithNewton());
    // Newton that follows Newton has none.
    record.wasNewton = true;
    MethodChoice next(record, 90, false);
    ASSERT_TRUE(next.beginsWithNewton());
    EXPECT_FALSE(next.givesUpNewton(40, 1e9));
}

TEST(MethodChoice, KnowsNothingAtFirstAndBeginsWithProjectedGradient) {
    MethodChoice choice({}, 0, false);
    EXPECT_FALSE(choice.beginsWithNewton());
    EXPECT_FALSE(choice.givesUpGradient(1e12, 10, 100));
}

} // namespace
} // namespace lambdascope::metric
