// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/triplets/small_problems.h"

#include "core/common/random_stream.h"
#include "core/data/neighbours.h"
#include "core/triplets/screening/sphere_bounds.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lambdascope::triplets {

std::string ruleName(RuleKind rule) {
    switch (rule) {
    case RuleKind::Sphere: return "sphere";
    case RuleKind::Linear: return "linear";
    case RuleKind::Analytic: return "analytic";
    case RuleKind::Semidefinite: break;
    }
    return "semidefinite";
}

void PrintTo(RuleKind rule, std::ostream* out) {
    *out << ruleName(rule);
}

void PrintTo(BoundKind bound, std::ostream* out) {
    *out << makeBound(bound)->name();
}

void PrintTo(EngineKind engine, std::ostream* out) {
    *out << (engine == EngineKind::Pairs ? "pairs" : engine == EngineKind::Triplets ? "triplets" : "sorted");
}

void PrintTo(Structure structure, std::ostream* out) {
    *out << (structure == Structure::Full ? "full" : "diagonal");
}

std::vector<SmallShape> smallShapes() {
    std::vector<SmallShape> shapes;
    shapes.push_back({.name = "plain"});
    shapes.push_back({.name = "all_neighbours", .rowsPerClass = 7, .k = std::nullopt});
    shapes.push_back({.name = "one_dimension", .features = 1});
    shapes.push_back({.name = "more_dimensions_than_rows", .classes = 2, .rowsPerClass = 5, .features = 17, .k = 2});
    shapes.push_back({.name = "ties", .features = 2, .k = 4, .isRounded = true});
    shapes.push_back({.name = "duplicates", .hasDuplicates = true});
    shapes.push_back(
        {.name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .k = 4, .spread = 0.3});
    shapes.push_back({.name = "huge_scale", .scale = 1e6});
    shapes.push_back({.name = "tiny_scale", .scale = 1e-6});
    shapes.push_back({.name = "far_from_origin", .offset = 1000});
    shapes.push_back({.name = "more_than_64_others", .classes = 2, .rowsPerClass = 70, .features = 2, .k = 69});
    const std::size_t full = shapes.size();
    for (std::size_t at = 0; at < full; ++at) {
        shapes.push_back(shapes[at]);
        shapes.back().name = "diagonal_" + shapes.back().name;
        shapes.back().structure = Structure::Diagonal;
    }
    return shapes;
}

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

std::shared_ptr<const Dataset> smallData(const SmallShape& shape, std::uint64_t seed) {
    RandomStream random(seed, "small problem " + shape.name);
    Dataset::Parts parts;
    parts.name = shape.name;
    const int n = shape.classes * shape.rowsPerClass;
    parts.dense.resize(n, shape.features);
    for (int c = 0; c < shape.classes; ++c) {
        parts.classNames.push_back("class" + std::to_string(c));
    }
    Eigen::MatrixXd centres(shape.classes, shape.features);
    for (Eigen::Index i = 0; i < centres.size(); ++i) {
        centres(i) = shape.spread * random.normal();
    }
    for (int i = 0; i < n; ++i) {
        const int label = i % shape.classes;
        parts.labels.push_back(label);
        for (int f = 0; f < shape.features; ++f) {
            double value = centres(label, f) + random.normal();
            if (shape.isRounded) {
                value = std::round(value);
            }
            parts.dense(i, f) = value * shape.scale + shape.offset;
        }
        if (shape.hasDuplicates && i % 3 == 2) {
            parts.dense.row(i) = parts.dense.row(static_cast<Eigen::Index>(random.below(static_cast<std::size_t>(i))));
        }
    }
    return std::make_shared<const Dataset>(std::move(parts));
}

TripletSet smallTriplets(const SmallShape& shape, std::uint64_t seed) {
    const auto data = smallData(shape, seed);
    auto neighbours = classNeighbours(*data, shape.k);
    if (!neighbours) {
        throw std::logic_error(neighbours.error().describe());
    }
    auto set = TripletSet::build(data->dense(), *neighbours, {}, shape.structure);
    if (!set) {
        throw std::logic_error(set.error().describe());
    }
    return std::move(set).value();
}

TripletSet solvableTriplets(const SmallShape& shape, std::uint64_t seed) {
    StopCheck never;
    TripletSet set = smallTriplets(shape, seed);
    while (!(lambdaMaxSolution(set, 0.05, never).lambdaMax > 0)) {
        seed += 1000;
        set = smallTriplets(shape, seed);
    }
    return set;
}

MetricPoint randomPoint(const TripletSet& triplets, std::uint64_t seed) {
    RandomStream random(seed, "point");
    const Eigen::Index d = triplets.features();
    const double rho = std::max(triplets.largestNorm(), 1e-300);
    if (triplets.structure() == Structure::Diagonal) {
        Eigen::MatrixXd weights(d, 1);
        for (Eigen::Index k = 0; k < d; ++k) {
            weights(k, 0) = random.normal(); // half of the features get no weight
        }
        weights(static_cast<Eigen::Index>(random.below(static_cast<std::size_t>(d))), 0) = 1;
        weights = weights.cwiseMax(0.0).eval();
        return MetricPoint::fromSplit(splitByCone(weights * (6 / (rho * rho * weights.sum()))));
    }
    Eigen::MatrixXd factor(d, 1 + static_cast<Eigen::Index>(random.below(static_cast<std::size_t>(d))));
    for (Eigen::Index i = 0; i < factor.size(); ++i) {
        factor(i) = random.normal();
    }
    factor /= rho * factor.norm() / std::sqrt(6.0);
    return MetricPoint::fromSplit(splitByCone(factor * factor.transpose()));
}

Eigen::MatrixXd identityLike(const Eigen::MatrixXd& shape) {
    Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(shape.rows(), shape.cols());
    if (isDiagonal(shape)) {
        identity.setOnes();
    }
    return identity;
}

Eigen::MatrixXd identityOf(const TripletSet& triplets) {
    return identityLike(MetricPoint::zero(triplets.features(), triplets.structure()).matrix);
}

Sphere middlingSphere(const MetricPoint& point) {
    const double size = point.matrix.norm();
    return {point.matrix - 0.1 * size * identityLike(point.matrix), 0.2 * size};
}

CheckOutcome checkBy(std::span<const Region> regions, Engine& engine, TripletIndex items) {
    CheckOutcome outcome{TripletStates(items), {}};
    StopCheck never;
    engine.record(&outcome.decisions);
    EXPECT_TRUE(engine.screen(regions, 0.05, never, outcome.screened));
    engine.record(nullptr);
    return outcome;
}

void expectSameTotals(const LossTotals& a, const LossTotals& b) {
    EXPECT_EQ(a.triplets, b.triplets);
    EXPECT_NEAR(a.loss.value, b.loss.value, kAgreement * (1 + std::abs(b.loss.value)));
    EXPECT_NEAR(a.alphaSum.value, b.alphaSum.value, kAgreement * (1 + b.alphaSum.value));
    EXPECT_NEAR(a.alphaSquares.value, b.alphaSquares.value, kAgreement * (1 + b.alphaSquares.value));
    EXPECT_NEAR(a.thresholdShift.value, b.thresholdShift.value, kAgreement * (1 + std::abs(b.thresholdShift.value)));
    EXPECT_LE((a.pull - b.pull).norm(), kAgreement * b.pull.norm() + a.pullError + b.pullError);
}

SolvedPoint startOf(const TripletSet& triplets, double gamma, Engine& engine) {
    StopCheck never;
    const LambdaMaxSolution top = lambdaMaxSolution(triplets, gamma, never);
    return topPoint(top, top.lambdaMax, gamma, engine, never);
}

PointOutcome solveTightly(const TripletSet& triplets, double lambda, double gamma, double tolerance,
                          EngineKind engineKind) {
    const auto engine = makeEngine(engineKind, triplets);
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    PointSettings settings;
    settings.gamma = gamma;
    settings.tolerance = tolerance;
    settings.maxIterations = gamma > 0 ? 200000 : 20000; // the hinge converges slowly; its gap says how far
    PointSolver solver(*engine, {}, settings);
    return solver.solve(lambda, startOf(triplets, gamma, *engine), 0, context);
}

namespace {

using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

LongVector difference(const TripletSet& triplets, RowIndex a, RowIndex b) {
    const Eigen::Index d = triplets.features();
    return (triplets.paddedRows().row(a).head(d).cast<long double>() -
            triplets.paddedRows().row(b).head(d).cast<long double>())
        .transpose();
}

} // namespace

double marginOf(const TripletSet& triplets, TripletIndex number, const Eigen::MatrixXd& q) {
    const Triplet t = triplets.triplet(number);
    const LongVector a = difference(triplets, t.anchor, t.other);
    const LongVector b = difference(triplets, t.anchor, t.same);
    const Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> form = q.cast<long double>();
    if (isDiagonal(q)) {
        return static_cast<double>((form.array() * (a.array().square() - b.array().square())).sum());
    }
    return static_cast<double>(a.dot(form * a) - b.dot(form * b));
}

double normOf(const TripletSet& triplets, TripletIndex number) {
    const Triplet t = triplets.triplet(number);
    const LongVector a = difference(triplets, t.anchor, t.other);
    const LongVector b = difference(triplets, t.anchor, t.same);
    if (triplets.structure() == Structure::Diagonal) {
        return static_cast<double>((a.array().square() - b.array().square()).matrix().norm());
    }
    return static_cast<double>((a * a.transpose() - b * b.transpose()).norm());
}

} // namespace lambdascope::triplets
