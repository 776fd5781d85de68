// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/path_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace lambdascope {
namespace {

std::vector<ColumnDescription> columns() {
    return {{"index", "Point", "", ColumnRole::Index, true},      {"lambda", "λ", "", ColumnRole::Axis, false},
            {"iterations", "", "", ColumnRole::Iterations, true}, {"primal", "", "", ColumnRole::Objective, false},
            {"dual", "", "", ColumnRole::Other, false},           {"gap", "", "", ColumnRole::Optimality, false},
            {"n_items", "", "", ColumnRole::ItemsTotal, true},    {"n_R", "", "", ColumnRole::SetSize, true},
            {"n_C", "", "", ColumnRole::SetSize, true},           {"path_R", "", "", ColumnRole::PathFixed, true},
            {"error", "", "", ColumnRole::HeldOutError, false},   {"wall", "", "s", ColumnRole::Wall, false}};
}

enum Column { Index, Lambda, Iterations, Primal, Dual, Gap, Items, SetR, SetC, PathR, HeldOut, Wall };

/// Two points whose optimal values are 5 and 6, solved to 0.01 and rounded by 1e-12 at most.
std::vector<RecomputedPoint> computed() {
    std::vector<RecomputedPoint> points;
    for (int p = 0; p < 2; ++p) {
        const double optimum = 5.0 + p;
        points.push_back(
            {2.0 - p,
             Termination::Converged,
             {1.0 * p, 2.0 - p, 17, optimum + 0.004, optimum - 0.004, 0.0080000001, 100, 30, 70, 25, 0.25, 1e-3},
             ValueBounds::from(optimum + 0.004, 1e-12, 0.0080000001)});
    }
    return points;
}

/// What accurate solutions say of them: the optimal values to 1e-9, and at most 31 items in R.
std::vector<ProvenPoint> provenPoints() {
    return {{0, ValueBounds::from(5 + 1e-9, 1e-12, 2e-9), {{"path_R", 31}}},
            {1, ValueBounds::from(6 + 1e-9, 1e-12, 2e-9), {{"path_R", 31}}}};
}

class PathCheckTest : public ::testing::Test {
  protected:
    PathCheckTest() {
        for (const ColumnDescription& column : columns()) {
            stored.columns.push_back(column.key);
        }
        for (const RecomputedPoint& point : computed()) {
            stored.rows.push_back(point.values);
        }
    }
    [[nodiscard]] PathCheck check() const { return comparePath(stored, columns(), computed(), provenPoints()); }
    /// The only finding after `column` of the last point became `value`.
    std::string wrongAfter(Column column, double value) {
        const double before = stored.rows[1][column];
        stored.rows[1][column] = value;
        const PathCheck found = check();
        stored.rows[1][column] = before;
        EXPECT_EQ(found.wrong, 1) << columns()[column].key << " = " << value;
        EXPECT_EQ(found.unproven, 0);
        return found.wrongExamples.empty() ? std::string() : found.wrongExamples.front();
    }
    StoredPath stored;
};

TEST_F(PathCheckTest, TheSameNumbersAreRightToTheLastBit) {
    stored.rows[0][Wall] = 77; // times are never the same
    stored.rows[1][HeldOut] = std::nan("");
    const PathCheck found = check();
    EXPECT_EQ(found.points, 2);
    EXPECT_EQ(found.wrong, 0);
    EXPECT_EQ(found.unproven, 0);
    EXPECT_EQ(found.differences, 0);
}

TEST_F(PathCheckTest, AnotherSolutionWithinItsGapIsRightAndDiffersInBits) {
    std::vector<double>& row = stored.rows[1];
    row[Iterations] = 23;
    row[Primal] = 6.0001;
    row[Dual] = 5.997;
    row[Gap] = 0.0031000001;
    row[SetR] = 31;
    row[SetC] = 69;
    row[PathR] = 24;
    row[HeldOut] = 0.3;
    const PathCheck found = check();
    EXPECT_EQ(found.wrong, 0) << found.wrongExamples.front();
    EXPECT_EQ(found.unproven, 0);
    EXPECT_EQ(found.differences, 8);
    EXPECT_EQ(found.examples.front(), "iterations at point 1: stored 23, computed again 17");
}

TEST_F(PathCheckTest, APrimalValueBelowTheOptimumIsWrong) {
    EXPECT_EQ(wrongAfter(Primal, 5.9999).substr(0, 58), "primal at point 1: stored 5.9999, but the optimal value is");
    stored.rows[1][Primal] = 6 - 1e-12; // what rounding can do
    EXPECT_EQ(check().wrong, 0);
}

TEST_F(PathCheckTest, ADualValueAboveTheOptimumIsWrong) {
    stored.rows[1][Gap] = 0.1;
    EXPECT_NE(wrongAfter(Dual, 6.0001).find("dual at point 1: stored 6.0001, but the optimal value is at most"),
              std::string::npos);
}

TEST_F(PathCheckTest, AnIntervalThatWasMovedIsWrongEitherWay) {
    for (const double by : {-0.01, 0.01}) {
        stored.rows[0] = computed()[0].values;
        stored.rows[0][Primal] += by;
        stored.rows[0][Dual] += by;
        EXPECT_EQ(check().wrong, 1) << by;
    }
}

TEST_F(PathCheckTest, AGapBelowTheDifferenceOfTheValuesIsWrongAndALargerOneIsNot) {
    EXPECT_NE(wrongAfter(Gap, 0.007).find("gap at point 1"), std::string::npos);
    EXPECT_NE(wrongAfter(Gap, std::nan("")).find("the lane has a value there"), std::string::npos);
    stored.rows[1][Gap] = 0.02;
    EXPECT_EQ(check().wrong, 0);
}

TEST_F(PathCheckTest, MoreItemsThanMayLieInASetAreWrong) {
    EXPECT_EQ(wrongAfter(PathR, 32), "path_R at point 1: stored 32, but at most 31 items may lie there");
    for (const double count : {-1.0, 24.5, std::nan("")}) {
        EXPECT_NE(wrongAfter(PathR, count).find("it counts items"), std::string::npos);
    }
    stored.rows[1][PathR] = 31;
    EXPECT_EQ(check().wrong, 0);
}

TEST_F(PathCheckTest, FactsOfTheProblemStayAsTheyAre) {
    EXPECT_NE(wrongAfter(Items, 101).find("the problem has 100"), std::string::npos);
    EXPECT_NE(wrongAfter(SetC, 71).find("101 of 100 items"), std::string::npos);
    EXPECT_NE(wrongAfter(Index, 2).find("numbered from 0"), std::string::npos);
    stored.rows.pop_back();
    EXPECT_EQ(check().wrong, 1) << "a missing row";
}

TEST_F(PathCheckTest, WithoutAProvenBoundOnlyTheSameBitsAreSure) {
    std::vector<RecomputedPoint> boundless = computed();
    for (RecomputedPoint& point : boundless) {
        point.bounds = {};
        point.values[Dual] = point.values[Gap] = std::nan("");
    }
    stored.rows = {boundless[0].values, boundless[1].values};
    EXPECT_EQ(comparePath(stored, columns(), boundless).unproven, 0);
    stored.rows[1][Primal] = std::nextafter(stored.rows[1][Primal], 10);
    const PathCheck found = comparePath(stored, columns(), boundless);
    EXPECT_EQ(found.wrong, 0);
    EXPECT_EQ(found.unproven, 1);
    EXPECT_NE(found.unprovenReason.find("no proven lower bound"), std::string::npos);
    // An accurate solution bounds the values of a lane that has no dual value.
    EXPECT_EQ(comparePath(stored, columns(), boundless, provenPoints()).unproven, 0);
    stored.rows[1][Primal] = 5.9;
    EXPECT_EQ(comparePath(stored, columns(), boundless, provenPoints()).wrong, 1);
}

TEST_F(PathCheckTest, AMissingColumnOfValuesProvesNothing) {
    stored.columns[Gap] = "other";
    const PathCheck found = check();
    EXPECT_EQ(found.unproven, 2);
    EXPECT_EQ(found.unprovenReason, "path.csv has no column gap");
    EXPECT_EQ(found.wrong, 0);
}

TEST_F(PathCheckTest, APointBesideTheOwnScheduleDiffersInBitsAlone) {
    std::vector<RecomputedPoint> points = computed();
    points[1].scheduled = 1 + 1e-15;
    const PathCheck found = comparePath(stored, columns(), points, provenPoints());
    EXPECT_EQ(found.wrong, 0);
    EXPECT_EQ(found.differences, 1);
}

} // namespace
} // namespace lambdascope
