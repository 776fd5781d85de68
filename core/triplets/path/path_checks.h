// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/triplets/problem/path_config.h"

#include <string>
#include <vector>

namespace lambdascope::triplets {

/// Appends what keeps a path from having points, or an end.
void checkPath(const PathConfig& path, std::vector<Fault>& faults);

/// Appends a fault when a lane keeps λ ranges without a bound that has them; `key` is the lane's.
void checkRange(const LaneConfig& lane, const std::string& key, std::vector<Fault>& faults);

} // namespace lambdascope::triplets
