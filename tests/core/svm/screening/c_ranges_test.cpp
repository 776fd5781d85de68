// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions kept on intervals of C are those that would be made anew.
#include "core/common/random_stream.h"
#include "core/svm/screening/bounds.h"
#include "core/svm/screening/c_ranges.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::svm {
namespace {

Decision freshDecision(const SvmProblem& problem, const SolvedSvm& reference, double c, SampleIndex i) {
    ScreeningReference from;
    from.c = c;
    from.path = &reference;
    Decision decision = Decision::Keep;
    makeRegion(BoundKind::BallOne, problem, from)->judge({&i, 1}, {&decision, 1});
    return decision;
}

struct RangeCount {
    std::int64_t kept = 0;  ///< samples with an end
    std::int64_t tight = 0; ///< ends beyond which nothing is decided
    std::int64_t open = 0;  ///< ends at the farthest C
};

/// Compares ends with fresh judgements at C on both sides of them.
void expectFresh(const SvmProblem& problem, const SolvedSvm& reference, double c, RandomStream& random,
                 RangeCount& count) {
    const RangeRule rule(problem, reference, c);
    if (!rule.isUsable()) {
        EXPECT_TRUE(c <= reference.c || reference.gap > reference.squaredNorm.upper());
        return;
    }
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        Decision decision = Decision::Keep;
        const double end = static_cast<double>(rule.end(i, decision));
        EXPECT_EQ(decision, freshDecision(problem, reference, c, i)) << i;
        if (end == 0) {
            continue;
        }
        ++count.kept;
        EXPECT_GT(end, c);
        EXPECT_NE(decision, Decision::Keep);
        for (int k = 0; k < 6; ++k) {
            const double between = k == 0 ? end : c * std::exp(random.uniform() * std::log(end / c));
            EXPECT_EQ(freshDecision(problem, reference, between, i), decision)
                << i << " at " << between << " of " << c << " to " << end;
        }
        const double past = reference.c + 1.02 * (end - reference.c);
        if (past < RangeRule::kFarthest * reference.c) {
            count.tight += freshDecision(problem, reference, past, i) == Decision::Keep ? 1 : 0;
        } else {
            ++count.open;
        }
    }
}

TEST(SvmCRanges, HoldWhatFreshJudgementsSayUpToTheirEnds) {
    RandomStream random(1, "c ranges");
    RangeCount count;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const auto svm = smallSvm(shape, kernel, seed);
                const double least = cMinOf(*svm->problem);
                for (const double times : {1.0, 3.0, 100.0}) {
                    for (const double tolerance : {1e-1, 1e-3, 1e-7}) {
                        SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", seed " + std::to_string(seed) + ", " +
                                     std::to_string(times) + " C_min, tolerance " + std::to_string(tolerance));
                        const PointOutcome outcome = solveAt(*svm->problem, times * least, tolerance);
                        for (const double rise : {1.0001, 1.05, 1.5, 6.0}) {
                            expectFresh(*svm->problem, outcome.solved, rise * outcome.solved.c, random, count);
                        }
                    }
                }
            }
        }
    }
    // They are not safe by holding little: nearly every end is where the test itself ends.
    EXPECT_GT(count.kept, 10'000);
    EXPECT_GE(static_cast<double>(count.tight + count.open), 0.99 * static_cast<double>(count.kept));
}

TEST(SvmCRanges, AreNotUsedWhereNothingIsKnownToBeConvex) {
    const auto svm = smallSvm(smallShapes().front(), smallKernels().front(), 1);
    SolvedSvm rough = solveAt(*svm->problem, 3 * cMinOf(*svm->problem), 1e-3).solved;
    EXPECT_TRUE(RangeRule(*svm->problem, rough, 2 * rough.c).isUsable());
    EXPECT_FALSE(RangeRule(*svm->problem, rough, rough.c).isUsable());
    rough.gap = 2 * rough.squaredNorm.upper();
    EXPECT_FALSE(RangeRule(*svm->problem, rough, 2 * rough.c).isUsable());
}

/// Lanes that carry decisions along the path against accurate solutions.
TEST(SvmCRanges, CarryNoWrongDecisionAlongAPathAndSaveJudgements) {
    constexpr int kPointsBefore = 100; // so that a first look is affordable
    std::int64_t carried = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            SmallShape larger = shape;
            larger.rows = 400;
            const auto svm = smallSvm(larger, kernel, 5);
            const SvmProblem& problem = *svm->problem;
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            PointSettings settings;
            settings.bounds = {BoundKind::BallOne};
            settings.schedule = ScheduleKind::Auto;
            settings.tolerance = 1e-4;
            settings.maxSweeps = 3000;
            struct Last final : ScreeningObserver {
                void checked(const ScreeningCheck& check) override {
                    decisions.assign(check.decisions.begin(), check.decisions.end());
                }
                std::vector<Decision> decisions;
            } observer;
            PointSolver solver(problem, settings);
            solver.observe(&observer);
            NullSink sink;
            RunContext context(RunId{0}, sink);
            SolvedSvm last = bottomOf(problem);
            double c = cMinOf(problem);
            for (int p = 0; p < 12; ++p, c *= 1.03) {
                observer.decisions.assign(static_cast<std::size_t>(problem.size()), Decision::Keep);
                const PointOutcome outcome = solver.solve(c, last, kPointsBefore + p, context);
                carried += outcome.carried;
                const SolvedSvm tight = solveAt(problem, c, 1e-10, &outcome.solved).solved;
                const double distance = std::sqrt(tight.gap) + tight.marginError;
                for (SampleIndex i = 0; i < problem.size(); ++i) {
                    const double doubt = distance * problem.norms()(i);
                    const Decision decision = observer.decisions.at(static_cast<std::size_t>(i));
                    if (decision == Decision::Zero) {
                        EXPECT_GT(tight.margins(i) + doubt, 1) << i << " at point " << p;
                    } else if (decision == Decision::Full) {
                        EXPECT_LT(tight.margins(i) - doubt, 1) << i << " at point " << p;
                    }
                }
                last = outcome.solved;
            }
        }
    }
    EXPECT_GT(carried, 1000);
}

} // namespace
} // namespace lambdascope::svm
