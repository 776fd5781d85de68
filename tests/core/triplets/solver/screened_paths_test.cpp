// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/inspect/decision_audit.h"
#include "core/triplets/solver/point_solver.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lambdascope::triplets {
namespace {

/// The balls of all checks.
class BallWatch final : public ScreeningObserver {
  public:
    void checked(const ScreeningCheck& check) override {
        for (const Region& region : check.regions) {
            balls.push_back(region.sphere);
        }
        if (check.reference.dual != nullptr) {
            duals.push_back(*check.reference.dual);
        }
    }

    std::vector<Sphere> balls;
    std::vector<DualPoint> duals;
};

struct LookWalk {
    LookWalk(const SmallShape& shape, EngineKind kind)
        : set(smallTriplets(shape, 1)), engine(makeEngine(kind, set)), context(RunId{1}, sink),
          start(startOf(set, settings.gamma, *engine)) {}

    PointOutcome solve(double lambda, const std::vector<BoundKind>& kinds, const SolvedPoint* known = nullptr) {
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        PointSolver solver(*engine, std::move(bounds), settings);
        solver.observe(&watch);
        watch.balls.clear();
        watch.duals.clear();
        return solver.solve(lambda, start, 0, context, known);
    }

    TripletSet set;
    std::unique_ptr<Engine> engine;
    RecordingSink sink;
    RunContext context;
    PointSettings settings;
    SolvedPoint start;
    BallWatch watch;
};

/// What a path of a lane takes, every point of which is as good as that of a tight solve, decides nothing wrong and
/// holds the optimum in its balls.
struct WalkedPath {
    double work = 0;
    std::int64_t evaluations = 0;
    TripletIndex decided = 0;

    WalkedPath(EngineKind kind, MethodKind method, const std::vector<BoundKind>& bounds, bool hasActiveSet = false) {
        LookWalk h({.name = "walked", .rowsPerClass = 30, .features = 5, .k = 8, .spread = 1.0}, kind);
        h.settings.schedule = ScheduleKind::Auto;
        h.settings.method = method;
        h.settings.activeSet = hasActiveSet;
        TripletStates states(h.set.triplets());
        h.engine->record(&states);
        double lambda = h.start.lambda;
        for (int point = 0; point < 70; ++point) {
            lambda *= 0.9;
            states.reset();
            const PointOutcome outcome = h.solve(lambda, bounds);
            EXPECT_EQ(outcome.termination, Termination::Converged);
            work += outcome.ledger.work;
            evaluations += outcome.ledger.evaluations;
            decided += outcome.finalScreened.zero + outcome.finalScreened.linear;
            if (point % 7 == 6) {
                const PointOutcome tight = solveTightly(h.set, lambda, 0.05);
                EXPECT_LE(outcome.primal.value - tight.primal.value, outcome.solved.gap + tight.solved.gap);
                StopCheck never;
                EXPECT_EQ(auditDecisions(h.set, states, tight.solved, 0.05, never).wrong, 0);
                const double off = std::sqrt(2 * tight.solved.gap / lambda);
                for (const Sphere& ball : h.watch.balls) {
                    EXPECT_LE((ball.centre - tight.solved.point.matrix).norm(), ball.radius + off) << point;
                }
            }
            h.start = outcome.solved;
        }
    }
};

TEST(ScreenedPaths, ScreeningWhereItPaysTakesNoMoreThanNone) {
    for (const MethodKind method : {MethodKind::ProjectedGradient, MethodKind::Newton, MethodKind::Automatic}) {
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
            const WalkedPath plain(kind, method, {});
            const WalkedPath screened(kind, method, {BoundKind::RelaxedPath, BoundKind::ProjectedGradient});
            const std::string lane =
                std::to_string(static_cast<int>(method)) + ' ' + std::to_string(static_cast<int>(kind));
            EXPECT_LE(screened.work, 1.03 * plain.work) << lane;
            // What is left may lead the choice between methods another way: to more sums, but not to more work.
            const double most = method == MethodKind::Automatic ? 1.3 : 1.2;
            EXPECT_LE(static_cast<double>(screened.evaluations), most * static_cast<double>(plain.evaluations)) << lane;
            EXPECT_EQ(plain.decided, 0);
            if (method == MethodKind::ProjectedGradient) { // decisions that last serve from the start of a λ on
                EXPECT_LE(screened.work, 0.75 * plain.work) << lane;
                EXPECT_GT(screened.decided, 0);
            }
        }
    }
}

/// What a smaller capsule decides for one λ is used before it is proven, and counts once a ball in it does; where it is
/// too small, iterates leave it.
class NarrowedPaths : public testing::TestWithParam<std::tuple<EngineKind, MethodKind, double>> {
  protected:
    /// One λ, as if solutions had been so much nearer to their line, and judging a smaller capsule cost nothing: on so
    /// few items it hardly ever pays.
    void solve(double lambda) {
        const auto [kind, method, nearer] = GetParam();
        m_walk.settings.method = method;
        m_walk.settings.schedule = ScheduleKind::Auto;
        m_walk.settings.tolerance = 1e-10;
        m_walk.start.screening.narrowing = {.share = 0.01, .pause = {}};
        m_walk.start.path.miss *= nearer;
        m_states.reset();
        const PointOutcome outcome = m_walk.solve(lambda, {BoundKind::RelaxedPath});
        m_walk.start = outcome.solved;
        check(outcome, solveTightly(m_walk.set, lambda, m_walk.settings.gamma));
    }

    void check(const PointOutcome& outcome, const PointOutcome& tight) {
        EXPECT_EQ(outcome.termination, Termination::Converged);
        EXPECT_LE(outcome.primal.value - tight.primal.value, outcome.solved.gap + tight.solved.gap);
        StopCheck never;
        EXPECT_EQ(auditDecisions(m_walk.set, m_states, tight.solved, m_walk.settings.gamma, never).wrong, 0);
        TripletIndex written = 0;
        for (TripletIndex t = 0; t < m_walk.set.triplets(); ++t) {
            written += m_states.at(t) != Decision::Keep ? 1 : 0;
        }
        EXPECT_EQ(written, outcome.finalScreened.decided());
        for (const DualPoint& dual : m_walk.watch.duals) {
            const double radius = std::sqrt(2 * dual.gap / outcome.solved.lambda);
            const double off = std::sqrt(2 * tight.solved.gap / outcome.solved.lambda);
            EXPECT_LE((dual.point.matrix - tight.solved.point.matrix).norm(), radius + off + dual.error);
        }
        const Capsule* capsule = m_walk.engine->lasting()->narrowed();
        if (capsule == nullptr) {
            return;
        }
        ++m_narrowed;
        EXPECT_TRUE(capsule->holds(outcome.solved.point));
        if (written == m_walk.set.triplets() - m_walk.engine->activeTriplets()) {
            ++m_proven;
            EXPECT_TRUE(std::any_of(m_walk.watch.balls.begin(), m_walk.watch.balls.end(),
                                    [&](const Sphere& ball) { return capsule->holds(ball); }));
        }
    }

    LookWalk m_walk{{.name = "walked", .rowsPerClass = 30, .features = 10, .k = 8, .spread = 0.8},
                    std::get<0>(GetParam())};
    TripletStates m_states{m_walk.set.triplets()};
    int m_narrowed = 0;
    int m_proven = 0;
};

TEST_P(NarrowedPaths, AreSolvedAsOthersAndCountWhatIsProven) {
    m_walk.engine->record(&m_states);
    double lambda = m_walk.start.lambda;
    for (int point = 0; point < 70; ++point) {
        lambda *= 0.9;
        SCOPED_TRACE(point);
        solve(lambda);
    }
    if (std::get<2>(GetParam()) == 1) {
        EXPECT_GT(m_narrowed, 0);
        EXPECT_GT(m_proven, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Lanes, NarrowedPaths,
                         testing::Combine(testing::Values(EngineKind::Pairs, EngineKind::Sorted),
                                          testing::Values(MethodKind::ProjectedGradient, MethodKind::Newton,
                                                          MethodKind::Automatic),
                                          testing::Values(1.0, 0.5, 0.05, 1e-14)));

/// Sums over an active set tell neither a gap nor a gradient: decisions that last are not proven by those.
TEST(ScreenedPaths, KeepToSafeBallsWithAnActiveSet) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        for (const BoundKind bound : {BoundKind::ProjectedGradient, BoundKind::RelaxedPath, BoundKind::MidpointGap}) {
            const WalkedPath screened(kind, MethodKind::ProjectedGradient, {bound}, true);
            EXPECT_GT(screened.decided, 0);
        }
    }
}

/// λ intervals of single triplets cost more to make than they save beside decisions that last.
TEST(ScreenedPaths, KeepNoIntervalsOfLambdaWhereScreeningIsDoneWhereItPays) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        std::vector<double> work;
        for (const std::optional<BoundKind> ranges : {std::optional<BoundKind>(), {BoundKind::RelaxedPath}}) {
            LookWalk h({.name = "walked", .rowsPerClass = 20, .features = 5, .k = 6}, kind);
            h.settings.schedule = ScheduleKind::Auto;
            h.settings.ranges = ranges;
            std::vector<std::unique_ptr<Bound>> bounds;
            bounds.push_back(makeBound(BoundKind::RelaxedPath));
            PointSolver solver(*h.engine, std::move(bounds), h.settings);
            double lambda = h.start.lambda;
            double& sum = work.emplace_back();
            for (int point = 0; point < 40; ++point) {
                lambda *= 0.9;
                const PointOutcome outcome = solver.solve(lambda, h.start, point, h.context);
                sum += outcome.ledger.work;
                h.start = outcome.solved;
            }
        }
        EXPECT_EQ(work[0], work[1]);
    }
}

/// A look that is not taken leaves no trace: the sums over all items that it needs are not made to be told so.
TEST(ScreenedPaths, TakeTheSameStepsWithAnActiveSetWhereNoLookPays) {
    for (const double spread : {0.1, 0.3}) {
        const SmallShape shape{.name = "mixed", .rowsPerClass = 30, .features = 20, .k = 5, .spread = spread};
        LookWalk plain(shape, EngineKind::Pairs);
        LookWalk screened(shape, EngineKind::Pairs);
        for (LookWalk* lane : {&plain, &screened}) {
            lane->settings.schedule = ScheduleKind::Auto;
            lane->settings.activeSet = true;
        }
        double lambda = plain.start.lambda;
        ASSERT_GT(lambda, 0);
        for (int point = 0; point < 60; ++point) {
            lambda *= 0.9;
            const PointOutcome without = plain.solve(lambda, {});
            const PointOutcome with = screened.solve(lambda, {BoundKind::Gradient});
            EXPECT_EQ(with.checks, 0);
            EXPECT_EQ(with.ledger.evaluations, without.ledger.evaluations) << point;
            EXPECT_EQ(with.primal.value, without.primal.value) << point;
            plain.start = without.solved;
            screened.start = with.solved;
        }
    }
}

/// Where all decisions hold at the solution nothing is summed twice: neither after screening nor to prove it.
TEST(ScreenedPaths, SumsAsOftenWithScreeningAsWithout) {
    for (const double share : {0.3, 0.03, 0.003}) {
        LookWalk h({.name = "plain", .rowsPerClass = 20, .k = 6}, EngineKind::Pairs);
        h.settings.screenEvery = 1000; // on arrival alone
        const PointOutcome plain = h.solve(share * h.start.lambda, {});
        const PointOutcome screened = h.solve(share * h.start.lambda, {BoundKind::RelaxedPath});
        EXPECT_LE(static_cast<double>(screened.ledger.evaluations),
                  1.1 * static_cast<double>(plain.ledger.evaluations) + 2)
            << share;
    }
}

/// Decisions that hold at the start and end on the way to the solution are given up there.
TEST(ScreenedPaths, LeavesDecisionsThatLastWhereTheyEnd) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Sorted}) {
        for (const MethodKind method : {MethodKind::ProjectedGradient, MethodKind::Newton, MethodKind::Automatic}) {
            for (const bool hasActiveSet : {false, true}) {
                LookWalk h({.name = "far", .rowsPerClass = 20, .features = 5, .k = 8, .spread = 1.0}, kind);
                h.settings.schedule = ScheduleKind::Auto;
                h.settings.method = method;
                h.settings.activeSet = hasActiveSet;
                h.start = h.solve(0.5 * h.start.lambda, {}).solved;
                StopCheck never;
                const Eigen::MatrixXd& centre = h.start.point.matrix;
                const Capsule capsule{centre, centre, 1e-3 * centre.norm()};
                ASSERT_TRUE(h.engine->lasting()->makeLasting(capsule, h.settings.gamma, never));
                ASSERT_TRUE(h.engine->lasting()->lastsAt(h.start.point, h.settings.gamma));
                h.start.path = {}; // nothing tells where the solution is to be expected
                TripletStates states(h.set.triplets());
                h.engine->record(&states);
                const double lambda = 0.3 * h.start.lambda;
                const PointOutcome outcome = h.solve(lambda, {BoundKind::RelaxedPath});
                EXPECT_EQ(outcome.termination, Termination::Converged);
                const PointOutcome tight = solveTightly(h.set, lambda, h.settings.gamma);
                EXPECT_FALSE(capsule.holds(tight.solved.point));
                EXPECT_LE(outcome.primal.value - tight.primal.value, outcome.solved.gap + tight.solved.gap);
                EXPECT_EQ(auditDecisions(h.set, states, tight.solved, h.settings.gamma, never).wrong, 0);
            }
        }
    }
}

class ToldDistance : public testing::TestWithParam<SmallShape> {};

/// The limit of sphere rules: the smallest ball round an iterate decides nothing wrong, no less than the ball of its
/// gap, and costs nothing.
TEST_P(ToldDistance, DecidesSafelyAtLeastWhatTheGapDoes) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        for (const MethodKind method : {MethodKind::ProjectedGradient, MethodKind::Newton, MethodKind::Automatic}) {
            LookWalk h(GetParam(), kind);
            h.settings.method = method;
            TripletStates states(h.set.triplets());
            double lambda = h.start.lambda;
            double work = 0; ///< with looks that are counted less that with free ones
            for (int point = 0; point < 3; ++point) {
                lambda *= 0.6;
                const PointOutcome tight = solveTightly(h.set, lambda, h.settings.gamma);
                h.settings.knowsDistance = false;
                const PointOutcome byGap = h.solve(lambda, {BoundKind::DualityGap});
                h.settings.knowsDistance = true;
                h.engine->record(&states);
                for (const std::vector<BoundKind>& centres :
                     {std::vector<BoundKind>{BoundKind::MidpointGap, BoundKind::ProjectedGradient},
                      std::vector<BoundKind>()}) {
                    states.reset();
                    const PointOutcome told = h.solve(lambda, centres, &tight.solved);
                    EXPECT_NE(told.termination, Termination::IterationLimit);
                    EXPECT_LE(told.primal.value - tight.primal.value, told.solved.gap + tight.solved.gap);
                    EXPECT_EQ(told.cpuScreen, 0);
                    StopCheck never;
                    EXPECT_EQ(auditDecisions(h.set, states, tight.solved, h.settings.gamma, never).wrong, 0);
                    if (method == MethodKind::ProjectedGradient) { // begins where the one before ended
                        EXPECT_GE(told.pathScreened.decided(), byGap.pathScreened.decided());
                        work += byGap.ledger.work - told.ledger.work;
                    }
                }
                h.engine->record(nullptr);
                h.start = byGap.solved;
            }
            EXPECT_GE(work, 0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ToldDistance, testing::ValuesIn(smallShapes()),
                         [](const auto& each) { return each.param.name; });

} // namespace
} // namespace lambdascope::triplets
