// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <vector>

namespace lambdascope::benchmarks {

/// Paths on which method "auto" is compared with the two methods that it chooses from.
[[nodiscard]] std::vector<MetricBlock> choiceBlocks();

/// Runs projected gradient, Newton and "auto" along the path of a block, in turns, and prints the worst ratio of "auto"
/// to the better of the two over any ten λ in a row, in counted work and in CPU time (medians). True when "auto" keeps
/// to the promised ratio in counted work, or the data are not there.
[[nodiscard]] bool runChoice(const MetricBlock& block, int& failures);

} // namespace lambdascope::benchmarks
