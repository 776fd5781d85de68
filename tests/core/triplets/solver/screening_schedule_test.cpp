// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/screening_schedule.h"

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
    void solve(int points) {
        for (int at = 0; at < points; ++at) {
            solve();
        }
    }
};

TEST(ScreeningSchedule, LooksOnArrivalWhereThatPaysAndStaysWithIt) {
    ScheduledPath path;
    path.solve();
    EXPECT_EQ(path.looks, 0); // nothing is known yet
    path.solve(30);
    EXPECT_EQ(path.looks, 30);
    EXPECT_LT(path.work, 0.5 * path.plain);
}

TEST(ScreeningSchedule, CostsNextToNothingWhereNoLookPays) {
    for (const double left : {1.0, 0.95, 0.9}) {
        for (const double visits : {4.0, 8.0, 20.0}) {
            ScheduledPath path{.visits = visits, .look = 250, .left = left};
            path.solve(130);
            if (100 * visits * (1 - left) < path.look) {
                EXPECT_LE(path.looks, 12);
                EXPECT_LE(path.work, 1.03 * path.plain) << left << ' ' << visits;
            }
        }
    }
}

TEST(ScreeningSchedule, LooksNeverWhereAPointTakesFewEvaluations) {
    ScheduledPath path{.visits = 3, .left = 0};
    path.solve(50);
    EXPECT_EQ(path.looks, 0);
    EXPECT_EQ(path.work, path.plain);
}

TEST(ScreeningSchedule, TriesNoLookThatCannotPay) {
    ScheduledPath path{.visits = 7, .look = 700, .left = 0.05};
    path.record.lookShare = 7;
    path.solve(50);
    EXPECT_EQ(path.looks, 0); // it would take as much as all evaluations
    path.visits = 12;
    path.solve(10);
    EXPECT_GE(path.looks, 5);
}

TEST(ScreeningSchedule, BeginsAgainWhenThingsChange) {
    ScheduledPath path{.visits = 8, .left = 1};
    path.solve(20);
    const int vain = path.looks;
    path.left = 0.1;
    path.visits = 30;
    path.solve(60);
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

TEST(ScreeningSchedule, MeasuresAnEvaluationOfAllItemsNowAndThen) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 10;
    int measured = 0;
    double truth = 100;
    for (int at = 0; at < 200; ++at) { // 10 evaluations of a half each
        truth *= 0.99;
        ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
        schedule.looked(10, 1, true);
        schedule.advanced(500, 50, false, 1);
        if (schedule.wantsWhole()) {
            schedule.measuredWhole(truth);
            EXPECT_FALSE(schedule.wantsWhole());
            EXPECT_EQ(schedule.finished().visit, truth);
            ++measured;
        }
        record = schedule.finished();
        // It is never off by more than what changes while a hundred evaluations are made.
        EXPECT_LE(record.visit, truth * std::pow(1 / 0.99, 100 * record.visit / 510 + 2));
    }
    EXPECT_GE(measured, 10);
    EXPECT_LE(measured, 200 * 510 / (100 * truth) + 1);
}

TEST(ScreeningSchedule, MeasuresNothingWhereEvaluationsAreOfAllItems) {
    ScreeningRecord record;
    for (int at = 0; at < 100; ++at) {
        ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
        schedule.advanced(1000, 100, true, 1);
        EXPECT_FALSE(schedule.wantsWhole());
        record = schedule.finished();
    }
    ScreeningSchedule every(ScheduleKind::Every, 10, record);
    every.advanced(50000, 50, false, 1);
    EXPECT_FALSE(every.wantsWhole());
}

/// λ of so many evaluations, where a forecast is to be had that is right.
struct ForecastPath {
    double visits = 10;
    LookForecast truth;
    ScreeningRecord record = {};
    int looks = 0;
    int forecasts = 0;

    void solve() {
        ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
        const bool looked = schedule.mayLookOnArrival(false) && schedule.looksOnArrival(1, [this] {
            ++forecasts;
            return truth;
        });
        if (looked) {
            schedule.looked(truth.work + (looks == 0 ? truth.once : 0), 1, true);
            ++looks;
        }
        const double share = looked ? truth.left : 1;
        for (int at = 0; at < static_cast<int>(visits); ++at) {
            schedule.advanced(100 * share, 100 * share, !looked, std::pow(0.1, at));
        }
        record = schedule.finished();
    }
    void solve(int points) {
        for (int at = 0; at < points; ++at) {
            solve();
        }
    }
};

TEST(ScreeningSchedule, LooksOnlyWhereAForecastSaysThatItPays) {
    for (const double left : {0.1, 0.5, 0.7, 0.9, 1.0}) {
        for (const double work : {100.0, 300.0, 600.0}) {
            ForecastPath path{.truth = {left, work, 0}};
            path.solve(100);
            if (1000 * (1 - left) < 1.1 * work) {
                EXPECT_EQ(path.looks, 0) << left << ' ' << work;
                EXPECT_LE(path.forecasts, 100 / 8 + 6); // after pauses that grow
            } else {
                EXPECT_GE(path.looks, 98) << left << ' ' << work;
            }
        }
    }
}

TEST(ScreeningSchedule, PaysOnceWhatAsManyPointsAsThereWereWouldSave) {
    ForecastPath path{.truth = {0.5, 100, 8000}}; // 400 are saved at each λ
    int before = 0;
    while (path.looks == 0 && before < 100) {
        path.solve();
        ++before;
    }
    EXPECT_GE(before, 8000 / 400);
    EXPECT_LE(before, 8000 / 350 + 8);
    path.solve(20); // what is paid is not expected of looks to come
    EXPECT_EQ(path.looks, 21);
}

TEST(ScreeningSchedule, ExpectsOneOffWorkNotAgainAfterALaterOrALastingLook) {
    ForecastPath before;
    before.solve();
    ScreeningSchedule later(ScheduleKind::Auto, 10, before.record);
    later.advanced(100, 100, true, 1);
    ASSERT_TRUE(later.confirms({10, 0.1, 1e-6, true, true}, [] { return LookForecast{0.1, 100, 300}; }));
    later.looked(400, 0.1, false);
    EXPECT_DOUBLE_EQ(later.finished().lookShare, 1);
    ScreeningSchedule ahead(ScheduleKind::Auto, 10, before.record);
    const Stretch one{.lasts = 6};
    ASSERT_EQ(ahead.looksAhead({&one, 1}, [](const Stretch&) { return LookForecast{0.5, 100, 800}; }), &one);
    ahead.lookedAhead(900, 6);
    EXPECT_DOUBLE_EQ(ahead.finished().lasting.work, 100);
}

TEST(ScreeningSchedule, TakesNoLaterLookThatAForecastSpeaksAgainst) {
    for (const double left : {0.1, 0.95}) {
        ScreeningRecord record;
        record.visit = 100;
        record.visits = 20;
        ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
        schedule.advanced(100, 100, true, 1);
        const ScreeningSchedule::State state{1, 0.5, 1e-6, true, true};
        ASSERT_TRUE(schedule.isDue(state));
        const auto forecaster = [left] { return LookForecast{left, 200, 0}; };
        EXPECT_EQ(schedule.confirms(state, forecaster), left < 0.5);
        if (left > 0.5) { // asked again when the gap has fallen, and after a pause
            EXPECT_FALSE(schedule.isDue({2, 0.4, 1e-6, true, true}));
            EXPECT_TRUE(schedule.isDue({2, 0.1, 1e-6, true, true}));
            ScreeningSchedule next(ScheduleKind::Auto, 10, schedule.finished());
            next.advanced(100, 100, true, 1);
            EXPECT_FALSE(next.isDue(state));
            ScreeningSchedule third(ScheduleKind::Auto, 10, next.finished());
            third.advanced(100, 100, true, 1);
            EXPECT_TRUE(third.isDue(state));
        }
        EXPECT_TRUE(schedule.confirms(state, {})); // without a sample
    }
}

TEST(ScreeningSchedule, AsksAgainHoweverFarTheGapFallsAfterAForecastThatNoLookPays) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 20;
    ScreeningSchedule schedule(ScheduleKind::Auto, 10, record);
    schedule.advanced(100, 100, true, 1);
    int forecasts = 0;
    const auto forecaster = [&forecasts] {
        ++forecasts;
        return LookForecast{1, 200, 0};
    };
    int due = 0;
    for (double gap = 0.5; gap > 1e-5; gap *= 0.2) {
        const ScreeningSchedule::State state{1, gap, 1e-6, true, true};
        due += schedule.isDue(state) ? 1 : 0;
        EXPECT_FALSE(schedule.isDue(state) && schedule.confirms(state, forecaster)) << gap;
    }
    EXPECT_GE(due, 4);
    EXPECT_EQ(forecasts, due);
}

TEST(ScreeningSchedule, LosesLittleInVainHoweverLongThePath) {
    ScheduledPath path{.visits = 12, .look = 900, .left = 0.9};
    path.solve(1000);
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

} // namespace
} // namespace lambdascope::triplets
