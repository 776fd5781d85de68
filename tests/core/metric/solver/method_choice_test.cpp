// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/method_choice.h"
#include "tests/benchmarks/metric_runs/schedule_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace lambdascope::metric {
namespace {

using benchmarks::leastWorstSchedule;
using benchmarks::StepWork;

constexpr std::size_t kPoints = 120;
constexpr std::size_t kWindow = 10;
constexpr std::array kKinds = {NewtonKind::WorkingSet, NewtonKind::WholeSets};
constexpr double kNever = std::numeric_limits<double>::infinity();
/// Work of the first Newton in a row over that of another one, and its share before the first system.
constexpr double kFirstNewton = 1.2;
constexpr double kBeforeSystem = 0.1;

/// Work of the methods along a path: that of projected gradient rises, those of the two kinds of Newton change, with
/// noise; guesses are off by a factor of each kind.
struct Works {
    std::vector<double> gradient;
    PerKind<std::vector<double>> newton;
    PerKind<double> guessOverWork{{1, 1}};

    Works(std::uint64_t seed, bool guessesWell) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> unit(0, 1);
        const double growth = 0.03 * unit(random);
        PerKind<double> ratio;
        PerKind<double> fall;
        for (const NewtonKind kind : kKinds) {
            ratio[kind] = std::exp(4 * unit(random) - 1);
            fall[kind] = 0.03 * unit(random);
            guessOverWork[kind] = guessesWell ? 1 : std::exp(0.8 * unit(random) - 0.4);
        }
        for (std::size_t at = 0; at < kPoints; ++at) {
            const auto t = static_cast<double>(at);
            gradient.push_back(1e6 * std::exp(growth * t) * (1 + 0.3 * (unit(random) - 0.5)));
            for (const NewtonKind kind : kKinds) {
                newton[kind].push_back(1e6 * ratio[kind] * std::exp(-fall[kind] * t) *
                                       (1 + 0.3 * (unit(random) - 0.5)));
            }
        }
    }

    [[nodiscard]] NewtonGuess guess(std::size_t at) const {
        return {{guessOverWork[kKinds[0]] * newton[kKinds[0]][at], guessOverWork[kKinds[1]] * newton[kKinds[1]][at]}};
    }
};

/// A path as NewtonMethod walks it.
struct Walk {
    std::vector<double> spent;
    std::vector<bool> usedNewton;
    std::vector<NewtonKind> kinds;
};

/// `spoil` changes each record before it is used.
Walk walk(const Works& works, bool chooses, const std::function<void(MethodRecord&)>& spoil = {}) {
    Walk path;
    MethodRecord record;
    for (std::size_t at = 0; at < kPoints; ++at) {
        if (spoil) {
            spoil(record);
        }
        MethodChoice choice(record, works.guess(at));
        double work = 0;
        double before = 0;
        bool usesNewton = !chooses || choice.beginsWithNewton();
        const bool isFirst = choice.kind() == NewtonKind::WorkingSet && !record.wasNewton;
        const double newton = works.newton[choice.kind()][at] * (isFirst ? kFirstNewton : 1);
        if (usesNewton && chooses && choice.givesUpNewton(kBeforeSystem * newton, (1 - kBeforeSystem) * newton)) {
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
        path.spent.push_back(work);
        path.usedNewton.push_back(usesNewton);
        path.kinds.push_back(choice.kind());
    }
    return path;
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
    const Walk newton = walk(works, false);
    double worst = 0;
    for (std::size_t first = kWindow; first + kWindow <= kPoints; ++first) {
        worst = std::max(worst, sum(spent, first) / std::min(sum(works.gradient, first), sum(newton.spent, first)));
    }
    return worst;
}

struct Tally {
    int within = 0;   ///< paths with no window above 1.1
    double worst = 0; ///< window of all paths
};

Tally tally(bool guessesWell, const std::function<void(MethodRecord&)>& spoil = {}) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const Works works(seed, guessesWell);
        const double ratio = worstWindow(works, walk(works, true, spoil).spent);
        tally.within += ratio <= 1.1 ? 1 : 0;
        tally.worst = std::max(tally.worst, ratio);
    }
    return tally;
}

TEST(MethodChoice, StaysNearTheBetterMethodOverAnyTenPoints) {
    const Tally good = tally(true);
    const Tally off = tally(false);
    EXPECT_GE(good.within, 450);
    EXPECT_GE(off.within, 400);
    EXPECT_LE(good.worst, 1.3);
    EXPECT_LE(off.worst, 1.5);
}

// What the records hold is what keeps the choice near: without any of it paths that were near are not.
TEST(MethodChoice, LosesItsWayWithoutItsRecords) {
    const Tally whole = tally(false);
    const Tally noWorth = tally(false, [](MethodRecord& record) { record.worth = {}; });
    const Tally noGradient = tally(false, [](MethodRecord& record) { record.gradientWork = 0; });
    EXPECT_LT(noWorth.within, whole.within - 50);
    EXPECT_LT(noGradient.within, whole.within - 100);
}

TEST(MethodChoice, RepeatsItself) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Works works(seed, false);
        const Walk once = walk(works, true);
        const Walk again = walk(works, true);
        EXPECT_EQ(once.spent, again.spent);
        EXPECT_EQ(once.usedNewton, again.usedNewton);
    }
}

TEST(MethodChoice, TriesTheOtherMethodWhenItsWorkIsExpectedToBeLess) {
    const auto begins = [](const MethodRecord& record, double guess) {
        return MethodChoice(record, {{guess, kNever}}).beginsWithNewton();
    };
    MethodRecord record;
    record.gradientWork = 100;
    EXPECT_FALSE(begins(record, 150));
    EXPECT_TRUE(begins(record, 85));
    record.worth[NewtonKind::WorkingSet] = 3;
    EXPECT_FALSE(begins(record, 85));
    EXPECT_TRUE(begins(record, 30));
    record.wasNewton = true;
    EXPECT_TRUE(begins(record, 30));
    EXPECT_FALSE(begins(record, 85));
    EXPECT_FALSE(begins({}, 1));
}

TEST(MethodChoice, TakesTheKindOfWhichLessWorkIsExpected) {
    MethodRecord record;
    record.kind = NewtonKind::WorkingSet;
    const auto kind = [&](double set, double whole) { return MethodChoice(record, {{set, whole}}).kind(); };
    EXPECT_EQ(kind(100, 50), NewtonKind::WholeSets);
    EXPECT_EQ(kind(100, 95), NewtonKind::WorkingSet); // for so little it does not change
    EXPECT_EQ(kind(100, kNever), NewtonKind::WorkingSet);
    EXPECT_EQ(kind(kNever, 1e12), NewtonKind::WholeSets);
    record.worth[NewtonKind::WholeSets] = 4;
    EXPECT_EQ(kind(100, 50), NewtonKind::WorkingSet);
    record.kind = NewtonKind::WholeSets;
    EXPECT_EQ(kind(100, 24), NewtonKind::WholeSets);
}

TEST(MethodChoice, LearnsWhatItsGuessesAreWorth) {
    MethodRecord record;
    record.gradientWork = 100;
    MethodChoice choice(record, {{80, kNever}});
    ASSERT_TRUE(choice.beginsWithNewton());
    record = choice.finished(160, 0, true);
    EXPECT_DOUBLE_EQ(record.worth[NewtonKind::WorkingSet], 2);
    EXPECT_DOUBLE_EQ(record.worth[NewtonKind::WholeSets], 0);
    EXPECT_FALSE(MethodChoice(record, {{80, kNever}}).beginsWithNewton()); // it did not pay
    EXPECT_TRUE(MethodChoice(record, {{40, kNever}}).beginsWithNewton());
}

TEST(MethodChoice, GivesATrialOfNewtonABudget) {
    MethodRecord record;
    record.gradientWork = 100;
    MethodChoice choice(record, {{80, kNever}});
    ASSERT_TRUE(choice.beginsWithNewton());
    EXPECT_FALSE(choice.givesUpNewton(20, 105));
    EXPECT_TRUE(choice.givesUpNewton(40, 150));
    EXPECT_FALSE(choice.givesUpGradient(1e12, 10, 100)); // no way back at this λ
    const MethodRecord after = choice.finished(140, 0, false);
    EXPECT_FALSE(after.wasNewton);
    EXPECT_DOUBLE_EQ(after.gradientWork, 100);
    EXPECT_GE(after.worth[NewtonKind::WorkingSet], 190.0 / 80); // at least
    // Newton that follows Newton has none.
    record.wasNewton = true;
    MethodChoice next(record, {{90, kNever}});
    ASSERT_TRUE(next.beginsWithNewton());
    EXPECT_FALSE(next.givesUpNewton(40, 1e9));
}

TEST(MethodChoice, KnowsNothingAtFirstAndBeginsWithProjectedGradient) {
    MethodChoice choice({}, {{kNever, kNever}});
    EXPECT_FALSE(choice.beginsWithNewton());
    EXPECT_FALSE(choice.givesUpGradient(1e12, 10, 100));
}

/// Of all schedules.
double leastWorstByHand(const std::vector<StepWork>& work, std::size_t window) {
    const std::vector<double> first = benchmarks::workOfOne(work, 0);
    const std::vector<double> second = benchmarks::workOfOne(work, 1);
    double least = kNever;
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
} // namespace lambdascope::metric
