// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/method_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace lambdascope::triplets {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kPoints = 120;
constexpr std::size_t kWindow = 10;
constexpr double kShare = 2000; ///< gap at the beginning of a λ over what it has to come down to
constexpr double kVisit = 1e5;  ///< work of a step of projected gradient

/// Work of the methods along a path, that of Newton by two steps over whole sets, and what is guessed of these.
struct Works {
    std::vector<double> gradient;
    std::vector<double> newton;
    double guessOverWork = 1;
    double newtonFall = 7; ///< of the logarithm of the gap with each step
};

/// Projected gradient rises, Newton falls, both slowly; guesses are off by a factor, at most so much in its logarithm.
Works randomWorks(std::uint64_t seed, double off) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    Works works;
    const double growth = 0.03 * unit(random);
    const double ratio = std::exp(3 * unit(random) - 1);
    const double fall = 0.03 * unit(random);
    works.guessOverWork = std::exp(off * (2 * unit(random) - 1));
    for (std::size_t at = 0; at < kPoints; ++at) {
        const auto t = static_cast<double>(at);
        const auto noise = [&] { return 1 + 0.1 * (unit(random) - 0.5); };
        works.gradient.push_back(1e6 * std::exp(growth * t) * noise());
        works.newton.push_back(1e6 * ratio * std::exp(-fall * t) * noise());
    }
    return works;
}

/// A path as NewtonMethod walks it.
struct Walk {
    std::vector<double> spent;
    std::vector<bool> beganWithGradient;
    std::vector<bool> usedNewton;

    [[nodiscard]] std::int64_t newtons(std::size_t first = 0) const {
        return std::count(usedNewton.begin() + static_cast<std::ptrdiff_t>(first), usedNewton.end(), true);
    }
};

/// `spoil` changes each record before it is used.
Walk walk(const Works& works, const std::function<void(MethodRecord&)>& spoil = {}) {
    Walk path;
    MethodRecord record;
    for (std::size_t at = 0; at < works.gradient.size(); ++at) {
        if (spoil) {
            spoil(record);
        }
        MethodChoice choice(record, true);
        const double steps = std::max(1.0, std::round(works.gradient[at] / kVisit));
        const double whole = std::log(kShare);
        double left = whole;
        double work = 0;
        bool usedNewton = false;
        path.beganWithGradient.push_back(false);
        while (left > 1e-9) {
            const double step = works.newton[at] / 2; // two do
            const double guess = works.guessOverWork * step;
            choice.decide(std::exp(left), work, {{StepGuess{kNever, kNever}, StepGuess{guess, guess}}});
            constexpr double kBeforeSystem = 0.1;
            if (choice.takesNewton()) {
                if (!choice.givesUpNewton(work + kBeforeSystem * step, (1 - kBeforeSystem) * step)) {
                    work += step;
                    left -= works.newtonFall;
                    usedNewton = true;
                    continue;
                }
                work += kBeforeSystem * step;
                choice.gradientTakesOver(work);
            }
            work += works.gradient[at] / steps;
            path.beganWithGradient.back() = path.beganWithGradient.back() || !usedNewton;
            left -= whole / steps;
        }
        record = choice.finished(work);
        record.evaluationWork = kVisit;
        path.spent.push_back(work);
        path.usedNewton.push_back(usedNewton);
    }
    return path;
}

double sum(const std::vector<double>& values, std::size_t first, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0);
}

/// The worst ten λ in a row over the better method.
double worstWindow(const Works& works, const std::vector<double>& spent) {
    double worst = 0;
    for (std::size_t first = 0; first + kWindow <= spent.size(); ++first) {
        worst = std::max(worst, sum(spent, first, kWindow) /
                                    std::min(sum(works.gradient, first, kWindow), sum(works.newton, first, kWindow)));
    }
    return worst;
}

struct Tally {
    int within = 0;   ///< paths with no window above 1.1
    double worst = 0; ///< window of all paths
    double total = 0; ///< work of whole paths over that of the better method, summed
};

constexpr int kPaths = 500;

Tally tally(double off, const std::function<void(MethodRecord&)>& spoil = {}) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= kPaths; ++seed) {
        const Works works = randomWorks(seed, off);
        const std::vector<double> spent = walk(works, spoil).spent;
        const double ratio = worstWindow(works, spent);
        tally.total +=
            sum(spent, 0, kPoints) / std::min(sum(works.gradient, 0, kPoints), sum(works.newton, 0, kPoints));
        tally.within += ratio <= 1.1 ? 1 : 0;
        tally.worst = std::max(tally.worst, ratio);
    }
    return tally;
}

TEST(MethodChoice, StaysNearTheBetterMethodOverAnyTenPoints) {
    const Tally good = tally(0);
    const Tally off = tally(0.3);
    EXPECT_EQ(good.within, kPaths) << good.worst;
    EXPECT_EQ(off.within, kPaths) << off.worst;
}

// What the records hold is what keeps the choice near: without any of it paths that were near are not.
TEST(MethodChoice, LosesItsWayWithoutItsRecords) {
    const Tally whole = tally(0.6);
    const Tally noWorth = tally(0.6, [](MethodRecord& record) { record.newton = {}; });
    const Tally noGradient = tally(0.6, [](MethodRecord& record) { record.gradientWork = 0; });
    EXPECT_GT(noWorth.total, whole.total);
    EXPECT_LT(noGradient.within, whole.within - 100);
}

Works constantWorks(double gradient, double newton, double guessOverWork) {
    Works works;
    works.gradient.assign(kPoints, gradient);
    works.newton.assign(kPoints, newton);
    works.guessOverWork = guessOverWork;
    return works;
}

/// λ that took more than a tenth over the better method.
std::int64_t lossesOf(const Works& works, const Walk& path, std::size_t first = 0) {
    std::int64_t losses = 0;
    for (std::size_t at = first; at < path.spent.size(); ++at) {
        losses += path.spent[at] > 1.1 * std::min(works.gradient[at], works.newton[at]) ? 1 : 0;
    }
    return losses;
}

// A guess that is always too good is not believed again and again, and a method that became dear is not tried at every
// λ.
TEST(MethodChoice, TriesADearMethodSeldomAndGivesItUpEarly) {
    for (const double dear : {3.0, 10.0, 30.0}) {
        const Works newton = constantWorks(1e6, dear * 1e6, 0.5 / dear);
        const Walk gradients = walk(newton);
        EXPECT_LE(lossesOf(newton, gradients), 8) << dear;
        EXPECT_LE(sum(gradients.spent, 0, kPoints), 1.05 * 1e6 * kPoints) << dear;
        Works gradient = constantWorks(dear * 1e6, 1e6, 1);
        std::fill_n(gradient.gradient.begin(), 20, 0.9e6);
        const Walk newtons = walk(gradient);
        EXPECT_LE(lossesOf(gradient, newtons, 22), 8) << dear;
        EXPECT_LE(sum(newtons.spent, 22, kPoints - 22), 1.05 * 1e6 * (kPoints - 22)) << dear;
    }
}

TEST(MethodChoice, FollowsACrossingWithinTwoPoints) {
    // Projected gradient, used so far, becomes slow.
    Works works = constantWorks(1e6, 2e6, 1);
    std::fill(works.gradient.begin() + 60, works.gradient.end(), 6e6);
    const Walk slowed = walk(works);
    EXPECT_LE(lossesOf(works, slowed, 62), 4);
    EXPECT_LE(sum(slowed.spent, 60, 2), 9e6);
    // Newton, used so far, becomes slow.
    works = constantWorks(2e6, 1e6, 1);
    std::fill(works.newton.begin() + 60, works.newton.end(), 6e6);
    const Walk back = walk(works);
    EXPECT_LE(lossesOf(works, back, 62), 4);
}

// Of projected gradient nothing is seen where it is not used: it is tried now and then.
TEST(MethodChoice, TriesProjectedGradientAgainAfterPausesThatGrow) {
    Works works = constantWorks(1.3e6, 1e6, 1);
    std::fill_n(works.gradient.begin(), 20, 0.9e6);
    const Walk path = walk(works);
    const auto& began = path.beganWithGradient;
    const auto tried = std::count(began.begin() + 25, began.end(), true);
    EXPECT_GE(tried, 1);
    EXPECT_LE(tried, 5);
}

TEST(MethodChoice, RepeatsItself) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Works works = randomWorks(seed, 0.3);
        EXPECT_EQ(walk(works).spent, walk(works).spent);
    }
}

StepGuess of(double work) {
    return {work, work};
}

MethodChoice decided(const MethodRecord& record, double set, double whole = kNever) {
    MethodChoice choice(record, true);
    choice.decide(kShare, 0, {{of(set), of(whole)}});
    return choice;
}

MethodRecord recordOfGradient(double work, bool wasNewton = false) {
    MethodRecord record;
    record.wasNewton = wasNewton;
    record.gradientWork = work;
    record.gradientFall = std::log(kShare);
    record.evaluationWork = work / 10;
    return record;
}

/// Of λ that took 1,000 in all, by projected gradient 100 each, and of steps on working sets that take what is guessed.
MethodRecord recordOfBoth() {
    MethodRecord record = recordOfGradient(100);
    record.spent = 1000;
    record.newton[NewtonKind::WorkingSet] = {1, 8};
    return record;
}

TEST(MethodChoice, TakesNewtonWhenLessWorkIsExpectedOfIt) {
    MethodRecord record = recordOfGradient(100);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    EXPECT_FALSE(decided(record, 100).takesNewton());
    EXPECT_TRUE(decided(record, 30).takesNewton());
    record.newton[NewtonKind::WorkingSet] = {4, 7};
    EXPECT_FALSE(decided(record, 30).takesNewton());
    record.newton[NewtonKind::WorkingSet] = {1, 1}; // of many steps
    EXPECT_FALSE(decided(record, 30).takesNewton());
    EXPECT_FALSE(decided({}, 1).takesNewton()); // knows nothing
    MethodChoice forced({}, false);
    forced.decide(kShare, 0, {{of(1e9), of(kNever)}});
    EXPECT_TRUE(forced.takesNewton());
}

TEST(MethodChoice, TakesTheKindOfWhichLessWorkIsExpected) {
    MethodRecord record = recordOfGradient(1e6);
    record.newton = {{StepRecord{1, 7}, StepRecord{1, 7}}};
    const auto kind = [&](double set, double whole) { return decided(record, set, whole).kind(); };
    EXPECT_EQ(kind(100, 50), NewtonKind::WholeSets);
    EXPECT_EQ(kind(100, 95), NewtonKind::WorkingSet); // for so little it does not change
    EXPECT_EQ(kind(100, kNever), NewtonKind::WorkingSet);
    EXPECT_EQ(kind(kNever, 1e3), NewtonKind::WholeSets);
    record.newton[NewtonKind::WholeSets] = {4, 7};
    EXPECT_EQ(kind(100, 50), NewtonKind::WorkingSet);
    record.newton[NewtonKind::WholeSets] = {1, 0.5}; // of many steps
    EXPECT_EQ(kind(100, 50), NewtonKind::WorkingSet);
}

// A step that finds nothing is not repeated for ever, whatever the other kind takes.
TEST(MethodChoice, TakesTheOtherKindWhereStepsFail) {
    for (const bool chooses : {false, true}) {
        MethodRecord record = recordOfGradient(1e9, true);
        MethodChoice choice(record, chooses);
        int attempts = 0;
        do {
            choice.decide(kShare, 10.0 * attempts, {{of(1e3), of(10)}});
            ASSERT_TRUE(choice.takesNewton());
            choice.gradientTakesOver(10.0 * attempts);
        } while (choice.kind() == NewtonKind::WholeSets && ++attempts < 50);
        EXPECT_LE(attempts, 8);
    }
}

// However cheap the one seems.
TEST(MethodChoice, TakesTheKindsInTurnWhereNeitherFindsAnything) {
    MethodChoice choice({}, false);
    PerKind<int> taken;
    for (int attempt = 0; attempt < 44; ++attempt) {
        choice.decide(kShare, 10.0 * attempt, {{of(1e3), of(10)}});
        ++taken[choice.kind()];
        choice.gradientTakesOver(10.0 * attempt + 5);
    }
    EXPECT_NEAR(taken[NewtonKind::WholeSets], taken[NewtonKind::WorkingSet], 4);
}

TEST(MethodChoice, EndsWithTheMethodOfWhichLessIsExpected) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    MethodChoice choice(record, true);
    choice.decide(kShare, 0, {{of(40), of(kNever)}});
    ASSERT_TRUE(choice.takesNewton());
    choice.decide(1.3, 40, {{of(40), of(kNever)}}); // one evaluation does
    EXPECT_FALSE(choice.takesNewton());
    choice.decide(300, 40, {{of(40), of(kNever)}}); // or not
    EXPECT_TRUE(choice.takesNewton());
}

// A Newton step that lowered the gap by little tells nothing of how projected gradient goes on from there.
TEST(MethodChoice, ComesBackToNewtonWhereProjectedGradientTakesTooLongAfterIt) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton = {{StepRecord{1, 7}, StepRecord{1, 7}}};
    record.endingRate = 1; // from as far away
    record.endingShare = 7;
    MethodChoice choice = decided(record, 60, 20);
    ASSERT_TRUE(choice.takesNewton());
    int steps = -1;
    do {
        choice.decide(0.9 * kShare, 20 + 10 * ++steps, {{of(60), of(60)}});
    } while (!choice.takesNewton() && steps < 100);
    EXPECT_GT(steps, 0);
    EXPECT_LE(steps, 13); // which took what two steps on the working set would
}

TEST(MethodChoice, DoesNotExpectOfFarAwayWhatWasSeenNearTheEnd) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    record.endingRate = 1;
    const auto takesNewtonAgain = [&](double endingShare) {
        record.endingShare = endingShare;
        MethodChoice choice = decided(record, 30);
        choice.decide(300, 30, {{of(30), of(kNever)}}); // most is left
        return choice.takesNewton();
    };
    EXPECT_TRUE(takesNewtonAgain(0.5));
    EXPECT_FALSE(takesNewtonAgain(8));
}

TEST(MethodChoice, GivesATrialOfNewtonABudget) {
    MethodRecord record = recordOfBoth();
    MethodChoice choice = decided(record, 60);
    ASSERT_TRUE(choice.takesNewton());
    EXPECT_FALSE(choice.givesUpNewton(20, 60));
    EXPECT_TRUE(choice.givesUpNewton(40, 150));
    choice.gradientTakesOver(40);
    EXPECT_FALSE(choice.takesNewton());
    choice.decide(kShare, 60, {{of(1e-3), of(kNever)}}); // no way back at this λ
    EXPECT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(140);
    EXPECT_FALSE(after.wasNewton);
    EXPECT_EQ(after.gradientWork, 0.3 * 100 + 0.7 * 100);              // what Newton took is none of it
    EXPECT_GE(after.newton[NewtonKind::WorkingSet].worth, 190.0 / 60); // at least
    record.wasNewton = true;                                           // Newton that follows Newton has none
    MethodChoice next = decided(record, 60);
    ASSERT_TRUE(next.takesNewton());
    EXPECT_FALSE(next.givesUpNewton(40, 1e9));
    // But a kind of steps that was never taken has one.
    next = decided(record, kNever, 60);
    ASSERT_TRUE(next.takesNewton());
    EXPECT_TRUE(next.givesUpNewton(40, 1e9));
}

// What trials lost is gained back before the next one, unless that is expected to save as much.
TEST(MethodChoice, KeepsWhatTrialsLoseToAShareOfTheWork) {
    MethodRecord record = recordOfBoth();
    EXPECT_TRUE(decided(record, 80).takesNewton());
    record.lost = 45;
    EXPECT_FALSE(decided(record, 80).takesNewton());
    EXPECT_TRUE(decided(record, 20).takesNewton());
    record.lost = 0; // a trial that takes 70 more than projected gradient was expected to:
    MethodChoice choice = decided(record, 80);
    choice.decide(50, 80, {{of(80), of(kNever)}});
    ASSERT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(170);
    EXPECT_NEAR(after.lost, 70, 1e-9);
    EXPECT_FALSE(after.wasNewton); // it did not win
}

// A step that is cut short but led on is Newton's, and what follows is not taken for a λ by projected gradient.
TEST(MethodChoice, CountsWhatAStepThatWasCutShortFoundAsNewtons) {
    MethodRecord record = recordOfBoth();
    MethodChoice choice = decided(record, 60);
    ASSERT_TRUE(choice.takesNewton());
    ASSERT_TRUE(choice.givesUpNewton(80, 100)); // the step ends here
    choice.decide(3, 80, {{of(60), of(kNever)}});
    EXPECT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(95);
    EXPECT_TRUE(after.wasNewton); // it took less
    EXPECT_NEAR(after.gradientWork, 100, 1e-9);
    EXPECT_NEAR(after.endingRate, std::log(3) / 15, 1e-9);
}

} // namespace
} // namespace lambdascope::triplets
