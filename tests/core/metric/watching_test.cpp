// SPDX-License-Identifier: GPL-3.0-or-later
// Who looks on while a point is solved changes no bit of what is computed, and no count of the work.
#include "core/metric/solver/point_solver.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

struct DualOnlooker final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        ++checks;
        withDual += check.reference.dual != nullptr ? 1 : 0;
    }
    int checks = 0;
    int withDual = 0;
};

PointOutcome solveWatched(const TripletSet& set, EngineKind kind, BoundKind bound, MethodKind method,
                          ScreeningObserver* watch) {
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
    solver.watch(watch);
    return solver.solve(0.05 * start.lambda, start, 4, context);
}

TEST(MetricWatching, ChangesNoBitAndNoCountOfAnyLane) {
    int checks = 0;
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Sorted, EngineKind::Triplets}) {
        for (const BoundKind bound : allBounds()) {
            for (const MethodKind method : {MethodKind::ProjectedGradient, MethodKind::Newton}) {
                SCOPED_TRACE(std::string(makeBound(bound)->name()));
                DualOnlooker watch;
                const PointOutcome alone = solveWatched(set, kind, bound, method, nullptr);
                const PointOutcome watched = solveWatched(set, kind, bound, method, &watch);
                EXPECT_EQ(alone.solved.point.matrix, watched.solved.point.matrix);
                EXPECT_EQ(alone.solved.gap, watched.solved.gap);
                EXPECT_EQ(alone.dual.value, watched.dual.value);
                EXPECT_EQ(alone.iterations, watched.iterations);
                EXPECT_EQ(alone.ledger.evaluations, watched.ledger.evaluations);
                EXPECT_EQ(alone.ledger.pairsVisited, watched.ledger.pairsVisited);
                EXPECT_EQ(alone.ledger.eigenDecompositions, watched.ledger.eigenDecompositions);
                // The watch hears of all bounds all the same.
                EXPECT_EQ(watch.withDual, watch.checks);
                checks += watch.checks;
            }
        }
    }
    EXPECT_GT(checks, 60);
}

} // namespace
} // namespace lambdascope::metric
