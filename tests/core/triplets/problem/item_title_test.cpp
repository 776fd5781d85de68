// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/problem/item_title.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

#include <set>

namespace lambdascope::triplets {
namespace {

ComparisonSet setOf(const std::vector<Comparison>& comparisons) {
    ComparisonList list;
    list.comparisons = comparisons;
    return ComparisonSet::build(smallData({.name = "plain"}, 1)->dense(), list).value();
}

TEST(ItemTitle, NamesEveryFormByItsRows) {
    const ComparisonSet set = setOf({{RowPair{4, 7}, RowPair{4, 2}},
                                     {RowPair{9, 7}, RowPair{1, 3}},
                                     {std::nullopt, RowPair{8, 3}, -0.5},
                                     {RowPair{3, 9}, std::nullopt, 2},
                                     {std::nullopt, RowPair{0, 1}, -0.0}});
    std::vector<std::string> titles;
    for (TripletIndex c = 0; c < set.size(); ++c) {
        titles.push_back(itemTitle(set, c));
    }
    EXPECT_EQ(titles, (std::vector<std::string>{"triplet (4, 2, 7)", "quadruplet (1, 3, 7, 9)", "pair (3, 8) ≤ 0.5",
                                                "pair (3, 9) ≥ 2", "pair (0, 1) ≤ 0"}));
}

TEST(ItemTitle, IsFoundAgainForEveryFormAndEveryTriplet) {
    for (const FormMix& mix : formMixes()) {
        const GeneralProblem general({.name = "plain"}, mix, 3);
        for (TripletIndex c = 0; c < general.set.size(); ++c) {
            const std::string title = itemTitle(general.set, c);
            const auto whole = findItem(general.set, title);
            ASSERT_TRUE(whole) << title;
            EXPECT_EQ(*whole, c) << title;
            // As the window puts it in a field: without the word and the brackets.
            std::string words = title.substr(title.find('(') + 1);
            words.erase(words.find(')'), 1);
            EXPECT_EQ(findItem(general.set, words).value(), c) << words;
        }
    }
    const TripletSet triplets = smallTriplets({.name = "plain"}, 1);
    for (TripletIndex t = 0; t < triplets.triplets(); t += 5) {
        EXPECT_EQ(findItem(triplets, itemTitle(triplets, t)).value(), t);
    }
}

TEST(ItemTitle, RowsOfAPairMayStandInAnyOrderAndABoundMayLeaveItsNumberOut) {
    const ComparisonSet set = setOf({{RowPair{9, 7}, RowPair{1, 3}},
                                     {std::nullopt, RowPair{8, 3}, -0.5},
                                     {std::nullopt, RowPair{8, 3}, -0.75},
                                     {RowPair{3, 8}, std::nullopt, 2},
                                     {RowPair{3, 9}, std::nullopt, 2}});
    EXPECT_EQ(findItem(set, "3 1 9 7").value(), 0);
    EXPECT_EQ(findItem(set, "8/3 <= 0.75").value(), 2);
    EXPECT_EQ(findItem(set, "8, 3 ≥").error().code, ErrorCode::BadUsage);
    EXPECT_EQ(findItem(set, "8, 3 >= 2").value(), 3);
    EXPECT_EQ(findItem(set, "9, 3").value(), 4);
    const auto several = findItem(set, "3, 8");
    ASSERT_FALSE(several);
    EXPECT_NE(several.error().faults.front().message.find("3 bounds"), std::string::npos);
    EXPECT_NE(several.error().faults.front().remedy.find("pair (3, 8) ≤ 0.75"), std::string::npos);
}

TEST(ItemTitle, SaysWhatIsWrong) {
    const ComparisonSet set = setOf({{RowPair{4, 7}, RowPair{4, 2}}, {std::nullopt, RowPair{8, 3}, -0.5}});
    for (const char* text : {"", "4", "4, 2, x", "1, 2, 3, 4, 5", "4, 2, 7 ≤ 1", "3, 8 ≤ wide", "99999999999, 1, 2"}) {
        const auto found = findItem(set, text);
        ASSERT_FALSE(found) << text;
        EXPECT_EQ(found.error().code, ErrorCode::BadUsage);
        EXPECT_FALSE(found.error().faults.front().remedy.empty());
    }
    EXPECT_NE(findItem(set, "4, 2, 8").error().faults.front().message.find("none of the comparisons"),
              std::string::npos);
    EXPECT_NE(findItem(set, "4, 2, 24").error().faults.front().message.find("no row 24"), std::string::npos);
}

/// One item looked at in all ways: the visits, the probe and the definition agree.
TEST(ProblemItems, AreTheSameByVisitByNumberAndByDefinition) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        const GeneralProblem general({.name = "plain", .structure = structure}, formMixes().back(), 2);
        const ProblemItems items(general.set);
        const Eigen::MatrixXd q = pointFor(general.set, 1).matrix;
        TripletIndex next = 0;
        std::multiset<TripletIndex> byRow;
        StopCheck never;
        ASSERT_TRUE(items.visitAll(1, never, [&](TripletIndex number, const ProblemItem& item) {
            EXPECT_EQ(number, next++);
            EXPECT_EQ(item.far, items.at(number).far);
            EXPECT_EQ(item.near, items.at(number).near);
            const auto at = static_cast<std::size_t>(number);
            EXPECT_EQ(item.threshold, general.set.items().threshold[at]);
            EXPECT_EQ(item.weight, general.set.items().weight[at]);
            const ItemGeometry probe(items, number);
            const Bounded margin = probe.margin(q);
            EXPECT_LE(std::abs(margin.value - general.margin(number, q)), margin.error + 1e-15);
            EXPECT_LE((probe.matrix() - general.matrixOf(number)).norm(), 1e-12 * (1 + probe.norm().value));
            EXPECT_LE(std::abs(probe.norm().value - general.matrixOf(number).norm()),
                      probe.norm().error + 1e-13 * probe.norm().value);
        }));
        EXPECT_EQ(next, general.set.size());
        for (RowIndex row = 0; row < general.set.rows(); ++row) {
            ASSERT_TRUE(items.visitOfRow(row, 1, never,
                                         [&](TripletIndex number, const ProblemItem&) { byRow.insert(number); }));
        }
        for (TripletIndex c = 0; c < general.set.size(); ++c) {
            const ProblemItem item = items.at(c);
            std::set<RowIndex> rows;
            for (const PairIndex p : {item.far, item.near}) {
                if (p != items.noPair()) {
                    rows.insert({items.rows(p).a, items.rows(p).b});
                }
            }
            EXPECT_EQ(byRow.count(c), rows.size()); // once for each of its rows
        }
    }
}

} // namespace
} // namespace lambdascope::triplets
