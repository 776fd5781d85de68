// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field.h"

#include <gtest/gtest.h>

using namespace lambdascope;

namespace {

FieldDescription number(FieldKind kind, Range range, std::string emptyWord = {}) {
    FieldDescription field;
    field.key = "x";
    field.kind = kind;
    field.range = range;
    field.emptyWord = std::move(emptyWord);
    return field;
}

} // namespace

TEST(Range, OpenAndClosedEndsDiffer) {
    EXPECT_TRUE(Range::between(0, 1).contains(1));
    EXPECT_FALSE(Range::strictlyBetween(0, 1).contains(1));
    EXPECT_FALSE(Range::above(0).contains(0));
    EXPECT_TRUE(Range::aboveUpTo(0, 1).contains(1));
    EXPECT_EQ(Range::aboveUpTo(0, 1).text(), "above 0 and at most 1");
    EXPECT_EQ(Range{}.text(), "");
}

TEST(Field, IntegersMustBeWholeAndInRange) {
    const auto field = number(FieldKind::Integer, Range::atLeast(1), "all");
    EXPECT_FALSE(field.complaintAbout(3));
    EXPECT_FALSE(field.complaintAbout(3.0));
    EXPECT_FALSE(field.complaintAbout("all"));
    for (const Json& bad : {Json(0), Json(2.5), Json("many"), Json(true), Json(nullptr), Json::array(), Json(1e300)}) {
        EXPECT_TRUE(field.complaintAbout(bad)) << bad;
    }
    EXPECT_EQ(field.expectation(), "a whole number, at least 1, or \"all\"");
}

TEST(Field, RealsMustBeFinite) {
    const auto field = number(FieldKind::Real, Range::strictlyBetween(0, 1));
    EXPECT_FALSE(field.complaintAbout(0.5));
    EXPECT_TRUE(field.complaintAbout(1));
    EXPECT_TRUE(field.complaintAbout(-1));
    EXPECT_TRUE(number(FieldKind::Real, {}).complaintAbout(Json(std::numeric_limits<double>::infinity())));
    EXPECT_TRUE(number(FieldKind::Real, {}).complaintAbout(Json(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Field, ChoicesAreKnownWordsWithoutRepeats) {
    FieldDescription field;
    field.kind = FieldKind::Choices;
    field.choices = {{"GB", "", ""}, {"PGB", "", ""}};
    EXPECT_FALSE(field.complaintAbout(Json::parse(R"(["PGB","GB"])")));
    EXPECT_FALSE(field.complaintAbout(Json::array()));
    EXPECT_TRUE(field.complaintAbout(Json::parse(R"(["GB","GB"])")));
    EXPECT_TRUE(field.complaintAbout(Json::parse(R"(["XGB"])")));
    EXPECT_TRUE(field.complaintAbout("GB"));
    field.kind = FieldKind::Choice;
    EXPECT_FALSE(field.complaintAbout("GB"));
    EXPECT_TRUE(field.complaintAbout("gb"));
}

TEST(SectionSchema, UnknownKeysAreFaultsWithAGuess) {
    SectionSchema section{"solver", "Solver", "", {number(FieldKind::Real, {})}};
    section.fields[0].key = "tolerance";
    section.fields[0].defaultValue = 1e-6;
    std::vector<Fault> faults;
    const Json resolved = section.resolve(Json::parse(R"({"tolerence": 1, "colour": 2})"), "solver", faults);
    EXPECT_EQ(resolved, Json::parse(R"({"tolerance": 1e-6})"));
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_EQ(faults[0].key, "solver.tolerence");
    EXPECT_EQ(faults[0].remedy, "Did you mean \"tolerance\"?");
    EXPECT_EQ(faults[1].remedy, "Remove it; known here: tolerance.");
}

TEST(ClosestWord, ForgivesSlipsOnly) {
    EXPECT_EQ(closestWord("gama", {"gamma", "k"}), "gamma");
    EXPECT_EQ(closestWord("bound", {"bounds", "rule"}), "bounds");
    EXPECT_EQ(closestWord("colour", {"gamma", "k"}), std::nullopt);
}
