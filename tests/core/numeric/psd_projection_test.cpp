// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/psd_factor.h"
#include "core/numeric/psd_projection.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(PsdFactors, MultiplyToTheMatrixAndHaveItsRank) {
    RandomStream random(5);
    for (const Eigen::Index d : {1, 2, 7, 40}) {
        for (const Eigen::Index rank : {Eigen::Index{0}, Eigen::Index{1}, d / 2, d}) {
            for (const double scale : {1.0, 1e-60, 1e60}) {
                Eigen::MatrixXd half(rank, d);
                for (double& entry : half.reshaped()) {
                    entry = scale * random.normal();
                }
                const Eigen::MatrixXd m = half.transpose() * half;
                const auto factor = psdFactor(m);
                ASSERT_TRUE(factor);
                EXPECT_EQ(factor->rows(), rank) << d;
                const Eigen::Map<const Eigen::MatrixXd> l(factor->data(), factor->rows(), factor->cols());
                EXPECT_LE((l.transpose() * l - m).norm(), 1e-13 * static_cast<double>(d) * m.norm());
                for (Eigen::Index r = 0; r < rank; ++r) {
                    EXPECT_GT(l.row(r).maxCoeff(), -l.row(r).minCoeff()) << "signs are not the solver's";
                    EXPECT_TRUE(r == 0 || l.row(r).norm() <= l.row(r - 1).norm() * (1 + 1e-12));
                }
            }
        }
    }
}

TEST(PsdProjectionEdges, SaysWhenAMatrixIsNotFinite) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(3, 3);
    a(1, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(splitPsd(a).isFinite);
    EXPECT_FALSE(positivePartSquaredNorm(a).error < 1);
}

Eigen::MatrixXd randomColumns(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
    RandomStream random(seed, "columns");
    Eigen::MatrixXd a(rows, columns);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a(i) = random.normal();
    }
    return a;
}

void expectDecomposition(const Eigen::MatrixXd& a) {
    StopCheck stopCheck;
    const EigenSystem system = symmetricEigenSystem(a, stopCheck);
    ASSERT_TRUE(system.succeeded);
    const Eigen::Index n = a.rows();
    const double error = 20 * static_cast<double>(n) * kUnitRoundoff;
    const Eigen::MatrixXd& v = system.vectors;
    EXPECT_LE((v.transpose() * v - Eigen::MatrixXd::Identity(n, n)).norm(), error);
    EXPECT_LE((a * v - v * system.values.asDiagonal()).norm(), error * a.norm());
    EXPECT_TRUE(std::is_sorted(system.values.begin(), system.values.end()));
}

// The bound on the error of eigenvalues has to hold for the remains of such matrices too, which are rounding alone.
TEST(EigenSystems, AreExactUpToRoundingOfTheWholeMatrix) {
    pinBlasToOneThread();
    for (const Eigen::Index n : {1, 3, 50, 199, 200, 300}) {
        for (const double share : {0.0, 0.01, 0.05, 0.3, 0.75}) {
            SCOPED_TRACE(testing::Message() << n << " rows, rank " << share << " n");
            const auto rank = std::max<Eigen::Index>(1, static_cast<Eigen::Index>(share * static_cast<double>(n)));
            const Eigen::MatrixXd up = randomColumns(n, rank, 8);
            const Eigen::MatrixXd down = randomColumns(n, rank, 9);
            expectDecomposition(up * up.transpose());
            expectDecomposition(up * up.transpose() - down * down.transpose());
        }
        for (const double value : {0.0, 1.0}) {
            expectDecomposition(Eigen::MatrixXd::Constant(n, n, value));
        }
        expectDecomposition(Eigen::VectorXd::LinSpaced(n, 10, -10).asDiagonal());
    }
}

TEST(EigenSystems, AreExactWhereEigenvaluesFallFast) {
    pinBlasToOneThread();
    for (const Eigen::Index n : {100, 250}) {
        const Eigen::MatrixXd basis = Eigen::HouseholderQR<Eigen::MatrixXd>(randomColumns(n, n, 10)).householderQ();
        for (const double decades : {-300.0, -100.0, -30.0, 30.0, 100.0, 300.0}) {
            SCOPED_TRACE(testing::Message() << n << " rows over " << decades << " decades");
            Eigen::VectorXd values(n);
            for (Eigen::Index i = 0; i < n; ++i) {
                const auto share = static_cast<double>(i) / (2 * static_cast<double>(n));
                values(i) = (i % 3 == 0 ? -1 : 1) * std::pow(10.0, decades * share);
            }
            expectDecomposition(basis * values.asDiagonal() * basis.transpose());
            const Eigen::VectorXd roots = values.cwiseAbs().cwiseSqrt();
            expectDecomposition(Eigen::MatrixXd(values.asDiagonal()) + 0.3 * roots * roots.transpose());
        }
    }
}

TEST(EigenSystems, OfLargeMatricesAreTheSameInAThreadOfTheirOwn) {
    pinBlasToOneThread();
    Eigen::MatrixXd a = randomColumns(801, 801, 6);
    a = (a + a.transpose()).eval();
    const PsdSplit known = splitPsd(a);
    const EigenSystem values = symmetricEigenSystem(a, false);
    a.triangularView<Eigen::StrictlyUpper>().setConstant(7); // is not read
    StopCheck stopCheck;
    const PsdSplit split = splitPsd(a, stopCheck);
    ASSERT_TRUE(split.isFinite);
    EXPECT_EQ(split.positive, known.positive);
    EXPECT_EQ(split.factor, known.factor);
    EXPECT_EQ(symmetricEigenSystem(a, stopCheck, false).values, values.values);
}

TEST(EigenSystems, SayWhenTheyWereStopped) {
    pinBlasToOneThread();
    for (const Eigen::Index n : {400, 801}) {
        const Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n);
        StopCheck stopCheck([] { return true; });
        EXPECT_FALSE(symmetricEigenSystem(a, stopCheck).succeeded);
        EXPECT_FALSE(splitPsd(a, stopCheck).isFinite);
    }
    int questions = 0;
    StopCheck late([&] { return ++questions > 2; });
    const Eigen::MatrixXd half = randomColumns(1000, 1000, 7);
    EXPECT_FALSE(symmetricEigenSystem(half + half.transpose(), late).succeeded);
    EXPECT_EQ(questions, 3);
}

} // namespace
} // namespace lambdascope
