// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/free_bias_proof.h"
#include "core/svm/solver/accurate_points.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::svm {
namespace {

struct Slopes {
    long double left = 0;
    long double right = 0;
};

/// Of Σ ω max(0, 1 − y(s + b)): left of `bracket.low` with scores at their upper ends, right of `bracket.high` with
/// scores at their lower ends.
Slopes slopesAt(const SmallSvm& svm, const std::vector<long double>& margins, double radius,
                const BiasBracket& bracket) {
    const SvmProblem& problem = *svm.problem;
    Slopes slopes;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double score = problem.y()(i) * margins[static_cast<std::size_t>(i)];
        const long double reach = static_cast<long double>(radius) * problem.reaches()[static_cast<std::size_t>(i)];
        const long double high = score + reach + bracket.low;
        const long double low = score - reach + bracket.high;
        const double weight = problem.weights()(i);
        slopes.left += problem.y()(i) > 0 ? (high <= 1 ? -weight : 0) : (high > -1 ? weight : 0);
        slopes.right += problem.y()(i) > 0 ? (low < 1 ? -weight : 0) : (low >= -1 ? weight : 0);
    }
    return slopes;
}

/// What sums of weights may round, of a sum that should be 0.
double roundingOf(const SvmProblem& problem) {
    return 1e-17 * problem.weights().sum();
}

TEST(FreeBiasProof, BracketsHoldAnOptimalBiasForTheBallOfTheGap) {
    int narrow = 0;
    for (SmallShape shape : smallShapes()) {
        shape.hasFreeBias = true;
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            const SvmProblem& problem = *svm->problem;
            AccuratePoints accurate(problem);
            for (const double c : {1e-3, 1.0, 1e3}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", C = " + std::to_string(c));
                const auto point = accurate.at(c, bottomOf(problem), {});
                ASSERT_NE(point, nullptr);
                const std::vector<long double> shares = sharesOf(problem, *point);
                const FreeBiasProof proof = proveBias(problem, *point, shares);
                ASSERT_TRUE(std::isfinite(proof.bracket.low) && std::isfinite(proof.bracket.high));
                EXPECT_LE(proof.bracket.low, proof.bracket.high);
                EXPECT_GE(proof.radius, std::sqrt(point->solved.gap));
                const auto margins = exactMargins(*svm, kernel, point->solved.alpha);
                for (const double share : {0.0, 0.5, 1.0}) {
                    const Slopes slopes = slopesAt(*svm, margins, share * proof.radius, proof.bracket);
                    EXPECT_LE(slopes.left, roundingOf(problem));
                    EXPECT_GE(slopes.right, -roundingOf(problem));
                }
                narrow += proof.bracket.high - proof.bracket.low < 1e-2 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(narrow, 50);
}

TEST(FreeBiasProof, OneSampleTakesWhatDecimalsLeaveOfTheBalance) {
    for (SmallShape shape : smallShapes()) {
        shape.hasFreeBias = true;
        for (const bool isWeighted : {false, true}) {
            shape.isWeighted = isWeighted;
            const auto svm = smallSvm(shape, {.kind = KernelKind::Rbf, .gamma = 0.5}, 8);
            const SvmProblem& problem = *svm->problem;
            AccuratePoints accurate(problem);
            for (const double c : {1e-4, 0.1, 100.0}) {
                SCOPED_TRACE(shape.name + ", C = " + std::to_string(c));
                const auto point = accurate.at(c, bottomOf(problem), {});
                const std::vector<long double> shares = sharesOf(problem, *point);
                const SampleIndex balance = proveBias(problem, *point, shares).balance;
                long double rest = 0;
                for (SampleIndex i = 0; i < problem.size(); ++i) {
                    ASSERT_GE(shares[static_cast<std::size_t>(i)], 0);
                    ASSERT_LE(shares[static_cast<std::size_t>(i)], 1);
                    rest +=
                        i == balance ? 0 : problem.y()(i) * problem.weights()(i) * shares[static_cast<std::size_t>(i)];
                }
                const long double taken = -problem.y()(balance) * rest / problem.weights()(balance);
                EXPECT_GT(problem.weights()(balance), 0);
                EXPECT_GE(taken, -1e-17L);
                EXPECT_LE(taken, 1 + 1e-17L);
                EXPECT_NEAR(static_cast<double>(taken - shares[static_cast<std::size_t>(balance)]), 0, 1e-13);
            }
        }
    }
}

} // namespace
} // namespace lambdascope::svm
