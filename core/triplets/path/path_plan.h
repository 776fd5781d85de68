// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/triplets/problem/path_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope {
struct ColumnDescription;
struct PointReport;
} // namespace lambdascope

namespace lambdascope::triplets {

/// The columns that a path over λ begins with, `items` being its comparisons or triplets.
[[nodiscard]] std::vector<ColumnDescription> pathColumns(const std::string& items);

/// λ and loss term of a finished point.
struct PathMark {
    double lambda = 0;
    double loss = 0;
};

/// Those of reports with such columns.
[[nodiscard]] std::vector<PathMark> pathMarks(const std::vector<ColumnDescription>& columns,
                                              const std::vector<PointReport>& finished);

/// All λ that a path on a grid may visit: start · ratio^t, down to the smallest λ and up to the most points.
[[nodiscard]] std::vector<double> pathSchedule(const PathConfig& config, double lambdaMax);

/// Why the schedule is empty.
[[nodiscard]] Error emptyPathError(const PathConfig& config, double lambdaMax);

/// Relative gain of loss per relative fall of λ between two points [T, §7]:
/// (loss(λ') − loss(λ))/loss(λ') · λ'/(λ' − λ). 0 when no loss was left.
[[nodiscard]] double lossGain(const PathMark& before, const PathMark& after);

/// The published stop rule: the last gain is below `stop`. Only once gains fall: near λ_max they rise from values that
/// may be small when a few far triplets set λ_max.
[[nodiscard]] bool pathEnds(const PathConfig& config, const std::vector<PathMark>& finished);

/// A guess at the number of points until pathEnds: the gains of the last points, extrapolated geometrically along
/// their least-squares line. 0 while they do not fall.
[[nodiscard]] std::int32_t estimatedPoints(const PathConfig& config, const std::vector<PathMark>& finished,
                                           std::int32_t scheduled);

} // namespace lambdascope::triplets
