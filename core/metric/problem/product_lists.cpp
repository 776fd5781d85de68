// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/product_lists.h"

#include <algorithm>

namespace lambdascope::metric {

ProductLists ProductLists::all(const TripletSet& triplets) {
    ProductLists lists;
    std::int64_t entries = 0;
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        if (triplets.sameCount(i) > 0 && triplets.otherCount(i) > 0) {
            entries += triplets.sameCount(i) + triplets.otherCount(i);
        }
    }
    lists.partner.reserve(static_cast<std::size_t>(entries));
    lists.position.reserve(static_cast<std::size_t>(entries));
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        const std::int64_t sames = triplets.sameCount(i);
        const std::int64_t others = triplets.otherCount(i);
        if (sames == 0 || others == 0) {
            continue;
        }
        const std::int64_t begin = lists.entries();
        for (std::int64_t s = 0; s < sames; ++s) {
            lists.partner.push_back(triplets.partner(triplets.samePair(triplets.sameOffset(i) + s), i));
            lists.position.push_back(static_cast<std::int32_t>(s));
        }
        for (std::int64_t o = 0; o < others; ++o) {
            lists.partner.push_back(triplets.partner(triplets.otherPair(triplets.otherOffset(i) + o), i));
            lists.position.push_back(static_cast<std::int32_t>(o));
        }
        lists.anchors.push_back({i, begin, begin + sames, begin + sames + others});
        lists.longest = std::max(lists.longest, sames + others);
    }
    return lists;
}

TripletIndex ProductLists::triplets() const {
    TripletIndex count = 0;
    for (const Anchor& anchor : anchors) {
        count += anchor.triplets();
    }
    return count;
}

std::size_t ProductLists::bytes() const {
    return anchors.capacity() * sizeof(Anchor) + (partner.capacity() + position.capacity()) * sizeof(std::int32_t);
}

} // namespace lambdascope::metric
