// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace lambdascope::triplets {
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

/// The rows that triplets of an anchor are made of.
using Hull = std::pair<std::set<RowIndex>, std::set<RowIndex>>;

TEST_P(PackedSums, HaveTheSmallestProductSetsThatHoldWhatIsLeft) {
    const TripletSet set = smallTriplets(GetParam(), 3);
    PairsEngine engine(set);
    StopCheck never;
    RandomStream random(11, "product sets");
    for (const double left : {1.0, 0.5, 0.1, 0.02, 0.0}) {
        const TripletStates states = randomStates(set, left, random);
        ScreenedPart screened;
        ASSERT_TRUE(engine.activateExcept(states, never, screened));
        std::map<RowIndex, Hull> wanted;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            if (states.at(t) == Decision::Keep) {
                const Triplet triplet = set.triplet(t);
                wanted[triplet.anchor].first.insert(triplet.same);
                wanted[triplet.anchor].second.insert(triplet.other);
            }
        }
        const ProductLists& lists = *engine.productLists();
        std::map<RowIndex, Hull> found;
        std::int64_t longest = 0;
        for (const ProductLists::Anchor& anchor : lists.anchors) {
            EXPECT_FALSE(found.contains(anchor.row));
            longest = std::max(longest, anchor.end - anchor.begin);
            for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
                const bool isSame = entry < anchor.middle;
                const auto at = static_cast<std::size_t>(entry);
                const std::int64_t place =
                    lists.position[at] + (isSame ? set.sameOffset(anchor.row) : set.otherOffset(anchor.row));
                EXPECT_EQ(lists.partner[at],
                          set.partner(isSame ? set.samePair(place) : set.otherPair(place), anchor.row));
                Hull& hull = found[anchor.row];
                EXPECT_TRUE((isSame ? hull.first : hull.second).insert(lists.partner[at]).second);
            }
        }
        EXPECT_EQ(found, wanted);
        EXPECT_EQ(lists.longest, longest);
    }
    engine.activateAll();
    EXPECT_EQ(engine.productLists()->triplets(), set.triplets());
}

/// Leaves what a record does not decide.
struct ByStates {
    const TripletSet& set;
    const TripletStates& states;
    PackedTriplets::AnchorView anchor = {};
    TripletIndex number = 0;
    EveryRow every = {};

    std::span<const std::uint32_t> beginAnchor(const PackedTriplets::AnchorView& view,
                                               std::span<const PackedTriplets::Row> rows) {
        anchor = view;
        return every.of(rows);
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t /*number*/) {
        number = set.tripletOffset(anchor.row) + row.place * set.otherCount(anchor.row);
    }
    std::uint32_t rest(std::uint32_t group, std::uint32_t bits) const {
        const auto first = number + static_cast<TripletIndex>(kGroupSize * anchor.origins[group]);
        return bits &
               ~static_cast<std::uint32_t>(states.bits(Decision::Zero, first) | states.bits(Decision::Linear, first));
    }
    void endRow() {}
    void endAnchor() {}
};

/// Step by step, each from what the one before left.
TEST_P(PackedSums, HoldEveryTripletThatIsLeftOnceAndTheirPairs) {
    StopCheck never;
    const TripletSet set = smallTriplets(GetParam(), 2);
    RandomStream random(3, "packed groups");
    PackedTriplets packed;
    packed.setWhole(set);
    EXPECT_EQ(packed.triplets(), set.triplets());
    EXPECT_EQ(packed.pairs(), nullptr);
    std::vector<bool> isLeft(static_cast<std::size_t>(set.triplets()), true);
    for (const double left : {1.0, 0.8, 0.3, 0.1, 0.0}) {
        const TripletStates states = randomStates(set, left, random);
        PackedTriplets next;
        ByStates judge{set, states};
        ASSERT_TRUE(next.takeFrom(packed, set, judge, never));
        std::set<PairIndex> used;
        std::vector<bool> isMet(isLeft.size(), false);
        TripletIndex count = 0;
        std::int32_t lastCount = 0;
        const PackedTriplets::Row* last = nullptr;
        RowIndex anchorAtWork = -1;
        ASSERT_TRUE(next.visitGroups(
            [&](const PackedTriplets::AnchorView& anchor, const PackedTriplets::Row& row, std::uint32_t group,
                std::uint32_t bits) {
                EXPECT_NE(bits, 0u);
                if (&row != std::exchange(last, &row)) {
                    const bool isFirst = anchor.row != std::exchange(anchorAtWork, anchor.row);
                    EXPECT_TRUE(isFirst || row.count <= lastCount);
                    lastCount = row.count;
                }
                EXPECT_EQ(anchor.number(row.same), set.samePair(set.sameOffset(anchor.row) + row.place));
                for (std::size_t b = 0; b < kGroupSize; ++b) {
                    const auto other = static_cast<std::int64_t>(kGroupSize * anchor.origins[group] + b);
                    if ((bits >> b & 1U) == 0) {
                        continue;
                    }
                    const PairIndex pair = anchor.other(kGroupSize * group + b);
                    ASSERT_EQ(pair, set.otherPair(set.otherOffset(anchor.row) + other));
                    used.insert({pair, anchor.number(row.same)});
                    const auto number = static_cast<std::size_t>(set.tripletOffset(anchor.row) +
                                                                 row.place * set.otherCount(anchor.row) + other);
                    EXPECT_FALSE(isMet[number]);
                    isMet[number] = true;
                    ++count;
                }
            },
            never));
        for (std::size_t number = 0; number < isLeft.size(); ++number) {
            isLeft[number] = isLeft[number] && states.at(static_cast<TripletIndex>(number)) == Decision::Keep;
        }
        EXPECT_EQ(isMet, isLeft);
        EXPECT_EQ(next.triplets(), count);
        ASSERT_NE(next.pairs(), nullptr);
        EXPECT_EQ(std::vector<PairIndex>(used.begin(), used.end()), *next.pairs());
        EXPECT_LE(next.rows(), next.groups());
        EXPECT_LE(next.groups(), count);
        packed = next;
    }
    EXPECT_TRUE(packed.isEmpty());
}

/// In the order in which rules meet them.
TEST_P(PackedSums, HaveTheFormsOfTheirPairsByEntry) {
    StopCheck never;
    const TripletSet set = smallTriplets(GetParam(), 4);
    PackedTriplets packed;
    packed.setWhole(set);
    PairQuadraticForms space(set);
    const Eigen::MatrixXd q = randomPoint(set, 4).matrix - randomPoint(set, 5).matrix;
    std::vector<double> ofPairs;
    std::vector<double> found;
    std::vector<double> expected;
    ASSERT_TRUE(space.forms(q, nullptr, never, ofPairs));
    ASSERT_TRUE(space.forms(q, packed.entries(), never, found));
    packed.toEntries(ofPairs, expected);
    ASSERT_EQ(expected.size(), packed.entryCount());
    const double error = 2 * space.valueError(spectralBound(q));
    for (std::size_t entry = 0; entry < expected.size(); ++entry) {
        ASSERT_NEAR(found[entry], expected[entry], error) << entry;
    }
    // Those of what is left, by place.
    RandomStream random(5, "packed entries");
    const TripletStates states = randomStates(set, 0.3, random);
    ByStates judge{set, states};
    PackedTriplets left;
    ASSERT_TRUE(left.takeFrom(packed, set, judge, never));
    EXPECT_EQ(left.entries(), nullptr);
    std::vector<double> numbers(left.pairs()->begin(), left.pairs()->end());
    std::vector<double> ofEntries;
    left.toEntries(numbers, ofEntries);
    const PackedTriplets::Row* last = nullptr;
    RowIndex anchorAtWork = -1;
    std::size_t rowEntry = 0;
    ASSERT_TRUE(left.visitGroups(
        [&](const PackedTriplets::AnchorView& anchor, const PackedTriplets::Row& row, std::uint32_t group,
            std::uint32_t bits) {
            if (anchor.row != std::exchange(anchorAtWork, anchor.row)) {
                rowEntry = anchor.entry + anchor.columns.size();
            } else if (&row != last) {
                ++rowEntry;
            }
            last = &row;
            const auto column = kGroupSize * group + static_cast<std::size_t>(std::countr_zero(bits));
            ASSERT_EQ(ofEntries[anchor.entry + column], anchor.other(column));
            ASSERT_EQ(ofEntries[rowEntry], anchor.number(row.same));
        },
        never));
}

TEST(PackedTriplets, AreDroppedWhenStopped) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    PackedTriplets packed;
    packed.setWhole(set);
    StopCheck stopped([] { return true; });
    while (!stopped.ask()) {
    }
    const TripletStates states(set.triplets());
    ByStates judge{set, states};
    PackedTriplets next;
    EXPECT_FALSE(next.takeFrom(packed, set, judge, stopped));
    EXPECT_TRUE(next.isEmpty());
    EXPECT_EQ(next.triplets(), 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedSums, testing::ValuesIn(packedShapes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets
