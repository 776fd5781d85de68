// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lambdascope::triplets {

/// Row number of the data; number of a pair; number of a triplet or comparison.
using RowIndex = std::int32_t;
using PairIndex = std::int32_t;
using TripletIndex = std::int64_t;

/// Two rows, in any order. Two equal ones stand for no pair: their difference is zero.
struct RowPair {
    RowIndex a = 0;
    RowIndex b = 0;
    bool operator==(const RowPair&) const = default;
};

/// Where all triplets stand at a point.
struct SetCounts {
    TripletIndex above = 0; ///< t > τ
    TripletIndex below = 0; ///< t < τ − edge width
};

} // namespace lambdascope::triplets
