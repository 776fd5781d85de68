// SPDX-License-Identifier: GPL-3.0-or-later
// What pair steps, shrinking and screening leave in the scores, and the error terms, against long double.
#include "core/common/random_stream.h"
#include "core/pu/engines/kernel_engine.h"
#include "tests/core/pu/small_pus.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::pu {
namespace {

using Accurate = long double;

/// (m/p) Σ_P k − Σ s k of all samples.
std::vector<Accurate> accurateScores(const PuProblem& problem, const Eigen::VectorXd& s) {
    std::vector<Accurate> scores(static_cast<std::size_t>(problem.size()), 0);
    const PuSamples& samples = problem.space().samples();
    const DenseRows rows = samples.isSparse ? DenseRows(samples.sparse) : samples.dense;
    const Accurate pull = static_cast<Accurate>(problem.mass()) / problem.positives();
    for (SampleIndex u = 0; u < problem.size(); ++u) {
        for (SampleIndex v = 0; v < problem.size(); ++v) {
            const Accurate factor = v < problem.positives() ? pull : -static_cast<Accurate>(s(v));
            if (factor != 0) {
                scores[static_cast<std::size_t>(u)] +=
                    factor * kernelByDefinition<Accurate>(problem.space().kernel(), rows, u, v);
            }
        }
    }
    return scores;
}

void expectWithin(const PuProblem& problem, const Eigen::VectorXd& s, const Eigen::VectorXd& scores, double error) {
    const std::vector<Accurate> exact = accurateScores(problem, s);
    for (SampleIndex u = 0; u < problem.size(); ++u) {
        EXPECT_LE(std::abs(static_cast<double>(exact[static_cast<std::size_t>(u)] - scores(u))),
                  error * problem.space().norms()(u))
            << u;
    }
}

TEST(PuErrors, OfScoresHoldAgainstLongDouble) {
    StopCheck never;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto problem = smallPu(shape, kernel, 11);
            for (const bool isRanked : {false, true}) {
                SolvedPu point = pointAt(
                    *problem, isRanked ? rankedStart(*problem, problem->space().attraction()) : uniformStart(*problem),
                    never);
                completePoint(*problem, 1e-2, point);
                expectWithin(*problem, point.s, point.scores, point.error);
            }
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const SolvedPu solved = solveAt(*problem, 1e-2, {.tolerance = 1e-4}).solved;
            expectWithin(*problem, solved.s, solved.scores, solved.error);
        }
    }
}

TEST(PuErrors, OfScoresMadeInTilesHoldAgainstLongDouble) {
    StopCheck never;
    for (const double offset : {0.0, 20.0}) {
        for (const double gamma : {0.05, 3.0}) {
            const auto samples =
                smallSamples({.name = "tiled", .positives = 20, .unlabeled = 280, .offset = offset}, 13);
            const PuProblem problem(spaceOf(samples, {.kind = KernelKind::Rbf, .gamma = gamma}, 1e9, false), 0.4);
            SolvedPu point = pointAt(problem, uniformStart(problem), never);
            EXPECT_EQ(problem.space().rowsMade(), 0);
            completePoint(problem, 1e-3, point);
            expectWithin(problem, point.s, point.scores, point.error);
            const SolvedPu solved = solveAt(problem, 1e-3, {.tolerance = 1e-7}, &point).solved;
            expectWithin(problem, solved.s, solved.scores, solved.error);
        }
    }
}

/// Primal minus dual in the units of PuProblem, in long double.
Accurate accurateGap(const PuProblem& problem, double epsilon, const Eigen::VectorXd& s, double bias) {
    const std::vector<Accurate> scores = accurateScores(problem, s);
    Accurate gap = 0;
    for (SampleIndex u = problem.positives(); u < problem.size(); ++u) {
        const Accurate z = scores[static_cast<std::size_t>(u)] + bias;
        const Accurate su = s(u);
        // loss + ω-terms sum up to Σ ℓ(z) − s z − ε min(s, 2−s) by Σs = m.
        gap += std::max({Accurate(0), z + epsilon, 2 * z}) - su * z - epsilon * std::min(su, 2 - su);
    }
    return gap;
}

TEST(PuErrors, GapIsAnUpperBoundAgainstLongDouble) {
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, 12);
            for (const double tolerance : {1e-1, 1e-9}) {
                const SolvedPu solved = solveAt(*problem, 3e-2, {.tolerance = tolerance}).solved;
                const Accurate exact = accurateGap(*problem, problem->epsilon(3e-2), solved.s, solved.bias);
                EXPECT_LE(exact, static_cast<Accurate>(solved.gap));
                EXPECT_GE(exact, -1e-12L * std::abs(static_cast<Accurate>(solved.squaredNorm) + solved.gap));
            }
        }
    }
}

TEST(PuKernelEngine, ScoresAreThoseOfSAfterShrinkingAndFixing) {
    StopCheck never;
    for (const int unlabeled : {60, 700}) { // more than a block, and few enough members to keep rows of their own
        const auto problem = smallPu({.name = "engine", .positives = 15, .unlabeled = unlabeled},
                                     {.kind = KernelKind::Rbf, .gamma = 0.4}, 3);
        const double lambda = 3e-3;
        const SolvedPu tight = solveAt(*problem, lambda, {.tolerance = 1e-10}).solved;
        std::vector<Decision> certain;
        (void)setCountsOf(*problem, tight, &certain);
        for (const bool shrinks : {false, true}) {
            KernelEngine engine(*problem, shrinks);
            engine.load(problem->epsilon(lambda), startOf(*problem));
            (void)engine.run(unlabeled, 0, never);
            engine.update(never);
            std::vector<Decision> some = certain;
            for (std::size_t k = 0; k < some.size(); k += 3) {
                some[k] = Decision::Keep;
            }
            engine.fix(some, never);
            const std::size_t left = engine.members().size();
            EXPECT_LE(left, some.size() / 2);
            (void)engine.run(2000, 1e-9 * problem->epsilon(lambda), never);
            EXPECT_EQ(engine.members().size(), left);
            engine.updateAll(never);
            EXPECT_EQ(engine.members().size(), some.size());
            SolvedPu fresh = pointAt(*problem, engine.s(), never);
            const double error = engine.drift() + fresh.drift;
            for (Eigen::Index u = 0; u < problem->size(); ++u) {
                EXPECT_LE(std::abs(engine.scores()(u) - fresh.scores(u)), error * problem->space().norms()(u)) << u;
            }
            EXPECT_LT(error, 1e-9 * problem->epsilon(lambda));
            for (std::size_t k = 0; k < some.size(); ++k) {
                if (some[k] != Decision::Keep) {
                    EXPECT_EQ(engine.s()(problem->positives() + static_cast<Eigen::Index>(k)),
                              static_cast<double>(some[k]));
                }
            }
            EXPECT_GT(engine.kernelValues(), 0);
        }
    }
}

TEST(PuActiveRows, AreTheValuesOfTheKernel) {
    const auto problem = smallPu({.name = "rows", .positives = 9, .unlabeled = 80}, {.kind = KernelKind::Rbf}, 2);
    const Eigen::MatrixXd kernel = kernelMatrix(*problem);
    for (const SampleIndex share : {5, 4, 2, 1}) { // of 5
        std::vector<SampleIndex> active;
        for (SampleIndex u = problem->positives(); u < problem->size(); ++u) {
            if (u % 5 < share) {
                active.push_back(u);
            }
        }
        ActiveRows rows(problem->space());
        rows.visit(active);
        ActiveRows::Hold first, second;
        for (int times = 0; times < 2; ++times) {
            for (std::size_t i = 0; i + 1 < active.size(); ++i) {
                const double* one = rows.row(static_cast<std::int32_t>(i), first);
                const double* other = rows.row(static_cast<std::int32_t>(i + 1), second);
                for (std::size_t k = 0; k < active.size(); ++k) {
                    EXPECT_NEAR(one[k], kernel(active[i], active[k]), 1e-14);
                    EXPECT_NEAR(other[k], kernel(active[i + 1], active[k]), 1e-14);
                }
            }
        }
    }
}

constexpr double kFar = std::numeric_limits<double>::infinity();

TEST(PuBias, IsAMinimizerAmongThousandsOfKinksAndTies) {
    RandomStream random(5, "kinks");
    for (const double grain : {0.0, 0.5, 100.0}) { // rounded to multiples, down to all alike
        for (const double mass : {3.0, 1000.5, 2500.0, 4999.0, 4999.5}) {
            const SampleIndex n = 2500;
            Eigen::VectorXd scores(n);
            for (double& score : scores) {
                score = 10 * random.normal();
                score = grain > 0 ? grain * std::round(score / grain) : score;
            }
            std::vector<SampleIndex> all(static_cast<std::size_t>(n));
            std::iota(all.begin(), all.end(), SampleIndex{0});
            const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
            PuView view{all, scores.data(), ones.data(), ones.data(), 0.7, 0, ExactSum::of(mass)};
            const BiasRange range = optimalBias(view);
            std::vector<double> kinks;
            for (const double score : scores) {
                kinks.push_back(-0.7 - score);
                kinks.push_back(0.7 - score);
            }
            std::sort(kinks.begin(), kinks.end());
            const auto rank = static_cast<std::size_t>(std::ceil(mass));
            EXPECT_EQ(range.low, kinks[rank - 1]) << grain << ' ' << mass;
            EXPECT_EQ(range.high, mass == std::floor(mass) ? kinks[rank] : kinks[rank - 1]) << grain << ' ' << mass;
            const double nowhere = std::numeric_limits<double>::quiet_NaN();
            for (const BiasRange near : {range, BiasRange{range.low - 3, range.high + 3}, BiasRange{range.high, kFar},
                                         BiasRange{-kFar, range.low}, BiasRange{range.high + 1, range.high + 2},
                                         BiasRange{-kFar, kFar}, BiasRange{nowhere, nowhere}}) {
                EXPECT_EQ(optimalBias(view, &near), range) << grain << ' ' << mass << ' ' << near.low;
            }
        }
    }
}

TEST(PuExactSum, AddsManyAtOnceAsItAddsOneByOne) {
    RandomStream random(8, "quanta");
    std::vector<double> values = {0, 2, kQuantum, 2 - kQuantum, 1, 1 + kQuantum};
    while (values.size() < 5000) {
        values.push_back(values.size() < 2500 ? 2 : quantized(2 * random.uniform()));
    }
    std::vector<SampleIndex> places(values.size());
    std::iota(places.begin(), places.end(), SampleIndex{0});
    for (const std::size_t count : {std::size_t{0}, std::size_t{6}, std::size_t{1025}, values.size()}) {
        ExactSum one;
        ExactSum many;
        const std::span<const SampleIndex> some(places.data(), count);
        for (const SampleIndex place : some) {
            one.add(values[static_cast<std::size_t>(place)]);
        }
        many.addAt(values.data(), some);
        many.addAt(values.data(), some.first(count / 2));
        for (const SampleIndex place : some.first(count / 2)) {
            one.add(values[static_cast<std::size_t>(place)]);
        }
        EXPECT_EQ(one.minus(many), 0) << count;
        EXPECT_EQ(one.isWhole(), many.isWhole());
        EXPECT_EQ(one.floor(), many.floor());
    }
}

TEST(PuBias, IsRightForAMassThatRoundsUpToAWholeNumber) {
    ExactSum mass = ExactSum::of(0.5 - kQuantum);
    for (int k = 0; k < 39; ++k) {
        mass.add(0.5);
    }
    ASSERT_EQ(mass.value(), 20); // rounded; exactly it is a quantum less
    std::vector<SampleIndex> all(40);
    std::iota(all.begin(), all.end(), SampleIndex{0});
    const Eigen::VectorXd scores = Eigen::VectorXd::LinSpaced(40, 0, -39);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(40);
    const BiasRange range = optimalBias({all, scores.data(), ones.data(), ones.data(), 0.25, 0, mass});
    // Kinks −¼, ¼, ¾, 1¼, …: the slope turns at the twentieth.
    EXPECT_EQ(range.low, 9.25);
    EXPECT_EQ(range.high, 9.25);
}

TEST(PuBias, BracketHoldsHoweverScoresMoveWithinTheBall) {
    RandomStream random(6, "moved scores");
    for (const bool areAlike : {true, false}) { // lengths of images
        for (const double mass : {0.5, 17.0, 40.25, 79.0}) {
            const SampleIndex n = 40;
            const double radius = 0.3;
            Eigen::VectorXd scores(n), norms(n);
            for (SampleIndex u = 0; u < n; ++u) {
                scores(u) = 3 * random.normal();
                norms(u) = areAlike ? 1.7 : 1 + random.uniform();
            }
            std::vector<SampleIndex> all(static_cast<std::size_t>(n));
            std::iota(all.begin(), all.end(), SampleIndex{0});
            const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
            const PuView view{all, scores.data(), ones.data(), norms.data(), 0.7, 0, ExactSum::of(mass)};
            const BiasRange optimal = optimalBias(view);
            const BiasBracket bracket = bracketBias(view, radius, &optimal);
            const auto biasOf = [&](const Eigen::VectorXd& moved) {
                PuView other = view;
                other.scores = moved.data();
                return optimalBias(other);
            };
            for (int times = 0; times < 300; ++times) {
                Eigen::VectorXd moved = scores;
                for (SampleIndex u = 0; u < n; ++u) {
                    const double far = times == 0 ? -1 : times == 1 ? 1 : 2 * random.uniform() - 1;
                    moved(u) += radius * far * norms(u);
                }
                const BiasRange range = biasOf(moved);
                EXPECT_LE(bracket.smallest.low, range.low);
                EXPECT_GE(bracket.smallest.high, range.low);
                EXPECT_LE(bracket.largest.low, range.high);
                EXPECT_GE(bracket.largest.high, range.high);
                if (times < 2) { // all up or all down: an end of the bracket, to rounding
                    const bool isUp = times == 1;
                    EXPECT_NEAR(range.low, isUp ? bracket.smallest.low : bracket.smallest.high, 1e-12);
                }
            }
        }
    }
}

TEST(PuScreening, DecidesNothingThatTheWholeBallOfTheGapDoesNot) {
    constexpr SampleIndex kSize = 600;
    constexpr double kEpsilon = 0.7;
    RandomStream random(3);
    int decided = 0;
    for (const auto& [gap, areAlike] : {std::pair{0.0, false},
                                        {0.0, true},
                                        {1e-8, false},
                                        {1e-3, false},
                                        {1e-3, true},
                                        {0.05, true},
                                        {0.05, false},
                                        {1.0, false},
                                        {1.0, true}}) {
        std::vector<SampleIndex> all(kSize);
        std::iota(all.begin(), all.end(), 0);
        const Eigen::VectorXd ones = Eigen::VectorXd::Ones(kSize);
        const Eigen::VectorXd scores = Eigen::VectorXd::NullaryExpr(kSize, [&random] { return 3 * random.normal(); });
        Eigen::VectorXd norms = Eigen::VectorXd::NullaryExpr(kSize, [&random] { return random.uniform(); });
        if (areAlike) {
            norms.setConstant(0.8);
        }
        const PuView view{all, scores.data(), ones.data(), norms.data(), kEpsilon, 0, ExactSum::of(kSize)};
        // The optimum may be as far away as √gap.
        const double radius = std::sqrt(gap);
        std::vector<Decision> decisions;
        EXPECT_GE(screen(view, gap, decisions), radius);
        const BiasBracket bracket = bracketBias(view, radius);
        for (SampleIndex u = 0; u < kSize; ++u) {
            const Decision decision = decisions[static_cast<std::size_t>(u)];
            decided += decision != Decision::Keep ? 1 : 0;
            if (decision != Decision::Keep) {
                EXPECT_EQ(decision, judge(scores(u), radius * norms(u), kEpsilon, bracket)) << gap << ' ' << u;
            }
        }
    }
    EXPECT_GT(decided, 600);
}

} // namespace
} // namespace lambdascope::pu
