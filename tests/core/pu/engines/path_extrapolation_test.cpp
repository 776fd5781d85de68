// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/path_extrapolation.h"

#include <gtest/gtest.h>

namespace lambdascope::pu {
namespace {

const Eigen::Vector3d kAtTen(1, -2, 0.5);
const Eigen::Vector3d kAtEight(2, -2, 0.25);

TEST(PuScoreTrend, IsALineThroughTwoSolutions) {
    const PathExtrapolation trend(10, 0.5, kAtTen, 8, 0.25, kAtEight);
    for (const double ahead : {0.25, 1.0, 2.0}) {
        const auto expected = trend.expectedAt(8 - 2 * ahead, 8, 0.25, kAtEight);
        ASSERT_TRUE(expected.has_value());
        EXPECT_EQ(expected->epsilon, 8 - 2 * ahead);
        EXPECT_EQ(expected->bias, 0.25 - 0.25 * ahead);
        EXPECT_EQ(expected->scores, Eigen::VectorXd(kAtEight + ahead * (kAtEight - kAtTen)));
    }
}

TEST(PuScoreTrend, SaysNothingOfWhatLiesBehindOrTooFar) {
    const PathExtrapolation trend(10, 0.5, kAtTen, 8, 0.25, kAtEight);
    for (const double epsilon : {8.0, 9.0, 12.0, 3.5}) {
        EXPECT_FALSE(trend.expectedAt(epsilon, 8, 0.25, kAtEight).has_value()) << epsilon;
    }
    const PathExtrapolation still(8, 0.25, kAtEight, 8, 0.25, kAtEight);
    EXPECT_FALSE(still.expectedAt(6, 8, 0.25, kAtEight).has_value());
    EXPECT_FALSE(PathExtrapolation().expectedAt(6, 8, 0.25, kAtEight).has_value());
    EXPECT_FALSE(trend.expectedAt(6, 8, 0.25, Eigen::VectorXd::Zero(5)).has_value()) << "another problem";
}

} // namespace
} // namespace lambdascope::pu
