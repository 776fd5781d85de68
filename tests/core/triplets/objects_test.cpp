// SPDX-License-Identifier: GPL-3.0-or-later
// Objects, of which nothing is known but comparisons, are rows of an identity matrix: by entries everything comes out
// as it does for such rows by the general code.
#include "core/common/random_stream.h"
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/solver/curvature_products.h"
#include "core/triplets/solver/lambda_max_solution.h"
#include "tests/core/triplets/small_comparisons.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lambdascope::triplets {
namespace {

struct Both {
    explicit Both(RowIndex objects, std::uint64_t seed)
        : list(randomAnswers(objects, 12 * objects, seed)), byEntries(*ComparisonSet::ofObjects(objects, list)),
          byRows(*ComparisonSet::build(DenseRows::Identity(objects, objects), list)) {}

    ComparisonList list;
    ComparisonSet byEntries;
    ComparisonSet byRows;
};

/// A centred Gram matrix of random points.
MetricPoint randomGram(RowIndex objects, std::uint64_t seed) {
    RandomStream random(seed, "gram");
    Eigen::MatrixXd x =
        Eigen::MatrixXd::NullaryExpr(objects, std::max(1, objects / 2), [&] { return random.normal(); });
    x.rowwise() -= x.colwise().mean().eval();
    return MetricPoint::fromSplit(splitByCone(0.3 * x * x.transpose()));
}

class Objects : public testing::TestWithParam<RowIndex> {};

TEST_P(Objects, SumsAndDecisionsAreThoseOfRowsOfAnIdentityMatrix) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Both both(GetParam(), seed);
        ComparisonEngine entries(both.byEntries);
        ComparisonEngine rows(both.byRows);
        const MetricPoint gram = randomGram(GetParam(), seed);
        StopCheck never;
        LossTotals a;
        LossTotals b;
        SetCounts ofEntries;
        SetCounts ofRows;
        ASSERT_TRUE(entries.evaluateAll(gram, 0.05, 0.05, never, a, ofEntries));
        ASSERT_TRUE(rows.evaluateAll(gram, 0.05, 0.05, never, b, ofRows));
        expectSameTotals(a, b);
        EXPECT_EQ(ofEntries.above, ofRows.above);
        EXPECT_EQ(ofEntries.below, ofRows.below);
        EXPECT_LE((a.pull * Eigen::VectorXd::Ones(GetParam())).norm(), 1e-12 * (1 + a.pull.norm())); // H1 = 0
        ScreenedPart byEntries;
        ScreenedPart byRows;
        const std::vector<Region> regions = {{middlingSphere(gram)}};
        ASSERT_TRUE(entries.screen(regions, 0.05, never, byEntries));
        ASSERT_TRUE(rows.screen(regions, 0.05, never, byRows));
        EXPECT_EQ(byEntries.zero, byRows.zero);
        EXPECT_EQ(byEntries.linear, byRows.linear);
        if (byEntries.linear > 0) {
            EXPECT_LE((byEntries.linearSum - byRows.linearSum).norm(), byEntries.linearError + byRows.linearError);
        }
    }
}

TEST_P(Objects, ErrorsOfSumsCoverWhatTheyAreOff) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Both both(GetParam(), seed);
        PairQuadraticForms space(both.byEntries);
        RandomStream random(seed, "weights");
        std::vector<double> weights(static_cast<std::size_t>(both.byEntries.pairs()));
        using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
        Long exact = Long::Zero(GetParam(), GetParam());
        for (PairIndex p = 0; p < both.byEntries.pairs(); ++p) {
            const double weight = random.normal() * std::pow(10.0, 6 * random.uniform());
            weights[static_cast<std::size_t>(p)] = weight;
            const RowPair rows = both.byEntries.rowsOf(p);
            exact(rows.a, rows.a) += weight;
            exact(rows.b, rows.b) += weight;
            exact(rows.a, rows.b) -= weight;
            exact(rows.b, rows.a) -= weight;
        }
        StopCheck never;
        MatrixSum sum;
        ASSERT_TRUE(space.weightedSum(weights, 0, nullptr, never, sum));
        EXPECT_LE(static_cast<double>((sum.value.cast<long double>() - exact).norm()), sum.error);
        EXPECT_LE(sum.error, 1e-12 * (1 + sum.value.norm()) * GetParam());
    }
}

TEST_P(Objects, NormsAreThoseOfTheDefinition) {
    const Both both(GetParam(), 7);
    TripletNorm norm(both.byEntries);
    for (TripletIndex c = 0; c < both.byEntries.size(); ++c) {
        const ItemGeometry probe(both.byEntries, c);
        const ProblemItem item = ProblemItems(both.byEntries).at(c);
        EXPECT_DOUBLE_EQ(std::sqrt(norm.squared(item.far, item.near)), probe.matrix().norm());
    }
}

/// [Σ w H]₊/λ is the optimum as long as every margin there stays below τ − γ: at λ_max one of them is there.
TEST_P(Objects, LambdaMaxIsWhereTheFirstComparisonLeavesTheLinearPart) {
    const double gamma = 0.1;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Both both(GetParam(), seed);
        StopCheck never;
        const LambdaMaxSolution top = comparisonLambdaMax(both.byEntries, {}, gamma, never);
        if (!(top.lambdaMax > 0)) {
            continue; // such answers have no order at all
        }
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(GetParam(), GetParam());
        for (TripletIndex c = 0; c < both.byEntries.size(); ++c) {
            sum +=
                both.byEntries.items().weight[static_cast<std::size_t>(c)] * ItemGeometry(both.byEntries, c).matrix();
        }
        const Eigen::MatrixXd gram = splitByCone(sum).positive / top.lambdaMax;
        double largest = -1e300;
        for (TripletIndex c = 0; c < both.byEntries.size(); ++c) {
            largest = std::max(largest, ItemGeometry(both.byEntries, c).margin(gram).value);
        }
        EXPECT_NEAR(largest, 0.8 - gamma, 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, Objects, testing::Values(3, 4, 5, 9, 24),
                         [](const auto& entry) { return std::to_string(entry.param) + "_objects"; });

constexpr double kWidth = 0.05;

/// A working set of comparisons of objects with α inside the box.
struct ObjectLab {
    ObjectLab(RowIndex objects, int count, std::uint64_t seed, double share = 0.2)
        : set(*ComparisonSet::ofObjects(objects, randomAnswers(objects, count, seed))), engine(set),
          top(comparisonLambdaMax(set, {}, kWidth, stopCheck)), lambda(share * top.lambdaMax),
          objective(engine, stopCheck, ledger, lambda), working(set, lambda) {
        objective.smoothing = kWidth;
        const MetricPoint point = MetricPoint::fromSplit(top.split, 1 / lambda);
        EXPECT_EQ(working.collect(objective, point, 1e9, 1000000, state.alphas), WorkingSet::Outcome::Collected);
        for (std::size_t t = 0; t < state.alphas.size(); ++t) {
            state.alphas[t] = 0.2 + 0.6 * static_cast<double>((7 * t) % 11) / 10;
        }
        EXPECT_TRUE(working.evaluateDual(objective, state) && working.evaluatePrimal(objective, state));
        free.resize(state.alphas.size());
        std::iota(free.begin(), free.end(), std::size_t{0});
    }

    /// B by its definition, with the roots of Ω/λ.
    [[nodiscard]] Eigen::MatrixXd rows() const { return rows(state.cone.roots() / std::sqrt(lambda)); }
    /// B with other roots.
    [[nodiscard]] Eigen::MatrixXd rows(const Eigen::ArrayXXd& roots) const {
        const Eigen::MatrixXd& u = state.cone.vectors();
        Eigen::MatrixXd b(static_cast<Eigen::Index>(free.size()), u.size());
        for (std::size_t t = 0; t < free.size(); ++t) {
            Eigen::MatrixXd h = Eigen::MatrixXd::Zero(u.rows(), u.cols());
            const auto add = [&](PairIndex p, double sign) {
                Eigen::VectorXd delta = Eigen::VectorXd::Zero(u.rows());
                delta[set.first(p)] = 1;
                delta[set.second(p)] = -1;
                h += sign * delta * delta.transpose();
            };
            add(working.near()[t].other, 1);
            add(working.near()[t].same, -1);
            const Eigen::MatrixXd scaled =
                (roots * (u.transpose() * h * u).array()).matrix() * std::sqrt(working.weight(t));
            b.row(static_cast<Eigen::Index>(t)) = scaled.reshaped().transpose();
        }
        return b;
    }

    StopCheck stopCheck;
    ComparisonSet set;
    ComparisonEngine engine;
    LambdaMaxSolution top;
    double lambda;
    CpuLedger ledger;
    ReducedObjective objective;
    WorkingSet working;
    WorkingSet::State state;
    std::vector<std::size_t> free;
};

class CurvatureOfObjects : public testing::TestWithParam<std::pair<RowIndex, int>> {};

TEST_P(CurvatureOfObjects, ProductsAreThoseOfTheMatrix) {
    const auto [objects, count] = GetParam();
    for (const int threads : {1, 2}) {
        const ObjectLab lab(objects, count, 3);
        ThreadTeam team(threads);
        CurvatureProducts products(team);
        products.set(lab.working, lab.state.cone, lab.free);
        const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(
            std::ssize(lab.free), [](Eigen::Index t) { return std::sin(3.0 * static_cast<double>(t) + 1); });
        StopCheck never;
        Eigen::VectorXd image;
        ASSERT_TRUE(products.multiply(x, never, image));
        const Eigen::MatrixXd b = lab.rows();
        const Eigen::VectorXd expected = kWidth * x + b * (b.transpose() * x);
        EXPECT_LE((image - expected).norm(), 1e-11 * expected.norm());

        const double mean = std::sqrt(lab.state.cone.roots().square().mean() / lab.lambda);
        const Eigen::MatrixXd even = lab.rows(Eigen::ArrayXXd::Constant(objects, objects, mean));
        products.multiplyByMean(x, image);
        const Eigen::VectorXd ofMean = kWidth * x + even * (even.transpose() * x);
        EXPECT_LE((image - ofMean).norm(), 1e-11 * ofMean.norm());
    }
}

TEST(CurvatureOfManyObjects, AFewProductsSolveWhatConjugateGradientsAloneNeedManyFor) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const ObjectLab lab(90, 200, seed, 1e-3);
        ThreadTeam team(1);
        CurvatureProducts products(team);
        products.set(lab.working, lab.state.cone, lab.free);
        const auto m = std::ssize(lab.free);
        const Eigen::VectorXd wide = Eigen::VectorXd::Constant(m, 1e300);
        const Eigen::VectorXd ascent =
            Eigen::VectorXd::NullaryExpr(m, [](Eigen::Index t) { return std::sin(7.0 * static_cast<double>(t) + 1); });
        StopCheck never;
        Eigen::VectorXd step;
        ASSERT_TRUE(products.solve(ascent, -wide, wide, never, step));
        EXPECT_LE(products.products(), 9);

        Eigen::VectorXd rest = ascent; // and without a preconditioner, to the same residual
        Eigen::VectorXd direction = ascent;
        Eigen::VectorXd image;
        int needed = 0;
        while (rest.norm() > 0.2 * ascent.norm() && needed < 1000) {
            ASSERT_TRUE(products.multiply(direction, never, image));
            const double before = rest.squaredNorm();
            rest -= before / direction.dot(image) * image;
            direction = rest + rest.squaredNorm() / before * direction;
            ++needed;
        }
        EXPECT_GE(needed, 30);
    }
}

TEST_P(CurvatureOfObjects, StepsStayInTheBoxAndSolveWhatIsInside) {
    const auto [objects, count] = GetParam();
    const ObjectLab lab(objects, count, 4);
    ThreadTeam team(1);
    CurvatureProducts products(team);
    products.set(lab.working, lab.state.cone, lab.free);
    const Eigen::Index m = std::ssize(lab.free);
    Eigen::VectorXd ascent(m);
    Eigen::VectorXd alphas(m);
    Eigen::VectorXd roots(m);
    for (Eigen::Index t = 0; t < m; ++t) {
        const auto at = static_cast<std::size_t>(t);
        roots[t] = std::sqrt(lab.working.weight(at));
        ascent[t] = lab.state.ascent[at] / roots[t];
        alphas[t] = lab.state.alphas[at] * roots[t];
    }
    const Eigen::MatrixXd b = lab.rows();
    StopCheck never;
    Eigen::VectorXd step;
    const Eigen::VectorXd wide = Eigen::VectorXd::Constant(m, 1e300);
    ASSERT_TRUE(products.solve(ascent, -wide, wide, never, step));
    EXPECT_LE((kWidth * step + b * (b.transpose() * step) - ascent).norm(), 0.21 * ascent.norm());
    ASSERT_TRUE(products.solve(ascent, -alphas, roots - alphas, never, step));
    EXPECT_GE((step + alphas).minCoeff(), -1e-15);
    EXPECT_LE((step + alphas - roots).maxCoeff(), 1e-15);
    EXPECT_GT(ascent.dot(step) - 0.5 * (kWidth * step.squaredNorm() + (b.transpose() * step).squaredNorm()), 0);
}

// Few pairs of many objects, which are taken one by one, and many of few.
INSTANTIATE_TEST_SUITE_P(Sizes, CurvatureOfObjects,
                         testing::Values(std::pair<RowIndex, int>{5, 20}, std::pair<RowIndex, int>{12, 150},
                                         std::pair<RowIndex, int>{60, 20}),
                         [](const auto& entry) { return std::to_string(entry.param.first) + "_objects"; });

} // namespace
} // namespace lambdascope::triplets
