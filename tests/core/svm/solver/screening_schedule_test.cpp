// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/screening_schedule.h"

#include <gtest/gtest.h>

namespace lambdascope::svm {
namespace {

ScreeningSchedule::Terms terms() {
    return {.kind = ScheduleKind::Auto,
            .samples = 100,
            .marginCost = 10,
            .arrivalCost = 50,
            .laterCost = 30,
            .firstWork = 20'000,
            .pointsBefore = 100,
            .hasOthers = true};
}

/// The history after a point on which a look was taken on arrival, with what it expected to decide.
LookHistory after(double expected, double growing, double saved, double spent, const LookHistory& before = {}) {
    ScreeningSchedule schedule(terms(), before);
    EXPECT_TRUE(schedule.looksOnArrival(expected, 0));
    schedule.worked(1, growing - saved, growing);
    schedule.spent(spent);
    return schedule.history();
}

TEST(SvmLooks, OnArrivalAreTakenWhereTheyAreLikelyToSaveMoreThanTheyCost) {
    ScreeningSchedule schedule(terms(), {});
    EXPECT_TRUE(schedule.looksOnArrival(0.5, 0));
    EXPECT_FALSE(schedule.looksOnArrival(0.2, 0));
    EXPECT_FALSE(schedule.looksOnArrival(0.5, 100)); // what it is made from costs too
    ScreeningSchedule known(terms(), {.isKnown = true, .growing = 8000});
    EXPECT_FALSE(known.looksOnArrival(0.5, 0)); // points of this path take less than was thought
    EXPECT_TRUE(known.looksOnArrival(1, 0));
}

TEST(SvmLooks, OnArrivalMeasureTheGapOnlyForBoundsByTheGapAlone) {
    ScreeningSchedule::Terms with = terms();
    EXPECT_FALSE(ScreeningSchedule(with, {}).measuresOnArrival());
    with.kind = ScheduleKind::Every;
    EXPECT_TRUE(ScreeningSchedule(with, {}).measuresOnArrival());
    ScreeningSchedule::Terms alone = terms();
    alone.hasOthers = false;
    EXPECT_TRUE(ScreeningSchedule(alone, {}).measuresOnArrival());
}

TEST(SvmLooks, OnArrivalBeginOnceThePathHasTakenMuchMoreThanTheFirstOfThemCosts) {
    ScreeningSchedule::Terms early = terms();
    const LookHistory history{.isKnown = true, .growing = 20'000};
    early.pointsBefore = 1;
    EXPECT_FALSE(ScreeningSchedule(early, history).looksOnArrival(1, 0));
    early.pointsBefore = 20;
    EXPECT_TRUE(ScreeningSchedule(early, history).looksOnArrival(1, 0));
    early.pointsBefore = 1;
    EXPECT_TRUE(ScreeningSchedule(early, {.isKnown = true, .growing = 20'000, .cost = 50}).looksOnArrival(1, 0));
}

TEST(SvmLooks, OnArrivalEndWhereTheyHaveNotPaidAndAreTriedAgainLater) {
    LookHistory history = after(0.5, 20'000, 200, 5000);
    int skipped = 0;
    while (skipped < 100) {
        ScreeningSchedule schedule(terms(), history);
        if (schedule.looksOnArrival(0.5, 0)) {
            break;
        }
        schedule.worked(1, 20'000, 20'000);
        history = schedule.history();
        ++skipped;
    }
    EXPECT_GE(skipped, 1);
    EXPECT_LE(skipped, 20);
    history = after(0.5, 20'000, 12'000, 5000);
    EXPECT_TRUE(ScreeningSchedule(terms(), history).looksOnArrival(0.5, 0));
    EXPECT_TRUE(ScreeningSchedule(terms(), history).looksOnArrival(0.36, 0)); // they decide more than is expected
}

TEST(SvmLooks, OnArrivalLoseLittleOfALongPathWhereNoneOfThemPays) {
    LookHistory history = after(0.5, 20'000, 200, 5000);
    const auto lostOver = [&history](int points) {
        double lost = 0;
        for (int point = 0; point < points; ++point) {
            ScreeningSchedule schedule(terms(), history);
            const bool looks = schedule.looksOnArrival(0.5, 0);
            schedule.worked(1, looks ? 19'800 : 20'000, 20'000);
            schedule.spent(looks ? 5000 : 0);
            lost += looks ? 4800 : 0;
            history = schedule.history();
        }
        return lost / (points * 20'000.0);
    };
    EXPECT_GT(lostOver(200), 0.01); // they are tried at first
    (void)lostOver(5000);
    EXPECT_LT(lostOver(5000), 0.006);
    EXPECT_GT(lostOver(5000), 0.003); // and again now and then
    history.saved += 20 * 5000;       // where some pay, more may be lost
    EXPECT_GT(lostOver(200), 0.01);
}

TEST(SvmLooks, OnArrivalAreTakenWhateverTheyCostWhereThatIsAskedFor) {
    ScreeningSchedule::Terms every = terms();
    every.kind = ScheduleKind::Every;
    EXPECT_TRUE(ScreeningSchedule(every, {}).looksOnArrival(0, 1e9));
}

TEST(SvmLooks, OnTheWayWaitForTheGapToFallAndForWorkThatIsLeft) {
    const LookHistory history{.isKnown = true, .growing = 50'000};
    ScreeningSchedule schedule(terms(), history);
    schedule.looked({.work = 100, .gap = 1});
    ScreeningSchedule::State now{
        .sweeps = 5, .work = 101, .open = 40, .gap = 0.2, .target = 1e-6, .isWhole = true, .share = 1};
    EXPECT_FALSE(schedule.isDue(now)); // nothing has been done since, and margins would have to be made
    now.isMeasured = true;
    EXPECT_TRUE(schedule.isDue(now));
    now.gap = 0.5;
    EXPECT_FALSE(schedule.isDue(now));
    now.gap = 0.2;
    now.work = 1e6;
    now.isMeasured = false;
    EXPECT_TRUE(schedule.isDue(now));
    ScreeningSchedule atTheEnd(terms(), {.isKnown = true, .growing = 1000});
    atTheEnd.looked({.gap = 1});
    EXPECT_FALSE(atTheEnd.isDue(
        {.work = 1e6, .open = 40, .gap = 0.2, .target = 1e-6, .isWhole = true, .isMeasured = true, .share = 1}));
}

TEST(SvmLooks, OnTheWayAreTakenForTheShareThatTheyAreLikelyToDecide) {
    const LookHistory history{.isKnown = true, .growing = 50'000};
    ScreeningSchedule schedule(terms(), history);
    schedule.looked({.gap = 1});
    ScreeningSchedule::State now{.open = 100, .gap = 0.2, .target = 1e-6, .isWhole = true, .isMeasured = true};
    EXPECT_TRUE(schedule.asksShare(now));
    EXPECT_FALSE(schedule.isDue(now)); // none of them
    now.share = 0.05;
    EXPECT_FALSE(schedule.isDue(now));
    now.share = 0.5;
    EXPECT_TRUE(schedule.isDue(now));
    now.gap = 0.5;
    EXPECT_FALSE(schedule.asksShare(now)); // whatever it is
}

TEST(SvmLooks, OnTheWayAreNotTakenWhereTheGapIsNearlyClosed) {
    ScreeningSchedule schedule(terms(), {.isKnown = true, .growing = 200'000});
    schedule.looked({.gap = 1});
    schedule.worked(1, 100'000, 100'000);
    ScreeningSchedule::State now{
        .open = 100, .gap = 1e-3, .target = 1e-6, .isWhole = true, .isMeasured = true, .share = 1};
    EXPECT_TRUE(schedule.isDue(now)); // half of the way
    now.gap = 1.1e-6;
    EXPECT_FALSE(schedule.isDue(now));
}

TEST(SvmLooks, OnTheWayEndWhereTheyDecideLessThanIsLikelyAndGoOnWhereTheyDecideIt) {
    const ScreeningSchedule::State state{
        .work = 1e6, .open = 100, .gap = 0.2, .target = 1e-6, .isWhole = true, .isMeasured = true, .share = 0.5};
    const auto looksOf = [&](double decided) {
        LookHistory history{.isKnown = true, .growing = 50'000};
        int looks = 0;
        for (; looks < 20; ++looks) {
            ScreeningSchedule schedule(terms(), history);
            schedule.looked({.gap = 1});
            if (!schedule.isDue(state)) {
                break;
            }
            schedule.decided(decided);
            history = schedule.history();
            history.growing = 50'000;
        }
        return looks;
    };
    EXPECT_GE(looksOf(0), 1);
    EXPECT_LE(looksOf(0), 8);
    EXPECT_EQ(looksOf(0.5), 20);
}

TEST(SvmLooks, KeepTheirDistanceOtherwise) {
    ScreeningSchedule::Terms every = terms();
    every.kind = ScheduleKind::Every;
    every.every = 3;
    ScreeningSchedule schedule(every, {});
    EXPECT_FALSE(schedule.isDue({.sweeps = 2}));
    EXPECT_TRUE(schedule.isDue({.sweeps = 3}));
    schedule.looked({.sweeps = 3});
    EXPECT_FALSE(schedule.isDue({.sweeps = 5}));
    EXPECT_TRUE(schedule.isDue({.sweeps = 6}));
}

} // namespace
} // namespace lambdascope::svm
