// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/decision_audit.h"
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/screening_schedule.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::triplets {
namespace {

TEST(ScreeningSchedule, EveryLooksOnArrivalAndAtMultiples) {
    ScreeningSchedule schedule(ScheduleKind::Every, 10, {});
    EXPECT_TRUE(schedule.mayLookOnArrival(false));
    EXPECT_TRUE(schedule.mayLookOnArrival(true));
    EXPECT_TRUE(schedule.looksOnArrival(1));
    EXPECT_TRUE(schedule.looksOnArrival(0.1));
    EXPECT_FALSE(schedule.isDue({9, 1, 0.1, false}));
    EXPECT_TRUE(schedule.isDue({10, 1, 0.1, false}));
    EXPECT_TRUE(schedule.isDue({13, 1, 0.1, false}));
    schedule.begin(13);
    EXPECT_FALSE(schedule.isDue({19, 1, 0.1, false}));
    EXPECT_TRUE(schedule.isDue({20, 1, 0.1, false}));
}

/// λ whose evaluations cost 100 each without screening, as many as `visits`; a look on arrival costs `look` and leaves
/// a share of an evaluation.
struct ScheduledPath {
    double visits = 20;
    double look = 200;
    double left = 0.3;
    ScreeningRecord record = {};
    double work = 0;
    double plain = 0;
    int looks = 0;

    void solve() {
        ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
        const bool looked = visits > 0 && schedule.mayLookOnArrival(false) && schedule.looksOnArrival(1);
        const double share = looked ? left : 1;
        if (looked) {
            ++looks;
            work += look;
            schedule.looked(look, 1, true);
        }
        for (int at = 0; at < static_cast<int>(visits); ++at) {
            work += 100 * share;
            plain += 100;
            schedule.advanced(100 * share, 100 * share, !looked, std::pow(0.1, at));
        }
        record = schedule.finished();
    }
};

TEST(ScreeningSchedule, LooksOnArrivalWhereThatPaysAndStaysWithIt) {
    ScheduledPath path;
    path.solve();
    EXPECT_EQ(path.looks, 0); // nothing is known yet
    for (int at = 0; at < 30; ++at) {
        path.solve();
    }
    EXPECT_EQ(path.looks, 30);
    EXPECT_LT(path.work, 0.5 * path.plain);
}

TEST(ScreeningSchedule, CostsNextToNothingWhereNoLookPays) {
    for (const double left : {1.0, 0.95, 0.9}) {
        for (const double visits : {4.0, 8.0, 20.0}) {
            ScheduledPath path{.visits = visits, .look = 250, .left = left};
            for (int at = 0; at < 130; ++at) {
                path.solve();
            }
            if (100 * visits * (1 - left) < path.look) {
                EXPECT_LE(path.looks, 12);
                EXPECT_LE(path.work, 1.03 * path.plain) << left << ' ' << visits;
            }
        }
    }
}

TEST(ScreeningSchedule, LooksNeverWhereAPointTakesFewEvaluations) {
    ScheduledPath path{.visits = 3, .left = 0};
    for (int at = 0; at < 50; ++at) {
        path.solve();
    }
    EXPECT_EQ(path.looks, 0);
    EXPECT_EQ(path.work, path.plain);
}

TEST(ScreeningSchedule, TriesNoLookThatCannotPay) {
    ScheduledPath path{.visits = 7, .look = 700, .left = 0.05};
    path.record.lookShare = 7;
    for (int at = 0; at < 50; ++at) {
        path.solve();
    }
    EXPECT_EQ(path.looks, 0); // it would take as much as all evaluations
    path.visits = 12;
    for (int at = 0; at < 10; ++at) {
        path.solve();
    }
    EXPECT_GE(path.looks, 5);
}

TEST(ScreeningSchedule, BeginsAgainWhenThingsChange) {
    ScheduledPath path{.visits = 8, .left = 1};
    for (int at = 0; at < 20; ++at) {
        path.solve();
    }
    const int vain = path.looks;
    path.left = 0.1;
    path.visits = 30;
    for (int at = 0; at < 60; ++at) {
        path.solve();
    }
    EXPECT_GT(path.looks, vain + 20);
}

TEST(ScreeningSchedule, LooksBesideWhatIsRecalledOnlyWhereThatLeavesMuch) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 10;
    record.looks = 100;
    record.left = 0.3;
    record.leftLooked = 0.3;
    record.lookShare = 3;
    ScreeningSchedule much(ScheduleKind::Auto, 10, record);
    EXPECT_TRUE(much.looksOnArrival(0.6)); // 300 to be saved by 180
    ScreeningSchedule little(ScheduleKind::Auto, 10, record);
    EXPECT_FALSE(little.looksOnArrival(0.4)); // 100 by 120
    little.looked(0, 1, true);
    little.advanced(40, 40, false, 1);
    const ScreeningRecord after = little.finished();
    EXPECT_EQ(after.looks, 50); // nothing was paid for that λ
    EXPECT_EQ(after.leftLooked, 0.3);
    EXPECT_EQ(after.lookShare, 3);
    EXPECT_NEAR(after.left, 0.35, 1e-12);
}

TEST(ScreeningSchedule, LosesLittleInVainHoweverLongThePath) {
    ScheduledPath path{.visits = 12, .look = 900, .left = 0.9};
    for (int at = 0; at < 1000; ++at) {
        path.solve();
    }
    EXPECT_GT(path.looks, 1);
    EXPECT_LE(path.work, 1.015 * path.plain);
}

TEST(ScreeningSchedule, LooksAgainWhenTheGapHasFallenAndMuchIsToCome) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 20;
    record.looks = 200;
    record.left = 0.4;
    record.least = 0.1;
    record.lookShare = 1.2;
    ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
    ASSERT_TRUE(schedule.mayLookOnArrival(false) && schedule.looksOnArrival(1));
    EXPECT_FALSE(schedule.mayLookOnArrival(true)); // a point that is solved
    schedule.looked(200, 1, true);
    const auto state = [](std::int64_t iteration, double gap) {
        return ScreeningSchedule::State{iteration, gap, 1e-6, true};
    };
    EXPECT_FALSE(schedule.isDue(state(0, 1))); // no evaluation yet
    schedule.advanced(40, 40, false, 1);
    EXPECT_FALSE(schedule.isDue(state(1, 0.3))); // the ball is hardly smaller
    EXPECT_TRUE(schedule.isDue(state(1, 0.05))); // some thirteen more evaluations
    EXPECT_FALSE(schedule.isDue({1, 0.05, 1e-6, false}));
    EXPECT_FALSE(schedule.isDue(state(1, 2e-6))); // nearly there
    EXPECT_FALSE(schedule.isDue(state(1, 1e-7)));
    schedule.looked(50, 0.05, false);
    EXPECT_FALSE(schedule.isDue(state(1, 0.01))); // what it left is not known yet
    schedule.advanced(6, 6, false, 0.05);
    EXPECT_FALSE(schedule.isDue(state(2, 0.01))); // as little is left as may be
    const ScreeningRecord after = schedule.finished();
    EXPECT_EQ(after.visits, 0.5 * 20 + 0.5 * 2);
    EXPECT_NEAR(after.least, 0.05, 1e-12); // of 0.1 and of nothing: more went than the radius tells
    EXPECT_LT(after.left, 0.4);
}

/// λ of 20 evaluations of 100 each, by which the gap falls to a millionth; a later look leaves `left` of an evaluation.
int laterLooks(ScreeningRecord& record, double left) {
    ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
    double visit = 100;
    int looks = 0;
    for (int at = 0; at < 20; ++at) {
        const double gap = std::pow(0.5, at);
        if (schedule.isDue({at, gap, 1e-6, true})) {
            schedule.looked(2 * visit, gap, false);
            visit = 100 * left;
            ++looks;
        }
        schedule.advanced(visit, visit, looks == 0, gap);
    }
    record = schedule.finished();
    return looks;
}

TEST(ScreeningSchedule, LaterLooksResumeAfterOneGaveNothing) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 20;
    record.left = 0.5;
    int vain = 0;
    for (int at = 0; at < 60; ++at) {
        vain += laterLooks(record, 1);
    }
    EXPECT_GE(vain, 1);
    EXPECT_LE(200 * vain, 0.02 * record.total + 400);
    int late = 0;
    for (int at = 0; at < 200; ++at) {
        late += laterLooks(record, 0.1) > 0 ? 1 : 0;
    }
    EXPECT_GE(late, 100);
}

struct LookWalk {
    LookWalk(const SmallShape& shape, EngineKind kind)
        : set(smallTriplets(shape, 1)), engine(makeEngine(kind, set)), context(RunId{1}, sink),
          start(startOf(set, settings.gamma, *engine)) {}

    PointOutcome solve(double lambda, const std::vector<BoundKind>& kinds) {
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        return PointSolver(*engine, std::move(bounds), settings).solve(lambda, start, 0, context);
    }

    TripletSet set;
    std::unique_ptr<Engine> engine;
    RecordingSink sink;
    RunContext context;
    PointSettings settings;
    SolvedPoint start;
};

/// What a path of a lane takes, every point of which is as good as that of a tight solve and decides nothing wrong.
struct WalkedPath {
    double work = 0;
    std::int64_t evaluations = 0;
    TripletIndex decided = 0;

    WalkedPath(EngineKind kind, MethodKind method, const std::vector<BoundKind>& bounds) {
        LookWalk h({.name = "walked", .rowsPerClass = 30, .features = 5, .k = 8, .spread = 1.0}, kind);
        h.settings.schedule = ScheduleKind::Auto;
        h.settings.method = method;
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
            if (kind == EngineKind::Triplets && method == MethodKind::ProjectedGradient) {
                EXPECT_LE(screened.work, 0.7 * plain.work);
                EXPECT_GT(screened.decided, 0);
            }
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

TEST(ScreeningSchedule, MakesDecisionsThatLastWhereTheySaveMoreThanTheyTake) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 10;
    record.lasting = {.work = 300, .left = 0.4, .lasted = 4};
    EXPECT_TRUE(ScreeningSchedule(ScheduleKind::Auto, 10, record).looksAhead());
    EXPECT_FALSE(ScreeningSchedule(ScheduleKind::Every, 10, record).looksAhead());
    record.visits = 1.3; // 4 × 1.3 × 0.6 evaluations against 3
    EXPECT_FALSE(ScreeningSchedule(ScheduleKind::Auto, 10, record).looksAhead());
    record.saved = 700; // of which half may be risked
    EXPECT_TRUE(ScreeningSchedule(ScheduleKind::Auto, 10, record).looksAhead());
    record.lost = 100;
    EXPECT_FALSE(ScreeningSchedule(ScheduleKind::Auto, 10, record).looksAhead());

    // A λ that they serve tells how long they last and what they leave.
    record.visits = 10;
    ScreeningSchedule serves(ScheduleKind::Auto, 10, record);
    serves.usesLasting();
    serves.advanced(20, 20, false, 1);
    const ScreeningRecord after = serves.finished();
    EXPECT_EQ(after.lasting.uses, 1);
    EXPECT_NEAR(after.lasting.left, 0.3, 1e-12);
    EXPECT_NEAR(after.saved, record.saved + 80, 1e-9);
    ScreeningSchedule again(ScheduleKind::Auto, 10, after);
    again.lookedAhead(250, 0.5);
    EXPECT_EQ(again.finished().lasting.lasted, 2.5);
    EXPECT_EQ(again.finished().lasting.work, 250);
    EXPECT_EQ(again.finished().lasting.uses, 0);
}

} // namespace
} // namespace lambdascope::triplets
