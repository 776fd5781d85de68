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

constexpr std::size_t kPoints = 120;
constexpr std::size_t kWindow = 10;
constexpr double kGapShare = 2000; ///< gap at the beginning of a λ over what it has to come down to
constexpr double kVisit = 1e5;     ///< work of a step of projected gradient

/// Work of the methods along a path, that of Newton by two steps, and what is guessed of these.
struct Works {
    NewtonKind kind = NewtonKind::WholeSets;
    std::vector<double> gradient;
    std::vector<double> newton;
    double guessOverWork = 1;
    double newtonFall = 7; ///< of the logarithm of the gap with each step
    double firstFall = 7;  ///< the same of the first step after a λ without one
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
        const double whole = std::log(kGapShare);
        double left = whole;
        double work = 0;
        bool usedNewton = false;
        const bool isFirst = path.usedNewton.empty() || !path.usedNewton.back();
        path.beganWithGradient.push_back(false);
        while (left > 1e-9) {
            const double step = works.newton[at] / 2; // two do
            const double guess = works.guessOverWork * step;
            constexpr double kNone = std::numeric_limits<double>::infinity();
            NewtonGuess guesses{{StepGuess{kNone, kNone}, StepGuess{kNone, kNone}}};
            guesses[works.kind] = {guess, guess};
            choice.decide(std::exp(left), work, guesses);
            constexpr double kBeforeSystem = 0.1;
            if (choice.takesNewton()) {
                if (!choice.givesUpNewton(work + kBeforeSystem * step, (1 - kBeforeSystem) * step)) {
                    work += step;
                    left -= isFirst && !usedNewton ? works.firstFall : works.newtonFall;
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

// A Newton step that has no dual variables of another one to begin with falls short: one such trial proves nothing.
TEST(MethodChoice, TakesToNewtonThoughItsFirstStepFallsShort) {
    for (const double firstFall : {0.2, 1.0, 2.0}) {
        for (const double dear : {1.6, 2.0, 3.0}) {
            Works works = constantWorks(dear * 1e6, 1e6, 1);
            works.kind = NewtonKind::WorkingSet;
            works.firstFall = firstFall;
            std::fill_n(works.gradient.begin(), 20, 0.7e6);
            const Walk path = walk(works);
            EXPECT_GE(path.newtons(20), static_cast<std::int64_t>(kPoints) - 25) << firstFall << " " << dear;
        }
    }
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

} // namespace
} // namespace lambdascope::triplets
