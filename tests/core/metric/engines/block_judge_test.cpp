// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/block_judge.h"
#include "core/metric/problem/pair_quadratic_forms.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

class BlockDecisions : public testing::TestWithParam<SmallShape> {};

TEST_P(BlockDecisions, AreThoseOfTheSphereRuleOnEveryTriplet) {
    std::int64_t decided = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        PairQuadraticForms space(set);
        StopCheck never;
        TripletNorm norm(set);
        const MetricPoint point = randomPoint(set, seed);
        for (const double share : {0.0, 0.01, 0.1, 0.5}) {
            const Sphere sphere{point.matrix, share * point.matrix.norm()};
            std::vector<double> q;
            ASSERT_TRUE(space.forms(sphere.centre, nullptr, never, q));
            const double error =
                set.marginError(space.valueError(spectralBound(sphere.centre)), spectralBound(sphere.centre));
            const SphereRule rule(sphere.radius, kGamma, error);
            // As a rule that is a little stricter would judge, and one that is a little laxer.
            const SphereRule strict(sphere.radius * (1 + 1e-6), kGamma, error + 1e-9);
            NormCache kept(set);
            NormCache notKept(set, 0);
            ActiveBlocks blocks(set);
            blocks.list();
            for (NormCache* norms : {&kept, &notKept}) {
                BlockJudge judge(set, *norms);
                for (const ActiveBlocks::Anchor& anchor : blocks.anchors()) {
                    judge.setAnchor(anchor.row, q, 1, rule);
                    for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
                        ActiveBlock block = blocks.blocks()[static_cast<std::size_t>(at)];
                        block.mask &= 0x5bdbb7dd5bdbb7ddU * seed; // some of them
                        const BlockJudge::Decisions decisions = judge.judge(block);
                        ASSERT_EQ(decisions.zero & decisions.linear, 0u);
                        ASSERT_EQ((decisions.zero | decisions.linear) & ~block.mask, 0u);
                        const PairIndex same = set.samePair(set.sameOffset(anchor.row) + block.same);
                        for (std::uint64_t rest = block.mask; rest != 0; rest &= rest - 1) {
                            const int bit = std::countr_zero(rest);
                            const PairIndex other = set.otherPair(set.otherOffset(anchor.row) + block.base + bit);
                            const double margin =
                                q[static_cast<std::size_t>(other)] - q[static_cast<std::size_t>(same)];
                            const double squared = norm.squared(other, same);
                            const bool isZero = (decisions.zero >> bit & 1U) != 0;
                            const bool isLinear = (decisions.linear >> bit & 1U) != 0;
                            const Decision least = strict.judge(margin, squared);
                            const Decision most = rule.judge(margin, squared);
                            ASSERT_TRUE(!isZero || most == Decision::Zero);
                            ASSERT_TRUE(!isLinear || most == Decision::Linear);
                            ASSERT_TRUE(least != Decision::Zero || isZero);
                            ASSERT_TRUE(least != Decision::Linear || isLinear);
                            decided += isZero || isLinear ? 1 : 0;
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(decided, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BlockDecisions, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::metric
