// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/triangular_solve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

TEST(TriangularSolve, UndoesTheProductWithTheTriangle) {
    for (const Eigen::Index n : {1, 5, 63, 64, 65, 200}) {
        for (const Eigen::Index columns : {0, 1, 3, 17}) {
            // Of larger matrices; the upper triangle is none of its business.
            Eigen::MatrixXd whole = Eigen::MatrixXd::Constant(n + 3, n + 3, 1e300);
            Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(n, n);
            for (Eigen::Index j = 0; j < n; ++j) {
                for (Eigen::Index i = j; i < n; ++i) {
                    lower(i, j) = i == j ? 2 : std::sin(static_cast<double>(3 * i + 7 * j)) / static_cast<double>(n);
                    whole(i + 2, j + 1) = lower(i, j);
                }
            }
            const Eigen::MatrixXd solution = Eigen::MatrixXd::NullaryExpr(
                n, columns, [](Eigen::Index i, Eigen::Index j) { return std::cos(static_cast<double>(i + 5 * j)); });
            Eigen::MatrixXd room = Eigen::MatrixXd::Constant(n + 2, columns + 1, 7);
            room.block(1, 0, n, columns) = lower * solution;
            solveLowerInPlace(whole.block(2, 1, n, n), room.block(1, 0, n, columns));
            EXPECT_LE((room.block(1, 0, n, columns) - solution).cwiseAbs().sum(), 1e-13 * static_cast<double>(n + 1))
                << n << " x " << columns;
            EXPECT_EQ(room.col(columns), Eigen::VectorXd::Constant(n + 2, 7));
            EXPECT_TRUE((room.row(0).array() == 7).all() && (room.row(n + 1).array() == 7).all());
        }
    }
}

} // namespace
} // namespace lambdascope
