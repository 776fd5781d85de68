// SPDX-License-Identifier: GPL-3.0-or-later
// Points that begin with the samples that the last λ left open: which rest, which wake, and what is expected of them.
#include "core/pu/engines/path_extrapolation.h"
#include "core/pu/solver/provisional_fixing.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace lambdascope::pu {
namespace {

const PointSettings kAuto{.tolerance = 1e-7, .screens = true, .isAuto = true};

SmallShape manySamples() {
    return {.name = "rest", .positives = 30, .unlabeled = 600, .spread = 1.5};
}

/// λ from 0.1 to 1e-4, ten a decade.
std::vector<double> densePath() {
    std::vector<double> path;
    for (int t = 0; t <= 30; ++t) {
        path.push_back(0.1 * std::pow(0.1, 0.1 * t));
    }
    return path;
}

TEST(PuRestingSamples, WakesThoseWhoseValuesContradictTheirDecisions) {
    ProvisionalFixing resting({Decision::Zero, Decision::Zero, Decision::Half, Decision::Half, Decision::Full,
                               Decision::Full, Decision::Keep});
    const std::vector<double> scores = {-1.6, -1.4, -0.6, 0.6, 0.6, 0.4, 9};
    EXPECT_EQ(resting.wake(scores, 0.5, 1), 3); // z = −1.1, −0.9, −0.1, 1.1, 1.1, 0.9
    EXPECT_EQ(resting.count(), 3);
    const std::vector<Decision> expected = {Decision::Zero, Decision::Keep, Decision::Half, Decision::Keep,
                                            Decision::Full, Decision::Keep, Decision::Keep};
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), resting.decisions().begin(), resting.decisions().end()));
    EXPECT_EQ(resting.wake(scores, 0.5, 1), 0);
}

const Eigen::Vector3d kAtTen(1, -2, 0.5);
const Eigen::Vector3d kAtEight(2, -2, 0.25);

TEST(PuScoreTrend, IsALineThroughTwoSolutions) {
    const PathExtrapolation trend(10, 0.5, kAtTen, 8, 0.25, kAtEight);
    for (const double ahead : {0.25, 1.0, 2.0}) {
        const auto expected = trend.expectedAt(8 - 2 * ahead, 8, 0.25, kAtEight);
        ASSERT_TRUE(expected.has_value());
        EXPECT_EQ(expected->epsilon, 8 - 2 * ahead);
        EXPECT_EQ(expected->bias, 0.25 - 0.25 * ahead);
        EXPECT_EQ(expected->scores, Eigen::VectorXd(kAtEight + ahead * (kAtEight - kAtTen)));
    }
}

TEST(PuScoreTrend, SaysNothingOfWhatLiesBehindOrTooFar) {
    const PathExtrapolation trend(10, 0.5, kAtTen, 8, 0.25, kAtEight);
    for (const double epsilon : {8.0, 9.0, 12.0, 3.5}) {
        EXPECT_FALSE(trend.expectedAt(epsilon, 8, 0.25, kAtEight).has_value()) << epsilon;
    }
    const PathExtrapolation still(8, 0.25, kAtEight, 8, 0.25, kAtEight);
    EXPECT_FALSE(still.expectedAt(6, 8, 0.25, kAtEight).has_value());
    EXPECT_FALSE(PathExtrapolation().expectedAt(6, 8, 0.25, kAtEight).has_value());
    EXPECT_FALSE(trend.expectedAt(6, 8, 0.25, Eigen::VectorXd::Zero(5)).has_value()) << "another problem";
}

/// What a check does not look at has to be decided already: nothing follows from samples that only rest.
struct WholeViews final : ScreeningObserver {
    explicit WholeViews(const PuProblem& whose) : problem(whose) {}
    void checked(const ScreeningCheck& check) override {
        ++checks;
        const std::set<SampleIndex> members(check.view.members.begin(), check.view.members.end());
        for (SampleIndex u = problem.positives(); u < problem.size(); ++u) {
            const bool isDecided = check.decisions[static_cast<std::size_t>(u - problem.positives())] != Decision::Keep;
            unseen += isDecided || members.contains(u) ? 0 : 1;
        }
    }
    const PuProblem& problem;
    std::int64_t checks = 0;
    std::int64_t unseen = 0;
};

TEST(PuRestingSamples, SaveWorkAlongAPathAndChangeNoOptimum) {
    const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 0.3};
    const auto problem = smallPu(manySamples(), kernel, 1);
    const PointSettings plain{.tolerance = kAuto.tolerance};
    SolvedPu last = startOf(*problem);
    SolvedPu lastPlain = last;
    std::int64_t values = 0;
    std::int64_t plainValues = 0;
    WholeViews observer(*problem);
    for (const double lambda : densePath()) {
        PointOutcome fixing = solveAt(*problem, lambda, kAuto, &last, &observer);
        PointOutcome whole = solveAt(*problem, lambda, plain, &lastPlain);
        EXPECT_EQ(fixing.termination, Termination::Converged);
        const double size = std::max(1.0, std::abs(whole.solved.primal));
        EXPECT_LE(fixing.solved.primal - fixing.solved.dual, 1.01 * kAuto.tolerance * size);
        EXPECT_NEAR(fixing.solved.primal, whole.solved.primal, 3 * kAuto.tolerance * size) << lambda;
        values += fixing.kernelValues;
        plainValues += whole.kernelValues;
        last = std::move(fixing.solved);
        lastPlain = std::move(whole.solved);
    }
    EXPECT_LT(1.2 * static_cast<double>(values), static_cast<double>(plainValues));
    EXPECT_GT(observer.checks, 0);
    EXPECT_EQ(observer.unseen, 0);
}

TEST(PuRestingSamples, AreLookedAtBeforeAnythingIsScreenedOrProven) {
    // Classes that overlap and λ far apart: much has to wake, and points take long enough for screening to pay.
    for (const auto& [gamma, spread] : {std::pair{0.02, 0.3}, {0.05, 0.3}, {0.3, 1.5}}) {
        SmallShape shape = manySamples();
        shape.spread = spread;
        const auto problem = smallPu(shape, {.kind = KernelKind::Rbf, .gamma = gamma}, 2);
        SolvedPu last = startOf(*problem);
        WholeViews observer(*problem);
        for (int t = 4; t <= 20; ++t) {
            const double lambda = std::pow(0.1, 0.25 * t);
            PointOutcome outcome =
                solveAt(*problem, lambda, {.tolerance = 1e-9, .screens = true, .isAuto = true}, &last, &observer);
            const SolvedPu tight = solveAt(*problem, lambda, {.tolerance = 1e-10}).solved;
            EXPECT_NEAR(outcome.solved.primal, tight.primal, 2e-9 * std::max(1.0, std::abs(tight.primal)));
            last = std::move(outcome.solved);
        }
        EXPECT_EQ(observer.unseen, 0) << gamma;
    }
}

TEST(PuPointSolver, GivesTheSameBitsWhetherOneSolverWalksThePathOrANewOneEachPoint) {
    for (const KernelFunction& kernel :
         {KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.3}, KernelFunction{.kind = KernelKind::Linear}}) {
        for (const bool isAuto : {true, false}) {
            const auto problem = smallPu(manySamples(), kernel, 4);
            PointSettings settings = kAuto;
            settings.isAuto = isAuto;
            PointSolver solver(*problem, settings);
            NullSink sink;
            RunContext context(RunId{0}, sink);
            SolvedPu last = startOf(*problem);
            for (const double lambda : densePath()) {
                SCOPED_TRACE(kernelName(kernel) + (isAuto ? ", where it pays, " : ", ") + std::to_string(lambda));
                PointOutcome one = solver.solve(lambda, last, 0, context);
                const PointOutcome other = solveAt(*problem, lambda, settings, &last);
                EXPECT_EQ(one.steps, other.steps);
                EXPECT_EQ(one.kernelValues, other.kernelValues);
                EXPECT_TRUE(one.solved.s == other.solved.s);
                EXPECT_TRUE(one.solved.scores == other.solved.scores);
                last = std::move(one.solved);
            }
        }
    }
}

} // namespace
} // namespace lambdascope::pu
