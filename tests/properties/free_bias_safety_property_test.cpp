// SPDX-License-Identifier: GPL-3.0-or-later
// With a free bias: balls, brackets and ties hold the optimum, and no decision is wrong.
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/screening/bias_anchor.h"
#include "core/svm/screening/bounds.h"
#include "tests/core/svm/lane_checks.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace lambdascope::svm {
namespace {

class FreeBiasSafety : public ::testing::TestWithParam<int> {};

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
    BiasBracket bias = {};
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

/// Counts of what a test of ties has met.
struct TieCounts {
    int held = 0;
    int outsideNearer = 0; ///< optima outside with half the r²
    int outsideLooser = 0; ///< optima outside with 16 times the δ
};

/// ‖w* − m‖² + δ|β* − β̄| ≤ r² for the optimal biases, β* = b* + (w* − m)ᵀo; m = a w₀.
void expectTied(const SvmProblem& problem, const SeenBall& ball, const BiasTie& tie, const SolvedSvm& tight,
                TieCounts& counts) {
    const SolvedSvm& from = *ball.from;
    const double product = ball.a * tight.alpha.dot(from.margins);
    const double square = ball.a * ball.a * from.squaredNorm.value + tight.squaredNorm.value - 2 * product;
    const double rounding = ball.a * ball.a * from.squaredNorm.error + tight.squaredNorm.error +
                            2 * ball.a * from.marginError * tight.alpha.dot(problem.norms()) +
                            1e-13 * (ball.a * ball.a * from.squaredNorm.value + tight.squaredNorm.value);
    const double known = std::max(std::sqrt(std::max(square - rounding, 0.0)) - std::sqrt(tight.gap), 0.0);
    const Eigen::VectorXd moved = tight.margins - ball.a * from.margins;
    const Bounded shift =
        tie.anchor->product(problem, {moved.data(), static_cast<std::size_t>(moved.size())},
                            1.0001 * (std::sqrt(tight.gap) + tight.marginError + ball.a * from.marginError) + 1e-14);
    const BiasBracket middle = tie.middle(ball.a, 0, 0);
    const OptimalBiases optimal = optimalBiases(problem, tight);
    for (const BiasBracket& b : {optimal.smallest, optimal.largest}) {
        const double off = std::max({b.low + shift.lower() - middle.high, middle.low - b.high - shift.upper(), 0.0});
        if (!std::isfinite(off)) {
            continue; // no optimal bias is the smallest, or the largest
        }
        const double size = known * known + tie.room * off * (1 - 1e-12);
        EXPECT_LE(size, ball.squaredRadius * (1 + 1e-12));
        ++counts.held;
        counts.outsideNearer += size > 0.5 * ball.squaredRadius ? 1 : 0;
        counts.outsideLooser += known * known + 16 * tie.room * off > ball.squaredRadius ? 1 : 0;
    }
}

/// BT2 holds w* for a balanced ŝ, and neither it nor IT decides anything wrong.
void expectCutHolds(const SvmProblem& problem, const ScreeningReference& reference, const SolvedSvm& tight,
                    std::int64_t& decided) {
    const Nc3Cut& cut = *reference.cut;
    const SolvedSvm& from = *reference.path;
    const double c = reference.c;
    EXPECT_TRUE((cut.coefficients().array() >= 0).all());
    EXPECT_TRUE((cut.coefficients().array() <= problem.weights().array()).all());
    EXPECT_LE(cut.imbalance(), 1e-12 * problem.weights().sum());
    const double centre =
        0.25 * (from.squaredNorm.value + c * (2 * cut.withReference().value + c * cut.squaredNorm().value));
    const double product = 0.5 * (tight.alpha.dot(from.margins) + c * tight.alpha.dot(cut.products()));
    const double rounding = 1e-12 * (from.squaredNorm.value + c * c * cut.squaredNorm().value) +
                            from.squaredNorm.error + c * c * cut.squaredNorm().error + tight.squaredNorm.error +
                            (from.marginError + c * cut.error()) * tight.alpha.dot(problem.norms());
    const double square = centre + tight.squaredNorm.value - 2 * product;
    const double known = std::sqrt(std::max(square - rounding, 0.0)) - std::sqrt(tight.gap);
    EXPECT_LE(known, std::sqrt(makeBall(BoundKind::BallTwo, reference)->squaredRadius) * (1 + 1e-12));
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.size()));
    std::iota(all.begin(), all.end(), SampleIndex{0});
    for (const BoundKind kind : {BoundKind::BallTwo, BoundKind::Intersection}) {
        const auto region = makeRegion(kind, problem, reference);
        EXPECT_EQ(region != nullptr, kind == BoundKind::Intersection || reference.pathTie.has_value());
        if (region == nullptr) {
            continue;
        }
        std::vector<Decision> decisions(all.size());
        region->judge(all, decisions);
        const DecisionAudit audit = auditDecisions(problem, decisions, tight, optimumNear(problem, tight));
        EXPECT_EQ(audit.wrong, 0) << boundName(kind);
        decided += audit.decided;
    }
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

TEST_P(FreeBiasSafety, WithAFreeBiasBallsHoldTheOptimumAndBracketsAnOptimalBias) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    StopCheck never;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    BallCounts ofGap;
    BallCounts ofBallOne;
    TieCounts ties;
    std::int64_t decidedByCuts = 0;
    forAllSvms(true, seed + 200, [&](const SmallShape& /*shape*/, const SvmProblem& problem) {
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
                if (from.currentTie) {
                    expectTied(problem, {BoundKind::Gap, 1, &point, point.gap}, *from.currentTie, tight, ties);
                }
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
                    expectHolds(problem, {BoundKind::BallOne, ball.a, &point, ball.squaredRadius, *from.pathBias}, from,
                                tight, ofBallOne);
                    if (from.pathTie) {
                        expectTied(problem, {BoundKind::BallOne, ball.a, &point, ball.squaredRadius}, *from.pathTie,
                                   tight, ties);
                    }
                    Nc3Cut cut(problem);
                    cut.update(point, c, never);
                    from.cut = &cut;
                    bracketBiases(problem, {}, from);
                    expectCutHolds(problem, from, tight, decidedByCuts);
                }
            }
        }
    });
    for (const BallCounts& counts : {ofGap, ofBallOne}) {
        EXPECT_GT(counts.outsideSmaller, 20) << "smaller balls would do";
        EXPECT_GT(counts.outsideNarrower, 20) << "narrower brackets would do";
        EXPECT_GT(counts.decided, 10000);
    }
    EXPECT_GT(ties.held, 1000);
    EXPECT_GT(ties.outsideNearer, 20) << "half of each squared radius would do";
    EXPECT_GT(ties.outsideLooser, 20) << "far more room would do";
    EXPECT_GT(decidedByCuts, 10000);
}

TEST_P(FreeBiasSafety, LanesWithAFreeBiasReachTheOptimumAndDecideNothingWrong) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    StopCheck never;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    std::int64_t decided = 0;
    forAllSvms(true, seed + 300, [&](const SmallShape& shape, const SvmProblem& problem) {
        const PathStart start = pathStart(problem, never, context);
        std::vector<SolvedSvm> tight;
        for (double c = std::isfinite(start.cMin) ? start.cMin : 1; tight.size() < 7; c *= 4) {
            tight.push_back(solveAt(problem, c, 1e-11, &start.solved).solved);
        }
        forAllLanePoints(problem, {BoundKind::Intersection, BoundKind::Gap}, tight,
                         [&](const WayToLook& /*way*/, const SolvedSvm& exact, const PointOutcome& outcome,
                             const std::vector<Decision>& decisions) {
                             // Kernel values of data far from the origin round too much for a closer gap, and nothing
                             // is close to an optimum of 0.
                             EXPECT_TRUE(outcome.termination == Termination::Converged || shape.name == "huge values" ||
                                         shape.name == "constant targets")
                                 << exact.c;
                             const DecisionAudit audit =
                                 auditDecisions(problem, decisions, exact, optimumNear(problem, exact));
                             EXPECT_EQ(audit.wrong, 0) << exact.c;
                             decided += audit.decided;
                             for (SampleIndex i = 0; i < problem.size(); ++i) {
                                 const Decision decision = decisions[static_cast<std::size_t>(i)];
                                 if (decision != Decision::Keep) {
                                     EXPECT_EQ(outcome.solved.alpha(i),
                                               decision == Decision::Zero ? 0 : exact.c * problem.weights()(i));
                                 }
                             }
                         });
    });
    EXPECT_GT(decided, 3000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FreeBiasSafety, ::testing::Range(1, 3));

} // namespace
} // namespace lambdascope::svm
