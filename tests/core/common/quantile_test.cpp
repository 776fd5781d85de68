// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/quantile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

TEST(Quantile, InterpolatesAndLeavesOutWhatIsUnknown) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile({5}, 0.25), 5);
    EXPECT_DOUBLE_EQ(quantile({1, nan, 3}, 0.5), 2);
    EXPECT_EQ(quantile({1, infinity, infinity}, 0.75), infinity);
    EXPECT_TRUE(std::isnan(quantile({nan}, 0.5)));
}

} // namespace
} // namespace lambdascope
