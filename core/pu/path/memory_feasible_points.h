// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_config.h"

#include <string>
#include <vector>

namespace lambdascope::pu {

class PreparedPu;

/// The points of a path that a lane can solve in the memory it is given.
struct MemoryFeasiblePoints {
    std::vector<double> values;
    std::string obstacle; ///< how many others there are, and what would be too large; empty when there are none
};

/// The full Gram matrix of the interior-point method must fit solver.baseline_memory; on a path over the number of
/// unlabeled samples, the samples of a point and a few kernel rows must fit problem.kernel_memory.
[[nodiscard]] MemoryFeasiblePoints memoryFeasiblePoints(const PreparedPu& prepared, const SolverConfig& config);

} // namespace lambdascope::pu
