// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/comparison_set.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope::triplets {
namespace {

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
