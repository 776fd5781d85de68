// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"
#include "core/run/family.h"
#include "core/run/path_task.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::testing_support {

/// What a lane reports at each point of its path.
struct WalkedLane {
    std::vector<PointReport> reports;
    std::vector<ColumnDescription> columns;

    [[nodiscard]] double sum(const std::string& key) const {
        double total = 0;
        for (const PointReport& report : reports) {
            total += report.values[placeOfColumn(columns, key)];
        }
        return total;
    }
};

/// Computes a lane, each point from the one before.
[[nodiscard]] inline WalkedLane walkLane(const PreparedProblem& prepared, std::size_t lane) {
    NullSink sink;
    RunContext context(RunId{1}, sink);
    const auto task = prepared.makeTask(lane);
    WalkedLane rows{{}, task->describe().columns};
    std::shared_ptr<const WarmStart> warm;
    for (const double value : task->schedule()) {
        auto report = task->solvePoint({static_cast<std::int32_t>(rows.reports.size()), value}, warm, context);
        EXPECT_TRUE(report);
        warm = report->warmStart;
        rows.reports.push_back(std::move(*report));
        if (task->endsPath(rows.reports)) {
            break;
        }
    }
    return rows;
}

} // namespace lambdascope::testing_support
