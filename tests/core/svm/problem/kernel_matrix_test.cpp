// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/error_bound.h"
#include "core/svm/problem/kernel_matrix.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::svm {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

Result<double> ridgeOf(const Eigen::MatrixXd& matrix) {
    Dataset::Parts parts;
    parts.dense = matrix;
    const Dataset data(std::move(parts));
    StopCheck never;
    return kernelMatrixRidge(data, never);
}

/// X Xᵀ with rows of very different lengths, symmetric to the last bit.
Eigen::MatrixXd gram(Eigen::Index rows, Eigen::Index rank, double decades, std::uint64_t seed) {
    RandomStream random(seed, "kernel matrix");
    Eigen::MatrixXd x(rows, rank);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const double length = std::pow(10.0, decades * (random.uniform() - 0.5));
        for (Eigen::Index j = 0; j < rank; ++j) {
            x(i, j) = length * random.normal();
        }
    }
    return (x * x.transpose()).selfadjointView<Eigen::Lower>();
}

/// The least eigenvalue of K scaled to a unit diagonal.
long double leastScaledEigenvalue(const LongMatrix& matrix) {
    const Eigen::Matrix<long double, Eigen::Dynamic, 1> scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
    const LongMatrix scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
    return Eigen::SelfAdjointEigenSolver<LongMatrix>(scaled, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

TEST(KernelMatrix, WithItsRidgeIsPositiveSemidefinite) {
    for (const Eigen::Index rows : {1, 2, 7, 40}) {
        for (const Eigen::Index rank : {1, 3, 40}) {
            for (const double decades : {0.0, 6.0, 18.0}) {
                SCOPED_TRACE(std::to_string(rows) + " rows, rank " + std::to_string(rank));
                const Eigen::MatrixXd matrix = gram(rows, rank, decades, 7);
                const auto ridge = ridgeOf(matrix);
                ASSERT_TRUE(ridge);
                LongMatrix raised = matrix.cast<long double>();
                raised.diagonal() *= 1 + static_cast<long double>(*ridge);
                EXPECT_GE(leastScaledEigenvalue(raised), -1e-17L * static_cast<long double>(rows));
                EXPECT_LE(*ridge, 5 * static_cast<double>((rows + 5) * (rows + 5)) * kUnitRoundoff);
            }
        }
    }
}

TEST(KernelMatrix, NeedsNoRidgeWhereItIsClearlyPositive) {
    for (const Eigen::Index rows : {1, 2, 7, 40}) {
        Eigen::MatrixXd matrix = gram(rows, 3, 12, 11);
        matrix.diagonal() *= 1.001;
        const auto ridge = ridgeOf(matrix);
        ASSERT_TRUE(ridge);
        EXPECT_EQ(*ridge, 0);
    }
}

TEST(KernelMatrix, IsRefusedHoweverLongAnotherSampleIs) {
    int indefinite = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomStream random(seed, "indefinite");
        Eigen::MatrixXd block = Eigen::MatrixXd::Identity(8, 8);
        for (Eigen::Index i = 0; i < 8; ++i) {
            for (Eigen::Index j = 0; j < i; ++j) {
                block(i, j) = block(j, i) = 1.94 * random.uniform() - 0.97;
            }
        }
        if (leastScaledEigenvalue(block.cast<long double>()) > -1e-3L) {
            continue;
        }
        ++indefinite;
        for (const double longest : {1.0, 1e6, 1e12, 1e18, 1e150}) {
            Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(9, 9);
            matrix(0, 0) = longest;
            matrix.bottomRightCorner(8, 8) = block;
            EXPECT_FALSE(ridgeOf(matrix)) << seed << " " << longest;
        }
    }
    EXPECT_GT(indefinite, 10);
}

TEST(KernelMatrix, OfZeroSamplesMayHoldNothingButZeros) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(3, 3);
    matrix(1, 1) = 0;
    EXPECT_TRUE(ridgeOf(matrix));
    matrix(0, 1) = matrix(1, 0) = 1e-200;
    const auto refused = ridgeOf(matrix);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().describe().find("row 2, column 1"), std::string::npos) << refused.error().describe();
}

} // namespace
} // namespace lambdascope::svm
