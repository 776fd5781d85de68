// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/blas_threads.h"
#include "core/numeric/psd_projection.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope {
namespace {

Eigen::MatrixXd randomSymmetric(Eigen::Index d, double scale, RandomStream& random) {
    Eigen::MatrixXd a(d, d);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a(i) = scale * random.normal();
    }
    return a + a.transpose().eval();
}

class PsdProjection : public testing::TestWithParam<int> {};

TEST_P(PsdProjection, SplitsIntoOrthogonalParts) {
    pinBlasToOneThread();
    const Eigen::Index d = GetParam();
    RandomStream random(7, "split");
    for (const double scale : {1e-120, 1e-6, 1.0, 1e8, 1e120}) {
        const Eigen::MatrixXd a = randomSymmetric(d, scale, random);
        const PsdSplit split = splitPsd(a);
        ASSERT_TRUE(split.isFinite);
        const Eigen::MatrixXd negative = a - split.positive;
        EXPECT_LE((split.positive - split.factor * split.factor.transpose()).norm(), split.error + 1e-14 * a.norm());
        EXPECT_EQ(split.positive, Eigen::MatrixXd(split.positive.transpose()));
        // ⟨[A]₊, [A]₋⟩ = 0 and −[A]₋ ⪰ 0: together they characterize the projection.
        EXPECT_LE(std::abs(split.positive.cwiseProduct(negative).sum()), 2 * split.error * a.norm());
        EXPECT_LE(symmetricEigenSystem(negative, false).values.maxCoeff(), 2 * split.error);
        EXPECT_NEAR(split.negativeNorm.value, negative.norm(), 2 * split.error);
        EXPECT_NEAR(split.trace, split.positive.trace(), 1e-13 * static_cast<double>(d) * a.norm());
        const Bounded squared = positivePartSquaredNorm(a);
        EXPECT_LE(std::abs(squared.value - split.positive.squaredNorm()), 2 * squared.error);
        EXPECT_LT(split.error, 1e-11 * a.norm());
    }
}

TEST_P(PsdProjection, BothEigenSolversAgree) {
    pinBlasToOneThread();
    const Eigen::Index d = GetParam();
    RandomStream random(8, "methods");
    const Eigen::MatrixXd a = randomSymmetric(d, 1, random);
    const EigenSystem ours = symmetricEigenSystem(a, true, EigenMethod::Eigen);
    const EigenSystem lapack = symmetricEigenSystem(a, true, EigenMethod::Lapack);
    ASSERT_TRUE(ours.succeeded && lapack.succeeded);
    EXPECT_LE((ours.values - lapack.values).norm(), 1e-12 * a.norm());
    for (const EigenSystem* system : {&ours, &lapack}) {
        EXPECT_LE((a * system->vectors - system->vectors * system->values.asDiagonal()).norm(),
                  10 * static_cast<double>(d) * kUnitRoundoff * a.norm());
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PsdProjection, testing::Values(1, 2, 4, 13, 19, 24, 40, 64));

TEST(PsdProjectionEdges, LeavesSemidefiniteMatricesAsTheyAre) {
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(3, 3);
    EXPECT_EQ(splitPsd(zero).factor.cols(), 0);
    EXPECT_EQ(splitPsd(zero).positive, zero);
    Eigen::MatrixXd one = zero;
    one(1, 1) = 4;
    EXPECT_LE((splitPsd(one).positive - one).norm(), 1e-15);
    EXPECT_EQ(splitPsd(-one).positive.norm(), 0);
}

TEST(PsdProjectionEdges, SaysWhenAMatrixIsNotFinite) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(3, 3);
    a(1, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(splitPsd(a).isFinite);
    EXPECT_FALSE(positivePartSquaredNorm(a).error < 1);
}

} // namespace
} // namespace lambdascope
