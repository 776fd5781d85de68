// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/triplet_set.h"

#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// A product set per anchor: rows of its class times rows of other classes. Entries of all anchors stand in one array,
/// those of an anchor together: same-class rows in [begin, middle), other rows in [middle, end).
struct ProductLists {
    struct Anchor {
        RowIndex row = 0;
        std::int64_t begin = 0;
        std::int64_t middle = 0;
        std::int64_t end = 0;

        [[nodiscard]] std::int64_t sames() const { return middle - begin; }
        [[nodiscard]] std::int64_t others() const { return end - middle; }
        [[nodiscard]] TripletIndex triplets() const { return sames() * others(); }
    };

    std::vector<Anchor> anchors;
    std::vector<RowIndex> partner;      ///< per entry: the row that the anchor is paired with
    std::vector<std::int32_t> position; ///< per entry: place in the anchor's list of the TripletSet
    std::int64_t longest = 0;           ///< most entries of one anchor

    /// All triplets; anchors without triplets are left out.
    static ProductLists all(const TripletSet& triplets);

    [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(partner.size()); }
    [[nodiscard]] TripletIndex triplets() const;
    [[nodiscard]] std::size_t bytes() const;
};

} // namespace lambdascope::metric
