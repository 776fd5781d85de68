// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/path_cursor.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <cmath>

namespace lambdascope {

TEST(PathCursor, FollowsTheNewestPointUntilMovedByHand) {
    PathCursor cursor;
    EXPECT_FALSE(cursor.isSet());
    EXPECT_TRUE(std::isnan(cursor.value()));
    cursor.setAxis({8, 4});
    EXPECT_EQ(cursor.index(), 1);
    cursor.setAxis({8, 4, 2});
    EXPECT_EQ(cursor.value(), 2);
    cursor.moveTo(0);
    EXPECT_FALSE(cursor.isFollowing());
    cursor.setAxis({8, 4, 2, 1});
    EXPECT_EQ(cursor.index(), 0);
    cursor.setFollowing(true);
    EXPECT_EQ(cursor.value(), 1);
}

TEST(PathCursor, FollowsTheLastPointThatMostLanesHave) {
    PathCursor cursor;
    QSignalSpy following(&cursor, &PathCursor::followingChanged);
    cursor.setAxis({8, 4, 2, 1}, 2);
    EXPECT_EQ(cursor.value(), 2);
    cursor.setAxis({8, 4, 2, 1}, 3); // the others have caught up
    EXPECT_EQ(cursor.value(), 1);
    cursor.setAxis({8, 4, 2, 1, 0.5}, 3);
    EXPECT_EQ(cursor.value(), 1);
    EXPECT_EQ(following.count(), 0);
    cursor.moveTo(4);
    EXPECT_FALSE(cursor.isFollowing());
    cursor.setFollowing(true);
    EXPECT_EQ(cursor.value(), 1);
}

TEST(PathCursor, FindsTheNearestValueInRatio) {
    PathCursor cursor;
    cursor.setAxis({100, 10, 1});
    cursor.moveToValue(40); // nearer to 100 in ratio, to 10 in difference
    EXPECT_EQ(cursor.index(), 0);
    cursor.moveToValue(3);
    EXPECT_EQ(cursor.index(), 2);
    cursor.moveToValue(std::nan(""));
    EXPECT_EQ(cursor.index(), 2);
}

TEST(PathCursor, TellsOnlyRealMoves) {
    PathCursor cursor;
    QSignalSpy moved(&cursor, &PathCursor::moved);
    cursor.setAxis({3, 2, 1});
    cursor.moveTo(2);
    cursor.moveTo(99);
    EXPECT_EQ(moved.count(), 1);
    cursor.moveTo(-5);
    EXPECT_EQ(cursor.index(), 0);
    EXPECT_EQ(moved.count(), 2);
    cursor.setAxis({5, 2, 1}); // another value at the same place is a move
    EXPECT_EQ(moved.count(), 3);
    EXPECT_EQ(moved.back().at(1).toDouble(), 5);
    cursor.clear();
    EXPECT_FALSE(cursor.isSet());
    EXPECT_TRUE(cursor.isFollowing());
}

} // namespace lambdascope
