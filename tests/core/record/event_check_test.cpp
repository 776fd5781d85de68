// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_check.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

/// Whether a point is taken whose picture has so many coordinates for three objects.
bool takesPicture(std::size_t coordinates) {
    EventCheck check;
    RunEvent start;
    start.body = RunStarted{};
    EXPECT_TRUE(check.take(start));
    Embedding embedding;
    embedding.coordinates.resize(coordinates);
    embedding.classes = {0, 1, -1};
    PointFinished point;
    point.embedding = std::make_shared<const Embedding>(std::move(embedding));
    RunEvent event;
    event.body = std::move(point);
    return check.take(event).has_value();
}

// Runs of objects whose places are known could be written and not read any more.
TEST(EventCheck, TakesPicturesWithAndWithoutKnownPlaces) {
    EXPECT_TRUE(takesPicture(6));
    EXPECT_TRUE(takesPicture(12));
    for (const std::size_t wrong : {0U, 3U, 5U, 7U, 9U, 18U}) {
        EXPECT_FALSE(takesPicture(wrong)) << wrong;
    }
}

TEST(EventCheck, TakesAsManyValuesOfPartsAsTheRunHas) {
    RunStarted start;
    start.parts = {"pairs", {"a", "b", "c"}, {{"n", "", "", ColumnRole::Other, true}, {"m", "", "", {}, false}}};
    for (const std::size_t count : {0U, 2U, 5U, 6U, 7U}) {
        EventCheck check;
        EXPECT_TRUE(check.take({RunId{1}, 0, start}));
        EXPECT_EQ(check.take({RunId{1}, 1, PartsSolved{0, std::vector<double>(count)}}).has_value(), count == 6);
    }
}

} // namespace
} // namespace lambdascope
