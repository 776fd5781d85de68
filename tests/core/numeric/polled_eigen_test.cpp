// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/blas_threads.h"
#include "core/numeric/polled_eigen.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

Eigen::MatrixXd randomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
    RandomStream random(seed, "matrix");
    Eigen::MatrixXd a(rows, columns);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a(i) = random.normal();
    }
    return a;
}

void expectDecomposition(const Eigen::MatrixXd& a) {
    WorkPoll poll;
    const EigenSystem system = tridiagonalEigenSystem(a, poll);
    ASSERT_TRUE(system.succeeded);
    const Eigen::Index n = a.rows();
    const double error = 20 * static_cast<double>(n) * kUnitRoundoff;
    const Eigen::MatrixXd& v = system.vectors;
    EXPECT_LE((v.transpose() * v - Eigen::MatrixXd::Identity(n, n)).norm(), error);
    EXPECT_LE((a * v - v * system.values.asDiagonal()).norm(), error * a.norm());
    EXPECT_TRUE(std::is_sorted(system.values.begin(), system.values.end()));
    EXPECT_LE((system.values - symmetricEigenSystem(a, true).values).norm(), error * a.norm());
}

TEST(PolledEigen, DecomposesMatricesOfAllSizesAndScales) {
    pinBlasToOneThread();
    for (const Eigen::Index n : {1, 2, 3, 8, 31, 33, 34, 65, 120}) {
        const Eigen::MatrixXd a = randomMatrix(n, n, 3);
        for (const double scale : {1e-150, 1.0, 1e150}) {
            SCOPED_TRACE(n);
            expectDecomposition(scale * (a + a.transpose()));
        }
    }
}

TEST(PolledEigen, DecomposesDegenerateMatrices) {
    const Eigen::MatrixXd columns = randomMatrix(60, 3, 4);
    expectDecomposition(columns * columns.transpose());
    expectDecomposition(Eigen::MatrixXd::Zero(40, 40));
    expectDecomposition(Eigen::MatrixXd::Identity(40, 40));
    expectDecomposition(Eigen::MatrixXd::Ones(40, 40));
    expectDecomposition(Eigen::VectorXd::LinSpaced(50, 10, -10).asDiagonal());
    Eigen::MatrixXd graded = Eigen::MatrixXd::Zero(30, 30);
    for (Eigen::Index i = 0; i < 30; ++i) {
        graded(i, i) = std::pow(10.0, -i);
        graded(std::max<Eigen::Index>(i, 1), std::max<Eigen::Index>(i, 1) - 1) = std::pow(10.0, -i);
    }
    expectDecomposition(graded.selfadjointView<Eigen::Lower>());
}

// What is left of such matrices after the first steps is rounding, which has to count as nothing beside the whole.
TEST(PolledEigen, DecomposesMatricesOfLowRank) {
    for (const Eigen::Index n : {50, 200, 300}) {
        for (const double share : {0.0, 0.01, 0.05, 0.3, 0.75}) {
            SCOPED_TRACE(testing::Message() << n << " rows, rank " << share << " n");
            const auto rank = std::max<Eigen::Index>(1, static_cast<Eigen::Index>(share * static_cast<double>(n)));
            const Eigen::MatrixXd up = randomMatrix(n, rank, 8);
            const Eigen::MatrixXd down = randomMatrix(n, rank, 9);
            expectDecomposition(up * up.transpose());
            expectDecomposition(up * up.transpose() - down * down.transpose());
        }
    }
}

TEST(PolledEigen, DecomposesMatricesWhoseEigenvaluesFallFast) {
    for (const Eigen::Index n : {100, 250}) {
        const Eigen::MatrixXd basis = Eigen::HouseholderQR<Eigen::MatrixXd>(randomMatrix(n, n, 10)).householderQ();
        for (const double decades : {-300.0, -100.0, -30.0, 30.0, 100.0, 300.0}) {
            SCOPED_TRACE(testing::Message() << n << " rows over " << decades << " decades");
            Eigen::VectorXd values(n);
            for (Eigen::Index i = 0; i < n; ++i) {
                values(i) = (i % 3 == 0 ? -1 : 1) * std::pow(10.0, decades * static_cast<double>(i) / (2.0 * n));
            }
            expectDecomposition(basis * values.asDiagonal() * basis.transpose());
            const Eigen::VectorXd roots = values.cwiseAbs().cwiseSqrt();
            expectDecomposition(Eigen::MatrixXd(values.asDiagonal()) + 0.3 * roots * roots.transpose());
        }
    }
}

TEST(PolledEigen, EigenvaluesAloneAreTheSame) {
    const Eigen::MatrixXd half = randomMatrix(90, 90, 11);
    const Eigen::MatrixXd a = half + half.transpose();
    WorkPoll poll;
    const EigenSystem alone = tridiagonalEigenSystem(a, poll, false);
    ASSERT_TRUE(alone.succeeded);
    EXPECT_EQ(alone.values, tridiagonalEigenSystem(a, poll).values);
    EXPECT_EQ(alone.vectors.size(), 0);
}

TEST(PolledEigen, ReadsTheLowerTriangleAlone) {
    Eigen::MatrixXd a = randomMatrix(20, 20, 5);
    a = (a + a.transpose()).eval();
    WorkPoll poll;
    const EigenSystem whole = tridiagonalEigenSystem(a, poll);
    a.triangularView<Eigen::StrictlyUpper>().setConstant(7);
    EXPECT_EQ(tridiagonalEigenSystem(a, poll).values, whole.values);
}

TEST(PolledEigen, SplitsIntoTheParts) {
    for (const Eigen::Index n : {90, 850}) { // at once, and by blocks
        const Eigen::MatrixXd half = randomMatrix(n, n, 6);
        const Eigen::MatrixXd a = half + half.transpose();
        WorkPoll poll;
        const PsdSplit ours = polledSplitPsd(a, poll);
        const PsdSplit known = splitPsd(a);
        ASSERT_TRUE(ours.isFinite);
        EXPECT_LE((ours.positive - known.positive).norm(), known.error);
        EXPECT_EQ(ours.positive, Eigen::MatrixXd(ours.positive.transpose()));
        EXPECT_NEAR(ours.trace, known.trace, static_cast<double>(n) * known.error);
        EXPECT_NEAR(ours.negativeNorm.value, known.negativeNorm.value, known.error);
    }
}

TEST(PolledEigen, RefusesWhatIsNotFinite) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(5, 5);
    a(3, 1) = std::numeric_limits<double>::quiet_NaN();
    WorkPoll poll;
    EXPECT_FALSE(tridiagonalEigenSystem(a, poll).succeeded);
    EXPECT_FALSE(polledSplitPsd(EigenSystem{}, poll).isFinite);
}

TEST(PolledEigen, AsksOftenAndEndsAtTheFirstYes) {
    const Eigen::MatrixXd half = randomMatrix(400, 400, 7);
    const Eigen::MatrixXd a = half + half.transpose();
    int questions = 0;
    WorkPoll patient([&] {
        ++questions;
        return false;
    });
    ASSERT_TRUE(tridiagonalEigenSystem(a, patient).succeeded);
    const int all = questions;
    EXPECT_GE(all, 5);
    for (int last = 1; last <= all; ++last) {
        questions = 0;
        WorkPoll poll([&] { return ++questions >= last; });
        EXPECT_FALSE(tridiagonalEigenSystem(a, poll).succeeded);
        EXPECT_EQ(questions, last);
    }
}

} // namespace
} // namespace lambdascope
