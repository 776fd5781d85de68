// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blocked_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

/// Positive definite, with a lower triangle alone.
Eigen::MatrixXd lowerOf(Eigen::Index n) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        for (Eigen::Index i = j; i < n; ++i) {
            a(i, j) = std::exp(-0.05 * std::abs(static_cast<double>(i - j))) + (i == j ? 0.5 : 0.0);
        }
    }
    return a;
}

TEST(BlockedCholesky, SolvesByEitherWay) {
    for (const Eigen::Index n : {1, 7, 96, 128, 300}) {
        const Eigen::MatrixXd lower = lowerOf(n);
        const Eigen::MatrixXd whole = lower.selfadjointView<Eigen::Lower>();
        Eigen::VectorXd right(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            right(i) = std::sin(static_cast<double>(i + 1));
        }
        Eigen::MatrixXd factor = lower;
        StopCheck never;
        ASSERT_EQ(choleskyInPlace(factor, never), CholeskyOutcome::Done);
        Eigen::VectorXd plain = right;
        solveByCholesky(factor, plain);
        EXPECT_LE((whole * plain - right).norm(), 1e-11 * right.norm()) << n;
        Eigen::VectorXd solved = right;
        solveByCholesky(factor, solved, never);
        EXPECT_LE((whole * solved - right).norm(), 1e-11 * right.norm()) << n;
    }
}

TEST(BlockedCholesky, AsksOftenAndStops) {
    const Eigen::Index n = 1500;
    int questions = 0;
    StopCheck counting([&questions] {
        ++questions;
        return false;
    });
    Eigen::MatrixXd factor = lowerOf(n);
    ASSERT_EQ(choleskyInPlace(factor, counting), CholeskyOutcome::Done);
    // n³/3 multiplications and additions; no stretch may be as long as a panel of the whole matrix.
    EXPECT_GE(questions,
              static_cast<int>(static_cast<double>(n) * n * n / 3 / (5 * StopCheck::kOperationsPerQuestion)));
    StopCheck stopping([] { return true; });
    factor = lowerOf(n);
    EXPECT_EQ(choleskyInPlace(factor, stopping), CholeskyOutcome::Stopped);
}

} // namespace
} // namespace lambdascope
