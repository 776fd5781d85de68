// SPDX-License-Identifier: GPL-3.0-or-later
// Who looks on while a point is solved changes no bit of what is computed.
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::svm {
namespace {

struct GapOnlooker final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        ++checks;
        finite += std::isfinite(check.reference.gap) && !check.reference.current.products.empty() ? 1 : 0;
    }
    int checks = 0;
    int finite = 0;
};

std::vector<PointOutcome> pathOfOutcomes(const SvmProblem& problem, const PointSettings& settings,
                                         ScreeningObserver* observer) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(problem, settings);
    solver.observe(observer);
    std::vector<PointOutcome> outcomes;
    SolvedSvm last = bottomOf(problem);
    for (double c = 2 * cMinOf(problem); outcomes.size() < 5; c *= 3) {
        outcomes.push_back(solver.solve(c, last, static_cast<std::int32_t>(outcomes.size()), context));
        last = outcomes.back().solved;
    }
    return outcomes;
}

TEST(SvmWatching, ChangesNoBitOfAnyLane) {
    int checks = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            for (const BoundKind bound : allBounds()) {
                for (const double tolerance : {0.3, 1e-6}) {
                    SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", " + std::string(boundName(bound)));
                    PointSettings settings;
                    settings.bounds = {bound};
                    settings.tolerance = tolerance;
                    settings.shrinks = tolerance < 0.1;
                    settings.schedule = tolerance < 0.1 ? ScheduleKind::Auto : ScheduleKind::Every;
                    GapOnlooker observer;
                    const auto alone = pathOfOutcomes(*svm->problem, settings, nullptr);
                    const auto watched = pathOfOutcomes(*svm->problem, settings, &observer);
                    for (std::size_t p = 0; p < alone.size(); ++p) {
                        EXPECT_EQ(alone[p].solved.alpha, watched[p].solved.alpha) << p;
                        EXPECT_EQ(alone[p].solved.gap, watched[p].solved.gap) << p;
                        EXPECT_EQ(alone[p].solved.marginError, watched[p].solved.marginError) << p;
                        EXPECT_EQ(alone[p].sweeps, watched[p].sweeps) << p;
                        EXPECT_EQ(alone[p].ledger.updates, watched[p].ledger.updates) << p;
                    }
                    // The observer hears of the ball of the gap all the same.
                    EXPECT_EQ(observer.finite, observer.checks);
                    checks += observer.checks;
                }
            }
        }
    }
    EXPECT_GT(checks, 1000);
}

} // namespace
} // namespace lambdascope::svm
