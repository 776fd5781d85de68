// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/loss_totals.h"
#include "tests/core/triplets/small_problems.h"

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

TEST(SmoothedLoss, HasThePublishedPieces) {
    const double s = 0.05;
    EXPECT_EQ(smoothedLoss(1.5, s), 0);
    EXPECT_NEAR(smoothedLoss(0.98, s), 0.02 * 0.02 / (2 * s), 1e-15);
    EXPECT_DOUBLE_EQ(smoothedLoss(-3, s), 1 + 3 - s / 2);
    for (const double t : {-1.0, 0.9, 0.96, 0.99, 1.2}) {
        const double h = 1e-7;
        EXPECT_NEAR(-(smoothedLoss(t + h, s) - smoothedLoss(t - h, s)) / (2 * h), lossSlope(t, s), 1e-6) << t;
    }
}

class LossTotalsShapes : public testing::TestWithParam<SmallShape> {
  protected:
    LossTotals totalsAt(const TripletSet& set, const MetricPoint& point, double smoothing) const {
        PairsEngine engine(set);
        StopCheck never;
        LossTotals totals;
        EXPECT_TRUE(engine.evaluate(point, smoothing, never, totals));
        return totals;
    }
};

TEST_P(LossTotalsShapes, GradientMatchesFiniteDifferences) {
    const TripletSet set = smallTriplets(GetParam(), 5);
    const double smoothing = 0.5;
    const Eigen::MatrixXd m =
        randomPoint(set, 6).matrix + 0.3 * identityOf(set) / (set.largestNorm() * set.largestNorm());
    const MetricPoint point = MetricPoint::fromSplit(splitByCone(m));
    const LossTotals totals = totalsAt(set, point, smoothing);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Eigen::MatrixXd direction = randomPoint(set, 100 + seed).matrix;
        const double h = 1e-6;
        const double up = totalsAt(set, MetricPoint::fromSplit(splitByCone(m + h * direction)), smoothing).loss.value;
        const double down = totalsAt(set, MetricPoint::fromSplit(splitByCone(m - h * direction)), smoothing).loss.value;
        const double slope = -totals.pull.cwiseProduct(direction).sum();
        // The second derivative is at most Σ⟨H, D⟩²/s: rounding of the losses over h is the larger error.
        EXPECT_NEAR((up - down) / (2 * h), slope, 1e-5 * (std::abs(slope) + totals.loss.value + 1));
    }
}

TEST_P(LossTotalsShapes, WeakDualityHoldsForEveryPointAndEveryLambda) {
    const TripletSet set = smallTriplets(GetParam(), 7);
    const double unit = 1 / std::pow(set.largestNorm(), 4);
    for (const double gamma : {0.05, 0.5, 0.0}) {
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            const double smoothing = gamma > 0 ? gamma : 0.01;
            const LossTotals one = totalsAt(set, randomPoint(set, seed), smoothing);
            const LossTotals other = totalsAt(set, randomPoint(set, seed + 50), smoothing);
            for (const double lambda : {0.01 / unit, 1 / unit, 100 / unit}) {
                const Bounded primal = primalValue(one, randomPoint(set, seed), lambda, gamma);
                const Bounded dual = dualValue(other, squaredNormInCone(other.pull), lambda, gamma);
                EXPECT_GE(primal.upper(), dual.lower());
                EXPECT_LE(primal.error, 1e-9 * std::abs(primal.value));
            }
        }
    }
}

TEST_P(LossTotalsShapes, HingeComesOutOfTheSmoothedSums) {
    const TripletSet set = smallTriplets(GetParam(), 8);
    const MetricPoint point = randomPoint(set, 9);
    for (const double smoothing : {0.3, 1e-3, 1e-8}) {
        const LossTotals totals = totalsAt(set, point, smoothing);
        double hinge = 0;
        double slack = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const double margin = marginOf(set, t, point.matrix);
            const double alpha = lossSlope(margin, smoothing);
            hinge += std::max(0.0, 1 - margin);
            slack += std::max(0.0, 1 - margin) - alpha * (1 - margin);
        }
        EXPECT_NEAR(lossValue(totals, 0).value, hinge, 1e-10 * (1 + hinge));
        EXPECT_NEAR(subgradientSlack(totals, 0).value, slack, 1e-9 * (1 + slack));
    }
}

TEST_P(LossTotalsShapes, ErrorBoundsCoverTheDistanceToExtendedPrecision) {
    const TripletSet set = smallTriplets(GetParam(), 10);
    const double smoothing = 0.05;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const MetricPoint point = randomPoint(set, seed);
        const LossTotals totals = totalsAt(set, point, smoothing);
        // The exact point is L Lᵀ, in extended precision; of the diagonal, the column itself.
        const Eigen::Matrix<long double, -1, -1> factor = point.factor.cast<long double>();
        Eigen::Matrix<long double, -1, -1> m = factor * factor.transpose();
        if (set.structure() == Structure::Diagonal) {
            m = point.matrix.col(0).cast<long double>().asDiagonal();
        }
        long double loss = 0;
        long double hinge = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const Triplet at = set.triplet(t);
            const auto form = [&](RowIndex other) {
                const Eigen::Matrix<long double, -1, 1> x =
                    (set.paddedRows().row(at.anchor).head(set.features()).cast<long double>() -
                     set.paddedRows().row(other).head(set.features()).cast<long double>())
                        .transpose();
                return x.dot(m * x);
            };
            const long double margin = form(at.other) - form(at.same);
            const long double alpha = std::clamp<long double>((1 - margin) / smoothing, 0, 1);
            loss += alpha * (1 - margin) - 0.5L * smoothing * alpha * alpha;
            hinge += std::max(0.0L, 1 - margin);
        }
        const Bounded hingeValue = lossValue(totals, 0);
        EXPECT_LE(std::abs(static_cast<double>(hingeValue.value - hinge)), hingeValue.error);
        EXPECT_LE(std::abs(static_cast<double>(totals.loss.value - loss)), totals.loss.error);
        EXPECT_LE(totals.loss.error, 1e-10 * (1 + totals.loss.value));
    }
}

/// One comparison on a line, its pairs almost equally long: margins near its threshold 1 lose half of their digits.
TEST(LossTotals, ErrorBoundsOfTheHingeCoverMarginsThatCancel) {
    constexpr double kSmoothing = 0.05;
    int onTheOtherSide = 0;
    for (const double difference : {1e-6, 1e-8, 1e-10}) {
        for (int shape = 0; shape < 50; ++shape) {
            const double far = std::sqrt(1 + difference * (1 + 0.013 * shape));
            DenseRows rows(4, 1);
            rows << 0, far, -far / 2, -far / 2 + 1;
            ComparisonList list;
            list.comparisons.push_back({RowPair{0, 1}, RowPair{2, 3}, 1, 1, 1});
            const auto set = ComparisonSet::build(rows, list, {}, Structure::Diagonal);
            ASSERT_TRUE(set);
            const auto& x = set->paddedRows();
            const auto squared = [&](Eigen::Index i, Eigen::Index j) {
                const long double length = static_cast<long double>(x(i, 0)) - x(j, 0);
                return length * length;
            };
            const long double h = squared(0, 1) - squared(2, 3);
            for (int k = -40; k <= 40; ++k) {
                const auto m = static_cast<double>((1 - 1e-16L * k / (8 * h)) / h);
                MetricPoint point;
                point.matrix = Eigen::MatrixXd::Constant(1, 1, m);
                point.factor = point.matrix.cwiseSqrt();
                point.trace = m;
                ComparisonEngine engine(*set);
                LossTotals totals;
                StopCheck never;
                ASSERT_TRUE(engine.evaluate(point, kSmoothing, never, totals));
                const long double below = 1 - m * h;
                const long double hinge = std::max(0.0L, below);
                const Bounded loss = lossValue(totals, 0);
                EXPECT_LE(std::abs(static_cast<double>(loss.value - hinge)), loss.error);
                const Bounded slack = subgradientSlack(totals, 0);
                EXPECT_LE(static_cast<double>(hinge - totals.alphaSum.value * below), slack.upper());
                onTheOtherSide += below > 0 && totals.alphaSum.value == 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(onTheOtherSide, 100); // of the edge than the exact margin: where the hinge's slope jumps
}

INSTANTIATE_TEST_SUITE_P(Shapes, LossTotalsShapes, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets
