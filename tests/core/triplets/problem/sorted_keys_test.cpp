// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/triplets/problem/sorted_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {
namespace {

enum class KeySpread { Even, Skewed, Equal, Ties, Huge, Tiny, NeighboursOfOne };

void PrintTo(KeySpread spread, std::ostream* out) {
    constexpr const char* kNames[] = {"even", "skewed", "equal", "ties", "huge", "tiny", "neighbours_of_one"};
    *out << kNames[static_cast<int>(spread)];
}

std::vector<double> randomKeys(KeySpread spread, std::size_t count, RandomStream& random) {
    std::vector<double> values(count);
    for (double& value : values) {
        switch (spread) {
        case KeySpread::Even: value = random.normal(); break;
        case KeySpread::Skewed: value = std::exp(20 * random.normal()); break;
        case KeySpread::Equal: value = -3; break;
        case KeySpread::Ties: value = static_cast<double>(random.below(5)); break;
        case KeySpread::Huge: value = 1e308 * (2 * random.uniform() - 1); break;
        case KeySpread::Tiny: value = 1e-310 * random.uniform(); break;
        case KeySpread::NeighboursOfOne: value = 1 + 2.3e-16 * static_cast<double>(random.below(9)); break;
        }
    }
    return values;
}

class KeysInOrder : public testing::TestWithParam<KeySpread> {};

TEST_P(KeysInOrder, AreThoseOfAStableSort) {
    RandomStream random(11, "sorted keys");
    SortedKeys sorted; // one object for all: nothing may be left over from the set before
    for (const std::size_t count : {1, 2, 3, 20, 200, 1000}) {
        const std::vector<double> values = randomKeys(GetParam(), count, random);
        std::vector<std::int32_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
        });
        ASSERT_TRUE(sorted.set(values));
        ASSERT_EQ(sorted.size(), static_cast<std::int32_t>(count));
        for (std::size_t place = 0; place < count; ++place) {
            ASSERT_EQ(sorted.index(place), order[place]) << place;
            ASSERT_EQ(sorted.keys()[place], values[static_cast<std::size_t>(order[place])]);
        }
    }
}

TEST_P(KeysInOrder, HaveThePlacesThatASearchFinds) {
    RandomStream random(12, "places");
    SortedKeys sorted;
    for (const std::size_t count : {1, 2, 20, 300}) {
        ASSERT_TRUE(sorted.set(randomKeys(GetParam(), count, random)));
        const std::span<const double> keys = sorted.keys();
        std::vector<double> borders = randomKeys(GetParam(), 50, random);
        borders.insert(borders.end(), keys.begin(), keys.end());
        borders.insert(borders.end(), {0, -1e300, 1e300, -std::numeric_limits<double>::infinity()});
        for (const double border : borders) {
            for (const double hint : {border, border - 1, border * (1 + 1e-15)}) { // about there is enough
                EXPECT_EQ(sorted.firstNot(hint, [border](double key) { return key < border; }),
                          std::lower_bound(keys.begin(), keys.end(), border) - keys.begin());
                EXPECT_EQ(sorted.firstNot(hint, [border](double key) { return key <= border; }),
                          std::upper_bound(keys.begin(), keys.end(), border) - keys.begin());
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Spreads, KeysInOrder,
                         testing::Values(KeySpread::Even, KeySpread::Skewed, KeySpread::Equal, KeySpread::Ties,
                                         KeySpread::Huge, KeySpread::Tiny, KeySpread::NeighboursOfOne),
                         testing::PrintToStringParamName());

TEST(KeysOfBadValues, AreRefused) {
    SortedKeys sorted;
    for (const double bad : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
        const std::vector<double> values = {0, bad, 1};
        EXPECT_FALSE(sorted.set(values));
    }
}

} // namespace
} // namespace lambdascope::triplets
