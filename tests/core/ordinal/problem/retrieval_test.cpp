// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/retrieval.h"
#include "tests/core/ordinal/small_sets.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace lambdascope::ordinal {
namespace {

TEST(Retrieval, MeasuresARankingByHand) {
    Points objects(4, 1);
    objects << 1, 2, 3, 4;
    Points query(1, 1);
    query << 0;
    StopCheck stopCheck;
    // Ranking of classes: 7, 5, 7, 5. Precision at the hits of 5: 1/2 and 2/4.
    const RetrievalMeasures found = rankByDistance(query, {5}, objects, {7, 5, 7, 5}, 3, stopCheck);
    EXPECT_DOUBLE_EQ(found.meanAveragePrecision, (0.5 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(found.precision, 1.0 / 3);
    EXPECT_DOUBLE_EQ(found.recall, 0.5);
    EXPECT_DOUBLE_EQ(rankByDistance(query, {7}, objects, {7, 5, 7, 5}, 4, stopCheck).recall, 1);
    EXPECT_TRUE(std::isnan(rankByDistance(query, {9}, objects, {7, 5, 7, 5}, 3, stopCheck).meanAveragePrecision));
}

TEST(OutOfSampleMap, SolvesTheKernelRidgeEquations) {
    const DenseRows rows = randomPoints(20, 3, 1, 1);
    const DenseRows queries = randomPoints(6, 3, 1, 2);
    const Points x = randomPoints(20, 2, 1, 3);
    const double gamma = 0.4;
    const double ridge = 0.05;
    StopCheck stopCheck;
    const OutOfSampleMap map(rows, queries, gamma, ridge, stopCheck);
    ASSERT_TRUE(map.isUsable());
    const auto kernel = [&](const auto& a, const auto& b) { return std::exp(-gamma * (a - b).squaredNorm()); };
    Eigen::MatrixXd k(20, 20);
    Eigen::MatrixXd cross(6, 20);
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) {
            k(i, j) = kernel(rows.row(i), rows.row(j)) + (i == j ? ridge : 0);
        }
        for (int q = 0; q < 6; ++q) {
            cross(q, i) = kernel(queries.row(q), rows.row(i));
        }
    }
    const Eigen::RowVectorXd mean = x.colwise().mean();
    const Eigen::MatrixXd centred = x.rowwise() - mean;
    const Eigen::MatrixXd expected = (cross * k.fullPivLu().solve(centred)).rowwise() + mean;
    EXPECT_LE((map.map(x) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(OutOfSampleMap, GivesBackTheRowsThemselvesForASmallRidge) {
    const DenseRows rows = randomPoints(15, 4, 1, 1);
    const Points x = randomPoints(15, 3, 1, 3);
    StopCheck stopCheck;
    const OutOfSampleMap map(rows, rows, std::nullopt, 1e-10, stopCheck);
    ASSERT_TRUE(map.isUsable());
    EXPECT_LE((map.map(x) - x).cwiseAbs().maxCoeff(), 1e-5);
}

} // namespace
} // namespace lambdascope::ordinal
