// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <vector>

namespace lambdascope::benchmarks {

/// Paths on which the limit of choosing a method per λ is computed; the constants of method "auto" were chosen on these
/// but for usps and isolet.
[[nodiscard]] std::vector<MetricBlock> oracleBlocks();

/// Measures the counted work of each λ for each method there and at the λ before, finds the schedule whose worst ten λ
/// in a row are least over the better of the two methods, and prints them beside those of "auto".
void runOracle(const MetricBlock& block, int& failures);

} // namespace lambdascope::benchmarks
