// SPDX-License-Identifier: GPL-3.0-or-later
// Regions hold the optimum, and no decision is wrong: kernels × shapes × seeds × accuracy of the reference × ten
// decades of C, against solutions of much higher accuracy.
#include "core/svm/inspect/decision_audit.h"
#include "tests/core/svm/screening_at.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace lambdascope::svm {
namespace {

class SvmSafety : public ::testing::TestWithParam<int> {
  protected:
    /// Checks all regions of a reference at `c` against an accurate solution there.
    void expectSafe(const SvmProblem& problem, const SolvedSvm& reference, const SolvedSvm* beyond,
                    const SolvedSvm& tight) {
        ScreeningAt screening(problem, reference);
        screening.moveTo(tight.c, beyond);
        const double distance = std::sqrt(tight.gap) + tight.marginError;
        std::map<BoundKind, std::vector<MarginRange>> ranges;
        std::vector<SampleIndex> all(static_cast<std::size_t>(problem.size()));
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            all[static_cast<std::size_t>(i)] = i;
        }
        for (const BoundKind kind : allBounds()) {
            const auto region = makeRegion(kind, problem, screening.reference());
            if (!region) {
                continue;
            }
            std::vector<MarginRange>& range = ranges[kind];
            range.resize(all.size());
            region->ranges(all, range);
            const std::vector<Decision> decisions = screening.decisions(kind);
            for (SampleIndex i = 0; i < problem.size(); ++i) {
                const double doubt = 1.0001 * distance * problem.norms()(i);
                const MarginRange& bounds = range[static_cast<std::size_t>(i)];
                EXPECT_LE(bounds.lower, tight.margins(i) + doubt) << boundName(kind) << " " << i;
                EXPECT_GE(bounds.upper, tight.margins(i) - doubt) << boundName(kind) << " " << i;
                const Decision decision = decisions[static_cast<std::size_t>(i)];
                m_decisions[kind] += decision != Decision::Keep ? 1 : 0;
                // The quick way decides what the ranges say, but for their last digits.
                const double edge = problem.thresholds()(i);
                const double size = problem.largestThreshold();
                if (std::abs(bounds.lower - edge) > 1e-9 * (size + std::abs(bounds.upper)) &&
                    std::abs(bounds.upper - edge) > 1e-9 * (size + std::abs(bounds.lower))) {
                    EXPECT_EQ(decision, bounds.decision(edge))
                        << boundName(kind) << " " << i << ": " << bounds.lower << " " << bounds.upper << " " << edge;
                }
                if (decision != Decision::Keep) {
                    const double side = decision == Decision::Zero ? 1 : -1;
                    EXPECT_GE(side * (tight.margins(i) - edge), -doubt) << boundName(kind) << " " << i;
                }
            }
        }
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            for (const BoundKind ball : {BoundKind::BallOne, BoundKind::BallTwo}) {
                // But for the rounding that either pays for.
                const double slack = 1e-9 * (problem.largestThreshold() + std::abs(ranges[ball][at].lower) +
                                             std::abs(ranges[ball][at].upper));
                EXPECT_GE(ranges[BoundKind::Intersection][at].lower, ranges[ball][at].lower - slack);
                EXPECT_LE(ranges[BoundKind::Intersection][at].upper, ranges[ball][at].upper + slack);
            }
        }
    }

    std::map<BoundKind, std::int64_t> m_decisions;
};

TEST_P(SvmSafety, RegionsHoldTheOptimumWhateverTheReference) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    for (const SmallShape& shape : allShapes(false)) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto svm = smallSvm(shape, kernel, seed);
            const SvmProblem& problem = *svm->problem;
            const double least = cMinOf(problem);
            for (const double decade : {1.0, 30.0, 1e4, 1e7, 1e10}) {
                if (shape.isTube && decade > 1e4) {
                    continue; // a tube has long been followed to its digits
                }
                for (const double accuracy : {1e-3, 1e-10}) {
                    const SolvedSvm reference = solveAt(problem, decade * least, accuracy).solved;
                    for (const double factor : {0.7, 1.0, 1.05, 2.0, 30.0}) {
                        const double c = factor * reference.c;
                        const SolvedSvm tight = solveAt(problem, c, 1e-11, &reference).solved;
                        const SolvedSvm beyond = solveAt(problem, 1.3 * c, accuracy, &tight).solved;
                        expectSafe(problem, reference, &beyond, tight);
                    }
                }
            }
        }
    }
    for (const BoundKind kind : allBounds()) {
        EXPECT_GT(m_decisions[kind], 10000) << boundName(kind) << " hardly decides anything";
    }
}

/// What the last check of a lane decided.
struct LastDecisions final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        decisions.assign(check.decisions.begin(), check.decisions.end());
    }
    std::vector<Decision> decisions;
};

PointSettings laneSettings(const std::vector<BoundKind>& bounds, bool shrinks) {
    PointSettings settings;
    settings.bounds = bounds;
    settings.shrinks = shrinks;
    settings.schedule = shrinks ? ScheduleKind::Auto : ScheduleKind::Every;
    settings.screenEvery = 2;
    settings.tolerance = 1e-5;
    return settings;
}

void expectBothWithinGaps(const PointOutcome& outcome, const SolvedSvm& exact) {
    EXPECT_LE(outcome.dual.lower(), dualValue(exact).upper() + exact.gap);
    EXPECT_GE(dualValue(outcome.solved).upper() + outcome.solved.gap, dualValue(exact).lower());
}

TEST_P(SvmSafety, LanesReachTheOptimumAndDecideNothingWrong) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const std::vector<std::vector<BoundKind>> lanes = {{BoundKind::BallOne},
                                                       {BoundKind::Intersection},
                                                       {BoundKind::Gap},
                                                       {BoundKind::Intersection, BoundKind::Gap},
                                                       {BoundKind::Delta}};
    NullSink sink;
    RunContext context(RunId{0}, sink);
    std::int64_t decided = 0;
    for (const SmallShape& shape : allShapes(false)) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto svm = smallSvm(shape, kernel, seed + 100);
            const SvmProblem& problem = *svm->problem;
            std::vector<SolvedSvm> tight;
            for (double c = cMinOf(problem); tight.size() < 8; c *= 3) {
                tight.push_back(solveAt(problem, c, 1e-11).solved);
            }
            for (const auto& bounds : lanes) {
                for (const bool shrinks : {false, true}) {
                    PointSolver solver(problem, laneSettings(bounds, shrinks));
                    LastDecisions observer;
                    solver.observe(&observer);
                    SolvedSvm last = bottomOf(problem);
                    for (const SolvedSvm& exact : tight) {
                        const PointOutcome outcome = solver.solve(exact.c, last, 3, context);
                        last = outcome.solved;
                        expectBothWithinGaps(outcome, exact);
                        for (SampleIndex i = 0; i < problem.size(); ++i) {
                            const Decision decision = observer.decisions.at(static_cast<std::size_t>(i));
                            const double doubt =
                                1.0001 * (std::sqrt(exact.gap) + exact.marginError) * problem.norms()(i);
                            decided += decision != Decision::Keep ? 1 : 0;
                            if (decision == Decision::Zero) {
                                EXPECT_EQ(last.alpha(i), 0);
                                EXPECT_GE(exact.margins(i), problem.thresholds()(i) - doubt) << i;
                            } else if (decision == Decision::Full) {
                                EXPECT_EQ(last.alpha(i), exact.c * problem.weights()(i));
                                EXPECT_LE(exact.margins(i), problem.thresholds()(i) + doubt) << i;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(decided, 40000);
}

/// The smallest and the largest optimal bias, each with what the solution leaves open of it.
struct OptimalBiases {
    BiasBracket smallest;
    BiasBracket largest;
};

OptimalBiases optimalBiases(const SvmProblem& problem, const SolvedSvm& tight) {
    std::vector<BiasSample> upper;
    std::vector<BiasSample> lower;
    const double distance = 1.0001 * (std::sqrt(tight.gap) + tight.marginError);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double y = problem.y()(i);
        const double score = y * tight.margins(i);
        const double doubt = distance * problem.norms()(i) + 4 * kUnitRoundoff * std::abs(score);
        upper.push_back({y, score + doubt, score + doubt, problem.weights()(i), problem.thresholds()(i)});
        lower.push_back({y, score - doubt, score - doubt, problem.weights()(i), problem.thresholds()(i)});
    }
    const BiasBracket low = bestBiases(upper, {});
    const BiasBracket high = bestBiases(lower, {});
    return {{low.low, high.low}, {low.high, high.high}};
}

/// Whether a bracket holds b* + `shift` of an optimal b*; the shift is known up to `doubt`.
bool holdsOne(const BiasBracket& bracket, const OptimalBiases& optimal, double shift, double doubt) {
    const auto meets = [&](const BiasBracket& other) {
        return bracket.low <= other.high + shift + doubt && bracket.high >= other.low + shift - doubt;
    };
    return meets(optimal.smallest) || meets(optimal.largest);
}

/// How a free bias sees a ball: by its centre m = a w₀ and its radius.
struct SeenBall {
    BoundKind kind = BoundKind::Gap;
    double a = 1;
    const SolvedSvm* from = nullptr; ///< w₀
    double squaredRadius = 0;
    BiasBracket bias;
};

/// Counts of what a test of such balls has met.
struct BallCounts {
    int outsideSmaller = 0;  ///< optima outside the ball with 0.7 times the radius
    int outsideNarrower = 0; ///< optimal biases outside the middle half of the bracket
    std::int64_t decided = 0;
};

/// The ball holds w*, its bracket an optimal bias as the origin of the problem sees it, and no decision is wrong.
void expectHolds(const SvmProblem& problem, const SeenBall& ball, const ScreeningReference& reference,
                 const SolvedSvm& tight, BallCounts& counts) {
    const SolvedSvm& from = *ball.from;
    const double product = ball.a * tight.alpha.dot(from.margins);
    const double square = ball.a * ball.a * from.squaredNorm.value + tight.squaredNorm.value - 2 * product;
    const double rounding = ball.a * ball.a * from.squaredNorm.error + tight.squaredNorm.error +
                            2 * ball.a * from.marginError * tight.alpha.dot(problem.norms()) +
                            1e-13 * (ball.a * ball.a * from.squaredNorm.value + tight.squaredNorm.value);
    const double known = std::sqrt(std::max(square - rounding, 0.0)) - std::sqrt(tight.gap);
    const double radius = std::sqrt(ball.squaredRadius);
    EXPECT_LE(known, radius * (1 + 1e-12));
    counts.outsideSmaller += known > 0.7 * radius ? 1 : 0;
    // (w* − m)ᵀo
    const Eigen::VectorXd moved = tight.margins - ball.a * from.margins;
    const double shift = problem.origin().cwiseProduct(problem.y()).dot(moved);
    const double doubt = problem.origin().dot(problem.norms()) *
                         (1.0001 * (std::sqrt(tight.gap) + tight.marginError + ball.a * from.marginError) + 1e-14);
    const OptimalBiases optimal = optimalBiases(problem, tight);
    EXPECT_TRUE(holdsOne(ball.bias, optimal, shift, doubt));
    const double quarter = 0.25 * (ball.bias.high - ball.bias.low);
    counts.outsideNarrower +=
        std::isfinite(quarter) && !holdsOne({ball.bias.low + quarter, ball.bias.high - quarter}, optimal, shift, doubt)
            ? 1
            : 0;
    const auto region = makeRegion(ball.kind, problem, reference);
    ASSERT_NE(region, nullptr);
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.size()));
    std::iota(all.begin(), all.end(), SampleIndex{0});
    std::vector<Decision> decisions(all.size());
    region->judge(all, decisions);
    const DecisionAudit audit = auditDecisions(problem, decisions, tight, optimumNear(problem, tight));
    EXPECT_EQ(audit.wrong, 0);
    counts.decided += audit.decided;
}

/// The same point with a hundredth of its largest α taken off, so that yᵀα is not 0.
SolvedSvm unbalanced(SolvedSvm solved, const SvmProblem& problem) {
    Eigen::Index i = 0;
    const double taken = 0.01 * solved.alpha.maxCoeff(&i);
    solved.alpha(i) -= taken;
    const KernelRow row = problem.kernelRow(static_cast<SampleIndex>(i));
    for (SampleIndex j = 0; j < problem.size(); ++j) {
        solved.margins(j) -= taken * problem.y()(i) * problem.y()(j) * row.values[problem.rowOf(j)];
    }
    solved.marginError += 1e-14 * solved.alpha.dot(problem.norms());
    completeSolved(problem, solved);
    return solved;
}

SolvedSvm scaledTo(double c, SolvedSvm solved, const SvmProblem& problem) {
    const double ratio = c / solved.c;
    solved.c = c;
    solved.alpha = (ratio * solved.alpha).cwiseMin(c * problem.weights());
    solved.margins *= ratio;
    solved.marginError = ratio * solved.marginError + 1e-15 * solved.alpha.dot(problem.norms());
    completeSolved(problem, solved);
    return solved;
}

TEST_P(SvmSafety, WithAFreeBiasBallsHoldTheOptimumAndBracketsAnOptimalBias) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    StopCheck never;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    BallCounts ofGap;
    BallCounts ofBallOne;
    for (const SmallShape& shape : allShapes(true)) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto svm = smallSvm(shape, kernel, seed + 200);
            const SvmProblem& problem = *svm->problem;
            const PathStart start = pathStart(problem, never, context);
            const double least = std::isfinite(start.cMin) ? start.cMin : 1;
            for (const double decade : {1e-3, 0.5, 3.0, 1e3, 1e6}) {
                const double c = decade * least;
                const SolvedSvm tight = solveAt(problem, c, 1e-11, &start.solved).solved;
                const SolvedSvm half = solveAt(problem, c / 2, 1e-4, &start.solved).solved;
                for (const SolvedSvm& point :
                     {bottomPoint(problem, c, never), solveAt(problem, c, 1e-1, &start.solved).solved,
                      solveAt(problem, c, 1e-3, &start.solved).solved, scaledTo(c, half, problem), tight}) {
                    ScreeningReference from = referenceAt(point);
                    bracketBiases(problem, {}, from);
                    ASSERT_TRUE(from.currentBias.has_value());
                    expectHolds(problem, {BoundKind::Gap, 1, &point, point.gap, *from.currentBias}, from, tight, ofGap);
                    for (const BoundKind kind : {BoundKind::BallTwo, BoundKind::Intersection, BoundKind::Delta}) {
                        EXPECT_EQ(makeRegion(kind, problem, from), nullptr);
                    }
                }
                for (const double ratio : {1.001, 1.5, 10.0}) {
                    for (const double tolerance : {1e-1, 1e-4, 1e-11}) {
                        SolvedSvm point = solveAt(problem, c / ratio, tolerance, &start.solved).solved;
                        if (tolerance == 1e-4) {
                            point = unbalanced(std::move(point), problem);
                        }
                        ScreeningReference from;
                        from.c = c;
                        from.path = &point;
                        from.gap = std::numeric_limits<double>::infinity();
                        bracketBiases(problem, {}, from);
                        ASSERT_TRUE(from.pathBias.has_value());
                        const Ball ball = *makeBall(BoundKind::BallOne, from);
                        expectHolds(problem, {BoundKind::BallOne, ball.a, &point, ball.squaredRadius, *from.pathBias},
                                    from, tight, ofBallOne);
                    }
                }
            }
        }
    }
    for (const BallCounts& counts : {ofGap, ofBallOne}) {
        EXPECT_GT(counts.outsideSmaller, 20) << "smaller balls would do";
        EXPECT_GT(counts.outsideNarrower, 20) << "narrower brackets would do";
        EXPECT_GT(counts.decided, 10000);
    }
}

TEST_P(SvmSafety, LanesWithAFreeBiasReachTheOptimumAndDecideNothingWrong) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    StopCheck never;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    std::int64_t decided = 0;
    for (const SmallShape& shape : allShapes(true)) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto svm = smallSvm(shape, kernel, seed + 300);
            const SvmProblem& problem = *svm->problem;
            const PathStart start = pathStart(problem, never, context);
            std::vector<SolvedSvm> tight;
            for (double c = std::isfinite(start.cMin) ? start.cMin : 1; tight.size() < 7; c *= 4) {
                tight.push_back(solveAt(problem, c, 1e-11, &start.solved).solved);
            }
            for (const bool shrinks : {false, true}) {
                PointSolver solver(problem, laneSettings({BoundKind::BallOne, BoundKind::Gap}, shrinks));
                LastDecisions observer;
                solver.observe(&observer);
                SolvedSvm last = bottomOf(problem);
                for (const SolvedSvm& exact : tight) {
                    const PointOutcome outcome = solver.solve(exact.c, last, 3, context);
                    last = outcome.solved;
                    // Kernel values of data far from the origin round too much for a closer gap, and nothing is close
                    // to an optimum of 0.
                    EXPECT_TRUE(outcome.termination == Termination::Converged || shape.name == "huge values" ||
                                shape.name == "constant targets")
                        << exact.c;
                    expectBothWithinGaps(outcome, exact);
                    const DecisionAudit audit =
                        auditDecisions(problem, observer.decisions, exact, optimumNear(problem, exact));
                    EXPECT_EQ(audit.wrong, 0) << exact.c;
                    decided += audit.decided;
                    for (SampleIndex i = 0; i < problem.size(); ++i) {
                        const Decision decision = observer.decisions[static_cast<std::size_t>(i)];
                        if (decision != Decision::Keep) {
                            EXPECT_EQ(last.alpha(i), decision == Decision::Zero ? 0 : exact.c * problem.weights()(i));
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(decided, 3000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SvmSafety, ::testing::Range(1, 3));

} // namespace
} // namespace lambdascope::svm
