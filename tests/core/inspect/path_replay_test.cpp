// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/path_replay.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace lambdascope {
namespace {

/// Tasks that keep something between points beside the warm start, as solvers do: each point's first value is how many
/// points this very task has solved.
PathReplay::MakeTask tasksThatCount() {
    return [] {
        toy::Task::Plan plan;
        plan.onPoint = [solved = std::make_shared<int>(0)](const PathPoint& point, RunContext&) {
            PointReport report = toy::Task::defaultReport(point);
            report.values.front() = ++*solved;
            report.warmStart = std::make_shared<toy::CountingWarmStart>(point.index + 1);
            return Result<PointReport>(std::move(report));
        };
        return std::make_unique<toy::Task>(plan);
    };
}

std::vector<double> visited(PathReplay& replay) {
    std::vector<double> values;
    const auto visitor = [&](const PathPoint&, const PointReport& report) -> Result<void> {
        values.push_back(report.values.front());
        return {};
    };
    EXPECT_TRUE(replay.visit(0, {}, visitor, {}, {}));
    return values;
}

TEST(PathReplay, ShowsTheSamePathEachTime) {
    PathReplay replay(tasksThatCount(), 1);
    const std::vector<double> first = visited(replay);
    EXPECT_EQ(first, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(visited(replay), first);
    ASSERT_TRUE(replay.replay(1, {}, {}, {}));
    EXPECT_EQ(visited(replay), first);
    ASSERT_TRUE(replay.walk(0, {}, {}, {}, {}));
    EXPECT_EQ(replay.path().front().values.front(), 1);
    EXPECT_EQ(visited(replay), first);
}

} // namespace
} // namespace lambdascope
