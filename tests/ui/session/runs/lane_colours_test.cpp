// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/lane_colours.h"
#include "ui/session/runs/run_collection.h"

#include <gtest/gtest.h>

#include <QSettings>

#include <set>

namespace lambdascope {
namespace {

class LaneColoursTest : public testing::Test {
  protected:
    void SetUp() override { QSettings().clear(); }
};

int colourOf(int place) {
    return place % LaneColours::kCount;
}

// Colours went by the order in which runs came: another run beside it, or a restart, gave a lane another one.
TEST_F(LaneColoursTest, BelongToNamesAndOutliveTheProgram) {
    LaneColours colours;
    colours.learn({"a", "b", "PGB"});
    const int a = colours.placeOf("a");
    const int b = colours.placeOf("b");
    EXPECT_NE(a, b);
    EXPECT_NE(a, colours.placeOf("PGB"));
    EXPECT_NE(b, colours.placeOf("PGB"));
    LaneColours afterRestart;
    afterRestart.learn({"PGB", "c", "b"});
    EXPECT_EQ(afterRestart.placeOf("b"), b);
    EXPECT_EQ(afterRestart.placeOf("PGB"), colours.placeOf("PGB"));
    EXPECT_NE(afterRestart.placeOf("c"), b);
    EXPECT_NE(afterRestart.placeOf("c"), afterRestart.placeOf("PGB"));
}

TEST_F(LaneColoursTest, OfOneExperimentAreApart) {
    LaneColours colours;
    colours.learn({"x", "y"});
    const auto places = colours.placesOf({"1", "y", "2", "3", "x", "4", "5", "6"});
    std::set<int> different;
    for (const auto& [lane, place] : places) {
        different.insert(colourOf(place));
    }
    EXPECT_EQ(different.size(), 8U);
    EXPECT_EQ(places.at("y"), colours.placeOf("y"));
}

TEST_F(LaneColoursTest, OfRunsAreThoseOfTheirNamesBesideWhateverElseIsShown) {
    RunCollection runs;
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{1}, .lane = "naive"}));
    runs.apply(tinyEvents({.id = RunId{2}, .lane = "PGB", .isBaseline = false}));
    const int naive = runs.display(RunId{1}).styleIndex;
    const int pgb = runs.display(RunId{2}).styleIndex;
    EXPECT_NE(colourOf(naive), colourOf(pgb));
    // Another start: its lanes keep the plain looks of their names, the earlier ones get another dash and tint.
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{3}, .lane = "other"}));
    runs.apply(tinyEvents({.id = RunId{4}, .lane = "PGB", .isBaseline = false}));
    EXPECT_EQ(runs.display(RunId{4}).styleIndex, pgb);
    EXPECT_EQ(colourOf(runs.display(RunId{2}).styleIndex), colourOf(pgb));
    EXPECT_NE(runs.display(RunId{2}).styleIndex, pgb);
    EXPECT_EQ(colourOf(runs.display(RunId{1}).styleIndex), colourOf(naive));
    std::set<int> looks;
    for (const RunId id : runs.ids()) {
        EXPECT_TRUE(looks.insert(runs.display(id).styleIndex).second) << "no two look alike";
    }
    // Alone again, it looks as it did.
    runs.setShown({RunId{3}, RunId{4}}, false);
    EXPECT_EQ(runs.display(RunId{2}).styleIndex, pgb);
    RunCollection afterRestart;
    afterRestart.apply(tinyEvents({.id = RunId{5}, .lane = "PGB", .isBaseline = false}));
    EXPECT_EQ(afterRestart.display(RunId{5}).styleIndex, pgb);
}

} // namespace
} // namespace lambdascope
