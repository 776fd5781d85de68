// SPDX-License-Identifier: GPL-3.0-or-later
// What a free bias adds to screening: best biases and their brackets by definition, the origin amid the samples.
#include "core/common/random_stream.h"
#include "core/svm/screening/bias_bracket.h"
#include "core/svm/screening/bounds.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::svm {
namespace {

/// φ(b) of bias_bracket.h, straight from its definition.
long double lossAt(std::span<const BiasSample> samples, long double pull, long double b) {
    long double sum = -pull * b;
    for (const BiasSample& sample : samples) {
        sum += sample.weight * std::max(0.0L, sample.threshold - sample.y * (sample.low + b));
    }
    return sum;
}

/// Its least value: that at some kink.
long double leastLoss(std::span<const BiasSample> samples, long double pull) {
    long double least = std::numeric_limits<long double>::infinity();
    for (const BiasSample& sample : samples) {
        least =
            std::min(least, lossAt(samples, pull, static_cast<long double>(sample.y) * sample.threshold - sample.low));
    }
    return least;
}

std::vector<BiasSample> randomSamples(RandomStream& random, std::size_t count) {
    const bool hasTies = random.uniform() < 0.5;
    const bool isWeighted = random.uniform() < 0.5;
    const bool hasThresholds = random.uniform() < 0.5;
    const double share = random.uniform();
    std::vector<BiasSample> samples(count);
    for (BiasSample& sample : samples) {
        sample.y = random.uniform() < share ? 1 : -1;
        const double score = 2 * random.normal();
        sample.low = sample.high = hasTies ? std::round(score) : score;
        sample.weight = isWeighted ? std::exp(random.normal()) : 1;
        const double threshold = 2 * random.normal();
        sample.threshold = !hasThresholds ? 1 : hasTies ? std::round(threshold) : threshold;
    }
    return samples;
}

TEST(FreeBias, IsBestByDefinition) {
    RandomStream random(1, "best");
    for (int round = 0; round < 2000; ++round) {
        const auto samples = randomSamples(random, 1 + static_cast<std::size_t>(std::pow(150, random.uniform())));
        double positive = 0;
        double negative = 0;
        for (const BiasSample& sample : samples) {
            (sample.y > 0 ? positive : negative) += sample.weight;
        }
        CheckedSum pull; // as much as leaves a least value
        pull.add(round % 2 == 0 ? 0 : random.uniform(-positive, negative));
        const BiasBracket best = bestBiases(samples, pull);
        const long double least = leastLoss(samples, pull.value());
        for (const double b : {best.low, best.middle(), best.high}) {
            if (std::isfinite(b)) {
                EXPECT_NEAR(static_cast<double>(lossAt(samples, pull.value(), b) - least), 0,
                            1e-12 * (positive + negative));
            }
        }
        // Beyond the ends it is worse.
        for (const double beyond : {best.low - 0.01, best.high + 0.01}) {
            if (std::isfinite(beyond) && std::abs(pull.error()) == 0 && samples.front().weight == 1) {
                EXPECT_GE(lossAt(samples, pull.value(), beyond), least - 1e-12L);
            }
        }
    }
}

TEST(FreeBias, BracketsHoldAnOptimalBiasWhereverScoresLie) {
    RandomStream random(2, "brackets");
    int narrowed = 0;
    int informative = 0;
    for (int round = 0; round < 3000; ++round) {
        auto samples = randomSamples(random, 2 + static_cast<std::size_t>(std::pow(200, random.uniform())));
        std::vector<BiasSample> intervals = samples;
        const double reach = std::pow(10.0, random.uniform(-8, 0.5));
        const int corner = static_cast<int>(4 * random.uniform());
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const double own = reach * (0.2 + random.uniform());
            intervals[k].low -= own;
            intervals[k].high += own;
            const double at = corner == 0 ? -1 : corner == 1 ? 1 : random.uniform(-1, 1);
            samples[k].low = samples[k].high = samples[k].low + at * own;
        }
        const BiasBracket optimal = bestBiases(samples, {});
        const BiasBracket bracket = bracketBias(intervals, {});
        const auto holds = [](const BiasBracket& outer, double b) { return b >= outer.low && b <= outer.high; };
        EXPECT_TRUE(holds(bracket, optimal.low) || holds(bracket, optimal.high)) << round;
        if (std::isfinite(bracket.low) && std::isfinite(bracket.high)) {
            ++informative;
            const double quarter = 0.25 * (bracket.high - bracket.low);
            const BiasBracket half{bracket.low + quarter, bracket.high - quarter};
            narrowed += holds(half, optimal.low) || holds(half, optimal.high) ? 0 : 1;
        }
    }
    EXPECT_GT(informative, 2500);
    EXPECT_GT(narrowed, 200) << "half of each bracket would do";
}

TEST(FreeBias, SumsSayWhatTheyHaveRounded) {
    CheckedSum whole;
    CheckedSum tenths;
    for (int k = 0; k < 100; ++k) {
        whole.add(k % 2 == 0 ? 3 : 0.25);
        tenths.add(0.1);
    }
    EXPECT_EQ(whole.value(), 162.5);
    EXPECT_EQ(whole.error(), 0);
    EXPECT_GT(tenths.error(), 0);
    EXPECT_GE(tenths.error(), std::abs(tenths.value() - 10) - 100 * 5.6e-18);
}

TEST(FreeBias, ReachesAreTheDistancesFromTheOriginAmidTheSamples) {
    for (const SmallShape& plain : allShapes(true)) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(plain, kernel, 3);
            const SvmProblem& problem = *svm->problem;
            const double rounding = 3 * std::sqrt(problem.productError() + 1e-13) * problem.norms().maxCoeff();
            long double sum = 0;
            long double sumOfSquares = 0;
            for (SampleIndex i = 0; i < problem.size(); ++i) {
                long double square = 0; // ‖Φ(xᵢ) − o‖²
                for (SampleIndex j = 0; j < problem.size(); ++j) {
                    const double signs = problem.y()(i) * problem.y()(j);
                    square -= 2 * problem.origin()(j) * signs * exactProduct(*svm, kernel, i, j);
                    for (SampleIndex k = 0; k < problem.size() && problem.origin()(j) != 0; ++k) {
                        square += problem.origin()(j) * problem.origin()(k) * problem.y()(j) * problem.y()(k) *
                                  exactProduct(*svm, kernel, j, k);
                    }
                }
                const long double length = exactProduct(*svm, kernel, i, i);
                const double reach = problem.reaches()[static_cast<std::size_t>(i)];
                const long double exact = std::sqrt(std::max(square + length, 0.0L));
                EXPECT_GE(reach, exact) << plain.name << " " << kernelName(kernel) << " " << i;
                EXPECT_LE(reach, exact + rounding) << plain.name << " " << kernelName(kernel);
                sum += reach * reach;
                sumOfSquares += length;
            }
            EXPECT_LE(sum, sumOfSquares * (1 + 1e-9)) << "farther than from 0: " << plain.name << kernelName(kernel);
        }
    }
}

TEST(FreeBias, BallsDecideTheSameWhereverTheDataLieInALinearKernel) {
    // Distances count from the middle of the samples, so that regions move along.
    const auto decisionsOf = [](double offset, BoundKind kind) {
        const auto svm = smallSvm(withFreeBias({.name = "plain", .offset = offset}), {.kind = KernelKind::Linear}, 6);
        std::vector<std::vector<Decision>> all;
        for (const double c : {0.003, 0.03, 0.3}) {
            const SolvedSvm point = solveAt(*svm->problem, c, 1e-10).solved;
            ScreeningReference reference;
            reference.c = 1.3 * c;
            reference.path = &point;
            reference.gap = std::numeric_limits<double>::infinity();
            if (kind == BoundKind::Gap) {
                reference = referenceAt(point);
                reference.gap = 0.02 * point.squaredNorm.value;
            }
            bracketBiases(*svm->problem, {}, reference);
            std::vector<SampleIndex> samples(static_cast<std::size_t>(svm->problem->size()));
            std::iota(samples.begin(), samples.end(), SampleIndex{0});
            all.emplace_back(samples.size());
            makeRegion(kind, *svm->problem, reference)->judge(samples, all.back());
        }
        return all;
    };
    for (const BoundKind kind : {BoundKind::BallOne, BoundKind::Gap}) {
        const auto here = decisionsOf(0, kind);
        EXPECT_GT(std::count_if(here[1].begin(), here[1].end(), [](Decision d) { return d != Decision::Keep; }), 5);
        EXPECT_EQ(here, decisionsOf(30, kind)) << boundName(kind);
    }
}

TEST(FreeBias, BallOneOwesWhatItsProofAsksOfAnUnbalancedReference) {
    // r² = ¼‖w₀‖²(ρ − 1)² + ρ(G₀ + (b* − b₀)δ) for any |b*| ≤ 1 + (½(1 + ρ)‖w₀‖ + r)R, δ = yᵀα₀.
    const auto svm = smallSvm(withFreeBias({.name = "plain"}), {.kind = KernelKind::Rbf, .gamma = 0.5}, 4);
    const SvmProblem& problem = *svm->problem;
    SolvedSvm reference = solveAt(problem, 0.5, 1e-10).solved;
    for (const double delta : {1e-6, 1e-2, 3.0}) {
        reference.alpha(0) += problem.y()(0) * (delta - imbalanceOf(problem, reference.alpha));
        for (const double ratio : {1.2, 5.0, 50.0}) {
            ScreeningReference from;
            from.c = ratio * reference.c;
            from.path = &reference;
            from.gap = std::numeric_limits<double>::infinity();
            bracketBiases(problem, {}, from);
            const double square = makeBall(BoundKind::BallOne, from)->squaredRadius;
            const double norm = std::sqrt(reference.squaredNorm.value);
            const double longest = problem.norms().maxCoeff();
            const double bias = 1 + (0.5 * (1 + ratio) * norm + std::sqrt(square)) * longest;
            const double rise = 0.5 * norm * (ratio - 1);
            const double asked =
                rise * rise + ratio * (reference.gap + (bias + std::abs(reference.bias)) * std::abs(delta));
            EXPECT_GE(square, asked * (1 - 1e-12)) << delta << " " << ratio;
        }
    }
}

} // namespace
} // namespace lambdascope::svm
