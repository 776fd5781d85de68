// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/figures/sample_runs.h"

#include <cmath>
#include <limits>

namespace lambdascope {

/// sampleEvents() of lanes that learn: point p of each has the matrix (p + 1) · {{2, −1}, {−1, 1}} (or its diagonal),
/// features a and b, an error of |p − 2| / 10 on held-out rows (none at point 0), and CPU parts that add up to `cpu`.
[[nodiscard]] inline std::vector<RunEvent> learnedEvents(int points = 5, bool isDiagonal = false) {
    std::vector<RunEvent> events = sampleEvents(points, true);
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            started->featureNames = {"a", "b"};
            started->columns.push_back({"cpu_rule", "Rule", "s", ColumnRole::CpuPart, false});
            started->columns.push_back({"cpu_other", "Other", "s", ColumnRole::CpuPart, false});
            started->columns.push_back({"knn_error", "Error", "", ColumnRole::HeldOutError, false});
        } else if (auto* finished = std::get_if<PointFinished>(&event.body)) {
            const double cpu = finished->values[12];
            const double error =
                finished->index == 0 ? std::numeric_limits<double>::quiet_NaN() : std::abs(finished->index - 2) / 10.0;
            finished->values.insert(finished->values.end(), {cpu / 4, cpu * 3 / 4, error});
            const double scale = finished->index + 1;
            MatrixValues matrix(2, isDiagonal ? 1 : 2, -scale);
            matrix(0, 0) = 2 * scale;
            matrix(1, isDiagonal ? 0 : 1) = scale;
            finished->solution = std::make_shared<const Solution>(Solution{{"M", matrix}});
        }
    }
    return events;
}

} // namespace lambdascope
