// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/barzilai_borwein.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope {
namespace {

TEST(BarzilaiBorwein, GivesTheInverseCurvatureOfAnIsotropicQuadratic) {
    const Eigen::MatrixXd move = Eigen::MatrixXd::Random(4, 4);
    const auto step = barzilaiBorweinStep(move, 8.0 * move);
    ASSERT_TRUE(step);
    EXPECT_DOUBLE_EQ(*step, 1.0 / 8);
}

TEST(BarzilaiBorwein, LiesBetweenTheInverseEigenvaluesOfAQuadratic) {
    Eigen::MatrixXd move(2, 1);
    Eigen::MatrixXd change(2, 1);
    move << 1, 1;
    change << 2 * 1, 50 * 1; // Hessian diag(2, 50)
    const auto step = barzilaiBorweinStep(move, change);
    ASSERT_TRUE(step);
    EXPECT_GT(*step, 1.0 / 50);
    EXPECT_LT(*step, 1.0 / 2);
}

TEST(BarzilaiBorwein, RefusesCurvatureThatIsNotPositive) {
    const Eigen::MatrixXd move = Eigen::MatrixXd::Identity(3, 3);
    EXPECT_FALSE(barzilaiBorweinStep(move, -move));
    EXPECT_FALSE(barzilaiBorweinStep(move, 0 * move));
    EXPECT_FALSE(barzilaiBorweinStep(0 * move, move));
    EXPECT_FALSE(barzilaiBorweinStep(move, std::numeric_limits<double>::quiet_NaN() * move));
}

} // namespace
} // namespace lambdascope
