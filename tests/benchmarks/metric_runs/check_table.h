// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/lane_measurement.h"

#include <vector>

namespace lambdascope::benchmarks {

/// Prints what the published figures compare: rates along the path by thirds, and PGB against RRPB at the same check
/// of the same λ, as in the heatmaps of dynamic screening [T, figure 7].
void printCheckTable(const std::vector<LaneMeasurement>& lanes);

} // namespace lambdascope::benchmarks
