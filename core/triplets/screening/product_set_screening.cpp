// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

/// False when they are no finite numbers: the anchor is left as it is.
bool ProductSetScreening::setIntervals(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                       const SphereRule& rule) {
    m_sames = static_cast<Index>(anchor.sames());
    m_size = static_cast<Index>(anchor.end - anchor.begin);
    const auto size = static_cast<std::size_t>(m_size);
    const auto sames = static_cast<std::size_t>(m_sames);
    m_pair.resize(size);
    m_length.resize(size);
    m_low.resize(size);
    m_high.resize(size);
    const std::int64_t sameOffset = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    const std::int32_t* position = lists.position.data() + anchor.begin;
    double total = 0;
    for (std::size_t at = 0; at < size; ++at) {
        m_pair[at] = at < sames ? m_triplets.samePair(sameOffset + position[at])
                                : m_triplets.otherPair(otherOffset + position[at]);
        m_length[at] = m_triplets.squaredLength(m_pair[at]);
        total += at < sames ? 0 : m_length[at];
    }
    const SeparableNormBound bound(total / static_cast<double>(anchor.others()), rule.radius());
    double largest = 1;
    for (std::size_t at = 0; at < size; ++at) {
        const double reach = at < sames ? bound.ofSame(m_length[at]) : bound.ofOther(m_length[at]);
        m_low[at] = q[at] - reach;
        m_high[at] = q[at] + reach;
        largest = std::max(largest, std::abs(q[at]) + reach);
    }
    // The ends are a few operations on numbers up to `largest`.
    const double pad = rule.marginError() + 16 * kUnitRoundoff * largest;
    double check = 0;
    for (std::size_t at = 0; at < size; ++at) {
        if (at >= sames) {
            m_low[at] -= 1 + pad;
            m_high[at] += pad - rule.lowerEdge();
        }
        check += 0.0 * m_low[at] + 0.0 * m_high[at];
    }
    return check == 0;
}

/// Buckets split the stretch that intervals of both kinds reach into; all before it is bucket 0, all behind the last.
/// False when numbers are too large.
bool ProductSetScreening::setBuckets() {
    const auto least = [&](Index begin, Index end) {
        return *std::min_element(m_low.data() + begin, m_low.data() + end);
    };
    const auto most = [&](Index begin, Index end) {
        return *std::max_element(m_high.data() + begin, m_high.data() + end);
    };
    const double start = std::max(least(0, m_sames), least(m_sames, m_size));
    const double stop = std::min(most(0, m_sames), most(m_sames, m_size));
    const double base = std::min(start, stop);
    const double width = std::max(std::abs(stop - start), 1e-12 * (std::abs(start) + std::abs(stop)));
    if (!std::isfinite(width)) {
        return false;
    }
    const auto size = static_cast<std::size_t>(m_size);
    const std::size_t inner = kBucketsPerEntry * size;
    m_buckets = static_cast<Index>(inner + 2);
    const double scale = std::min(static_cast<double>(inner) / width, std::numeric_limits<double>::max());
    const double last = static_cast<double>(inner + 1);
    const auto bucketOf = [&](double end) {
        return static_cast<Index>(std::clamp((end - base) * scale + 1, 0.0, last));
    };
    m_first.resize(size);
    m_last.resize(size);
    for (std::size_t at = 0; at < size; ++at) {
        m_first[at] = bucketOf(m_low[at]);
        m_last[at] = bucketOf(m_high[at]);
    }
    return true;
}

void ProductSetScreening::count(Index begin, Index end, bool goingOnly, Ends& ends) const {
    ends.clear(static_cast<std::size_t>(m_buckets));
    for (Index row = begin; row < end; ++row) {
        if (!goingOnly || !stays(row)) {
            ends.add(firstOf(row), lastOf(row));
        }
    }
    ends.sum();
}

void ProductSetScreening::Order::clear(std::size_t rows, std::size_t buckets) {
    m_rows.resize(rows);
    m_next.assign(buckets, -1);
    m_isOpen.assign(rows / 64 + 1, ~Word{0});
}

ProductSetScreening::Index ProductSetScreening::Order::add(Index row, Index first, const Ends& ends) {
    Index& last = m_next[static_cast<std::size_t>(first)];
    last = last < 0 ? ends.begun(first) : last + 1;
    m_rows[static_cast<std::size_t>(last)] = row;
    return last;
}

ProductSetScreening::Index ProductSetScreening::Order::nextOpen(Index begin, Index end) const {
    auto word = static_cast<std::size_t>(begin) / 64;
    Word bits = m_isOpen[word] & (~Word{0} << (begin % 64));
    while (bits == 0) {
        if (64 * static_cast<Index>(++word) >= end) {
            return end;
        }
        bits = m_isOpen[word];
    }
    return std::min(static_cast<Index>(64 * word) + std::countr_zero(bits), end);
}

void ProductSetScreening::sort(Index begin, Index end, const Ends& ends, Order& order) {
    order.clear(static_cast<std::size_t>(end - begin), static_cast<std::size_t>(m_buckets));
    m_place.resize(static_cast<std::size_t>(m_size));
    for (Index row = begin; row < end; ++row) {
        m_place[static_cast<std::size_t>(row)] = order.add(row, firstOf(row), ends);
    }
}

void ProductSetScreening::setStaying(Index same, Index other) {
    m_stays[static_cast<std::size_t>(same)] = m_stays[static_cast<std::size_t>(other)] = 1;
    m_sameOrder.setStaying(m_place[static_cast<std::size_t>(same)]);
    m_otherOrder.setStaying(m_place[static_cast<std::size_t>(other)]);
}

void ProductSetScreening::judge(Index same, Index other, const double* q, const SphereRule& rule, Tally& tally) {
    const auto j = static_cast<std::size_t>(same);
    const auto l = static_cast<std::size_t>(other);
    const double margin = q[l] - q[j];
    Decision decision = rule.look(margin, m_length[l], m_length[j]);
    ++tally.judged;
    if (decision == Decision::Unsure) {
        ++tally.exact;
        decision = rule.judge(margin, m_norm.squared(m_pair[l], m_pair[j]));
    }
    if (decision == Decision::Keep) {
        setStaying(same, other);
    } else {
        m_decided.push_back({same, other});
    }
}

/// Marks the rows that stay. Of two rows that meet one begins where the other one is.
void ProductSetScreening::findStaying(const double* q, const SphereRule& rule, Tally& tally) {
    count(0, m_sames, false, m_sameEnds);
    count(m_sames, m_size, false, m_otherEnds);
    m_stays.assign(static_cast<std::size_t>(m_size), 0);
    m_decided.clear();
    std::int64_t meetings = 0;
    for (Index other = m_sames; other < m_size; ++other) {
        meetings += meetingsOf(other);
    }
    if (meetings > kMeetingsPerEntry * m_size) {
        for (Index row = 0; row < m_size; ++row) {
            m_stays[static_cast<std::size_t>(row)] = meetingsOf(row) > 0 ? 1 : 0;
        }
        return;
    }
    if (meetings == 0) {
        return;
    }
    sort(0, m_sames, m_sameEnds, m_sameOrder);
    sort(m_sames, m_size, m_otherEnds, m_otherOrder);
    for (Index same = 0; same < m_sames; ++same) {
        const Index end = m_otherEnds.begun(lastOf(same) + 1);
        for (Index n = m_otherEnds.begun(firstOf(same)); n < end; ++n) {
            n = stays(same) ? m_otherOrder.nextOpen(n, end) : n;
            if (n < end) {
                judge(same, m_otherOrder.row(n), q, rule, tally);
            }
        }
    }
    for (Index other = m_sames; other < m_size; ++other) {
        const Index end = m_sameEnds.begun(lastOf(other) + 1);
        for (Index n = m_sameEnds.begun(firstOf(other) + 1); n < end; ++n) {
            n = stays(other) ? m_sameOrder.nextOpen(n, end) : n;
            if (n < end) {
                judge(m_sameOrder.row(n), other, q, rule, tally);
            }
        }
    }
}

/// A triplet goes with either of its rows and counts once in both: in a row that goes, all its linear ones, in one that
/// stays, those with a row that goes. Returns how many.
TripletIndex ProductSetScreening::countLinear(const double* q, double* weights) {
    count(0, m_sames, true, m_goingSameEnds);
    count(m_sames, m_size, true, m_goingOtherEnds);
    TripletIndex linear = 0;
    for (Index row = 0; row < m_size; ++row) {
        if (row < m_sames) { // others that end before it begins
            weights[row] = -static_cast<double>((stays(row) ? m_goingOtherEnds : m_otherEnds).ended(firstOf(row)));
        } else { // sames that begin after its end
            const Ends& ends = stays(row) ? m_goingSameEnds : m_sameEnds;
            const Index count = ends.begun(m_buckets) - ends.begun(lastOf(row) + 1);
            weights[row] = static_cast<double>(count);
            linear += count;
        }
    }
    for (const Meeting& meeting : m_decided) {
        const bool goes = !stays(meeting.same) || !stays(meeting.other);
        if (goes && q[meeting.other] - q[meeting.same] < 1) { // decided, so above 1 or below 1 − γ
            weights[meeting.same] -= 1;
            weights[meeting.other] += 1;
            ++linear;
        }
    }
    return linear;
}

void ProductSetScreening::record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                 TripletStates& states) const {
    const std::int32_t* position = lists.position.data() + anchor.begin;
    for (Index same = 0; same < m_sames; ++same) {
        const TripletIndex first =
            m_triplets.tripletOffset(anchor.row) + position[same] * m_triplets.otherCount(anchor.row);
        for (Index other = m_sames; other < m_size; ++other) {
            if (!stays(same) || !stays(other)) {
                states.set(first + position[other], q[other] - q[same] < 1 ? Decision::Linear : Decision::Zero);
            }
        }
    }
}

ProductSetScreening::Tally ProductSetScreening::remove(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                       const double* q, const SphereRule& rule, TripletStates* states,
                                                       ProductLists& rest, double* weights) {
    Tally tally;
    if (setIntervals(lists, anchor, q, rule) && setBuckets()) {
        findStaying(q, rule, tally);
    } else {
        m_stays.assign(static_cast<std::size_t>(m_size), 1);
    }
    const auto staying = std::count(m_stays.begin(), m_stays.end(), 1);
    if (staying < m_size) {
        tally.linear = countLinear(q, weights);
        if (states != nullptr) {
            record(lists, anchor, q, *states);
        }
    } else {
        std::fill_n(weights, m_size, 0.0);
    }
    ProductLists::Anchor kept{anchor.row, rest.entries(), rest.entries(), rest.entries()};
    for (Index row = 0; row < m_size; ++row) {
        if (stays(row)) {
            const auto entry = static_cast<std::size_t>(anchor.begin + row);
            rest.partner.push_back(lists.partner[entry]);
            rest.position.push_back(lists.position[entry]);
            kept.middle += row < m_sames ? 1 : 0;
            ++kept.end;
        }
    }
    if (staying > 0) {
        rest.anchors.push_back(kept);
        rest.longest = std::max(rest.longest, kept.end - kept.begin);
    }
    tally.zero = anchor.triplets() - kept.triplets() - tally.linear;
    return tally;
}

} // namespace lambdascope::triplets
