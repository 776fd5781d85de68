// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_headline.h"

#include <string>
#include <vector>

namespace lambdascope {

/// Where nothing is screened, lanes are different solvers and their times are of different solutions. What each of them
/// has reached, as in "Least error on held-out comparisons: 0.0448 by STE at p = 2, 0.0483 by SOE at p = 4"; empty
/// where no lane measures anything. `isFirst`: it begins the sentence. `lanes` must not be empty.
[[nodiscard]] std::string reachedPart(const std::vector<HeadlineLane>& lanes, bool isRunning, bool isFirst);

} // namespace lambdascope
