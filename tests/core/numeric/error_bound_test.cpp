// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/error_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace lambdascope {
namespace {

/// Distance to the same formula in extended precision must stay within the carried bound.
TEST(ErrorBound, CoversCancellationInAChainOfOperations) {
    RandomStream random(1, "chain");
    for (int trial = 0; trial < 2000; ++trial) {
        const double a = random.uniform(1, 2) * std::pow(10, random.uniform(-6, 6));
        const double b = a * (1 + random.uniform(-1e-9, 1e-9));
        const double c = random.uniform(0.1, 10);
        const Bounded computed = (exactly(a) * exactly(c) - exactly(b) * exactly(c)) / 3.0 + exactly(c);
        const long double exact =
            (static_cast<long double>(a) * c - static_cast<long double>(b) * c) / 3.0L + static_cast<long double>(c);
        EXPECT_LE(std::abs(static_cast<double>(computed.value - exact)), computed.error);
        EXPECT_LT(computed.error, 1e-14 * (a * c + c)); // and is no excuse for anything
    }
}

TEST(ErrorBound, CoversWhatUnderflows) {
    const Bounded square = exactly(1e-170) * exactly(1e-170);
    EXPECT_GE(square.upper(), std::numeric_limits<double>::denorm_min());
    EXPECT_GE(squareRoot(square).upper(), 1e-170);
    EXPECT_GE((exactly(1e-200) / 1e200).upper(), std::numeric_limits<double>::denorm_min());
}

TEST(ErrorBound, RootOfARoundedZeroKeepsTheWholeUncertainty) {
    const Bounded root = squareRoot({-1e-18, 1e-16});
    EXPECT_EQ(root.value, 0);
    EXPECT_GE(root.upper(), std::sqrt(1e-16 - 1e-18)); // the exact number may be as large as −1e-18 + 1e-16
    const Bounded large = squareRoot({4.0, 1e-8});
    EXPECT_GE(large.upper(), std::sqrt(4 + 1e-8));
    EXPECT_LE(large.lower(), std::sqrt(4 - 1e-8));
    EXPECT_LT(large.error, 1e-8);
}

TEST(ErrorBound, CompensatedSumLosesNothingToCancellation) {
    CompensatedSum sum;
    double plain = 0;
    for (const double term : {1e16, 1.0, -1e16, 1.0}) {
        sum.add(term);
        plain += term;
    }
    EXPECT_EQ(sum.value(), 2.0);
    EXPECT_NE(plain, 2.0);
}

} // namespace
} // namespace lambdascope
