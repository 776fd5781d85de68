// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/hinge_width.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope::metric {
namespace {

TEST(HingeWidth, BeginsNoNarrowerThanThePointBefore) {
    for (double last = 1; last > 1e-13; last /= 3) {
        EXPECT_GE(firstHingeWidth(last), last);
        EXPECT_LE(firstHingeWidth(last), std::max(last, 0.05));
    }
    EXPECT_GT(firstHingeWidth(1e-6), 1e-6);
}

TEST(HingeWidth, FallsToAnEnd) {
    int steps = 0;
    double width = 0.05;
    for (auto next = nextHingeWidth(width); next && steps < 100; next = nextHingeWidth(width), ++steps) {
        EXPECT_LT(*next, width);
        width = *next;
    }
    EXPECT_LT(steps, 100);
    EXPECT_GT(width, 0);
    EXPECT_LT(width, 1e-10);
}

TEST(HingeWidth, IsTooWideWhenItCostsMostOfTheGap) {
    EXPECT_TRUE(isHingeTooWide(0.9, 1));
    EXPECT_FALSE(isHingeTooWide(0.1, 1));
    EXPECT_FALSE(isHingeTooWide(0, 1));
}

} // namespace
} // namespace lambdascope::metric
