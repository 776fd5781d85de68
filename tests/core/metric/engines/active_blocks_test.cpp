// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/active_blocks.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

#include <set>

namespace lambdascope::metric {
namespace {

const SmallShape kWide{.name = "wide", .classes = 2, .rowsPerClass = 70, .features = 2, .k = 69};

TEST(ActiveBlocks, NeedsNoMemoryWhileComplete) {
    const TripletSet set = smallTriplets(kWide, 1);
    const ActiveBlocks blocks(set);
    EXPECT_TRUE(blocks.isComplete());
    EXPECT_EQ(blocks.triplets(), set.triplets());
    EXPECT_EQ(blocks.pairs(), nullptr);
    EXPECT_EQ(blocks.bytes(), 0u);
}

TEST(ActiveBlocks, ListsEveryTripletOnce) {
    const TripletSet set = smallTriplets(kWide, 1);
    ActiveBlocks blocks(set);
    blocks.list();
    EXPECT_FALSE(blocks.isComplete());
    EXPECT_EQ(blocks.triplets(), set.triplets());
    EXPECT_EQ(blocks.pairs(), nullptr); // all of them
    // 69 others are two blocks of a row: 16 bytes per directed same-class pair and 64 others.
    EXPECT_EQ(blocks.blocks().size(), static_cast<std::size_t>(140 * 69 * 2));
}

TEST(ActiveBlocks, AreCompleteAgainWhenNothingWasTakenAway) {
    const TripletSet set = smallTriplets(kWide, 1);
    ActiveBlocks blocks(set);
    blocks.list();
    blocks.compact();
    EXPECT_TRUE(blocks.isComplete());
    EXPECT_EQ(blocks.triplets(), set.triplets());
    blocks.list();
    blocks.blocks().front().mask &= blocks.blocks().front().mask - 1;
    blocks.compact();
    EXPECT_FALSE(blocks.isComplete());
    EXPECT_EQ(blocks.triplets(), set.triplets() - 1);
}

TEST(ActiveBlocks, CompactsAwayWhatHasNoTriplet) {
    const TripletSet set = smallTriplets(kWide, 1);
    ActiveBlocks blocks(set);
    blocks.list();
    // Keep one triplet of every tenth block.
    TripletIndex expected = 0;
    for (std::size_t at = 0; at < blocks.blocks().size(); ++at) {
        auto& mask = blocks.blocks()[at].mask;
        mask = at % 10 == 0 ? mask & (~mask + 1) : 0;
        expected += mask != 0 ? 1 : 0;
    }
    blocks.compact();
    EXPECT_EQ(blocks.triplets(), expected);
    EXPECT_EQ(static_cast<TripletIndex>(blocks.blocks().size()), expected);
    std::set<PairIndex> used;
    for (const auto& anchor : blocks.anchors()) {
        EXPECT_GT(anchor.end, anchor.begin);
        for (auto at = anchor.begin; at < anchor.end; ++at) {
            const ActiveBlock& block = blocks.blocks()[static_cast<std::size_t>(at)];
            EXPECT_NE(block.mask, 0u);
            used.insert(set.samePair(set.sameOffset(anchor.row) + block.same));
            used.insert(set.otherPair(set.otherOffset(anchor.row) + block.base + std::countr_zero(block.mask)));
        }
    }
    EXPECT_EQ(std::vector<PairIndex>(used.begin(), used.end()), *blocks.pairs());
    blocks.setComplete();
    EXPECT_EQ(blocks.triplets(), set.triplets());
}

} // namespace
} // namespace lambdascope::metric
