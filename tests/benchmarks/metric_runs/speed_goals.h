// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// A whole path that should be solved faster than the published code solves it. Its lanes are unscreened and screened
/// ones by engines and methods.
struct SpeedGoal : MetricBlock {
    std::string published;       ///< what the authors' code took on a machine like the one the goals were set on
    double publishedSeconds = 0; ///< of CPU; 0 when it did not finish
    double seconds = 0;          ///< of CPU on one thread, of wall time on several
    double megabytes = 0;        ///< that the process may take; 0 for no such goal
    int threads = 1;
    bool isLong = false; ///< minutes rather than seconds
};

/// To a relative gap of 1e-6, over all rows, to the end of the published path. `isWhole`: long ones too, and the engine
/// "triplets", which works as the published code does, on more data.
[[nodiscard]] std::vector<SpeedGoal> speedGoals(bool isWhole);

} // namespace lambdascope::benchmarks
