// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/newton_method.h"
#include "core/metric/point_solver.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

constexpr double kTolerance = 2e-9;

struct Lab {
    explicit Lab(const SmallShape& shape, double labGamma = 0.05, EngineKind kind = EngineKind::Pairs,
                 std::uint64_t seed = 1)
        : gamma(labGamma), set(solvableTriplets(shape, seed)), engine(makeEngine(kind, set)), context(RunId{1}, sink),
          start(startOf(set, gamma, *engine)), top(start.lambda) {}

    PointOutcome solve(double share, MethodKind method, std::vector<BoundKind> kinds = {}) {
        PointSettings settings;
        settings.gamma = gamma;
        settings.tolerance = kTolerance;
        settings.method = method;
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        return PointSolver(*engine, std::move(bounds), settings).solve(share * top, start, 0, context);
    }

    double gamma;
    TripletSet set;
    std::unique_ptr<Engine> engine;
    RecordingSink sink;
    RunContext context;
    SolvedPoint start;
    double top; ///< λ_max
};

std::vector<SmallShape> bothStructures() {
    std::vector<SmallShape> shapes = smallShapes();
    const std::size_t full = shapes.size();
    for (std::size_t i = 0; i < full; ++i) {
        if (shapes[i].structure == Structure::Full) {
            SmallShape diagonal = shapes[i];
            diagonal.structure = Structure::Diagonal;
            diagonal.name += "_diagonal";
            shapes.push_back(diagonal);
        }
    }
    return shapes;
}

TEST(NewtonMethod, FindsTheOptimumOfProjectedGradient) {
    for (const SmallShape& shape : bothStructures()) {
        for (const std::uint64_t seed : {1U, 2U}) {
            for (const double share : {0.3, 0.03, 0.003}) {
                Lab lab(shape, 0.05, EngineKind::Pairs, seed);
                const PointOutcome published = lab.solve(share, MethodKind::ProjectedGradient);
                for (const MethodKind method : {MethodKind::Newton, MethodKind::Automatic}) {
                    const PointOutcome outcome = lab.solve(share, method);
                    const std::string what = shape.name + " seed " + std::to_string(seed) + " share " +
                                             std::to_string(share) + " method " +
                                             std::to_string(static_cast<int>(method));
                    const double size = std::max(1.0, outcome.primal.value);
                    EXPECT_TRUE(outcome.termination == Termination::Converged ||
                                outcome.termination == Termination::ConvergedLoosely)
                        << what;
                    EXPECT_NEAR(outcome.primal.value, published.primal.value,
                                1e-8 * size + outcome.solved.gap + published.solved.gap)
                        << what;
                    // The certificate holds whoever found the point: no dual value is above a primal value.
                    EXPECT_LE(outcome.dual.lower(), published.primal.upper()) << what;
                    EXPECT_LE(published.dual.lower(), outcome.primal.upper()) << what;
                    if (published.termination == Termination::Converged) {
                        EXPECT_LE(outcome.solved.gap, std::max(kTolerance * size, 2 * published.solved.gap)) << what;
                    }
                }
            }
        }
    }
}

TEST(NewtonMethod, ServesEitherEngineAndAnyScreening) {
    for (const double gamma : {0.05, 0.0}) {
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
            Lab lab({.name = "plain", .rowsPerClass = 16, .k = 5}, gamma, kind);
            const double expected = lab.solve(0.01, MethodKind::Newton).primal.value;
            for (const auto& bounds :
                 std::vector<std::vector<BoundKind>>{{BoundKind::RelaxedPath},
                                                     {BoundKind::Gradient},
                                                     {BoundKind::RelaxedPath, BoundKind::DualityGap}}) {
                const PointOutcome outcome = lab.solve(0.01, MethodKind::Newton, bounds);
                EXPECT_EQ(outcome.termination, Termination::Converged);
                EXPECT_LE(outcome.solved.gap, kTolerance * std::max(1.0, expected));
                EXPECT_NEAR(outcome.primal.value, expected, 1e-8 * std::max(1.0, expected));
            }
        }
    }
}

/// Evaluations over a path down to where projected gradient takes long.
std::int64_t evaluationsOfPath(MethodKind method) {
    Lab lab(
        {.name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 40, .features = 6, .k = 8, .spread = 0.3});
    std::int64_t evaluations = 0;
    for (double share = 0.9; share > 1e-6; share *= 0.9) {
        const PointOutcome outcome = lab.solve(share, method);
        EXPECT_EQ(outcome.termination, Termination::Converged) << share;
        evaluations += outcome.ledger.evaluations;
        lab.start = outcome.solved;
    }
    return evaluations;
}

TEST(NewtonMethod, NeedsFewerVisitsToAllTripletsOnAPath) {
    const std::int64_t published = evaluationsOfPath(MethodKind::ProjectedGradient);
    EXPECT_LT(3 * evaluationsOfPath(MethodKind::Newton), published);
    EXPECT_LE(evaluationsOfPath(MethodKind::Automatic), published); // equal when it is never slow
}

TEST(NewtonMethod, RepeatsItselfToTheBit) {
    Lab lab({.name = "plain"});
    const PointOutcome once = lab.solve(0.01, MethodKind::Newton);
    const PointOutcome again = lab.solve(0.01, MethodKind::Newton);
    EXPECT_EQ(once.solved.point.matrix, again.solved.point.matrix);
    EXPECT_EQ(once.iterations, again.iterations);
}

TEST(NewtonMethod, KeepsToTheIterationLimit) {
    Lab lab({.name = "plain"});
    PointSettings settings;
    settings.tolerance = 1e-13;
    settings.maxIterations = 4;
    settings.method = MethodKind::Newton;
    const PointOutcome outcome =
        PointSolver(*lab.engine, {}, settings).solve(1e-4 * lab.start.lambda, lab.start, 0, lab.context);
    EXPECT_EQ(outcome.termination, Termination::IterationLimit);
    EXPECT_EQ(outcome.iterations, 4);
}

/// A working set at a random point, with everything around it.
struct SetLab : Lab {
    explicit SetLab(const SmallShape& shape)
        : Lab(shape), lambda(0.1 * start.lambda), objective(*engine, poll, ledger, lambda), working(set, lambda),
          point(randomPoint(set, 5)) {
        objective.smoothing = gamma;
        (void)objective.evaluate(point, state);
    }
    double lambda;
    WorkPoll poll;
    CpuLedger ledger;
    ReducedObjective objective;
    WorkingSet working;
    MetricPoint point;
    ReducedState state;
};

TEST(WorkingSet, IsTheWholeProblemWhileNothingElseCrossesAnEdge) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        ASSERT_EQ(lab.working.collect(lab.objective, lab.point, lab.state, 0.2, 1000000),
                  WorkingSet::Outcome::Collected);
        for (const double scale : {1.0, 1.001, 0.999}) {
            PsdSplit split = splitByCone(lab.point.matrix);
            const MetricPoint moved = MetricPoint::fromSplit(std::move(split), scale);
            ReducedState whole;
            ASSERT_TRUE(lab.objective.evaluate(moved, whole));
            WorkingSet::State part;
            ASSERT_TRUE(lab.working.evaluate(moved, lab.objective, part));
            EXPECT_NEAR(part.value, whole.value, 1e-9 * (1 + std::abs(whole.value))) << shape.name;
            EXPECT_LE((part.gradient - whole.gradient).norm(), 1e-8 * (1e-300 + whole.totals.pull.norm()))
                << shape.name;
            const double dual =
                dualValue(whole.totals, squaredNormInCone(whole.totals.pull), lab.lambda, lab.gamma).value;
            EXPECT_NEAR(part.gap, whole.value - dual, 1e-8 * (std::abs(whole.value) + std::abs(dual))) << shape.name;
        }
    }
}

TEST(WorkingSet, SaysWhenItWouldBeTooLarge) {
    SetLab lab({.name = "plain"});
    EXPECT_EQ(lab.working.collect(lab.objective, lab.point, lab.state, 100, 10), WorkingSet::Outcome::TooMany);
}

TEST(WorkingSet, KnowsTheCurvatureOfTheLoss) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        ASSERT_EQ(lab.working.collect(lab.objective, lab.point, lab.state, 0.5, 1000000),
                  WorkingSet::Outcome::Collected);
        WorkingSet::State at;
        ASSERT_TRUE(lab.working.evaluate(lab.point, lab.objective, at));
        lab.working.setCurvature();
        const Eigen::MatrixXd direction = randomPoint(lab.set, 9).matrix;
        Eigen::MatrixXd image;
        ASSERT_TRUE(lab.working.curvature(direction, lab.objective, image));
        Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(image.rows(), image.cols());
        for (TripletIndex t = 0; t < lab.set.triplets(); ++t) {
            const double alpha = lossSlope(marginOf(lab.set, t, lab.point.matrix), lab.gamma);
            if (alpha > 0 && alpha < 1) {
                const Triplet triplet = lab.set.triplet(t);
                const auto row = [&](RowIndex i) {
                    return Eigen::VectorXd(lab.set.paddedRows().row(i).head(lab.set.features()).transpose());
                };
                const Eigen::VectorXd a = row(triplet.anchor) - row(triplet.other);
                const Eigen::VectorXd b = row(triplet.anchor) - row(triplet.same);
                const Eigen::MatrixXd h = isDiagonal(image) && lab.set.structure() == Structure::Diagonal
                                              ? Eigen::MatrixXd(a.cwiseAbs2() - b.cwiseAbs2())
                                              : Eigen::MatrixXd(a * a.transpose() - b * b.transpose());
                expected += h * (marginOf(lab.set, t, direction) / lab.gamma);
            }
        }
        EXPECT_LE((image - expected).norm(), 1e-8 * expected.norm() + 1e-300) << shape.name;
    }
}

TEST(ConeProjection, HasTheDerivativeOfTheProjection) {
    Eigen::MatrixXd s(4, 4);
    s << 2, 1, 0, 0.3, 1, -1, 0.5, 0, 0, 0.5, 0.7, -0.2, 0.3, 0, -0.2, -3;
    Eigen::MatrixXd d(4, 4);
    d << 1, 0.2, 0, 1, 0.2, -1, 3, 0, 0, 3, 0.5, 0.1, 1, 0, 0.1, 2;
    ConeProjection cone;
    ASSERT_TRUE(cone.compute(s));
    const Eigen::MatrixXd derivative = cone.fromBasis(cone.toBasis(d));
    const double h = 1e-6;
    const Eigen::MatrixXd quotient = (splitPsd(s + h * d).positive - splitPsd(s - h * d).positive) / (2 * h);
    EXPECT_LE((derivative - quotient).norm(), 1e-7 * quotient.norm());
    // The negative part scaled is another matrix with the same projection.
    const Eigen::MatrixXd before = cone.point().matrix;
    cone.scaleNegativePart(0.1);
    ConeProjection fresh;
    ASSERT_TRUE(fresh.compute(before + 0.1 * (s - before)));
    EXPECT_LE((cone.fromBasis(cone.toBasis(d)) - fresh.fromBasis(fresh.toBasis(d))).norm(), 1e-9 * d.norm());
}

TEST(ConeProjection, RefusesWhatIsNotFinite) {
    ConeProjection cone;
    EXPECT_FALSE(cone.compute(Eigen::MatrixXd::Constant(3, 3, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_FALSE(cone.compute(Eigen::MatrixXd::Constant(3, 1, std::numeric_limits<double>::infinity())));
}

} // namespace
} // namespace lambdascope::metric
