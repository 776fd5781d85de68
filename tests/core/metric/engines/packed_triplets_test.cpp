// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/metric/engines/packed_triplets.h"
#include "core/metric/engines/pairs_engine.h"
#include "core/metric/engines/triplets_engine.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

std::vector<SmallShape> packedShapes() {
    std::vector<SmallShape> shapes = smallShapes();
    shapes.push_back({.name = "fewer_rows_than_k", .rowsPerClass = 3, .k = 40});
    shapes.push_back({.name = "one_class", .classes = 1});
    shapes.push_back({.name = "very_huge_scale", .scale = 1e60});
    shapes.push_back({.name = "very_tiny_scale", .scale = 1e-60});
    return shapes;
}

/// Decides triplets at random, so that about a share of `left` stays.
TripletStates randomStates(const TripletSet& set, double left, RandomStream& random) {
    TripletStates states(set.triplets());
    for (TripletIndex t = 0; t < set.triplets(); ++t) {
        if (random.uniform() >= left) {
            states.set(t, random.uniform() < 0.5 ? Decision::Zero : Decision::Linear);
        }
    }
    return states;
}

class PackedSums : public testing::TestWithParam<SmallShape> {};

TEST_P(PackedSums, AreThoseOfTheTripletsThatAreLeft) {
    const TripletSet set = smallTriplets(GetParam(), 1);
    PairsEngine pairs(set);
    TripletsEngine triplets(set);
    StopCheck never;
    RandomStream random(7, "packed sums");
    for (const double left : {0.0, 0.02, 0.2, 0.5, 0.95, 1.0}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletStates states = randomStates(set, left, random);
            ScreenedPart a;
            ScreenedPart b;
            ASSERT_TRUE(pairs.activateExcept(states, never, a));
            ASSERT_TRUE(triplets.activateExcept(states, never, b));
            EXPECT_EQ(a.zero, b.zero);
            EXPECT_EQ(a.linear, b.linear);
            EXPECT_EQ(pairs.activeTriplets(), triplets.activeTriplets());
            const MetricPoint point = randomPoint(set, seed);
            LossTotals packed;
            LossTotals one;
            ASSERT_TRUE(pairs.evaluate(point, 0.05, never, packed));
            ASSERT_TRUE(triplets.evaluate(point, 0.05, never, one));
            expectSameTotals(packed, one);
            expectSameTotals(withScreened(packed, a, point), withScreened(one, b, point));
            EXPECT_LE(std::abs(packed.loss.value - one.loss.value), packed.loss.error + one.loss.error);
            EXPECT_LE(std::abs(packed.alphaSum.value - one.alphaSum.value),
                      packed.alphaSum.error + one.alphaSum.error +
                          static_cast<double>(packed.triplets) * (packed.marginError + one.marginError) / 0.05);
        }
    }
}

TEST_P(PackedSums, VisitNoMoreGroupsThanTripletsAreLeft) {
    const TripletSet set = smallTriplets(GetParam(), 2);
    RandomStream random(3, "packed groups");
    for (const double left : {0.0, 0.1, 0.6}) {
        const TripletStates states = randomStates(set, left, random);
        PairsEngine engine(set);
        ActiveBlocks blocks(set);
        blocks.list();
        for (const ActiveBlocks::Anchor& anchor : blocks.anchors()) {
            for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
                ActiveBlock& block = blocks.blocks()[static_cast<std::size_t>(at)];
                const TripletIndex number =
                    set.tripletOffset(anchor.row) + block.same * set.otherCount(anchor.row) + block.base;
                block.mask &= ~(states.bits(Decision::Zero, number) | states.bits(Decision::Linear, number));
            }
        }
        blocks.compact();
        PackedTriplets packed;
        packed.pack(set, blocks);
        const std::int64_t rows = packed.entries() - packed.groups();
        EXPECT_LE(rows, packed.groups());
        if (!blocks.isComplete()) {
            EXPECT_LE(packed.groups(), blocks.triplets());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedSums, testing::ValuesIn(packedShapes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::metric
