// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/work_poll.h"
#include "core/metric/engine.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

TEST(WorkPoll, AsksOncePerPortionOfWork) {
    int questions = 0;
    WorkPoll poll([&questions] {
        ++questions;
        return false;
    });
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(poll.spend(WorkPoll::kOperationsPerQuestion / 10));
    }
    EXPECT_EQ(questions, 10);
}

TEST(WorkPoll, StaysStopped) {
    bool stop = true;
    WorkPoll poll([&stop] { return stop; });
    EXPECT_TRUE(poll.ask());
    stop = false;
    EXPECT_TRUE(poll.spend(1));
    EXPECT_TRUE(poll.isStopped());
}

TEST(WorkPoll, IsAskedInsideALongPassOverTriplets) {
    // 2 × 69 × 70 × 70 = 676,200 triplets at some 70 operations each in two dimensions: two portions at least.
    const TripletSet set = smallTriplets({.name = "many", .classes = 2, .rowsPerClass = 70, .features = 2, .k = 69}, 1);
    int questions = 0;
    WorkPoll poll([&questions] {
        ++questions;
        return false;
    });
    const auto engine = makeEngine(EngineKind::Triplets, set);
    LossTotals totals;
    ASSERT_TRUE(engine->evaluate(randomPoint(set, 1), 0.05, poll, totals));
    EXPECT_GE(questions, 2);
    int calls = 0;
    WorkPoll stopping([&calls] { return ++calls >= 1; });
    EXPECT_FALSE(engine->evaluate(randomPoint(set, 1), 0.05, stopping, totals));
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace lambdascope::metric
