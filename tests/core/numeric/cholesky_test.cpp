// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/cholesky.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMatrix sample(Eigen::Index rows, Eigen::Index columns) {
    RowMatrix a(rows, columns);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a.data()[i] = static_cast<double>((37 * i) % 101) / 50 - 1;
    }
    return a;
}

TEST(Cholesky, AddsProductsOfRowsAndOfColumns) {
    for (const Eigen::Index rows : {1, 3, 40}) {
        for (const Eigen::Index columns : {1, 5, 33}) {
            const RowMatrix a = sample(rows, columns);
            const RowBlock part = a.middleCols(columns / 3, columns - columns / 3); // with a stride
            Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(rows, rows);
            addRowProducts(part, 2, sum);
            const Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(rows, rows) + 2 * part * part.transpose();
            EXPECT_LE((sum - expected).triangularView<Eigen::Lower>().toDenseMatrix().norm(), 1e-11);
            sum = Eigen::MatrixXd::Zero(columns, columns);
            addColumnProducts(a, -1, sum);
            const Eigen::MatrixXd negative = -(a.transpose() * a);
            EXPECT_LE((sum - negative).triangularView<Eigen::Lower>().toDenseMatrix().norm(), 1e-11);
        }
    }
}

TEST(Cholesky, SolvesFromTheLowerTriangle) {
    const RowMatrix a = sample(30, 45);
    Eigen::MatrixXd matrix = a * a.transpose() + 0.1 * Eigen::MatrixXd::Identity(30, 30);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(30, -1, 2);
    const Eigen::VectorXd right = matrix * x;
    matrix.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
    Cholesky factor;
    ASSERT_TRUE(factor.compute(matrix));
    EXPECT_LE((factor.solve(right) - x).norm(), 1e-8 * x.norm());
}

TEST(Cholesky, SaysWhenTheMatrixIsNotPositiveDefinite) {
    Cholesky factor;
    EXPECT_FALSE(factor.compute(-Eigen::MatrixXd::Identity(3, 3)));
    EXPECT_TRUE(factor.solve(Eigen::VectorXd::Ones(3)).hasNaN());
    EXPECT_TRUE(factor.compute(Eigen::MatrixXd(0, 0)));
    EXPECT_EQ(factor.solve(Eigen::VectorXd()).size(), 0);
}

} // namespace
} // namespace lambdascope
