// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <vector>

namespace lambdascope::benchmarks {

/// Whole paths with screening over the same ones without.
struct ScreeningBlock : MetricBlock {
    double mostWork = 1;   ///< counted work over that without screening which is promised
    double mostCpu = 1.05; ///< CPU time
};

/// Data sets by engine and method, and the presets of the family: their screened lanes with the schedule "auto", and
/// lanes like these without bounds.
[[nodiscard]] std::vector<ScreeningBlock> screeningBlocks();

/// Runs each screened lane, its counterpart without screening and the one that knows its sets in turns and prints
/// ratios: counted work, which is the same every time, and CPU time as median and quartiles over repeats, `isLong`:
/// nine of two seconds or more. True when all promises are kept, or the data are not there.
[[nodiscard]] bool runScreening(const ScreeningBlock& block, bool isLong, int& failures);

} // namespace lambdascope::benchmarks
