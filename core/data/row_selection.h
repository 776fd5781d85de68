// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/raw_data.h"

#include <cstdint>
#include <vector>

namespace lambdascope {

struct RowEdits;

/// Keeps the rows numbered by `rows`, which ascend; classes without rows go. Works in place.
void keepRows(RawData& data, const std::vector<std::size_t>& rows);

/// Copies of the rows numbered by `rows`, with labels, targets and names; classes stay as they are.
[[nodiscard]] RawData takeRows(const RawData& data, const std::vector<std::size_t>& rows);

/// Gives rows the values and classes that edits gave them, takes omitted ones away and appends added ones. Sparse data
/// stay sparse.
void editRows(RawData& data, const RowEdits& edits);

/// The most rows and numbers that keepSubset() hands back.
constexpr std::size_t kMostHeldOutRows = 2000;
constexpr std::size_t kMostHeldOutCells = 4'000'000;

/// Keeps `share` of each class, as stratifiedSplit() draws them, and adds a note. Returns the other rows, in their
/// order; when there are more than the limits above, every so manyth of them.
RawData keepSubset(RawData& data, double share, std::uint64_t seed);

} // namespace lambdascope
