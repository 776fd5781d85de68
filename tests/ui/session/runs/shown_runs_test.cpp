// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/shown_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope {
namespace {

TEST(PathLengthOf, IsThatOfTheLanesOfAStart) {
    RunCollection runs;
    runs.beginBatch();
    const auto start = [&runs](std::int64_t id, int planned, std::size_t finished) {
        std::vector<RunEvent> events =
            tinyEvents({.id = RunId{id}, .lane = "lane " + std::to_string(id), .points = planned, .isEnded = false});
        std::size_t seen = 0;
        const auto end = std::find_if(events.begin(), events.end(), [&](const RunEvent& event) {
            seen += std::holds_alternative<PointFinished>(event.body) ? 1 : 0;
            return seen > finished;
        });
        events.erase(end, events.end());
        runs.apply(events);
    };
    start(1, 40, 2);
    start(2, 60, 2);
    for (const RunId id : {RunId{1}, RunId{2}}) {
        EXPECT_EQ(pathLengthOf(runs, id).points, 40) << "equally far: the first";
        EXPECT_FALSE(pathLengthOf(runs, id).isKnown);
    }
    start(3, 48, 4);
    for (const RunId id : {RunId{1}, RunId{2}, RunId{3}}) {
        EXPECT_EQ(pathLengthOf(runs, id).points, 48);
    }
    runs.apply(tinyEvents({.id = RunId{4}, .lane = "whole", .points = 7}));
    EXPECT_EQ(pathLengthOf(runs, RunId{1}).points, 7) << "a lane that has gone the whole way knows";
    EXPECT_TRUE(pathLengthOf(runs, RunId{1}).isKnown);
    runs.beginBatch();
    start(5, 60, 2);
    EXPECT_EQ(pathLengthOf(runs, RunId{5}).points, 60) << "of a later start";
    EXPECT_EQ(pathLengthOf(runs, RunId{1}).points, 7);
}

} // namespace
} // namespace lambdascope
