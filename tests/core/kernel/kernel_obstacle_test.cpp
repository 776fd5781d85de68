// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_obstacle.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope {
namespace {

TEST(KernelObstacle, IsNoneForDataOfUsualSize) {
    for (const double norm : {0.0, 1e-6, 1.0, 1e6}) {
        EXPECT_EQ(kernelObstacle({.kind = KernelKind::Linear}, 300, norm), "");
        EXPECT_EQ(kernelObstacle({.kind = KernelKind::Rbf, .gamma = 1}, 300, norm), "");
        EXPECT_EQ(kernelObstacle({.kind = KernelKind::Polynomial, .gamma = 1, .degree = 5, .offset = 1}, 300, norm),
                  "");
    }
}

TEST(KernelObstacle, IsFoundWhereDistancesAreWhatLargeNumbersLeave) {
    const KernelFunction rbf{.kind = KernelKind::Rbf, .gamma = 1};
    EXPECT_EQ(kernelObstacle(rbf, 2, 1e9), "");
    EXPECT_NE(kernelObstacle(rbf, 2, 1e12), ""); // a share of 0.3 %
    EXPECT_NE(kernelObstacle(rbf, 2, 1.7e9 * 1.7e9).find("from the origin"), std::string::npos);
    EXPECT_NE(kernelObstacle({.kind = KernelKind::Rbf, .gamma = 1e20}, 2, 1), "");
    EXPECT_EQ(kernelObstacle({.kind = KernelKind::Linear}, 2, 1.7e9 * 1.7e9), "");
}

TEST(KernelObstacle, IsFoundWhereValuesOverflow) {
    for (const double norm :
         {1e160, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        for (const KernelKind kind : {KernelKind::Linear, KernelKind::Rbf, KernelKind::Polynomial}) {
            EXPECT_NE(kernelObstacle({.kind = kind, .gamma = 1e-300}, 2, norm).find("too large"), std::string::npos);
        }
    }
    EXPECT_NE(kernelObstacle({.kind = KernelKind::Polynomial, .gamma = 1, .degree = 20}, 2, 1e10), "");
}

} // namespace
} // namespace lambdascope
