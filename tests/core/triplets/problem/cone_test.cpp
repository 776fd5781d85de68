// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/cone.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope::triplets {
namespace {

TEST(Cone, SplitsAColumnEntryByEntryWithoutError) {
    const Eigen::MatrixXd a = (Eigen::MatrixXd(5, 1) << 4, -3, 0, 1e-300, -1e300).finished();
    const PsdSplit split = splitByCone(a);
    EXPECT_EQ(split.positive, (Eigen::MatrixXd(5, 1) << 4, 0, 0, 1e-300, 0).finished());
    EXPECT_EQ(split.factor, (Eigen::MatrixXd(5, 1) << 2, 0, 0, 1e-150, 0).finished());
    EXPECT_EQ(split.error, 0);
    EXPECT_EQ(split.trace, 4);
}

TEST(Cone, AgreesWithTheEigenDecompositionOfTheDiagonalMatrix) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Random(30, 1);
    const PsdSplit column = splitByCone(a);
    const PsdSplit matrix = splitByCone(Eigen::MatrixXd(a.col(0).asDiagonal()));
    EXPECT_LE((matrix.positive.diagonal() - column.positive).norm(), matrix.error);
    EXPECT_NEAR(column.positiveNorm.value, matrix.positiveNorm.value,
                column.positiveNorm.error + matrix.positiveNorm.error);
    EXPECT_NEAR(column.negativeNorm.value, matrix.negativeNorm.value,
                column.negativeNorm.error + matrix.negativeNorm.error);
    EXPECT_NEAR(column.trace, matrix.trace, 1e-13);
    const Bounded squares = squaredNormInCone(a);
    EXPECT_NEAR(squares.value, column.positiveNorm.value * column.positiveNorm.value, 1e-13);
    EXPECT_GT(squares.error, 0);
    EXPECT_LT(squares.error, 1e-13);
}

TEST(Cone, SaysWhenAColumnIsNotFinite) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(3, 1, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(splitByCone(a).isFinite);
    EXPECT_FALSE(squaredNormInCone(a).error < 1);
}

} // namespace
} // namespace lambdascope::triplets
