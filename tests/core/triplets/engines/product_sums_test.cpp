// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/error_bound.h"
#include "core/triplets/engines/product_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {
namespace {

struct Lists {
    std::vector<double> sames;
    std::vector<double> others;
};

enum class Spread { Wide, Narrow, Grid, Equal, Clustered };

void PrintTo(Spread spread, std::ostream* out) {
    constexpr const char* kNames[] = {"wide", "narrow", "grid", "equal", "clustered"};
    *out << kNames[static_cast<int>(spread)];
}

Lists randomLists(Spread spread, std::size_t sames, std::size_t others, RandomStream& random) {
    const auto draw = [&](double shift) {
        switch (spread) {
        case Spread::Wide: return std::abs(4 * random.normal()) + shift;
        case Spread::Narrow: return 0.4 * random.uniform() + shift;
        case Spread::Grid: return std::round(3 * std::abs(random.normal())) + shift;
        case Spread::Equal: return 2.0;
        case Spread::Clustered:
            return random.below(5) == 0 ? 1e3 * random.uniform() : 1 + 1e-3 * random.normal() + shift;
        }
        return 0.0;
    };
    Lists lists;
    for (std::size_t s = 0; s < sames; ++s) {
        lists.sames.push_back(draw(0));
    }
    for (std::size_t o = 0; o < others; ++o) {
        lists.others.push_back(draw(spread == Spread::Grid ? 0 : 0.9));
    }
    return lists;
}

struct Plain {
    long double loss = 0;
    long double alpha = 0;
    long double squares = 0;
    std::vector<long double> sames;
    std::vector<long double> others;
    SetCounts setCounts;
};

/// Triplet by triplet, in extended precision.
Plain enumerate(const Lists& lists, double smoothing, double edge) {
    Plain plain;
    plain.sames.resize(lists.sames.size());
    plain.others.resize(lists.others.size());
    for (std::size_t s = 0; s < lists.sames.size(); ++s) {
        for (std::size_t o = 0; o < lists.others.size(); ++o) {
            const long double margin = static_cast<long double>(lists.others[o]) - lists.sames[s];
            const long double alpha = std::clamp((1 - margin) / smoothing, 0.0L, 1.0L);
            plain.loss += alpha * (1 - margin) - 0.5L * smoothing * alpha * alpha;
            plain.alpha += alpha;
            plain.squares += alpha * alpha;
            plain.sames[s] += alpha;
            plain.others[o] += alpha;
            const double rounded = lists.others[o] - lists.sames[s];
            plain.setCounts.above += rounded > 1 ? 1 : 0;
            plain.setCounts.below += rounded < 1 - edge ? 1 : 0;
        }
    }
    return plain;
}

class SumsOverProducts : public testing::TestWithParam<Spread> {};

TEST_P(SumsOverProducts, EqualTheSumsTripletByTriplet) {
    RandomStream random(7, "product sums");
    ProductSums sums; // one object for all: nothing may be left over from the set before
    for (const double smoothing : {1.0, 0.5, 0.05, 1e-3, 1e-5, 1e-7, 1e-12}) {
        for (const auto& [sames, others] : {std::pair<std::size_t, std::size_t>{1, 1},
                                            {1, 40},
                                            {40, 1},
                                            {5, 7},
                                            {60, 90},
                                            {150, 60},
                                            {200, 200},
                                            {300, 400}}) {
            const Lists lists = randomLists(GetParam(), sames, others, random);
            std::vector<double> sameWeights(sames, -1.0);
            std::vector<double> otherWeights(others, -1.0);
            const ProductTotals totals =
                sums.sum(lists.sames, lists.others, smoothing, sameWeights.data(), otherWeights.data());
            SetCounts setCounts;
            sums.count(smoothing, setCounts);
            const Plain plain = enumerate(lists, smoothing, smoothing);
            // Margins are computed in double: each α may be off by a roundoff of the largest value over s.
            const auto count = static_cast<double>(sames * others);
            const double perAlpha = std::min(1.0, 4e-16 * 1e3 / smoothing) + 1e-13;
            const double tolerance = 1e-11 * (1 + static_cast<double>(plain.alpha)) +
                                     (GetParam() == Spread::Clustered || smoothing < 1e-4 ? count * perAlpha : 0.0);
            EXPECT_NEAR(totals.alpha, static_cast<double>(plain.alpha), tolerance);
            EXPECT_NEAR(totals.squares, static_cast<double>(plain.squares), tolerance);
            EXPECT_NEAR(totals.loss, static_cast<double>(plain.loss), 1e-11 * (1 + totals.magnitude));
            double sameSum = 0;
            double otherSum = 0;
            for (std::size_t s = 0; s < sames; ++s) {
                EXPECT_NEAR(sameWeights[s], static_cast<double>(plain.sames[s]), tolerance);
                sameSum += sameWeights[s];
            }
            for (std::size_t o = 0; o < others; ++o) {
                EXPECT_NEAR(otherWeights[o], static_cast<double>(plain.others[o]), tolerance);
                otherSum += otherWeights[o];
            }
            // Both ends of the pairs get the same α, whatever the margins are worth.
            EXPECT_NEAR(sameSum, otherSum, 1e-12 * (1 + sameSum) + totals.slack);
            EXPECT_EQ(setCounts.above, plain.setCounts.above);
            EXPECT_EQ(setCounts.below, plain.setCounts.below);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Spreads, SumsOverProducts,
                         testing::Values(Spread::Wide, Spread::Narrow, Spread::Grid, Spread::Equal, Spread::Clustered),
                         testing::PrintToStringParamName());

/// Runs that hold at the values, in the order of the sames; `room` groups longer than they need be.
struct HeldRuns {
    std::vector<std::uint8_t> order;
    std::vector<std::uint8_t> begin;
    std::vector<std::uint8_t> end;

    HeldRuns(const Lists& lists, double smoothing, std::size_t room) : order(lists.sames.size()) {
        std::iota(order.begin(), order.end(), std::uint8_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::uint8_t a, std::uint8_t b) { return lists.sames[a] < lists.sames[b]; });
        const std::size_t groups = QuadraticRuns::groupsOf(order.size());
        for (const double other : lists.others) {
            const auto marginAt = [&](std::size_t at) { return other - lists.sames[order[at]]; };
            std::size_t zero = 0;
            std::size_t linear = order.size();
            while (zero < order.size() && marginAt(zero) >= 1) {
                ++zero;
            }
            while (linear > 0 && 1 - marginAt(linear - 1) >= smoothing) {
                --linear;
            }
            const std::size_t first = zero == order.size() ? groups : zero / QuadraticRuns::kGroupSize;
            const std::size_t last = std::max(first, QuadraticRuns::groupsOf(linear));
            begin.push_back(static_cast<std::uint8_t>(first - std::min(room, first)));
            end.push_back(static_cast<std::uint8_t>(std::min(last + room, groups)));
        }
    }
    [[nodiscard]] QuadraticRuns runs() const { return {order, begin, end}; }
    [[nodiscard]] std::int64_t visits() const {
        return 4 * (std::accumulate(end.begin(), end.end(), std::int64_t{0}) -
                    std::accumulate(begin.begin(), begin.end(), std::int64_t{0}));
    }
};

TEST_P(SumsOverProducts, AreTheSameWhereOnlyRunsAreVisited) {
    RandomStream random(11, "runs of product sums");
    ProductSums sums;
    for (const double smoothing : {0.5, 0.05, 1e-3}) {
        for (const auto& [sames, others] :
             {std::pair<std::size_t, std::size_t>{1, 5}, {9, 40}, {40, 1}, {59, 90}, {256, 300}}) {
            const Lists lists = randomLists(GetParam(), sames, others, random);
            const Plain plain = enumerate(lists, smoothing, smoothing);
            for (const std::size_t room : {0, 1, 3}) {
                const HeldRuns held(lists, smoothing, room);
                std::vector<double> sameWeights(sames, -1.0);
                std::vector<double> otherWeights(others, -1.0);
                const ProductTotals totals = sums.sum(lists.sames, lists.others, smoothing, sameWeights.data(),
                                                      otherWeights.data(), held.runs());
                EXPECT_LE(totals.counts.visited, held.visits());
                EXPECT_EQ(totals.counts.sortedKeys, 0);
                const double tolerance = 1e-9 * (1 + static_cast<double>(plain.alpha));
                EXPECT_NEAR(totals.alpha, static_cast<double>(plain.alpha), tolerance);
                EXPECT_NEAR(totals.squares, static_cast<double>(plain.squares), tolerance);
                EXPECT_NEAR(totals.loss, static_cast<double>(plain.loss), 1e-11 * (1 + totals.magnitude));
                for (std::size_t s = 0; s < sames; ++s) {
                    EXPECT_NEAR(sameWeights[s], static_cast<double>(plain.sames[s]), tolerance);
                }
                for (std::size_t o = 0; o < others; ++o) {
                    EXPECT_NEAR(otherWeights[o], static_cast<double>(plain.others[o]), tolerance);
                }
            }
        }
    }
}

TEST(SumsOverProductsOfBadValues, AreNotANumberAndNotUndefined) {
    ProductSums sums;
    std::vector<double> weights(4);
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const std::vector<double> sames = {0, bad};
        const std::vector<double> others = {1, 2};
        EXPECT_TRUE(std::isnan(sums.sum(sames, others, 0.05, weights.data(), weights.data() + 2).loss));
        EXPECT_TRUE(std::isnan(sums.sum(others, sames, 0.05, weights.data(), weights.data() + 2).loss));
    }
}

TEST(SumsOverProductsErrorBound, HoldsAndIsSmall) {
    RandomStream random(3, "bound of product sums");
    ProductSums sums;
    for (int trial = 0; trial < 50; ++trial) {
        const Lists lists = randomLists(Spread::Narrow, 360, 450, random); // long quadratic runs
        std::vector<double> sameWeights(360);
        std::vector<double> otherWeights(450);
        const ProductTotals totals = sums.sum(lists.sames, lists.others, 0.3, sameWeights.data(), otherWeights.data());
        const Plain plain = enumerate(lists, 0.3, 0.3);
        long double wrong = 0;
        for (std::size_t s = 0; s < sameWeights.size(); ++s) {
            wrong += std::abs(sameWeights[s] - plain.sames[s]);
        }
        const double relative = roundingFactor(1700) * totals.alpha;
        EXPECT_GT(totals.slack, 0);
        EXPECT_LE(static_cast<double>(wrong), totals.slack + relative);
        EXPECT_LE(totals.slack, 1e-9 * totals.alpha);
    }
}

TEST(SumsOverProductsCounts, AreOfEntriesAndOfTripletsThatAreVisited) {
    ProductSums sums;
    const std::vector<double> sames = {0, 10, 20};
    std::vector<double> weights(8);
    const auto countsWith = [&](const std::vector<double>& others) {
        return sums.sum(sames, others, 0.5, weights.data(), weights.data() + 3).counts;
    };
    // Margins are other − same; quadratic from 0.5 to 1. Zero with all sames is 25, linear with all is −5.
    const SumCounts two = countsWith({5, 15, 25, -5});
    EXPECT_EQ(two.entries, 7);
    EXPECT_EQ(two.visited, 8); // in groups of four
    EXPECT_EQ(two.sortedKeys, 0);
    EXPECT_EQ(countsWith({25, -5}).visited, 0);
}

TEST(SumsOverProductsCounts, AreOfKeysAndProbesThatAreSortedWhereThoseAreMany) {
    ProductSums sums;
    std::vector<double> sames(200);
    std::iota(sames.begin(), sames.end(), 0.0);
    std::vector<double> others(300);
    std::iota(others.begin(), others.end(), 0.75); // one of all keys is quadratic, for all but the first and the last
    std::vector<double> weights(500);
    const auto countsWith = [&](std::size_t probes) {
        return sums.sum(sames, {others.data(), probes}, 0.5, weights.data(), weights.data() + 200).counts;
    };
    const SumCounts many = countsWith(300);
    EXPECT_EQ(many.entries, 500);
    EXPECT_EQ(many.visited, 0);
    EXPECT_EQ(many.sortedKeys, 200);
    EXPECT_EQ(many.sortedProbes, 200);
    EXPECT_EQ(many.walked, 200);
    EXPECT_EQ(countsWith(40).visited, 40 * 200);
}

} // namespace
} // namespace lambdascope::triplets
