// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/stop_check.h"
#include "core/numeric/blas_library.h"
#include "core/triplets/engines/engine.h"
#include "core/triplets/inspect/recorded_check.h"
#include "core/triplets/inspect/rule_decision.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/screening/semidefinite_rule.h"
#include "core/triplets/screening/sphere_bounds.h"
#include "core/triplets/solver/lambda_max_solution.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope::triplets {
namespace {

/// Wide enough for decompositions that can be stopped.
TripletSet wideTriplets() {
    return smallTriplets({.name = "wide", .classes = 2, .rowsPerClass = 6, .features = 810, .k = 2}, 3);
}

/// Small enough for the semidefinite rule to decide.
Region smallRegion(const TripletSet& set) {
    const MetricPoint point = randomPoint(set, 3);
    return {.sphere = {.centre = point.matrix, .radius = 1e-9 * point.matrix.norm()}, .rule = RuleKind::Semidefinite};
}

TEST(StopCheck, AsksOncePerPortionOfWork) {
    int questions = 0;
    StopCheck stopCheck([&questions] {
        ++questions;
        return false;
    });
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(stopCheck.spend(StopCheck::kOperationsPerQuestion / 10));
    }
    EXPECT_EQ(questions, 10);
}

TEST(StopCheck, StaysStopped) {
    bool stop = true;
    StopCheck stopCheck([&stop] { return stop; });
    EXPECT_TRUE(stopCheck.ask());
    stop = false;
    EXPECT_TRUE(stopCheck.spend(1));
    EXPECT_TRUE(stopCheck.isStopped());
}

TEST(StopCheck, IsAskedInsideALongPassOverTriplets) {
    // 2 × 69 × 70 × 70 = 676,200 triplets at some 70 operations each in two dimensions: two portions at least.
    const TripletSet set = smallTriplets({.name = "many", .classes = 2, .rowsPerClass = 70, .features = 2, .k = 69}, 1);
    int questions = 0;
    StopCheck stopCheck([&questions] {
        ++questions;
        return false;
    });
    const auto engine = makeEngine(EngineKind::Triplets, set);
    LossTotals totals;
    ASSERT_TRUE(engine->evaluate(randomPoint(set, 1), 0.05, stopCheck, totals));
    EXPECT_GE(questions, 2);
    int calls = 0;
    StopCheck stopping([&calls] { return ++calls >= 1; });
    EXPECT_FALSE(engine->evaluate(randomPoint(set, 1), 0.05, stopping, totals));
    EXPECT_EQ(calls, 1);
}

// A decomposition of 2,000 features takes seconds, and a stop had to wait for it.
TEST(StopCheck, IsAskedInsideTheDecompositionsOfManyFeatures) {
    pinBlasToOneThread();
    const TripletSet set = smallTriplets({.name = "wide", .classes = 2, .rowsPerClass = 6, .features = 900, .k = 2}, 1);
    int questions = 0;
    StopCheck patient([&questions] {
        ++questions;
        return false;
    });
    const LambdaMaxSolution top = lambdaMaxSolution(set, 0.05, patient);
    ASSERT_GT(top.lambdaMax, 0);
    EXPECT_GE(questions, 8); // one every few milliseconds, of a decomposition that takes some hundred
    int calls = 0;
    StopCheck stopping([&calls] { return ++calls >= 4; });
    EXPECT_EQ(lambdaMaxSolution(set, 0.05, stopping).lambdaMax, 0);
    EXPECT_EQ(calls, 4);
}

TEST(StopCheck, IsAskedInsideTheEigenbasisOfASemidefiniteRule) {
    pinBlasToOneThread(); // as all tasks do
    const TripletSet set = wideTriplets();
    const Region region = smallRegion(set);
    int questions = 0;
    StopCheck patient([&questions] {
        ++questions;
        return false;
    });
    const auto decidedBy = [](SemidefiniteRule rule) {
        std::int64_t count = 0;
        for (RowIndex row = 1; row < 3; ++row) {
            count += rule.judge({0, row}, {0, row + 1}) != Decision::Keep ? 1 : 0;
        }
        return count;
    };
    const SemidefiniteRule whole(set, region, 0.05, patient);
    const int ofSetUp = questions;
    EXPECT_GE(ofSetUp, 3); // of the decomposition: one every few milliseconds
    EXPECT_GT(decidedBy(whole), 0);
    for (const int last : {1, 2, 3}) {
        int calls = 0;
        StopCheck stopping([&calls, last] { return ++calls >= last; });
        EXPECT_EQ(decidedBy(SemidefiniteRule(set, region, 0.05, stopping)), 0) << last;
        EXPECT_EQ(calls, last);
    }
}

TEST(StopCheck, IsAskedWhileASemidefiniteDecisionIsExplained) {
    pinBlasToOneThread();
    const TripletSet set = wideTriplets();
    const Region region = smallRegion(set);
    const ItemGeometry probe(set, 0);
    int questions = 0;
    StopCheck patient([&questions] {
        ++questions;
        return false;
    });
    EXPECT_FALSE(regionDecision(probe, region, "GB", 0.05, &patient).set.empty());
    EXPECT_GE(questions, 6); // of the decompositions: one at the start of each, and every few milliseconds
    for (const int last : {1, 3, 6}) {
        int calls = 0;
        StopCheck stopping([&calls, last] { return ++calls >= last; });
        EXPECT_TRUE(regionDecision(probe, region, "GB", 0.05, &stopping).set.empty()) << last;
        EXPECT_EQ(calls, last) << "asked once, and gave up";
    }
}

TEST(StopCheck, MakesABoundThatIsStoppedDecideNothing) {
    pinBlasToOneThread();
    const TripletSet set = smallTriplets({.name = "wide", .classes = 2, .rowsPerClass = 6, .features = 900, .k = 2}, 2);
    StopCheck patient;
    const auto engine = makeEngine(EngineKind::Triplets, set);
    const MetricPoint point = randomPoint(set, 2);
    LossTotals totals;
    ASSERT_TRUE(engine->evaluate(point, 0.05, patient, totals));
    StopCheck stopped([] { return true; });
    BoundReference reference;
    reference.point = &point;
    reference.totals = &totals;
    reference.lambda = 1;
    reference.gamma = 0.05;
    reference.stopCheck = &patient;
    EXPECT_TRUE(std::isfinite(projectedGradientBound(reference).radius));
    reference.stopCheck = &stopped;
    EXPECT_EQ(projectedGradientBound(reference).radius, std::numeric_limits<double>::infinity());
}

TEST(RecordedCheck, KnowsNothingThatEndsWithTheSolve) {
    const MetricPoint point = MetricPoint::zero(2, Structure::Full);
    LossTotals totals;
    StopCheck stopCheck;
    BoundReference reference;
    reference.point = &point;
    reference.totals = &totals;
    reference.path.point = &point;
    reference.path.totals = &totals;
    reference.stopCheck = &stopCheck;
    const RecordedCheck kept({0, 0, reference, {}});
    EXPECT_NE(kept.reference().point, &point);
    EXPECT_NE(kept.reference().totals, &totals);
    EXPECT_NE(kept.reference().path.point, &point);
    EXPECT_NE(kept.reference().path.totals, &totals);
    EXPECT_EQ(kept.reference().stopCheck, nullptr);
}

} // namespace
} // namespace lambdascope::triplets
