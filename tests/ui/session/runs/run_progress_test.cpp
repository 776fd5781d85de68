// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/run_progress.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

/// The first `count` points of a lane of ten, each of which consists of several problems where `hasParts`.
void publishPoints(RunProgress& progress, const TinyRun& run, int count, bool hasParts) {
    for (RunEvent event : tinyEvents(run)) {
        const auto* finished = std::get_if<PointFinished>(&event.body);
        if (const auto* begun = std::get_if<PointStarted>(&event.body); begun != nullptr && begun->index >= count) {
            return;
        }
        if (auto* start = std::get_if<RunStarted>(&event.body)) {
            start->laneCount = 2;
        }
        if (hasParts && finished != nullptr) {
            progress.publish({event.run, event.sequence, PartsSolved{finished->index, {1, 2}}});
        }
        progress.publish(event);
    }
}

// All was said to be done at the first point of an experiment with a problem for each pair of classes.
TEST(RunProgress, PartsOfAPointEndNoLane) {
    RunProgress progress;
    const TinyRun first{RunId{1}, "first", true, 10, 4, 0, 2, true};
    const TinyRun second{RunId{2}, "second", false, 10, 4, 0.5, 1, true};
    publishPoints(progress, first, 4, true);
    EXPECT_DOUBLE_EQ(progress.snapshot().share, 0.2);
    publishPoints(progress, second, 4, true);
    EXPECT_DOUBLE_EQ(progress.snapshot().share, 0.4);
    EXPECT_NE(progress.snapshot().text.find("point 4 of about 10"), std::string::npos) << progress.snapshot().text;
}

TEST(RunProgress, LanesThatEndedAreDone) {
    RunProgress progress;
    publishPoints(progress, {RunId{1}, "first", true, 10, 4, 0, 2, true}, 4, false);
    progress.publish({RunId{1}, 1000, RunFailed{}});
    publishPoints(progress, {RunId{2}, "second", false, 10, 4, 0.5, 1, true}, 5, false);
    EXPECT_DOUBLE_EQ(progress.snapshot().share, 0.75);
}

} // namespace
} // namespace lambdascope
