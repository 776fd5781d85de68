// SPDX-License-Identifier: GPL-3.0-or-later
// Who looks on while a point is solved, however slowly, changes no bit of what is computed.
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace lambdascope::pu {
namespace {

/// Takes longer over the first events than displays are to wait for the next one.
class SlowDisplay final : public EventSink {
  public:
    void publish(const RunEvent& event) noexcept override {
        if (std::holds_alternative<Iterated>(event.body)) {
            ++iterations;
            if (iterations <= 4) {
                std::this_thread::sleep_for(std::chrono::milliseconds(21));
            }
        }
    }
    int iterations = 0;
};

struct CountingOnlooker final : ScreeningObserver {
    void checked(const ScreeningCheck&) override { ++checks; }
    int checks = 0;
};

void expectSameOutcome(const PointOutcome& alone, const PointOutcome& watched) {
    EXPECT_EQ(alone.solved.s, watched.solved.s);
    EXPECT_EQ(alone.solved.scores, watched.solved.scores);
    EXPECT_EQ(alone.solved.gap, watched.solved.gap);
    EXPECT_EQ(alone.solved.bias, watched.solved.bias);
    EXPECT_EQ(alone.solved.primal, watched.solved.primal);
    EXPECT_EQ(alone.solved.violation, watched.solved.violation);
    EXPECT_EQ(alone.steps, watched.steps);
    EXPECT_EQ(alone.finalScreened.sum(), watched.finalScreened.sum());
}

TEST(PuWatching, ChangesNoBitOfAnyLane) {
    int checks = 0;
    int slower = 0;
    for (const KernelFunction& kernel : smallKernels()) {
        const SmallShape shape{.name = "watched", .unlabeled = 240};
        if (isHopeless(shape, kernel)) {
            continue;
        }
        const auto problem = smallPu(shape, kernel, 1);
        for (const ToleranceKind kind : {ToleranceKind::Gap, ToleranceKind::Violation}) {
            for (const bool isAuto : {false, true}) {
                SCOPED_TRACE(kernelName(kernel) + (isAuto ? ", where it pays" : ""));
                const PointSettings settings{
                    .tolerance = 1e-4, .toleranceKind = kind, .screens = true, .isAuto = isAuto};
                const double lambda = 1e-3;
                NullSink nobody;
                RunContext quiet(RunId{0}, nobody);
                const PointOutcome alone = PointSolver(*problem, settings).solve(lambda, startOf(*problem), 0, quiet);
                SlowDisplay display;
                RunContext shown(RunId{0}, display);
                CountingOnlooker observer;
                PointSolver solver(*problem, settings);
                solver.observe(&observer);
                expectSameOutcome(alone, solver.solve(lambda, startOf(*problem), 0, shown));
                checks += observer.checks;
                slower += display.iterations;
            }
        }
    }
    EXPECT_GT(checks, 20);
    EXPECT_GT(slower, 20);
}

} // namespace
} // namespace lambdascope::pu
