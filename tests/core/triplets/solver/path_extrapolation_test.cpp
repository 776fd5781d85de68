// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/method_choice.h"
#include "core/triplets/solver/path_extrapolation.h"
#include "core/triplets/solver/point_solver.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace lambdascope::triplets {
namespace {

const std::vector<BoundKind> kTwoBounds = {BoundKind::RelaxedPath, BoundKind::ProjectedGradient};

/// Evaluations and points of 25 λ, each from the solution before; `follows`: with what is known of the one before that.
struct FollowedPath {
    std::int64_t evaluations = 0;
    std::vector<PointOutcome> points;
};
FollowedPath walkDown(MethodKind method, const std::vector<BoundKind>& kinds, bool follows) {
    const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 20, .k = 6}, 1);
    const auto engine = makeEngine(EngineKind::Pairs, set);
    NullSink sink;
    RunContext context(RunId{1}, sink);
    std::vector<std::unique_ptr<Bound>> bounds;
    for (const BoundKind kind : kinds) {
        bounds.push_back(makeBound(kind));
    }
    PointSettings settings;
    settings.method = method;
    settings.schedule = ScheduleKind::Auto;
    PointSolver solver(*engine, std::move(bounds), settings);
    SolvedPoint start = startOf(set, settings.gamma, *engine);
    FollowedPath walk;
    double lambda = 0.5 * start.lambda;
    for (int point = 0; point < 25; ++point, lambda *= 0.9) {
        start.path = follows ? start.path : PathExtrapolation();
        PointOutcome outcome = solver.solve(lambda, start, point, context);
        walk.evaluations += point >= 2 ? outcome.ledger.evaluations : 0;
        start = outcome.solved;
        walk.points.push_back(std::move(outcome));
    }
    return walk;
}

TEST(PathExtrapolation, BeginsWhereTheLastTwoSolutionsLeadTo) {
    for (const MethodKind method : {MethodKind::Newton, MethodKind::Automatic}) {
        for (const auto& bounds : {std::vector<BoundKind>{}, kTwoBounds}) {
            const FollowedPath follows = walkDown(method, bounds, true);
            const FollowedPath stays = walkDown(method, bounds, false);
            EXPECT_LT(follows.evaluations, 0.95 * static_cast<double>(stays.evaluations));
            for (std::size_t p = 0; p < follows.points.size(); ++p) {
                const PointOutcome& a = follows.points[p];
                const PointOutcome& b = stays.points[p];
                ASSERT_EQ(a.termination, Termination::Converged);
                EXPECT_NEAR(a.primal.value, b.primal.value, (a.solved.gap + b.solved.gap) * (1 + 1e-9));
            }
        }
    }
}

/// What is gone by before it is proven never shows in what is claimed: sums, gaps and decisions are those of all items.
TEST(PathExtrapolation, ClaimsNothingThatIsNotProven) {
    TripletIndex decided = 0;
    for (const MethodKind method : {MethodKind::Newton, MethodKind::Automatic}) {
        const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 30, .k = 8}, 2);
        const auto engine = makeEngine(EngineKind::Pairs, set);
        const auto whole = makeEngine(EngineKind::Pairs, set);
        NullSink sink;
        RunContext context(RunId{1}, sink);
        StopCheck never;
        std::vector<std::unique_ptr<Bound>> bounds;
        bounds.push_back(makeBound(BoundKind::ProjectedGradient));
        bounds.push_back(makeBound(BoundKind::RelaxedPath));
        PointSettings settings;
        settings.method = method;
        settings.schedule = ScheduleKind::Auto;
        PointSolver solver(*engine, std::move(bounds), settings);
        TripletStates states(set.triplets());
        engine->record(&states);
        SolvedPoint start = startOf(set, settings.gamma, *engine);
        double lambda = 0.5 * start.lambda;
        for (int point = 0; point < 30; ++point, lambda *= 0.9) {
            states.reset();
            const PointOutcome outcome = solver.solve(lambda, start, point, context);
            LossTotals totals;
            SetCounts counts;
            ASSERT_TRUE(
                whole->evaluateAll(outcome.solved.point, settings.gamma, settings.gamma, never, totals, counts));
            expectSameTotals(outcome.solved.totals, totals);
            EXPECT_EQ(outcome.setCounts.above, counts.above);
            const PointOutcome exact = solveTightly(set, lambda, settings.gamma);
            EXPECT_GE(outcome.solved.gap * (1 + 1e-9), outcome.primal.value - exact.primal.upper());
            EXPECT_LE(outcome.dual.lower(), exact.primal.upper());
            TripletIndex known = 0;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double margin = marginOf(set, t, exact.solved.point.matrix);
                known += states.at(t) != Decision::Keep ? 1 : 0;
                EXPECT_TRUE(states.at(t) != Decision::Zero || margin > 1 - 1e-6) << lambda << ' ' << t;
                EXPECT_TRUE(states.at(t) != Decision::Linear || margin < 1 - settings.gamma + 1e-6)
                    << lambda << ' ' << t;
            }
            EXPECT_EQ(known, outcome.finalScreened.decided());
            decided += known;
            start = outcome.solved;
        }
    }
    EXPECT_GT(decided, 0);
}

TEST(PathExtrapolation, BeginsProjectedGradientAtTheLastSolutionAsPublished) {
    const FollowedPath follows = walkDown(MethodKind::ProjectedGradient, {}, true);
    const FollowedPath stays = walkDown(MethodKind::ProjectedGradient, {}, false);
    for (std::size_t p = 0; p < follows.points.size(); ++p) {
        EXPECT_EQ(follows.points[p].solved.point.matrix, stays.points[p].solved.point.matrix);
        EXPECT_EQ(follows.points[p].ledger.evaluations, stays.points[p].ledger.evaluations);
    }
}

TEST(PathExtrapolation, BeginsBothKindsOfNewtonStepsWhereTheyAreChosen) {
    const std::vector<PointOutcome> points = walkDown(MethodKind::Automatic, {}, true).points;
    const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 20, .k = 6}, 1);
    const auto engine = makeEngine(EngineKind::Pairs, set);
    NullSink sink;
    RunContext context(RunId{1}, sink);
    PointSettings settings;
    settings.method = MethodKind::Automatic;
    PointSolver solver(*engine, {}, settings);
    SolvedPoint start = points[10].solved;
    ASSERT_GT(start.path.matrix.size(), 0);
    start.path.pause = 0;
    for (const NewtonKind kind : {NewtonKind::WorkingSet, NewtonKind::WholeSets}) {
        MethodRecord record = start.memory.record ? *start.memory.record : MethodRecord();
        record.wasNewton = true;
        record.sinceGradient = 0;
        record.kind = kind;
        start.memory.record = std::make_shared<const MethodRecord>(record);
        SolvedPoint alone = start;
        alone.path = {};
        const double lambda = 0.9 * start.lambda;
        EXPECT_NE(solver.solve(lambda, start, 0, context).solved.point.matrix,
                  solver.solve(lambda, alone, 0, context).solved.point.matrix);
    }
}

TEST(PathExtrapolation, IsTheLineThroughBothSolutionsInTheLogarithmOfLambda) {
    const Eigen::MatrixXd a = Eigen::Vector3d(3, 1, 2).asDiagonal();
    const Eigen::MatrixXd b = Eigen::Matrix3d::Constant(0.3);
    const auto solution = [&](double lambda) -> Eigen::MatrixXd { return a - std::log(lambda) * b; };
    for (const double earlier : {9.0, 5.5}) {
        for (const double target : {4.9, 3.0, 0.1}) {
            const PathExtrapolation path{solution(earlier), earlier};
            EXPECT_LT((path.at(solution(5), 5, target) - solution(target)).norm(), 1e-13);
        }
    }
    const PathExtrapolation path{solution(9), 9};
    EXPECT_EQ(path.at(solution(5), 5, 5).size(), 0); // λ does not fall
    EXPECT_EQ(path.at(solution(5), 5, 6).size(), 0);
    EXPECT_EQ(path.at(solution(9), 9, 5).size(), 0);
    EXPECT_EQ(PathExtrapolation().at(solution(9), 9, 5).size(), 0); // nor is anything known
}

TEST(PathExtrapolation, PausesWhereItLeadsNowhere) {
    using Outcome = PathExtrapolation::Outcome;
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(2, 2);
    PathExtrapolation path{one, 10};
    double lambda = 9;
    const auto passed = [&](Outcome outcome) {
        int count = 0;
        path = path.next(one, lambda, outcome);
        for (; path.at(one, lambda * 0.9, lambda * 0.81).size() == 0; ++count) {
            lambda *= 0.9;
            path = path.next(one, lambda, Outcome::NotTried);
        }
        lambda *= 0.9;
        return count;
    };
    EXPECT_EQ(passed(Outcome::Better), 0);
    EXPECT_EQ(passed(Outcome::Worse), 1);
    EXPECT_EQ(passed(Outcome::Worse), 2);
    EXPECT_EQ(passed(Outcome::Worse), 4);
    EXPECT_EQ(passed(Outcome::Better), 0);
    EXPECT_EQ(passed(Outcome::Worse), 1);
}

} // namespace
} // namespace lambdascope::triplets
