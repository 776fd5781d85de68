// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/path_length.h"
#include "tests/core/record/lane_records.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

void expectLength(const std::vector<LanePlace>& lanes, std::int32_t points, bool isKnown, const char* why) {
    const PathLength length = pathLength(lanes);
    EXPECT_EQ(length.points, points) << why;
    EXPECT_EQ(length.isKnown, isKnown) << why;
}

TEST(PathLength, IsTheGuessOfTheFarthestLaneUntilOneHasGoneTheWholeWay) {
    expectLength({}, 0, false, "no lanes");
    expectLength({{5, 0, false}}, 0, false, "no guess");
    expectLength({{2, 40, false}, {2, 60, false}}, 40, false, "equally far: the first");
    expectLength({{2, 40, false}, {4, 48, false}, {2, 60, false}}, 48, false, "the farthest");
    expectLength({{9, 8, false}}, 9, false, "no less than are finished");
    expectLength({{300, 300, true}, {40, 236, false}}, 300, true, "whole");
    expectLength({{300, 290, true}, {300, 300, false}}, 300, true, "longer than it guessed");
    expectLength({{30, 300, true}, {40, 236, false}}, 236, false, "over before its plan");
    expectLength({{30, 300, true}}, 0, false, "over before its plan, and alone");
    expectLength({{30, 30, true}, {31, 32, false}}, 32, false, "another goes on");
}

TEST(PathLength, TakesThePlaceOfALaneFromItsRecord) {
    using End = LaneSpec::End;
    for (const End end : {End::Finished, End::Running, End::Stopped, End::OutOfTime, End::Interrupted, End::Failed}) {
        const LanePlace place = placeOf(laneRecord({.name = "a", .points = 27, .planned = 48, .end = end}));
        EXPECT_EQ(place.finished, 27);
        EXPECT_EQ(place.planned, 48) << "also once it has ended";
        EXPECT_EQ(place.isOver, end == End::Finished);
    }
}

} // namespace
} // namespace lambdascope
