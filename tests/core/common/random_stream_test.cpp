// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace lambdascope;

TEST(RandomStream, SameSeedAndNameGiveTheSameNumbers) {
    RandomStream a(5, "split");
    RandomStream b(5, "split");
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(a.next(), b.next());
    }
}

TEST(RandomStream, OtherSeedsAndNamesGiveOtherNumbers) {
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        for (const char* name : {"", "split", "subset"}) {
            firsts.insert(RandomStream(seed, name).next());
        }
    }
    EXPECT_EQ(firsts.size(), 150U);
}

TEST(RandomStream, UniformAndNormalHaveTheirMoments) {
    RandomStream random(1);
    constexpr int kCount = 200000;
    double uniformSum = 0;
    double normalSum = 0;
    double normalSquares = 0;
    for (int i = 0; i < kCount; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        uniformSum += u;
        const double z = random.normal();
        normalSum += z;
        normalSquares += z * z;
    }
    // Five standard errors.
    EXPECT_NEAR(uniformSum / kCount, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
    EXPECT_NEAR(normalSum / kCount, 0, 5 / std::sqrt(kCount));
    EXPECT_NEAR(normalSquares / kCount, 1, 5 * std::sqrt(2.0 / kCount));
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
    RandomStream random(3);
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i) {
        ++counts.at(random.below(7));
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10000, 5 * std::sqrt(10000.0));
    }
}

TEST(RandomStream, FillBelowGivesWhatBelowGives) {
    for (const std::size_t bound :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{1000}, std::size_t{65536},
          std::size_t{1000003}, std::size_t{0xfffffffe}, std::size_t{0xffffffff}}) {
        RandomStream one(5);
        RandomStream two(5);
        std::vector<std::uint32_t> filled(3000);
        one.fillBelow(bound, filled);
        for (const std::uint32_t value : filled) {
            ASSERT_EQ(value, two.below(bound)) << bound;
        }
        EXPECT_EQ(one.next(), two.next());
    }
}

TEST(RandomStream, PermutationHoldsEachIndexOnce) {
    RandomStream random(9);
    auto order = random.permutation(1000);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(order[i], i);
    }
    EXPECT_TRUE(random.permutation(0).empty());
}
