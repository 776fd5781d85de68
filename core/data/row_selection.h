// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/raw_data.h"

#include <cstdint>
#include <vector>

namespace lambdascope {

/// Keeps the rows numbered by `rows`, which ascend; classes without rows go. Works in place.
void keepRows(RawData& data, const std::vector<std::size_t>& rows);

/// Keeps `share` of each class, as stratifiedSplit() draws them, and adds a note.
void keepSubset(RawData& data, double share, std::uint64_t seed);

} // namespace lambdascope
