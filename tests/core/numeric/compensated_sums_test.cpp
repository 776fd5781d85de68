// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/compensated_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace lambdascope {
namespace {

TEST(CompensatedSums, LoseNothingToCancellationWithinAndAcrossLanes) {
    // Multiples of 2⁻³⁰ from 2⁻³⁰ to 2²⁷, so that whole numbers tell the sum.
    RandomStream random(7, "terms");
    CompensatedSums sums;
    double plain = 0;
    std::int64_t exact = 0;
    for (int times = 0; times < 4000; ++times) {
        CompensatedSums::Terms terms;
        for (double& term : terms) {
            const auto whole = static_cast<std::int64_t>(random.below(std::size_t{1} << (1 + random.below(57))));
            const std::int64_t signedWhole = random.below(2) == 0 ? whole : -whole;
            term = std::ldexp(static_cast<double>(signedWhole >> 5 << 5), -30);
            exact += signedWhole >> 5 << 5;
            plain += term;
        }
        sums.add(terms);
    }
    const double wanted = std::ldexp(static_cast<double>(exact), -30);
    EXPECT_EQ(sums.value(), wanted);
    EXPECT_NE(plain, wanted);
}

TEST(CompensatedSums, OfNothingAreZero) {
    EXPECT_EQ(CompensatedSums().value(), 0);
}

} // namespace
} // namespace lambdascope
