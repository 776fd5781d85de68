// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/accurate_points.h"
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/reduced_objective.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope::triplets {
namespace {

struct Harness {
    explicit Harness(const SmallShape& shape, double gamma = 0.05, EngineKind kind = EngineKind::Pairs)
        : set(smallTriplets(shape, 1)), engine(makeEngine(kind, set)), context(RunId{1}, sink),
          start(startOf(set, gamma, *engine)) {
        settings.gamma = gamma;
    }
    PointOutcome solve(double lambda, std::vector<BoundKind> kinds) {
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        return PointSolver(*engine, std::move(bounds), settings).solve(lambda, start, 4, context);
    }

    TripletSet set;
    std::unique_ptr<Engine> engine;
    RecordingSink sink;
    RunContext context;
    PointSettings settings;
    SolvedPoint start;
};

const std::vector<BoundKind> kBoth = {BoundKind::RelaxedPath, BoundKind::ProjectedGradient};

TEST(PointSolver, KnowsTheOptimumAtLambdaMaxWithoutIterating) {
    Harness h({.name = "plain"});
    const PointOutcome outcome = h.solve(h.start.lambda, {});
    EXPECT_EQ(outcome.termination, Termination::Converged);
    EXPECT_EQ(outcome.iterations, 0);
    EXPECT_EQ(outcome.setCounts.below, h.set.triplets() - 1 + (outcome.setCounts.below == h.set.triplets() ? 1 : 0));
    EXPECT_EQ(outcome.setCounts.above, 0);
}

TEST(PointSolver, ReportsAGapOfTheFullProblem) {
    for (const double share : {0.5, 0.05, 0.005}) {
        Harness h({.name = "plain"});
        const PointOutcome outcome = h.solve(share * h.start.lambda, kBoth);
        ASSERT_EQ(outcome.termination, Termination::Converged);
        const PointOutcome exact = solveTightly(h.set, share * h.start.lambda, 0.05);
        EXPECT_LE(outcome.solved.gap, h.settings.tolerance * std::max(1.0, outcome.primal.value));
        EXPECT_GE(outcome.solved.gap, outcome.primal.value - exact.primal.upper());
        EXPECT_LE(outcome.dual.lower(), exact.primal.upper());
        // The primal value is over all triplets, screened or not.
        double loss = 0;
        for (TripletIndex t = 0; t < h.set.triplets(); ++t) {
            loss += smoothedLoss(marginOf(h.set, t, outcome.solved.point.matrix), 0.05);
        }
        EXPECT_NEAR(outcome.loss, loss, 1e-9 * (1 + loss));
    }
}

TEST(PointSolver, ProvesWhatTheActiveSetFoundOnAllTriplets) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        for (const double gamma : {0.05, 0.0}) {
            for (const double share : {0.5, 0.05, 0.005}) {
                for (const auto& bounds : {std::vector<BoundKind>{}, kBoth}) {
                    Harness h({.name = "plain"}, gamma, kind);
                    h.settings.screenEvery = 7; // between two renewals of the active set
                    const PointOutcome whole = h.solve(share * h.start.lambda, bounds);
                    h.settings.activeSet = true;
                    const PointOutcome outcome = h.solve(share * h.start.lambda, bounds);
                    ASSERT_EQ(outcome.termination, Termination::Converged)
                        << static_cast<int>(kind) << " gamma " << gamma << " share " << share << " bounds "
                        << bounds.size() << " iterations " << outcome.iterations << " of " << whole.iterations;
                    EXPECT_LE(outcome.solved.gap, h.settings.tolerance * std::max(1.0, outcome.primal.value));
                    EXPECT_NEAR(outcome.primal.value, whole.primal.value, 1.2e-6 * (1 + whole.primal.value));
                    EXPECT_EQ(outcome.solved.totals.triplets, h.set.triplets());
                    EXPECT_LE(outcome.dual.lower(), whole.primal.upper());
                }
            }
        }
    }
}

TEST(PointSolver, AnActiveSetSavesWork) {
    Harness h({.name = "apart", .rowsPerClass = 40, .features = 10, .k = 8, .spread = 1.0}, 0.05, EngineKind::Triplets);
    h.start = h.solve(1e-5 * h.start.lambda, {}).solved; // at λ_max every triplet has a loss
    const PointOutcome plain = h.solve(0.1 * h.start.lambda, {});
    h.settings.activeSet = true;
    const PointOutcome active = h.solve(0.1 * h.start.lambda, {});
    ASSERT_GE(plain.iterations, 20);
    EXPECT_LT(active.ledger.pairsVisited, 0.7 * static_cast<double>(plain.ledger.pairsVisited))
        << active.iterations << " iterations, " << plain.iterations << " without";
}

TEST(PointSolver, TheGapKeptAtAStopIsThatOfAllTriplets) {
    for (const std::int64_t most : {1, 4, 13, 25}) {
        Harness h({.name = "plain"});
        h.settings.activeSet = true;
        h.settings.maxIterations = most;
        const PointOutcome outcome = h.solve(0.001 * h.start.lambda, {});
        const PointOutcome exact = solveTightly(h.set, 0.001 * h.start.lambda, 0.05);
        EXPECT_GE(outcome.solved.gap, outcome.primal.value - exact.primal.upper());
        EXPECT_GE(outcome.primal.upper(), exact.primal.lower());
    }
}

TEST(PointSolver, HonoursAnAbsoluteTolerance) {
    Harness h({.name = "plain"});
    h.settings.toleranceKind = ToleranceKind::Absolute;
    h.settings.tolerance = 1e-8;
    const PointOutcome outcome = h.solve(0.02 * h.start.lambda, kBoth);
    EXPECT_EQ(outcome.termination, Termination::Converged);
    EXPECT_LE(outcome.solved.gap, 1e-8);
}

TEST(PointSolver, SolvesTheHingeToACertifiedGap) {
    for (const double share : {0.3, 0.03}) {
        Harness h({.name = "plain"}, 0.0);
        const PointOutcome naive = h.solve(share * h.start.lambda, {});
        const PointOutcome screened = h.solve(share * h.start.lambda, kBoth);
        for (const PointOutcome* outcome : {&naive, &screened}) {
            EXPECT_EQ(outcome->termination, Termination::Converged);
            EXPECT_LE(outcome->solved.gap, 1e-6 * std::max(1.0, outcome->primal.value));
            double hinge = 0;
            for (TripletIndex t = 0; t < h.set.triplets(); ++t) {
                hinge += std::max(0.0, 1 - marginOf(h.set, t, outcome->solved.point.matrix));
            }
            EXPECT_NEAR(outcome->loss, hinge, 1e-9 * (1 + hinge));
        }
        EXPECT_NEAR(naive.primal.value, screened.primal.value, 2e-6 * naive.primal.value);
        EXPECT_GT(screened.finalScreened.zero + screened.finalScreened.linear, 0);
    }
}

TEST(PointSolver, SaysSoWhenRoundingForbidsTheTolerance) {
    Harness h({.name = "plain"});
    h.settings.tolerance = 1e-16;
    const PointOutcome outcome = h.solve(0.05 * h.start.lambda, {});
    EXPECT_EQ(outcome.termination, Termination::ConvergedLoosely);
    EXPECT_LE(outcome.solved.gap, 1e-9 * outcome.primal.value); // and still came as near as it can
}

TEST(PointSolver, KeepsTheBestPointAtTheIterationLimit) {
    Harness h({.name = "plain"});
    h.settings.maxIterations = 3;
    const PointOutcome outcome = h.solve(0.001 * h.start.lambda, {});
    EXPECT_EQ(outcome.termination, Termination::IterationLimit);
    EXPECT_EQ(outcome.iterations, 3);
    const PointOutcome exact = solveTightly(h.set, 0.001 * h.start.lambda, 0.05);
    EXPECT_GE(outcome.solved.gap, outcome.primal.value - exact.primal.upper());
    EXPECT_EQ(outcome.solved.totals.triplets, h.set.triplets());
}

TEST(PointSolver, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    Harness h({.name = "plain"});
    RunContext stopped(RunId{1}, h.sink, source.get_token());
    PointSolver solver(*h.engine, {}, h.settings);
    const PointOutcome outcome = solver.solve(0.01 * h.start.lambda, h.start, 0, stopped);
    EXPECT_EQ(outcome.termination, Termination::StoppedByUser);
    EXPECT_EQ(outcome.iterations, 0);
}

TEST(PointSolver, ScreensFirstByThePathAndThenEverySoManyIterations) {
    Harness h(
        {.name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .k = 4, .spread = 0.3});
    h.settings.screenEvery = 5;
    const PointOutcome outcome = h.solve(0.001 * h.start.lambda, kBoth);
    ASSERT_GT(outcome.iterations, 15);
    std::vector<Screened> checks;
    for (const RunEvent& event : h.sink.events()) {
        if (const auto* screened = std::get_if<Screened>(&event.body)) {
            checks.push_back(*screened);
        }
    }
    ASSERT_EQ(static_cast<std::int64_t>(checks.size()), outcome.checks);
    for (std::size_t c = 0; c < checks.size(); ++c) {
        EXPECT_EQ(checks[c].pointIndex, 4);
        EXPECT_EQ(checks[c].check, static_cast<std::int32_t>(c));
        EXPECT_EQ(checks[c].iteration, static_cast<std::int64_t>(5 * c));
        EXPECT_EQ(checks[c].total, h.set.triplets());
        if (c > 0) { // decisions only grow
            EXPECT_GE(checks[c].fixedLow, checks[c - 1].fixedLow);
            EXPECT_GE(checks[c].fixedHigh, checks[c - 1].fixedHigh);
        }
    }
    EXPECT_EQ(checks.front().fixedLow, outcome.pathScreened.zero);
    EXPECT_EQ(checks.back().fixedHigh, outcome.finalScreened.linear);
}

TEST(PointSolver, ScreensNothingOnceThePointIsSolved) {
    // From 65 features on the gap is not known after every iteration, unless screening asks for it.
    for (const int features : {3, 66}) {
        for (const double share : {0.5, 0.1, 0.02}) {
            for (const std::int64_t every : {1, 2, 3, 7}) {
                for (const bool activeSet : {false, true}) {
                    Harness h({.name = "wide", .features = features});
                    h.settings.screenEvery = every;
                    h.settings.tolerance = 1e-4;
                    h.settings.activeSet = activeSet;
                    const PointOutcome outcome = h.solve(share * h.start.lambda, kBoth);
                    const double target = h.settings.tolerance * std::max(1.0, outcome.primal.value);
                    ScreenedPart last;
                    for (const RunEvent& event : h.sink.events()) {
                        if (const auto* check = std::get_if<Screened>(&event.body)) {
                            last.zero = check->fixedLow;
                            last.linear = check->fixedHigh;
                            EXPECT_TRUE(check->iteration == 0 || check->optimality > 0.999 * target)
                                << features << " features, every " << every << ", at " << check->iteration;
                        }
                    }
                    EXPECT_LE(outcome.pathScreened.zero, outcome.finalScreened.zero);
                    EXPECT_LE(outcome.pathScreened.linear, outcome.finalScreened.linear);
                    EXPECT_EQ(outcome.finalScreened.zero, last.zero);
                    EXPECT_EQ(outcome.finalScreened.linear, last.linear);
                }
            }
        }
    }
}

TEST(PointSolver, PublishesProgressWithTheToleranceToReach) {
    Harness h({.name = "plain"});
    const PointOutcome outcome = h.solve(0.01 * h.start.lambda, {});
    std::vector<Iterated> progress;
    for (const RunEvent& event : h.sink.events()) {
        if (const auto* iterated = std::get_if<Iterated>(&event.body)) {
            progress.push_back(*iterated);
        }
    }
    ASSERT_GE(progress.size(), 2u);
    EXPECT_EQ(progress.front().iteration, 0);
    EXPECT_EQ(progress.back().iteration, outcome.iterations);
    EXPECT_LE(progress.back().optimality.value, progress.back().tolerance);
    EXPECT_EQ(progress.front().activeItems, h.set.triplets());
}

TEST(PointSolver, RepeatsItselfToTheBit) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
        Harness one({.name = "plain"}, 0.05, kind);
        Harness two({.name = "plain"}, 0.05, kind);
        const PointOutcome a = one.solve(0.01 * one.start.lambda, kBoth);
        const PointOutcome b = two.solve(0.01 * two.start.lambda, kBoth);
        EXPECT_EQ(a.solved.point.matrix, b.solved.point.matrix);
        EXPECT_EQ(a.solved.gap, b.solved.gap);
        EXPECT_EQ(a.iterations, b.iterations);
        EXPECT_EQ(a.finalScreened.zero, b.finalScreened.zero);
        // A second solve with the same engine leaves no trace of the first.
        const PointOutcome again = one.solve(0.01 * one.start.lambda, kBoth);
        EXPECT_EQ(a.solved.point.matrix, again.solved.point.matrix);
    }
}

TEST(PointSolver, ScreeningSavesWork) {
    Harness h({.name = "plain", .rowsPerClass = 30, .k = 10});
    const PointOutcome naive = h.solve(0.3 * h.start.lambda, {});
    h.start = naive.solved;
    const PointOutcome plain = h.solve(0.9 * naive.solved.lambda, {});
    const PointOutcome screened = h.solve(0.9 * naive.solved.lambda, kBoth);
    EXPECT_LT(screened.ledger.pairsVisited, plain.ledger.pairsVisited);
}

struct DualOnlooker final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        ++checks;
        withDual += check.reference.dual != nullptr ? 1 : 0;
    }
    int checks = 0;
    int withDual = 0;
};

PointOutcome solveWatched(const TripletSet& set, EngineKind kind, BoundKind bound, MethodKind method,
                          ScreeningObserver* observer) {
    NullSink sink;
    RunContext context(RunId{1}, sink);
    const auto engine = makeEngine(kind, set);
    std::vector<std::unique_ptr<Bound>> bounds;
    bounds.push_back(makeBound(bound));
    PointSettings settings;
    settings.method = method;
    settings.screenEvery = 3;
    const SolvedPoint start = startOf(set, settings.gamma, *engine);
    PointSolver solver(*engine, std::move(bounds), settings);
    solver.observe(observer);
    return solver.solve(0.05 * start.lambda, start, 4, context);
}

/// Who looks on while a point is solved changes no bit of what is computed, and no count of the work.
TEST(MetricWatching, ChangesNoBitAndNoCountOfAnyLane) {
    int checks = 0;
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Sorted, EngineKind::Triplets}) {
        for (const BoundKind bound : allBounds()) {
            for (const MethodKind method : {MethodKind::ProjectedGradient, MethodKind::Newton}) {
                SCOPED_TRACE(std::string(makeBound(bound)->name()));
                DualOnlooker observer;
                const PointOutcome alone = solveWatched(set, kind, bound, method, nullptr);
                const PointOutcome watched = solveWatched(set, kind, bound, method, &observer);
                EXPECT_EQ(alone.solved.point.matrix, watched.solved.point.matrix);
                EXPECT_EQ(alone.solved.gap, watched.solved.gap);
                EXPECT_EQ(alone.dual.value, watched.dual.value);
                EXPECT_EQ(alone.iterations, watched.iterations);
                EXPECT_EQ(alone.ledger.evaluations, watched.ledger.evaluations);
                EXPECT_EQ(alone.ledger.pairsVisited, watched.ledger.pairsVisited);
                EXPECT_EQ(alone.ledger.eigenDecompositions, watched.ledger.eigenDecompositions);
                // The observer hears of all bounds all the same.
                EXPECT_EQ(observer.withDual, observer.checks);
                checks += observer.checks;
            }
        }
    }
    EXPECT_GT(checks, 60);
}

TEST(HingeWidth, BeginsNoNarrowerThanThePointBefore) {
    for (double last = 1; last > 1e-13; last /= 3) {
        EXPECT_GE(firstHingeWidth(last), last);
        EXPECT_LE(firstHingeWidth(last), std::max(last, 0.05));
    }
    EXPECT_GT(firstHingeWidth(1e-6), 1e-6);
}

TEST(HingeWidth, FallsToAnEnd) {
    int steps = 0;
    double width = 0.05;
    for (auto next = nextHingeWidth(width); next && steps < 100; next = nextHingeWidth(width), ++steps) {
        EXPECT_LT(*next, width);
        width = *next;
    }
    EXPECT_LT(steps, 100);
    EXPECT_GT(width, 0);
    EXPECT_LT(width, 1e-10);
}

TEST(HingeWidth, IsTooWideWhenItCostsMostOfTheGap) {
    EXPECT_TRUE(isHingeTooWide(0.67, 1));
    EXPECT_FALSE(isHingeTooWide(0.66, 1));
    EXPECT_FALSE(isHingeTooWide(0, 1));
}

TEST(AccuratePoints, SolveFurtherFromWhatTheyKept) {
    for (const double gamma : {0.05, 0.0}) {
        Harness h({.name = "plain"}, gamma);
        AccuratePoints points([&] { return makeEngine(EngineKind::Pairs, h.set); }, gamma);
        const double lambda = 0.05 * h.start.lambda;
        const double tolerance = gamma > 0 ? 1e-9 : 1e-6;
        const auto loose = points.at(lambda, h.start, {}, 1e-2);
        const auto tight = points.at(lambda, h.start, {}, tolerance);
        ASSERT_TRUE(loose && tight);
        EXPECT_LT(tight->solved.gap, loose->solved.gap);
        EXPECT_LE(tight->solved.gap, tolerance * std::max(1.0, tight->primal.value));
        EXPECT_EQ(points.at(lambda, h.start, {}, 1e-4), tight);
    }
}

} // namespace
} // namespace lambdascope::triplets
