// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/triplet_set.h"

#include "core/common/byte_count.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lambdascope::triplets {

namespace {

constexpr RowIndex kRowsPerStopCheck = 256;

/// Calls f(partner) for every neighbour of `row`, of both kinds.
template <class F>
void forEachNeighbour(const ClassNeighbours& neighbours, std::size_t row, F&& f) {
    for (std::int64_t p = neighbours.sameOffset[row]; p < neighbours.sameOffset[row + 1]; ++p) {
        f(neighbours.same[static_cast<std::size_t>(p)]);
    }
    for (std::int64_t p = neighbours.otherOffset[row]; p < neighbours.otherOffset[row + 1]; ++p) {
        f(neighbours.other[static_cast<std::size_t>(p)]);
    }
}

} // namespace

Result<TripletSet> TripletSet::build(const DenseRows& x, const ClassNeighbours& neighbours, std::stop_token stop,
                                     Structure structure) {
    const std::size_t directed = neighbours.same.size() + neighbours.other.size();
    if (directed > static_cast<std::size_t>(std::numeric_limits<PairIndex>::max())) {
        return Failure{singleFault(
            ErrorCode::OutOfMemory,
            {"problem.k", "the neighbour lists have more than 2^31 entries", "Choose a smaller k or fewer rows.", {}})};
    }
    TripletSet set;
    set.setRows(x, structure);
    if (!set.setNeighbours(neighbours, stop)) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while pairing rows")};
    }
    set.setSizes();
    return set;
}

TripletSet TripletSet::empty(Eigen::Index features) {
    TripletSet set;
    set.setRows(DenseRows(0, features), Structure::Full);
    set.m_sameOffset = {0};
    set.m_otherOffset = {0};
    set.m_tripletOffset = {0};
    return set;
}

bool TripletSet::setNeighbours(const ClassNeighbours& neighbours, const std::stop_token& stop) {
    const RowIndex n = rows();
    const auto visitPairs = [&](auto&& take) {
        for (RowIndex i = 0; i < n; ++i) {
            forEachNeighbour(neighbours, static_cast<std::size_t>(i), [&](RowIndex j) { take(i, j); });
        }
    };
    if (!setPairs(visitPairs, stop)) {
        return false;
    }
    m_sameOffset = neighbours.sameOffset;
    m_otherOffset = neighbours.otherOffset;
    m_samePair.reserve(neighbours.same.size());
    m_otherPair.reserve(neighbours.other.size());
    for (RowIndex i = 0; i < n; ++i) {
        if (i % kRowsPerStopCheck == 0 && stop.stop_requested()) {
            return false;
        }
        for (std::int64_t p = sameOffset(i); p < sameOffset(i + 1); ++p) {
            m_samePair.push_back(find(i, neighbours.same[static_cast<std::size_t>(p)]));
        }
        for (std::int64_t p = otherOffset(i); p < otherOffset(i + 1); ++p) {
            m_otherPair.push_back(find(i, neighbours.other[static_cast<std::size_t>(p)]));
        }
    }
    return true;
}

void TripletSet::setSizes() {
    m_tripletOffset.assign(static_cast<std::size_t>(rows()) + 1, 0);
    for (RowIndex i = 0; i < rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        m_tripletOffset[at + 1] = m_tripletOffset[at] + sameCount(i) * otherCount(i);
        m_longestList = std::max({m_longestList, sameCount(i), otherCount(i)});
    }
}

Triplet TripletSet::triplet(TripletIndex number) const {
    const auto after = std::upper_bound(m_tripletOffset.begin(), m_tripletOffset.end(), number);
    const auto anchor = static_cast<RowIndex>(after - m_tripletOffset.begin() - 1);
    const std::int64_t within = number - tripletOffset(anchor);
    const std::int64_t s = within / otherCount(anchor);
    const std::int64_t o = within % otherCount(anchor);
    return {anchor, partner(samePair(sameOffset(anchor) + s), anchor),
            partner(otherPair(otherOffset(anchor) + o), anchor)};
}

std::size_t TripletSet::bytes() const {
    return pairBytes() + bytesOf(m_sameOffset) + bytesOf(m_otherOffset) + bytesOf(m_samePair) + bytesOf(m_otherPair) +
           bytesOf(m_tripletOffset);
}

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

QuadraticRuns ProductLists::runsOf(const Anchor& anchor) const {
    if (anchor.runs < 0) {
        return {};
    }
    const std::span<const std::uint8_t> all(runs);
    const auto at = static_cast<std::size_t>(anchor.runs);
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const auto others = static_cast<std::size_t>(anchor.others());
    return {all.subspan(at, sames), all.subspan(at + sames, others), all.subspan(at + sames + others, others)};
}

TripletIndex ProductLists::triplets() const {
    TripletIndex count = 0;
    for (const Anchor& anchor : anchors) {
        count += anchor.triplets();
    }
    return count;
}

std::size_t ProductLists::bytes() const {
    return anchors.capacity() * sizeof(Anchor) + (partner.capacity() + position.capacity()) * sizeof(std::int32_t) +
           runs.capacity();
}

} // namespace lambdascope::triplets
