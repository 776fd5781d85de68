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

int placeOf(const QString& lane, const LaneColours& colours) {
    return colours.placesOf({lane}).at(lane);
}

// Colours went by the order in which runs came: another run beside it, or a restart, gave a lane another one.
TEST_F(LaneColoursTest, BelongToNamesAndOutliveTheProgram) {
    LaneColours colours;
    colours.learn({"a", "b", "PGB"});
    const int a = placeOf("a", colours);
    const int b = placeOf("b", colours);
    EXPECT_NE(a, b);
    EXPECT_NE(a, placeOf("PGB", colours));
    EXPECT_NE(b, placeOf("PGB", colours));
    LaneColours afterRestart;
    afterRestart.learn({"PGB", "c", "b"});
    EXPECT_EQ(placeOf("b", afterRestart), b);
    EXPECT_EQ(placeOf("PGB", afterRestart), placeOf("PGB", colours));
    EXPECT_NE(placeOf("c", afterRestart), b);
    EXPECT_NE(placeOf("c", afterRestart), placeOf("PGB", afterRestart));
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
    EXPECT_EQ(places.at("y"), placeOf("y", colours));
}

/// Names that came with different experiments had one colour, and kept it where they met: two oranges side by side.
TEST_F(LaneColoursTest, OfOneExperimentAreApartWhereverTheirNamesWereLearned) {
    QStringList names;
    LaneColours colours;
    for (int i = 0; i < 12; ++i) { // each with its own experiments, in which the first colours are free
        names << QStringLiteral("lane %1").arg(i);
        colours.learn({names.last()});
        colours.learn({QStringLiteral("naive"), names.last() + QLatin1Char('b')});
        names << names.last() + QLatin1Char('b');
    }
    for (int first = 0; first < names.size(); ++first) {
        for (int count = 2; count <= LaneColours::kCount; ++count) {
            QStringList lanes;
            for (int i = 0; i < count; ++i) {
                lanes << names[(first + 5 * i) % names.size()];
            }
            std::set<int> different;
            bool isAnyKept = false;
            for (const auto& [lane, place] : colours.placesOf(lanes)) {
                different.insert(colourOf(place));
                isAnyKept = isAnyKept || place == placeOf(lane, colours);
            }
            EXPECT_EQ(different.size(), static_cast<std::size_t>(count)) << lanes.join(", ").toStdString();
            EXPECT_TRUE(isAnyKept) << "only those change that meet another one";
        }
    }
    EXPECT_EQ(colours.placesOf({"naive", "PGB", "lane 0"}).at("PGB"), placeOf("PGB", colours));
    // More lanes than colours: no two look alike, and no colour is there three times.
    std::map<int, int> uses;
    std::set<int> looks;
    for (const auto& [lane, place] : colours.placesOf(names.mid(0, 2 * LaneColours::kCount))) {
        EXPECT_LE(++uses[colourOf(place)], 2);
        EXPECT_TRUE(looks.insert(place).second);
    }
}

TEST_F(LaneColoursTest, OfARunAreApartFromTheOtherLanesOfItsStart) {
    RunCollection runs;
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{1}, .lane = "GAP"}));
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{2}, .lane = "Shrink"}));
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{3}, .lane = "GAP"}));
    runs.apply(tinyEvents({.id = RunId{4}, .lane = "Shrink", .isBaseline = false}));
    EXPECT_NE(colourOf(runs.display(RunId{3}).styleIndex), colourOf(runs.display(RunId{4}).styleIndex));
    runs.setShown({RunId{1}, RunId{2}}, false);
    EXPECT_NE(colourOf(runs.display(RunId{3}).styleIndex), colourOf(runs.display(RunId{4}).styleIndex));
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
