// SPDX-License-Identifier: GPL-3.0-or-later
// The convex problem without n × n matrices: its values against the engine that holds them, and its lower bound against
// optima that are proven by their gap.
#include "core/common/random_stream.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/solver/factor_solver.h"
#include "core/run/event_sink.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/point_solver.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::ordinal {
namespace {

/// The convex problem in both forms.
struct BothForms {
    BothForms(const ComparisonSet& train, double gamma, double margin = 1)
        : pairs(train, never), factored(pairs, gamma, margin) {
        OrdinalConfig config;
        config.problem.gamma = gamma;
        config.problem.margin = margin;
        whole = GramProblem::make(config, train, {}).value();
        engine = whole->makeEngine({}, 1);
    }

    /// A point that is optimal to a relative gap of 1e-9, or as near to that as rounding lets it.
    [[nodiscard]] triplets::PointOutcome optimum(double lambda) {
        NullSink sink;
        RunContext context(RunId{0}, sink);
        triplets::PointSettings settings;
        settings.gamma = factored.gamma();
        settings.tolerance = 1e-9;
        settings.method = triplets::MethodKind::Newton;
        settings.maxIterations = 2000;
        triplets::PointSolver solver(*engine, {}, settings);
        const double top = whole->top().lambdaMax;
        triplets::SolvedPoint solved = triplets::topPoint(whole->top(), top, factored.gamma(), *engine, never);
        triplets::PointOutcome outcome;
        double at = top;
        do {
            at = std::max(0.5 * at, lambda);
            outcome = solver.solve(at, solved, 0, context);
            solved = outcome.solved;
        } while (at > lambda);
        return outcome;
    }

    [[nodiscard]] FactorOutcome solve(double lambda, Eigen::Index rank, FactorSettings settings = {}) {
        NullSink sink;
        RunContext context(RunId{0}, sink);
        const FactorTop top = factorTop(factored, rank, 1, never);
        const FactorPoint start = topPoint(factored, top, rank, std::max(lambda, top.lambdaMax));
        return solveFactored(factored, lambda, start, 0, settings, 1, context);
    }

    StopCheck never;
    PairedComparisons pairs;
    FactoredGram factored;
    std::unique_ptr<const GramProblem> whole;
    std::unique_ptr<triplets::Engine> engine;
};

/// Comparisons of n objects of a plane, some of them repeated and some turned round.
ComparisonSet muddledComparisons(Eigen::Index n, std::int64_t count, std::uint64_t seed, bool isWeighted) {
    const ComparisonSet drawn = randomComparisons(randomPoints(n, 2, 1, seed), count, seed, isWeighted);
    WeightedComparisons muddled;
    for (std::size_t q = 0; q < drawn.items().size(); ++q) {
        const Comparison& c = drawn.items()[q];
        muddled.add(c, drawn.relativeWeight(q));
        if (q % 5 == 0) {
            muddled.add(q % 2 == 0 ? c : reversed(c), isWeighted ? 0.5 : 1);
        }
    }
    return ComparisonSet(std::move(muddled), static_cast<ObjectIndex>(n));
}

triplets::MetricPoint pointOfFactor(const Points& l) {
    const Eigen::MatrixXd gram = l * l.transpose();
    return {gram, l, gram.trace()};
}

TEST(FactoredGram, HasTheValuesAndTheGradientOfTheWholeMatrix) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const double gamma = seed % 2 == 0 ? 0.05 : 0.7;
        const ComparisonSet train = muddledComparisons(9, 80, seed, seed % 3 == 0);
        BothForms both(train, gamma);
        EXPECT_EQ(static_cast<std::int64_t>(both.pairs.items().size()), both.whole->set().size());
        EXPECT_EQ(static_cast<std::int64_t>(both.pairs.pairs().size()), both.whole->set().pairs());
        EXPECT_EQ(both.pairs.repeated(), both.whole->set().repeated());
        const double lambda = 0.3;
        for (const Eigen::Index p : {1, 3, 9}) {
            const Points l = randomPoints(9, p, 0.4, seed + 10);
            triplets::LossTotals totals;
            ASSERT_TRUE(both.engine->evaluate(pointOfFactor(l), gamma, both.never, totals));
            const Bounded dense = triplets::primalValue(totals, pointOfFactor(l), lambda, gamma);
            Points gradient(9, p);
            EXPECT_NEAR(both.factored.primal(l, lambda, gamma, gradient, both.never), dense.value, 1e-12 * dense.value);
            const Points expected = 2 * (lambda * l * (l.transpose() * l) - totals.pull * l);
            EXPECT_LE((gradient - expected).norm(), 1e-11 * (1 + expected.norm()));
            const Bounded value = both.factored.value(l, lambda, both.never).primal;
            EXPECT_LE(std::abs(value.value - dense.value), value.error + dense.error);
            EXPECT_LE(value.error, 1e-12 * dense.value);
        }
    }
}

TEST(FactoredGram, ItsLowerBoundIsTheDualValueWhereYHasAllThatIsNegative) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const double gamma = seed % 2 == 0 ? 0 : 0.4;
        const double lambda = 0.2;
        BothForms both(muddledComparisons(8, 60, seed, true), gamma);
        const Points l = randomPoints(8, 3, 0.4, seed + 20);
        triplets::LossTotals totals;
        ASSERT_TRUE(both.engine->evaluate(pointOfFactor(l), 0.4, both.never, totals));
        const Bounded dense = triplets::dualValue(totals, triplets::squaredNormInCone(totals.pull), lambda, gamma);
        std::vector<double> z;
        std::vector<double> alphas;
        ASSERT_TRUE(both.factored.distances(l, z, both.never));
        (void)both.factored.slopes(z, 0.4, alphas);
        const Points exact = triplets::splitByCone(-totals.pull).factor;
        FactoredGram::Polar polar;
        ASSERT_TRUE(both.factored.setPolar(exact, polar, both.never));
        const Bounded bound = both.factored.boundedDual(alphas, polar, lambda);
        EXPECT_NEAR(bound.value, dense.value, 1e-10 * (1 + std::abs(dense.value)));
        EXPECT_LE(bound.error, 1e-11 * (1 + std::abs(dense.value)));
        EXPECT_NEAR(both.factored.dual(alphas, polar, lambda, nullptr), bound.value,
                    1e-10 * (1 + std::abs(bound.value)));
        for (const Eigen::Index columns : {1, 2, 8}) { // any other Y gives less
            const Points any = columns == 2 ? Points(exact.rightCols(2)) : randomPoints(8, columns, 0.5, seed + 30);
            ASSERT_TRUE(both.factored.setPolar(any, polar, both.never));
            EXPECT_LE(both.factored.boundedDual(alphas, polar, lambda).lower(), dense.upper());
        }
    }
}

TEST(FactoredGram, ItsLowerBoundHasItsGradient) {
    BothForms both(muddledComparisons(7, 40, 3, true), 0.3);
    const Points y = randomPoints(7, 2, 0.7, 5);
    FactoredGram::Polar polar;
    ASSERT_TRUE(both.factored.setPolar(y, polar, both.never));
    std::vector<double> alphas;
    for (const PairedComparisons::Item& item : both.pairs.items()) {
        alphas.push_back(0.4 * item.weight);
    }
    std::vector<double> gradient;
    (void)both.factored.dual(alphas, polar, 0.5, &gradient);
    for (std::size_t c = 0; c < alphas.size(); c += 3) {
        const double step = 1e-4;
        std::vector<double> moved = alphas;
        moved[c] += step;
        const double above = both.factored.dual(moved, polar, 0.5, nullptr);
        moved[c] -= 2 * step;
        const double below = both.factored.dual(moved, polar, 0.5, nullptr);
        EXPECT_NEAR((above - below) / (2 * step), gradient[c], 1e-6 * (1 + std::abs(gradient[c])));
    }
}

/// D(α, Y) and P(L) by their definitions in extended precision.
long double dualByDefinition(const FactoredGram& gram, const std::vector<double>& alphas, const Points& y,
                             double lambda) {
    using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const Wide wide = y.cast<long double>();
    Wide sum = wide * wide.transpose();
    long double value = 0;
    for (std::size_t c = 0; c < alphas.size(); ++c) {
        const PairedComparisons::Item& item = gram.set().items()[c];
        const long double alpha = alphas[c];
        for (const auto& [number, sign] : {std::pair(item.far, 1), std::pair(item.near, -1)}) {
            const auto [a, b] = gram.set().pairs()[number];
            sum(a, a) += sign * alpha;
            sum(b, b) += sign * alpha;
            sum(a, b) -= sign * alpha;
            sum(b, a) -= sign * alpha;
        }
        value += alpha * gram.margin() - 0.5L * gram.gamma() * alpha * alpha / item.weight;
    }
    return value - sum.squaredNorm() / (2.0L * lambda);
}
long double primalByDefinition(const FactoredGram& gram, const Points& l, double lambda) {
    using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const Wide wide = l.cast<long double>();
    long double value = 0.5L * lambda * (wide.transpose() * wide).squaredNorm();
    for (const PairedComparisons::Item& item : gram.set().items()) {
        const auto squared = [&](std::uint32_t number) {
            const auto [a, b] = gram.set().pairs()[number];
            return (wide.row(a) - wide.row(b)).squaredNorm();
        };
        const long double below = gram.margin() - (squared(item.far) - squared(item.near));
        const long double slope =
            gram.gamma() > 0 ? std::clamp(below / gram.gamma(), 0.0L, 1.0L) : (below > 0 ? 1.0L : 0.0L);
        value += item.weight * slope * (below - 0.5L * gram.gamma() * slope);
    }
    return value;
}

TEST(FactoredGram, BoundsItsRounding) {
    double most = 0; // of the error, over its bound
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const double gamma = seed % 3 == 0 ? 0 : 0.2;
        BothForms both(muddledComparisons(12, 300, seed, seed % 2 == 0), gamma);
        RandomStream random(seed, "alphas");
        std::vector<double> alphas;
        for (const PairedComparisons::Item& item : both.pairs.items()) {
            alphas.push_back(item.weight * (seed % 4 == 0 ? 1 : random.uniform()));
        }
        const double size = std::pow(10.0, static_cast<double>(seed % 7) - 3);
        const Points y = randomPoints(12, 5, size, seed);
        const double lambda = 0.01 * size;
        FactoredGram::Polar polar;
        ASSERT_TRUE(both.factored.setPolar(y, polar, both.never));
        const Bounded dual = both.factored.boundedDual(alphas, polar, lambda);
        const auto ofDual =
            static_cast<double>(std::abs(dual.value - dualByDefinition(both.factored, alphas, y, lambda)));
        EXPECT_LE(ofDual, dual.error);
        const Bounded primal = both.factored.value(y, lambda, both.never).primal;
        const auto ofPrimal =
            static_cast<double>(std::abs(primal.value - primalByDefinition(both.factored, y, lambda)));
        EXPECT_LE(ofPrimal, primal.error);
        most = std::max({most, ofDual / dual.error, ofPrimal / primal.error});
    }
    EXPECT_GT(most, 1e-4); // the bounds are no more than that too wide
}

/// What every solve has to say: its value is not below the optimum, its bound not above, and its gap not too small.
void expectHonest(const FactorOutcome& outcome, const triplets::PointOutcome& optimum) {
    const double least = optimum.primal.lower() - optimum.solved.gap; // the optimum is at least that
    EXPECT_GE(outcome.primal.upper(), least);
    EXPECT_LE(outcome.dual.lower(), optimum.primal.upper());
    EXPECT_GE(outcome.gap, outcome.primal.value - optimum.primal.upper() - outcome.primal.error);
    EXPECT_TRUE(outcome.termination == Termination::Converged || outcome.termination == Termination::NotProven);
    EXPECT_EQ(outcome.termination == Termination::Converged,
              outcome.gap <= 1e-6 * std::max(1.0, outcome.primal.value) * (1 + 1e-9));
}

TEST(FactorSolver, WithAllColumnsReachesTheOptimumAndNearlyProvesIt) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const double gamma = seed % 3 == 0 ? 0 : 0.1;
        BothForms both(muddledComparisons(10, 120, seed, seed % 2 == 0), gamma);
        for (const double share : {1.2, 0.5, 0.1, 0.01}) {
            const double lambda = share * both.whole->top().lambdaMax;
            const triplets::PointOutcome optimum = both.optimum(lambda);
            const FactorOutcome outcome = both.solve(lambda, 10);
            SCOPED_TRACE(std::to_string(seed) + ", " + std::to_string(share));
            expectHonest(outcome, optimum);
            EXPECT_LE(outcome.primal.value, optimum.primal.value * (1 + (gamma > 0 ? 1e-4 : 2e-3)));
            EXPECT_LE(outcome.gap, 0.02 * outcome.primal.value);
        }
    }
}

TEST(FactorSolver, AtALowRankIsHonestAboutWhatIsMissing) {
    double worst = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const double gamma = seed % 3 == 0 ? 0 : 0.1;
        BothForms both(muddledComparisons(14, 150, seed, seed % 2 == 0), gamma);
        for (const Eigen::Index rank : {1, 2, 5}) {
            const double lambda = (rank == 2 ? 0.02 : 0.2) * both.whole->top().lambdaMax;
            const FactorOutcome outcome = both.solve(lambda, rank);
            SCOPED_TRACE(std::to_string(seed) + ", rank " + std::to_string(rank));
            expectHonest(outcome, both.optimum(lambda));
            EXPECT_EQ(outcome.termination, Termination::NotProven);
            EXPECT_EQ(outcome.point.factor.cols(), rank);
            worst = std::max(worst, outcome.gap / outcome.primal.value);
        }
    }
    EXPECT_LT(worst, 1); // the bound says something
}

TEST(FactorSolver, HandlesFewObjectsOneComparisonAndAnyScale) {
    struct Case {
        const char* name;
        WeightedComparisons comparisons;
        ObjectIndex objects;
    };
    std::vector<Case> cases(4);
    cases[0] = {"one comparison", {}, 3};
    cases[0].comparisons.add({0, 1, 0, 2}, 1);
    cases[1] = {"one object in all", {}, 7};
    for (ObjectIndex k = 1; k < 6; ++k) {
        cases[1].comparisons.add({0, k, 0, static_cast<ObjectIndex>(k + 1)}, 1);
    }
    cases[2] = {"the same again and again, and an object that nobody names", {}, 6};
    for (int again = 0; again < 50; ++again) {
        cases[2].comparisons.add({0, 1, 2, 3}, 1);
        cases[2].comparisons.add({2, 4, 0, 3}, 1);
    }
    cases[3] = {"weights far apart", {}, 6};
    for (ObjectIndex k = 2; k < 6; ++k) {
        cases[3].comparisons.add({0, 1, static_cast<ObjectIndex>(k - 1), k}, std::pow(10.0, 2 * k - 7));
    }
    for (Case& each : cases) {
        const ComparisonSet train(each.comparisons, each.objects);
        for (const double margin : {1e-6, 1.0, 1e6}) {
            for (const double width : {0.0, 0.1}) {
                BothForms both(train, width * margin, margin);
                for (const double share : {0.7, 0.01}) {
                    const double lambda = share * both.whole->top().lambdaMax;
                    const triplets::PointOutcome optimum = both.optimum(lambda);
                    for (const Eigen::Index rank : {Eigen::Index{1}, Eigen::Index{each.objects}}) {
                        SCOPED_TRACE(std::string(each.name) + ", margin " + std::to_string(margin) + ", rank " +
                                     std::to_string(rank));
                        const FactorOutcome outcome = both.solve(lambda, rank);
                        expectHonest(outcome, optimum);
                        EXPECT_TRUE(outcome.point.factor.allFinite());
                    }
                }
            }
        }
    }
}

TEST(FactorSolver, KnowsWhenEveryAnswerHasItsContradiction) {
    WeightedComparisons comparisons;
    for (ObjectIndex k = 1; k < 5; ++k) {
        const Comparison c{0, k, 0, static_cast<ObjectIndex>(k + 1)};
        comparisons.add(c, 0.1 * k);
        comparisons.add(reversed(c), 0.1 * k);
    }
    const ComparisonSet train(comparisons, 6);
    StopCheck never;
    const PairedComparisons pairs(train, never);
    EXPECT_EQ(factorTop(FactoredGram(pairs, 0.1, 1), 3, 1, never).lambdaMax, 0);
}

TEST(FactorSolver, GivesTheSameBitsAgainAndStops) {
    BothForms both(muddledComparisons(12, 100, 4, false), 0.1);
    const double lambda = 0.1 * both.whole->top().lambdaMax;
    const FactorOutcome first = both.solve(lambda, 3);
    const FactorOutcome second = both.solve(lambda, 3);
    EXPECT_EQ(first.point.factor, second.point.factor);
    EXPECT_EQ(first.gap, second.gap);
    FactorSettings few;
    few.maxIterations = 3;
    EXPECT_EQ(both.solve(lambda, 3, few).termination, Termination::IterationLimit);
    NullSink sink;
    std::stop_source stop;
    stop.request_stop();
    RunContext stopped(RunId{0}, sink, stop.get_token());
    const FactorPoint start = topPoint(both.factored, factorTop(both.factored, 3, 1, both.never), 3, 1);
    EXPECT_EQ(solveFactored(both.factored, lambda, start, 0, {}, 1, stopped).termination, Termination::StoppedByUser);
    RunContext goesOn(RunId{0}, sink);
    FactorPoint beyond = start;
    beyond.factor *= 1e200; // whose square overflows
    EXPECT_EQ(solveFactored(both.factored, lambda, beyond, 0, {}, 1, goesOn).termination,
              Termination::NumericalTrouble);
}

} // namespace
} // namespace lambdascope::ordinal
