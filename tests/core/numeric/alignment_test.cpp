// SPDX-License-Identifier: GPL-3.0-or-later
// Procrustes alignment, classical scaling, principal maps and L-BFGS.
#include "core/common/random_stream.h"
#include "core/numeric/classical_scaling.h"
#include "core/numeric/lbfgs.h"
#include "core/numeric/procrustes.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

Eigen::MatrixXd randomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
    RandomStream random(seed);
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&random] { return random.normal(); });
}

Eigen::MatrixXd randomTurn(Eigen::Index p, std::uint64_t seed) {
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(randomMatrix(p, p, seed)).householderQ();
    return q;
}

TEST(Procrustes, FindsTheSimilarityThatWasApplied) {
    for (const Eigen::Index p : {1, 2, 3, 7}) {
        const Eigen::MatrixXd points = randomMatrix(30, p, 1);
        Eigen::MatrixXd target = 2.5 * points * randomTurn(p, 2);
        target.rowwise() += randomMatrix(1, p, 3).row(0);
        const Alignment alignment = alignPoints(points, target);
        EXPECT_LE(alignment.distance, 1e-24);
        EXPECT_NEAR(alignment.scale, 2.5, 1e-12);
        EXPECT_LE((alignment.applied(points) - target).norm(), 1e-12 * target.norm());
    }
}

TEST(Procrustes, NoOtherTurnIsCloser) {
    const Eigen::MatrixXd points = randomMatrix(20, 3, 1);
    const Eigen::MatrixXd target = randomMatrix(20, 3, 2);
    const double best = (points * bestTurn(points, target) - target).norm();
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        EXPECT_GE((points * randomTurn(3, seed) - target).norm(), best);
    }
    const double distance = alignPoints(points, target).distance;
    EXPECT_GT(distance, 0);
    EXPECT_LE(distance, 1);
    // The same from either side, and under any similarity of the points.
    EXPECT_NEAR(alignPoints(target, points).distance, distance, 1e-12);
    EXPECT_NEAR(alignPoints(-3 * points * randomTurn(3, 9), target).distance, distance, 1e-12);
}

TEST(Procrustes, PadsTheNarrowerSideAndSaysWhatHasNoShape) {
    Eigen::MatrixXd plane = randomMatrix(10, 2, 1);
    Eigen::MatrixXd space = Eigen::MatrixXd::Zero(10, 3);
    space.leftCols(2) = plane;
    EXPECT_LE(alignPoints(plane, space * randomTurn(3, 2)).distance, 1e-24);
    EXPECT_TRUE(std::isnan(alignPoints(plane, Eigen::MatrixXd::Ones(10, 2)).distance));
    EXPECT_DOUBLE_EQ(alignPoints(Eigen::MatrixXd::Ones(10, 2), plane).distance, 1);
    plane(3, 1) = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isnan(alignPoints(plane, space).distance));
}

TEST(ClassicalScaling, GivesBackPointsUpToATurn) {
    const Eigen::MatrixXd points = randomMatrix(25, 3, 4);
    Eigen::MatrixXd squared(25, 25);
    for (Eigen::Index i = 0; i < 25; ++i) {
        squared.col(i) = (points.rowwise() - points.row(i)).rowwise().squaredNorm();
    }
    StopCheck stopCheck;
    const auto map = classicalScaling(squared, 3, stopCheck);
    ASSERT_TRUE(map);
    EXPECT_LE(alignPoints(*map, points, false).distance, 1e-20);
    EXPECT_LE(alignPoints(principalMap(points, 3), *map, false).distance, 1e-20);
    EXPECT_GE(map->col(0).squaredNorm(), map->col(1).squaredNorm());
    EXPECT_LE(classicalScaling(squared, 5, stopCheck)->col(4).norm(), 1e-6); // no fourth dimension
    squared(2, 3) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(classicalScaling(squared, 2, stopCheck));
}

TEST(Lbfgs, SolvesAnIllConditionedQuadratic) {
    const Eigen::Index n = 30;
    const Eigen::VectorXd scales = Eigen::VectorXd::LinSpaced(n, 0, 5).array().exp();
    const Eigen::VectorXd target = randomMatrix(n, 1, 5);
    const auto function = [&](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        gradient = scales.cwiseProduct(x - target);
        return 0.5 * (x - target).dot(gradient);
    };
    Lbfgs search(function, Eigen::VectorXd::Zero(n));
    double last = search.value();
    int iterations = 0;
    while (search.gradient().norm() > 1e-9 && search.iterate() && iterations < 500) {
        EXPECT_LE(search.value(), last);
        last = search.value();
        ++iterations;
    }
    EXPECT_LE((search.point() - target).norm(), 1e-8);
    EXPECT_LT(iterations, 200);
}

TEST(Lbfgs, FollowsTheCurvedValleyAndStandsBeforeAWall) {
    const auto rosenbrock = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        if (x(0) > 1.5) {
            return std::numeric_limits<double>::quiet_NaN(); // outside of the domain
        }
        const double a = 1 - x(0);
        const double b = x(1) - x(0) * x(0);
        gradient = Eigen::VectorXd{{-2 * a - 400 * x(0) * b, 200 * b}};
        return a * a + 100 * b * b;
    };
    Lbfgs search(rosenbrock, Eigen::Vector2d(-1.2, 1));
    for (int i = 0; i < 200 && search.gradient().norm() > 1e-10 && search.iterate(); ++i) {
    }
    EXPECT_LE((search.point() - Eigen::Vector2d(1, 1)).norm(), 1e-8);
}

TEST(Lbfgs, EndsAtAKinkWithTheLeastValue) {
    const auto absolute = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        gradient = Eigen::VectorXd{{x(0) > 0 ? 1.0 : -1.0, 4 * x(1)}};
        return std::abs(x(0)) + 2 * x(1) * x(1);
    };
    Lbfgs search(absolute, Eigen::Vector2d(3, 2));
    for (int i = 0; i < 300 && search.iterate(); ++i) {
    }
    EXPECT_LE(search.value(), 1e-6);
}

} // namespace
} // namespace lambdascope
