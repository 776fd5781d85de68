// SPDX-License-Identifier: GPL-3.0-or-later
// Regions hold the optimum, and no decision is wrong: kernels × shapes × seeds × accuracy of the reference × ten
// decades of C, against solutions of much higher accuracy.
#include "core/svm/inspect/decision_audit.h"
#include "tests/core/svm/lane_checks.h"
#include "tests/core/svm/screening_at.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace lambdascope::svm {
namespace {

class SvmSafety : public ::testing::TestWithParam<int> {
  protected:
    /// Checks all regions of a reference at `c` against an accurate solution there.
    void expectSafe(const SvmProblem& problem, const SolvedSvm& reference, const SolvedSvm* beyond,
                    const SolvedSvm& tight) {
        ScreeningAt screening(problem, reference);
        screening.moveTo(tight.c, beyond);
        const double distance = std::sqrt(tight.gap) + tight.marginError;
        std::map<BoundKind, std::vector<MarginRange>> ranges;
        std::vector<SampleIndex> all(static_cast<std::size_t>(problem.size()));
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            all[static_cast<std::size_t>(i)] = i;
        }
        for (const BoundKind kind : allBounds()) {
            const auto region = makeRegion(kind, problem, screening.reference());
            if (!region) {
                continue;
            }
            std::vector<MarginRange>& range = ranges[kind];
            range.resize(all.size());
            region->ranges(all, range);
            const std::vector<Decision> decisions = screening.decisions(kind);
            for (SampleIndex i = 0; i < problem.size(); ++i) {
                const double doubt = 1.0001 * distance * problem.norms()(i);
                const MarginRange& bounds = range[static_cast<std::size_t>(i)];
                EXPECT_LE(bounds.lower, tight.margins(i) + doubt) << boundName(kind) << " " << i;
                EXPECT_GE(bounds.upper, tight.margins(i) - doubt) << boundName(kind) << " " << i;
                const Decision decision = decisions[static_cast<std::size_t>(i)];
                m_decisions[kind] += decision != Decision::Keep ? 1 : 0;
                // The quick way decides what the ranges say, but for their last digits.
                const double edge = problem.thresholds()(i);
                const double size = problem.largestThreshold();
                if (std::abs(bounds.lower - edge) > 1e-9 * (size + std::abs(bounds.upper)) &&
                    std::abs(bounds.upper - edge) > 1e-9 * (size + std::abs(bounds.lower))) {
                    EXPECT_EQ(decision, bounds.decision(edge))
                        << boundName(kind) << " " << i << ": " << bounds.lower << " " << bounds.upper << " " << edge;
                }
                if (decision != Decision::Keep) {
                    const double side = decision == Decision::Zero ? 1 : -1;
                    EXPECT_GE(side * (tight.margins(i) - edge), -doubt) << boundName(kind) << " " << i;
                }
            }
        }
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            for (const BoundKind ball : {BoundKind::BallOne, BoundKind::BallTwo}) {
                // But for the rounding that either pays for.
                const double slack = 1e-9 * (problem.largestThreshold() + std::abs(ranges[ball][at].lower) +
                                             std::abs(ranges[ball][at].upper));
                EXPECT_GE(ranges[BoundKind::Intersection][at].lower, ranges[ball][at].lower - slack);
                EXPECT_LE(ranges[BoundKind::Intersection][at].upper, ranges[ball][at].upper + slack);
            }
        }
    }

    std::map<BoundKind, std::int64_t> m_decisions;
};

TEST_P(SvmSafety, RegionsHoldTheOptimumWhateverTheReference) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    forAllSvms(false, seed, [&](const SmallShape& shape, const SvmProblem& problem) {
        const double least = cMinOf(problem);
        for (const double decade : {1.0, 30.0, 1e4, 1e7, 1e10}) {
            if (shape.isTube && decade > 1e4) {
                continue; // a tube has long been followed to its digits
            }
            for (const double accuracy : {1e-3, 1e-10}) {
                const SolvedSvm reference = solveAt(problem, decade * least, accuracy).solved;
                for (const double factor : {0.7, 1.0, 1.05, 2.0, 30.0}) {
                    const double c = factor * reference.c;
                    const SolvedSvm tight = solveAt(problem, c, 1e-11, &reference).solved;
                    const SolvedSvm beyond = solveAt(problem, 1.3 * c, accuracy, &tight).solved;
                    expectSafe(problem, reference, &beyond, tight);
                }
            }
        }
    });
    for (const BoundKind kind : allBounds()) {
        EXPECT_GT(m_decisions[kind], 10000) << boundName(kind) << " hardly decides anything";
    }
}

TEST_P(SvmSafety, LanesReachTheOptimumAndDecideNothingWrong) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const std::vector<std::vector<BoundKind>> lanes = {{BoundKind::BallOne},
                                                       {BoundKind::Intersection},
                                                       {BoundKind::Gap},
                                                       {BoundKind::Intersection, BoundKind::Gap},
                                                       {BoundKind::Delta}};
    std::int64_t decided = 0;
    std::int64_t decidedByAuto = 0;
    forAllSvms(false, seed + 100, [&](const SmallShape& /*shape*/, const SvmProblem& problem) {
        std::vector<SolvedSvm> tight;
        for (double c = cMinOf(problem); tight.size() < 8; c *= 3) {
            tight.push_back(solveAt(problem, c, 1e-11).solved);
        }
        for (const auto& bounds : lanes) {
            forAllLanePoints(problem, bounds, tight,
                             [&](const WayToLook& way, const SolvedSvm& exact, const PointOutcome& outcome,
                                 const std::vector<Decision>& decisions) {
                                 for (SampleIndex i = 0; i < problem.size(); ++i) {
                                     const Decision decision = decisions[static_cast<std::size_t>(i)];
                                     const double doubt =
                                         1.0001 * (std::sqrt(exact.gap) + exact.marginError) * problem.norms()(i);
                                     (way.schedule == ScheduleKind::Auto ? decidedByAuto : decided) +=
                                         decision != Decision::Keep ? 1 : 0;
                                     if (decision == Decision::Zero) {
                                         EXPECT_EQ(outcome.solved.alpha(i), 0);
                                         EXPECT_GE(exact.margins(i), problem.thresholds()(i) - doubt) << i;
                                     } else if (decision == Decision::Full) {
                                         EXPECT_EQ(outcome.solved.alpha(i), exact.c * problem.weights()(i));
                                         EXPECT_LE(exact.margins(i), problem.thresholds()(i) + doubt) << i;
                                     }
                                 }
                             });
        }
    });
    EXPECT_GT(decided, 40000);
    EXPECT_GT(decidedByAuto, 1000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SvmSafety, ::testing::Range(1, 3));

} // namespace
} // namespace lambdascope::svm
