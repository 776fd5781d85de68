// SPDX-License-Identifier: GPL-3.0-or-later
// M = diag(m): what is special to that structure. Everything that holds for either structure is tested over
// smallShapes(), which has both.
#include "core/data/neighbours.h"
#include "core/metric/family.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

/// Two rows of one class, (0, 0) and (0, 1), and one of another, (2, 0): two triplets, h = (4, −1) and (4, 0).
TripletSet handProblem() {
    Dataset::Parts parts;
    parts.dense = (DenseRows(3, 2) << 0, 0, 0, 1, 2, 0).finished();
    parts.labels = {0, 0, 1};
    parts.classNames = {"near", "far"};
    const Dataset data(std::move(parts));
    const auto neighbours = classNeighbours(data, std::nullopt);
    return *TripletSet::build(data.dense(), *neighbours, {}, Structure::Diagonal);
}

TEST(DiagonalMetric, SolvesAHandProblemInClosedForm) {
    const TripletSet set = handProblem();
    ASSERT_EQ(set.triplets(), 2);
    StopCheck never;
    const LambdaMaxSolution top = lambdaMaxSolution(set, kGamma, never);
    EXPECT_LE((top.sum - Eigen::Vector2d(8, -1)).norm(), 1e-14);
    EXPECT_EQ(top.split.positive(1, 0), 0);
    EXPECT_NEAR(top.lambdaMax, 32 / (1 - kGamma), 1e-12);
    for (const double share : {1.0, 0.5, 0.01, 1e-5}) {
        // m₂ = 0, both margins are 4 m₁, and λ m₁ = 8 (1 − 4 m₁)/γ.
        const double lambda = share * top.lambdaMax;
        const PointOutcome outcome = solveTightly(set, lambda, kGamma, 1e-12);
        EXPECT_NEAR(outcome.solved.point.matrix(0, 0), 8 / (lambda * kGamma + 32), 1e-7);
        EXPECT_EQ(outcome.solved.point.matrix(1, 0), 0);
    }
}

TEST(DiagonalMetric, IsTheFullStructureInOneDimension) {
    SmallShape shape{.name = "line", .features = 1};
    const TripletSet full = solvableTriplets(shape, 3);
    shape.structure = Structure::Diagonal;
    const TripletSet diagonal = solvableTriplets(shape, 3);
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        const auto fullEngine = makeEngine(kind, full);
        const auto diagonalEngine = makeEngine(kind, diagonal);
        const double top = startOf(full, kGamma, *fullEngine).lambda;
        EXPECT_NEAR(startOf(diagonal, kGamma, *diagonalEngine).lambda, top, 1e-13 * top);
        for (const double share : {0.6, 0.1, 0.01}) {
            const PointOutcome a = solveTightly(full, share * top, kGamma, 1e-11, kind);
            const PointOutcome b = solveTightly(diagonal, share * top, kGamma, 1e-11, kind);
            EXPECT_NEAR(a.primal.value, b.primal.value, 1e-10 * a.primal.value);
            EXPECT_EQ(a.setCounts.above, b.setCounts.above);
            EXPECT_EQ(a.setCounts.below, b.setCounts.below);
            EXPECT_NEAR(a.solved.point.matrix(0, 0), b.solved.point.matrix(0, 0),
                        std::sqrt(2 * (a.solved.gap + b.solved.gap) / (share * top)) * 2);
        }
    }
}

/// A diagonal M is one of the full ones: its optimum can only be worse, its loss at the same matrix is the same.
TEST(DiagonalMetric, IsARestrictionOfTheFullStructure) {
    SmallShape shape{.name = "plain"};
    const TripletSet full = solvableTriplets(shape, 5);
    shape.structure = Structure::Diagonal;
    const TripletSet diagonal = smallTriplets(shape, 5);
    PairsEngine fullEngine(full);
    PairsEngine diagonalEngine(diagonal);
    StopCheck never;
    const MetricPoint point = randomPoint(diagonal, 6);
    const MetricPoint embedded = MetricPoint::fromSplit(splitByCone(point.matrix.col(0).asDiagonal().toDenseMatrix()));
    LossTotals a;
    LossTotals b;
    ASSERT_TRUE(fullEngine.evaluate(embedded, kGamma, never, a));
    ASSERT_TRUE(diagonalEngine.evaluate(point, kGamma, never, b));
    EXPECT_NEAR(a.loss.value, b.loss.value, 1e-10 * a.loss.value);
    EXPECT_LE((a.pull.diagonal() - b.pull).norm(), 1e-10 * b.pull.norm());
    const double lambda = 0.05 * startOf(full, kGamma, fullEngine).lambda;
    EXPECT_LE(solveTightly(full, lambda, kGamma).dual.lower(), solveTightly(diagonal, lambda, kGamma).primal.upper());
}

TEST(DiagonalMetric, SumsOfPairsAreAsNearAsTheySay) {
    for (const SmallShape& shape : smallShapes()) {
        if (shape.structure != Structure::Diagonal) {
            continue;
        }
        const TripletSet set = smallTriplets(shape, 9);
        PairQuadraticForms space(set);
        StopCheck never;
        std::vector<double> weights;
        for (PairIndex p = 0; p < set.pairs(); ++p) {
            weights.push_back(std::sin(p) * std::exp(5 * std::cos(3 * p)));
        }
        MatrixSum sum;
        ASSERT_TRUE(space.weightedSum(weights, 0, nullptr, never, sum));
        using Long = Eigen::Array<long double, Eigen::Dynamic, 1>;
        Long exact = Long::Zero(set.features());
        for (PairIndex p = 0; p < set.pairs(); ++p) {
            const Long delta = set.paddedRows().row(set.first(p)).head(set.features()).transpose().cast<long double>() -
                               set.paddedRows().row(set.second(p)).head(set.features()).transpose().cast<long double>();
            exact += static_cast<long double>(weights[static_cast<std::size_t>(p)]) * delta.square();
        }
        const double distance = static_cast<double>((sum.value.cast<long double>().array() - exact).matrix().norm());
        EXPECT_LE(distance, sum.error) << shape.name;
        EXPECT_GT(sum.error, 0);
    }
}

TEST(DiagonalMetric, VisitsOnlyFeaturesThatAFormUses) {
    const SmallShape shape{.name = "wide", .features = 40, .structure = Structure::Diagonal};
    const TripletSet set = smallTriplets(shape, 2);
    PairQuadraticForms space(set);
    StopCheck never;
    Eigen::MatrixXd q = Eigen::MatrixXd::Zero(40, 1);
    for (const std::vector<int>& used : {std::vector<int>{}, {7}, {0, 3, 5, 39}, {1, 2, 3, 4, 5, 6, 7}}) {
        q.setZero();
        for (const int k : used) {
            q(k, 0) = k % 2 == 0 ? 1.5 + k : -0.5 * k;
        }
        std::vector<double> values;
        ASSERT_TRUE(space.forms(q, nullptr, never, values));
        for (PairIndex p = 0; p < set.pairs(); ++p) {
            const auto delta = (set.paddedRows().row(set.first(p)) - set.paddedRows().row(set.second(p))).head(40);
            const double expected = (delta.transpose().array().square() * q.array()).sum();
            ASSERT_NEAR(values[static_cast<std::size_t>(p)], expected, 1e-13 * (1 + q.norm() * delta.squaredNorm()));
        }
    }
    EXPECT_LT(space.bytes(), static_cast<std::size_t>(set.rows()) * 16 * sizeof(double));
}

TEST(DiagonalMetric, TakesTensOfThousandsOfFeaturesAndNeverAMatrixOfThem) {
    Dataset::Parts parts;
    parts.name = "wide";
    parts.dense = DenseRows::Random(24, 20000);
    parts.classNames = {"a", "b"};
    for (int i = 0; i < 24; ++i) {
        parts.labels.push_back(i % 2);
        parts.dense.row(i).head(100).array() += 0.3 * (i % 2);
    }
    const auto data = std::make_shared<const Dataset>(std::move(parts));
    const Experiment full = experimentFrom({{"problem", {{"k", 3}}}});
    const auto refused = family().prepare(full, data, {}, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().faults.at(0).key, "data.pca");
    EXPECT_NE(refused.error().faults.at(0).remedy.find("problem.structure"), std::string::npos);

    const Experiment experiment = experimentFrom({{"problem", {{"k", 3}, {"structure", "diagonal"}}}});
    const auto prepared = family().prepare(experiment, data, {}, {}, {});
    ASSERT_TRUE(prepared);
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    for (std::size_t lane = 0; lane < experiment.laneNames.size(); ++lane) {
        const auto task = (*prepared)->makeTask(lane);
        std::shared_ptr<const WarmStart> warm;
        for (std::int32_t t = 0; t < 4; ++t) {
            const auto report = task->solvePoint({t, task->schedule()[static_cast<std::size_t>(t)]}, warm, context);
            ASSERT_TRUE(report);
            EXPECT_EQ(report->termination, Termination::Converged) << experiment.laneNames[lane];
            warm = report->warmStart;
        }
        EXPECT_EQ(dynamic_cast<const TripletWarmStart&>(*warm).solved.point.matrix.size(), 20000);
    }
}

} // namespace
} // namespace lambdascope::metric
