// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/solver/cone_newton.h"
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/projected_gradient.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <set>

namespace lambdascope::triplets {
namespace {

std::vector<SmallShape> fullShapes() {
    std::vector<SmallShape> list;
    for (const SmallShape& shape : smallShapes()) {
        if (shape.structure == Structure::Full) {
            list.push_back(shape);
        }
    }
    list.push_back({.name = "all_of_many", .rowsPerClass = 30, .features = 4, .k = std::nullopt});
    list.push_back({.name = "more_of_one_class", .classes = 2, .rowsPerClass = 20, .k = std::nullopt});
    list.push_back({.name = "all_on_a_grid",
                    .classes = 2,
                    .rowsPerClass = 40,
                    .features = 2,
                    .k = std::nullopt,
                    .isRounded = true});
    return list;
}

Eigen::MatrixXd randomSymmetric(Eigen::Index d) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Random(d, d);
    return a + a.transpose();
}

/// H_t as a matrix.
Eigen::MatrixXd matrixOf(const TripletSet& set, const Triplet& triplet) {
    const auto row = [&](RowIndex i) {
        return Eigen::VectorXd(set.paddedRows().row(i).head(set.features()).transpose());
    };
    const Eigen::VectorXd a = row(triplet.anchor) - row(triplet.other);
    const Eigen::VectorXd b = row(triplet.anchor) - row(triplet.same);
    return a * a.transpose() - b * b.transpose();
}

TEST(LossCurvature, IsTheSumOverTripletsBetweenTheEdges) {
    StopCheck never;
    ThreadTeam team(1);
    for (const SmallShape& shape : fullShapes()) {
        TripletIndex seen = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletSet set = smallTriplets(shape, seed);
            const ProductLists lists = ProductLists::all(set);
            const MetricPoint point = randomPoint(set, seed);
            const Eigen::MatrixXd v = randomSymmetric(set.features());
            for (const double smoothing : {0.05, 0.9}) {
                LossCurvature curvature(set, team);
                ASSERT_TRUE(curvature.set(lists, point, smoothing, never));
                Eigen::MatrixXd product;
                ASSERT_TRUE(curvature.multiply(v, never, product));
                Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(v.rows(), v.cols());
                double size = 0;
                TripletIndex doubtful = 0; // so near an edge that rounding decides
                TripletIndex count = 0;
                std::set<std::pair<RowIndex, RowIndex>> entries;
                for (TripletIndex t = 0; t < set.triplets(); ++t) {
                    const double margin = marginOf(set, t, point.matrix);
                    const double way = std::min(std::abs(margin - 1), std::abs(margin - 1 + smoothing));
                    doubtful += way < 1e-9 * (1 + std::abs(margin)) ? 1 : 0;
                    if (margin < 1 && margin > 1 - smoothing) {
                        const Eigen::MatrixXd h = matrixOf(set, set.triplet(t));
                        const Eigen::MatrixXd term = h.cwiseProduct(v).sum() / smoothing * h;
                        expected += term;
                        size += term.norm();
                        ++count;
                        entries.emplace(set.triplet(t).anchor, set.triplet(t).same);
                        entries.emplace(set.triplet(t).anchor, set.triplet(t).other);
                    }
                }
                EXPECT_LE(std::abs(curvature.triplets() - count), doubtful) << shape.name;
                seen += count;
                if (doubtful == 0) {
                    EXPECT_EQ(curvature.between().entries, std::ssize(entries)) << shape.name;
                    // Values are off by roundings of squared rows, far from the origin by many.
                    const double room = shape.offset != 0 ? 1e-4 : 1e-9;
                    EXPECT_LE((product - expected).norm(), room * (size + 1e-300)) << shape.name;
                }
            }
        }
        EXPECT_GT(seen, 0) << shape.name;
    }
}

TEST(LossCurvature, SamplesTripletsBetweenTheEdges) {
    StopCheck never;
    ThreadTeam team(1);
    const TripletSet set = smallTriplets({.name = "all_of_many", .rowsPerClass = 30, .k = std::nullopt}, 1);
    const ProductLists lists = ProductLists::all(set);
    const MetricPoint point = randomPoint(set, 1);
    LossCurvature curvature(set, team);
    ASSERT_TRUE(curvature.set(lists, point, 0.5, never));
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{10}, std::int64_t{100}, curvature.triplets()}) {
        const std::vector<Triplet> sample = curvature.sample(count);
        EXPECT_LE(std::ssize(sample), count);
        EXPECT_GE(2 * std::ssize(sample) + 1, count);
        std::set<std::tuple<RowIndex, RowIndex, RowIndex>> names;
        for (const Triplet& triplet : sample) {
            names.emplace(triplet.anchor, triplet.same, triplet.other);
            const double margin = matrixOf(set, triplet).cwiseProduct(point.matrix).sum();
            EXPECT_GT(margin, 0.5 - 1e-9);
            EXPECT_LT(margin, 1 + 1e-9);
        }
        EXPECT_EQ(names.size(), sample.size());
    }
    EXPECT_EQ(std::ssize(curvature.sample(curvature.triplets())), curvature.triplets());
}

TEST(LossCurvature, OfValuesThatAreNoNumbersIsZero) {
    StopCheck never;
    ThreadTeam team(1);
    const TripletSet set = smallTriplets({.name = "all_of_many", .rowsPerClass = 30, .k = std::nullopt}, 1);
    const ProductLists lists = ProductLists::all(set);
    LossCurvature curvature(set, team);
    Eigen::MatrixXd product;
    ASSERT_TRUE(curvature.set(lists, randomPoint(set, 1), 0.5, never)); // nothing may be left over from it
    ASSERT_TRUE(curvature.multiply(randomSymmetric(set.features()), never, product));
    ASSERT_GT(product.norm(), 0);
    // Two rows of the first anchor's class and all of others: places among the rows of its class are fewer now.
    const ProductLists::Anchor& first = lists.anchors.front();
    ASSERT_GT(first.sames(), 2);
    ProductLists part;
    for (std::int64_t at = first.begin; at < first.end; ++at) {
        if (at < first.begin + 2 || at >= first.middle) {
            part.partner.push_back(lists.partner[static_cast<std::size_t>(at)]);
            part.position.push_back(lists.position[static_cast<std::size_t>(at)]);
        }
    }
    part.anchors = {{first.row, 0, 2, part.entries()}};
    part.longest = part.entries();
    MetricPoint bad = randomPoint(set, 1);
    bad.factor.setConstant(std::nan(""));
    bad.matrix.setConstant(std::nan(""));
    for (const ProductLists* each : {&std::as_const(part), &lists}) {
        ASSERT_TRUE(curvature.set(*each, bad, 0.5, never));
        EXPECT_EQ(curvature.triplets(), 0);
        ASSERT_TRUE(curvature.multiply(randomSymmetric(set.features()), never, product));
        EXPECT_EQ(product.norm(), 0);
    }
}

TEST(LossCurvature, DoesNotDependOnTheTeam) {
    StopCheck never;
    const TripletSet set = smallTriplets({.name = "all_of_many", .rowsPerClass = 50, .k = std::nullopt}, 1);
    const ProductLists lists = ProductLists::all(set);
    const MetricPoint point = randomPoint(set, 1);
    const Eigen::MatrixXd v = randomSymmetric(set.features());
    std::vector<Eigen::MatrixXd> products;
    for (const int threads : {1, 2}) {
        ThreadTeam team(threads);
        LossCurvature curvature(set, team);
        ASSERT_TRUE(curvature.set(lists, point, 0.5, never));
        ASSERT_TRUE(curvature.multiply(v, never, products.emplace_back()));
    }
    EXPECT_EQ(products[0], products[1]); // to the bit
}

TEST(ConeNewton, ReachesTheOptimumInAFewSteps) {
    for (const SmallShape& shape : fullShapes()) {
        if (shape.features == 1) {
            continue; // a diagonal M
        }
        const TripletSet set = solvableTriplets(shape, 1);
        for (const double share : {0.3, 0.03}) {
            SortedEngine engine(set);
            const double top = startOf(set, 0.05, engine).lambda;
            const double lambda = share * top;
            const PointOutcome before = solveTightly(set, lambda / 0.9, 0.05, 1e-9);
            const PointOutcome exact = solveTightly(set, lambda, 0.05, 1e-9);
            StopCheck never;
            CpuLedger ledger;
            ReducedObjective objective(engine, never, ledger, lambda);
            objective.smoothing = 0.05;
            ThreadTeam team(1);
            std::int64_t between = 0;
            ConeNewton newton(objective, set, lambda, between, team);
            MetricPoint point = before.solved.point;
            ReducedState state;
            ASSERT_TRUE(objective.evaluate(point, state));
            const double first = state.value;
            int steps = 0;
            int stalls = 0; // a kink of the loss may hold a step up: some of projected gradient lead on, as in the path
            for (; steps < 25 && stalls < 3; ++steps) {
                MetricPoint found;
                ReducedState foundState;
                if (newton.step(point, state, found, foundState) == StepOutcome::Advanced &&
                    foundState.value < state.value) {
                    point = std::move(found);
                    state = std::move(foundState);
                    continue;
                }
                ++stalls;
                newton.forget();
                ProjectedGradient<ReducedObjective> gradient(objective, lambda, ledger);
                gradient.start(point, state, {});
                for (int turn = 0; turn < 10; ++turn) {
                    (void)gradient.advance();
                }
                point = gradient.point();
                state = gradient.state();
            }
            const double size = std::max(1.0, exact.primal.value);
            EXPECT_LE(state.value, exact.primal.value + 1e-3 * (first - exact.primal.value) + 2e-8 * size)
                << shape.name << " share " << share << " after " << steps << " steps";
        }
    }
}

/// Columns of L whose squares are lost beside M are no directions in which M may move both ways.
TEST(ConeNewton, DoesNotDependOnColumnsOfTheFactorThatAreRounding) {
    int deficient = 0;
    for (const SmallShape& shape : fullShapes()) {
        const TripletSet set = solvableTriplets(shape, 1);
        SortedEngine engine(set);
        const double lambda = 0.1 * startOf(set, 0.05, engine).lambda;
        const MetricPoint plain = solveTightly(set, lambda / 0.9, 0.05, 1e-9).solved.point;
        const Eigen::Index rank = plain.factor.cols();
        const Eigen::Index d = set.features();
        if (isDiagonal(plain.matrix) || rank == 0 || rank == d) {
            continue;
        }
        ++deficient;
        MetricPoint padded = plain;
        padded.factor.conservativeResize(Eigen::NoChange, d);
        padded.factor.rightCols(d - rank) = 1e-9 * plain.factor.norm() * Eigen::MatrixXd::Random(d, d - rank);
        StopCheck never;
        CpuLedger ledger;
        ReducedObjective objective(engine, never, ledger, lambda);
        objective.smoothing = 0.05;
        ThreadTeam team(1);
        std::vector<double> values;
        for (const MetricPoint& point : {plain, padded}) {
            std::int64_t between = 0;
            ConeNewton newton(objective, set, lambda, between, team);
            ReducedState state;
            ASSERT_TRUE(objective.evaluate(point, state));
            MetricPoint found;
            ReducedState foundState;
            const StepOutcome outcome = newton.step(point, state, found, foundState);
            values.push_back(outcome == StepOutcome::Advanced ? foundState.value : state.value);
        }
        EXPECT_NEAR(values[0], values[1], 1e-9 * std::abs(values[0])) << shape.name;
    }
    EXPECT_GT(deficient, 3);
}

TEST(ConeNewton, SolvesWholeProductSetsToTheSameOptimumInFewerSteps) {
    const TripletSet set = smallTriplets(
        {.name = "all_overlapping", .rowsPerClass = 40, .features = 14, .k = std::nullopt, .spread = 0.3}, 1);
    const auto solve = [&](double lambda, const SolvedPoint& start, MethodKind method) {
        SortedEngine engine(set, 2);
        RecordingSink sink;
        RunContext context(RunId{1}, sink);
        PointSettings settings;
        settings.tolerance = 1e-8;
        settings.method = method;
        settings.threads = 2;
        std::vector<std::unique_ptr<Bound>> bounds;
        bounds.push_back(makeBound(BoundKind::RelaxedPath));
        bounds.push_back(makeBound(BoundKind::ProjectedGradient));
        return PointSolver(engine, std::move(bounds), settings).solve(lambda, start, 0, context);
    };
    SortedEngine engine(set);
    const SolvedPoint top = startOf(set, 0.05, engine);
    const double lambda = 1e-6 * top.lambda;
    const PointOutcome before = solve(10 * lambda, top, MethodKind::ProjectedGradient);
    const PointOutcome published = solve(lambda, before.solved, MethodKind::ProjectedGradient);
    const LossTotals& totals = published.solved.totals;
    ASSERT_GT(6 * (totals.alphaSum.value - totals.alphaSquares.value), 5000); // too many for a system over triplets
    for (const MethodKind method : {MethodKind::Newton, MethodKind::Automatic}) {
        const PointOutcome outcome = solve(lambda, before.solved, method);
        EXPECT_EQ(outcome.termination, Termination::Converged);
        EXPECT_NEAR(outcome.primal.value, published.primal.value, 3e-8 * published.primal.value);
        EXPECT_LE(outcome.dual.lower(), published.primal.upper());
        if (method == MethodKind::Newton) {
            EXPECT_LT(2 * outcome.iterations, published.iterations) << outcome.iterations;
        }
    }
}

} // namespace
} // namespace lambdascope::triplets
