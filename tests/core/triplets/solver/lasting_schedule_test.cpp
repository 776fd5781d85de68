// SPDX-License-Identifier: GPL-3.0-or-later
// When the schedule makes decisions that last over several λ, and when it adds those of a smaller capsule for one.
#include "core/triplets/solver/screening_schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace lambdascope::triplets {
namespace {

TEST(ScreeningSchedule, MakesDecisionsThatLastWhereTheySaveMoreThanTheyTake) {
    ScreeningRecord record;
    record.visit = 100;
    record.visits = 10;
    record.lasting = {.work = 300, .lasted = 0.5, .pause = {}};
    const std::vector<Stretch> stretches = {{.lasts = 8}, {.lasts = 3}};
    // Which of them is taken, −1 for none, where they leave so much.
    const auto chosen = [&](double longOne, double shortOne, ScheduleKind kind = ScheduleKind::Auto) {
        const auto forecaster = [&](const Stretch& stretch) {
            return LookForecast{&stretch == stretches.data() ? longOne : shortOne, 300, 0};
        };
        const Stretch* stretch = ScreeningSchedule(kind, 10, record).looksAhead(stretches, forecaster);
        return stretch != nullptr ? stretch - stretches.data() : -1;
    };
    EXPECT_EQ(chosen(0.4, 0.3), 0); // 10 × 0.6 − 1.1 × 3/4 evaluations at each λ, or 10 × 0.7 − 1.1 × 3/1.5
    EXPECT_EQ(chosen(0.4, 0.2), 1); // 10 × 0.8 − 1.1 × 3/1.5
    EXPECT_EQ(chosen(0.4, 0.2, ScheduleKind::Every), -1);
    EXPECT_EQ(chosen(0.95, 0.95), -1);
    record.visits = 1.3;
    EXPECT_EQ(chosen(0.3, 0.1), 0); // 1.3 × 0.7 − 1.1 × 3/4
    EXPECT_EQ(chosen(0.5, 0.1), -1);
    record.visits = 10;

    // A λ that they serve tells how long they last and what they leave.
    ScreeningSchedule serves(ScheduleKind::Auto, 10, record);
    serves.usesLasting();
    serves.advanced(20, 20, false, 1);
    const ScreeningRecord after = serves.finished();
    EXPECT_EQ(after.lasting.uses, 1);
    EXPECT_NEAR(after.saved, record.saved + 80, 1e-9);
    ScreeningSchedule again(ScheduleKind::Auto, 10, after);
    again.lookedAhead(250, 3);
    EXPECT_EQ(again.finished().lasting.lasted, 0.75); // it served the one λ that it was expected to, others half
    EXPECT_EQ(again.finished().lasting.work, 250);
    EXPECT_EQ(again.finished().lasting.uses, 0);
}

TEST(ScreeningSchedule, NarrowsWhereThatSavesMoreThanItTakes) {
    ScreeningRecord record;
    record.visit = 100;
    record.narrowing.share = 2;
    int forecasts = 0;
    const auto leaves = [&](double share) {
        return [share, &forecasts] {
            ++forecasts;
            return LookForecast{share, 0, 0};
        };
    };
    const auto narrows = [&](double visits, ScheduleKind kind = ScheduleKind::Auto) {
        ScreeningSchedule schedule(kind, 10, record);
        return schedule.narrows(visits, leaves(0.4), leaves(0.2));
    };
    EXPECT_TRUE(narrows(6)); // saves half of 6, takes 2 and 1.4 times that is to be saved
    EXPECT_FALSE(narrows(5));
    EXPECT_FALSE(narrows(6, ScheduleKind::Every));
    forecasts = 0;
    EXPECT_FALSE(narrows(2)); // not even if nothing were left
    EXPECT_EQ(forecasts, 0);

    // The next question after one in vain is not asked.
    ScreeningSchedule first(ScheduleKind::Auto, 10, record);
    EXPECT_FALSE(first.narrows(6, leaves(0.4), leaves(0.3)));
    record = first.finished();
    forecasts = 0;
    ScreeningSchedule second(ScheduleKind::Auto, 10, record);
    EXPECT_FALSE(second.narrows(6, leaves(0.4), leaves(0.2)));
    EXPECT_EQ(forecasts, 0);
    EXPECT_TRUE(second.narrows(6, leaves(0.4), leaves(0.2)));

    // What it took is expected of the next one, and what an evaluation of what lasting decisions leave took.
    second.narrowed(160, 40);
    EXPECT_DOUBLE_EQ(second.finished().narrowing.share, 3);
    record = second.finished();
    EXPECT_FALSE(narrows(6));
    EXPECT_TRUE(narrows(9));
    EXPECT_DOUBLE_EQ(second.workOfLasting(10), 10);
    second.evaluatedLasting(30, 10);
    EXPECT_DOUBLE_EQ(second.workOfLasting(10), 20);
    second.evaluatedLasting(0, 0);
    EXPECT_DOUBLE_EQ(second.workOfLasting(10), 20);
}

} // namespace
} // namespace lambdascope::triplets
