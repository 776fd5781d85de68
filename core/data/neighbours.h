// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace lambdascope {

/// For every row (anchor) its nearest rows of the same class and of all other classes, in compressed rows: the
/// same-class neighbours of anchor i are same[sameOffset[i]] … same[sameOffset[i + 1] − 1], and so for `other`.
/// Within an anchor they stand by rising distance; equal distances by rising row number. An anchor is no neighbour
/// of itself; a duplicate of it is, at distance 0.
struct ClassNeighbours {
    std::vector<std::int32_t> same;
    std::vector<std::int32_t> other;
    std::vector<std::int64_t> sameOffset;  ///< rows + 1 entries
    std::vector<std::int64_t> otherOffset; ///< rows + 1 entries
    bool operator==(const ClassNeighbours&) const = default;
};

/// The `k` nearest rows of each kind (all of them when `k` is empty; fewer when a class has fewer), by the Euclidean
/// distance, computed as Σ (x_ic − x_jc)² in feature order, so that duplicates are at distance exactly 0 and
/// d(i, j) = d(j, i) to the bit. The same for one thread and for many.
///
/// Cost O(rows² · features) time (non-zeros instead of features for sparse data) and O(rows) memory besides the
/// result, which holds O(rows · k) or, without k, rows · (rows − 1) indices.
/// Errors: InvalidData for unlabelled data; InvalidConfiguration for k < 1; Stopped; OutOfMemory when the result of
/// k = all would not fit.
Result<ClassNeighbours> classNeighbours(const Dataset& data, std::optional<std::int64_t> k,
                                        const DataProgress& progress = {}, std::stop_token stop = {});

} // namespace lambdascope
