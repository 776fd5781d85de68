// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/pu/engines/deferred_scores.h"
#include "core/pu/engines/pu_engine.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lambdascope::pu {
namespace {

/// Scores of a problem whose s moves, of which some are not kept up to date.
class MovingScores : public testing::Test {
  protected:
    MovingScores()
        : problem(smallPu({.name = "lapsed", .positives = 7, .unlabeled = 60}, {.kind = KernelKind::Rbf}, 3)),
          lapsed(*problem) {
        SolvedPu start = startOf(*problem);
        s = start.s;
        scores = start.scores;
        all.resize(60);
        std::iota(all.begin(), all.end(), problem->positives());
    }

    /// Moves s of some samples at random; only the scores of `kept` follow.
    void move(std::span<const SampleIndex> kept) {
        for (int times = 0; times < 5; ++times) {
            const auto u = static_cast<SampleIndex>(problem->positives() + static_cast<SampleIndex>(random.below(60)));
            const double change = quantized(0.3 * random.normal());
            s(u) += change;
            std::vector<double> scratch;
            const KernelRow row = problem->space().row(u, scratch);
            for (const SampleIndex v : kept) {
                scores(v) -= change * row.values[v];
            }
        }
        lapsed.moved();
    }

    [[nodiscard]] double worstOf(std::span<const SampleIndex> samples) const {
        StopCheck stopCheck;
        const SolvedPu anew = pointAt(*problem, s, stopCheck);
        double worst = 0;
        for (const SampleIndex u : samples) {
            worst = std::max(worst, std::abs(anew.scores(u) - scores(u)));
        }
        return worst;
    }

    std::unique_ptr<PuProblem> problem;
    DeferredScores lapsed;
    RandomStream random{4, "moves"};
    Eigen::VectorXd s;
    Eigen::VectorXd scores;
    std::vector<SampleIndex> all;
    StopCheck never;
};

TEST_F(MovingScores, OwedAreMadeGoodWheneverTheyWereLeft) {
    lapsed.begin(all, s); // the positives alone
    std::vector<SampleIndex> kept(all.begin() + 20, all.end());
    lapsed.add({all.begin(), all.begin() + 20}, s, false); // before the first move: they join
    move(kept);
    kept.erase(kept.begin(), kept.begin() + 10);
    lapsed.add({all.begin() + 20, all.begin() + 30}, s, false); // after it
    move(kept);
    kept.erase(kept.begin(), kept.begin() + 15);
    const std::vector<SampleIndex> aside(all.begin() + 30, all.begin() + 45);
    lapsed.add(aside, s, true); // members
    move(kept);
    EXPECT_GT(worstOf(aside), 1e-3);

    const auto members = lapsed.catchUp(false, s, 10, scores, never);
    EXPECT_GT(members.kernelValues, 0);
    EXPECT_LE(worstOf(aside), 1e-12);
    EXPECT_LE(worstOf(kept), 1e-12);
    EXPECT_GT(worstOf({all.data(), 30}), 1e-3);

    const auto rest = lapsed.catchUp(true, s, 10, scores, never);
    EXPECT_GT(rest.rounding, 0);
    EXPECT_LE(worstOf(all), 1e-12);
    std::vector<SampleIndex> positives(7);
    std::iota(positives.begin(), positives.end(), SampleIndex{0});
    EXPECT_LE(worstOf(positives), 1e-12);
}

TEST_F(MovingScores, OweNothingWhereNothingMoves) {
    lapsed.begin(std::span(all).first(30), s);
    const Eigen::VectorXd before = scores;
    const auto caught = lapsed.catchUp(true, s, 10, scores, never);
    EXPECT_EQ(caught.kernelValues, 0);
    EXPECT_EQ(caught.rounding, 0);
    EXPECT_TRUE(scores == before);
}

} // namespace
} // namespace lambdascope::pu
