// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/problem/triplet_set.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lambdascope::triplets {
namespace {

class TripletSetShapes : public testing::TestWithParam<SmallShape> {};

TEST_P(TripletSetShapes, HoldsTheProductOfTheNeighbourLists) {
    const auto data = smallData(GetParam(), 3);
    const auto neighbours = classNeighbours(*data, GetParam().k);
    ASSERT_TRUE(neighbours);
    const auto set = TripletSet::build(data->dense(), *neighbours);
    ASSERT_TRUE(set);
    std::vector<Triplet> expected;
    for (RowIndex i = 0; i < set->rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (auto s = neighbours->sameOffset[at]; s < neighbours->sameOffset[at + 1]; ++s) {
            for (auto o = neighbours->otherOffset[at]; o < neighbours->otherOffset[at + 1]; ++o) {
                expected.push_back(
                    {i, neighbours->same[static_cast<std::size_t>(s)], neighbours->other[static_cast<std::size_t>(o)]});
            }
        }
    }
    ASSERT_EQ(set->triplets(), static_cast<TripletIndex>(expected.size()));
    for (TripletIndex t = 0; t < set->triplets(); ++t) {
        ASSERT_EQ(set->triplet(t), expected[static_cast<std::size_t>(t)]) << t;
        ASSERT_EQ(data->labels()[static_cast<std::size_t>(set->triplet(t).anchor)],
                  data->labels()[static_cast<std::size_t>(set->triplet(t).same)]);
        ASSERT_NE(data->labels()[static_cast<std::size_t>(set->triplet(t).anchor)],
                  data->labels()[static_cast<std::size_t>(set->triplet(t).other)]);
    }
}

TEST_P(TripletSetShapes, ListsEachPairOnceAndSorted) {
    const TripletSet set = smallTriplets(GetParam(), 4);
    std::set<std::pair<RowIndex, RowIndex>> seen;
    for (PairIndex p = 0; p < set.pairs(); ++p) {
        ASSERT_LT(set.first(p), set.second(p));
        ASSERT_TRUE(seen.insert({set.first(p), set.second(p)}).second);
        ASSERT_EQ(*seen.rbegin(), std::make_pair(set.first(p), set.second(p)));
        const auto delta = set.paddedRows().row(set.first(p)) - set.paddedRows().row(set.second(p));
        const double length =
            set.structure() == Structure::Diagonal ? std::sqrt(delta.array().pow(4).sum()) : delta.squaredNorm();
        ASSERT_NEAR(set.squaredLength(p), length, 1e-14 * length);
    }
    EXPECT_LE(set.paddedRows().colwise().mean().norm(), 1e-13 * (1 + set.mean().norm()));
}

/// A norm that is too small would decide what the rule does not.
TEST_P(TripletSetShapes, CachedNormsAreRoundedUpAndComputedOnce) {
    const TripletSet set = smallTriplets(GetParam(), 3);
    NormCache cache(set);
    ASSERT_TRUE(cache.keepsRows() || set.triplets() == 0);
    TripletNorm exact(set);
    for (int pass = 0; pass < 2; ++pass) {
        for (RowIndex i = 0; i < set.rows(); ++i) {
            if (set.sameCount(i) == 0 || set.otherCount(i) == 0) {
                continue;
            }
            const float* norms = cache.ofAnchor(i);
            for (std::int64_t s = 0; s < set.sameCount(i); ++s) {
                const PairIndex same = set.samePair(set.sameOffset(i) + s);
                for (std::int64_t o = 0; o < set.otherCount(i); ++o) {
                    const PairIndex other = set.otherPair(set.otherOffset(i) + o);
                    const std::int64_t number = s * set.otherCount(i) + o;
                    const double lengths = set.squaredLength(same) + set.squaredLength(other);
                    const double cached = cache.unit() * static_cast<double>(norms[number]);
                    ASSERT_GE(cached, normOf(set, set.tripletOffset(i) + number) * (1 - 1e-15));
                    // Where the norm is nothing but rounding, sums in other orders differ.
                    ASSERT_LE(cached, std::sqrt(exact.squared(other, same)) * (1 + 3e-7) + 1e-7 * lengths +
                                          1e-30 * cache.unit());
                }
            }
        }
        EXPECT_EQ(cache.computed(), set.triplets());
    }
    EXPECT_GE(static_cast<double>(cache.bytes()), NormCache::bytesFor(static_cast<double>(set.triplets())));
    EXPECT_EQ(NormCache::bytesFor(static_cast<double>(NormCache::kMostKept) + 1), 0);
    EXPECT_FALSE(NormCache(set, set.triplets() - 1).keepsRows());
}

INSTANTIATE_TEST_SUITE_P(Shapes, TripletSetShapes, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

TEST(TripletSet, TakesMemoryLinearInPairsWhateverK) {
    // 16 bytes per pair, 4 per directed neighbour (two at most per pair), and the rows.
    for (const std::int64_t k : {5, 20, 60}) {
        const TripletSet set = smallTriplets({.name = "memory", .classes = 2, .rowsPerClass = 64, .k = k}, 1);
        const std::size_t rows = static_cast<std::size_t>(set.rows()) * (8 * 4 + 3 * 8 + 8) + 64;
        EXPECT_LE(set.bytes(), rows + static_cast<std::size_t>(set.pairs()) * 24) << k;
    }
}

TEST(TripletSet, StopsWhenAsked) {
    const auto data = smallData({.name = "stop"}, 1);
    const auto neighbours = classNeighbours(*data, 3);
    std::stop_source source;
    source.request_stop();
    const auto set = TripletSet::build(data->dense(), *neighbours, source.get_token());
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, ErrorCode::Stopped);
}

DenseRows fourRows() {
    DenseRows x(4, 2);
    x << 0, 0, 1, 0, 0, 2, 3, 4;
    return x;
}

ComparisonSet built(const ComparisonList& list) {
    auto set = ComparisonSet::build(fourRows(), list);
    EXPECT_TRUE(set);
    return std::move(set).value();
}

TEST(ComparisonSet, KeepsEachPairOnceWithItsLength) {
    ComparisonList list;
    list.comparisons = {{RowPair{0, 3}, RowPair{1, 0}}, {RowPair{3, 0}, RowPair{2, 0}}};
    list.targets = {{{1, 2}, 3}};
    const ComparisonSet set = built(list);
    ASSERT_EQ(set.pairs(), 4);
    EXPECT_EQ(set.size(), 2);
    EXPECT_EQ(set.items().far[0], set.items().far[1]);
    EXPECT_DOUBLE_EQ(set.squaredLength(set.find(0, 3)), 25);
    EXPECT_DOUBLE_EQ(set.squaredLength(set.find(2, 1)), 5);
    EXPECT_DOUBLE_EQ(set.items().length[0], 26);
    EXPECT_EQ(set.largestDegree(), 3);
    EXPECT_EQ(set.largestShare(), 2);
    EXPECT_EQ(set.targetWeights()[static_cast<std::size_t>(set.find(1, 2))], 3);
    EXPECT_EQ(std::count(set.targetWeights().begin(), set.targetWeights().end(), 0.0), 3);
}

TEST(ComparisonSet, StandsForAMissingPairByOneOfLengthZero) {
    ComparisonList list;
    list.comparisons = {{std::nullopt, RowPair{0, 1}, -2}, {RowPair{0, 2}, std::nullopt, 3}};
    const ComparisonSet set = built(list);
    EXPECT_EQ(set.items().far[0], set.noPair());
    EXPECT_EQ(set.items().near[1], set.noPair());
    EXPECT_EQ(set.lengthOf(set.noPair()), 0);
    EXPECT_EQ(set.largestThreshold(), 3);
    EXPECT_EQ(set.items().length[1], 4);
    EXPECT_EQ(set.contradictions(), 0);
}

TEST(ComparisonSet, MergesRepeatedComparisonsWhateverTheOrderOfRows) {
    ComparisonList list;
    list.comparisons = {
        {RowPair{0, 3}, RowPair{0, 1}, 1, 0.5, 7}, {RowPair{2, 3}, RowPair{0, 1}, 1, 2, 8},
        {RowPair{3, 0}, RowPair{1, 0}, 1, 1.5, 9}, {RowPair{0, 3}, std::nullopt, 4, 1, 10},
        {RowPair{0, 3}, std::nullopt, 5, 1, 11},
    };
    const ComparisonSet set = built(list);
    ASSERT_EQ(set.size(), 4); // bounds of different size are different comparisons
    EXPECT_EQ(set.repeated(), 1);
    EXPECT_EQ(set.items().weight[0], 2.0);
    EXPECT_EQ(set.items().weight[1], 2.0);
    EXPECT_EQ(set.line(0), 7);
    EXPECT_EQ(set.line(1), 8);
    EXPECT_EQ(set.line(3), 11);
    EXPECT_EQ(set.contradictions(), 0);
}

TEST(ComparisonSet, CountsWhatContradictsItself) {
    ComparisonList list;
    list.comparisons = {
        {RowPair{0, 3}, RowPair{0, 1}},    {RowPair{1, 0}, RowPair{0, 3}},     // either way round
        {RowPair{0, 2}, RowPair{0, 1}},                                        // fine
        {std::nullopt, RowPair{1, 2}, -1}, {RowPair{2, 1}, std::nullopt, 1.5}, // at most 1, at least 1.5
        {std::nullopt, RowPair{1, 3}, -1}, {RowPair{1, 3}, std::nullopt, 1},   // at most and at least 1: fine
    };
    const ComparisonSet set = built(list);
    EXPECT_EQ(set.contradictions(), 2);
    EXPECT_EQ(set.size(), 7);
}

TEST(ComparisonSet, StopsWhenAsked) {
    ComparisonList list;
    list.comparisons = {{RowPair{0, 3}, RowPair{0, 1}}};
    std::stop_source stop;
    stop.request_stop();
    const auto set = ComparisonSet::build(fourRows(), list, stop.get_token());
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, ErrorCode::Stopped);
}

} // namespace
} // namespace lambdascope::triplets
