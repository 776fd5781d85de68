// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/row_intervals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

bool RowIntervals::set(const double* q, std::span<const double> reaches, Index sames, const SphereRule& rule) {
    m_sames = sames;
    const std::size_t size = reaches.size();
    m_low.resize(size);
    m_high.resize(size);
    double largest = 1;
    double check = 0;
    for (std::size_t at = 0; at < size; ++at) {
        largest = std::max(largest, std::abs(q[at]) + reaches[at]);
        check += 0.0 * q[at];
    }
    // The ends are a few operations on numbers up to `largest`.
    const double pad = rule.marginError() + 16 * kUnitRoundoff * largest;
    const auto firstOther = static_cast<std::size_t>(sames);
    for (std::size_t at = 0; at < firstOther; ++at) {
        m_low[at] = q[at] - reaches[at];
        m_high[at] = q[at] + reaches[at];
    }
    for (std::size_t at = firstOther; at < size; ++at) {
        m_low[at] = q[at] - reaches[at] - (1 + pad);
        m_high[at] = q[at] + reaches[at] + (pad - rule.lowerEdge());
    }
    return check == 0 && std::isfinite(pad);
}

void RowIntervals::keep(std::span<const Index> rows, Index sames) {
    m_sames = sames;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        m_low[at] = m_low[static_cast<std::size_t>(rows[at])];
        m_high[at] = m_high[static_cast<std::size_t>(rows[at])];
    }
    m_low.resize(rows.size());
    m_high.resize(rows.size());
}

RowIntervals::Stretch RowIntervals::of(Index begin, Index end) const {
    Stretch all;
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
        all.low = std::min(all.low, m_low[row]);
        all.high = std::max(all.high, m_high[row]);
    }
    return all;
}

/// Buckets split the stretch that intervals of both kinds reach into; all before it is bucket 0, all behind the last.
bool RowIntervals::sortIntoBuckets() {
    const std::size_t size = m_low.size();
    const auto firstOther = static_cast<std::size_t>(m_sames);
    const Stretch ofSames = of(0, m_sames);
    const Stretch ofOthers = of(m_sames, this->size());
    const double start = std::max(ofSames.low, ofOthers.low);
    const double stop = std::min(ofSames.high, ofOthers.high);
    const double base = std::min(start, stop);
    const double width = std::max(std::abs(stop - start), 1e-12 * (std::abs(start) + std::abs(stop)));
    if (!std::isfinite(width)) {
        return false;
    }
    const std::size_t inner = kBucketsPerEntry * size;
    m_buckets = static_cast<Index>(inner + 2);
    const double scale = std::min(static_cast<double>(inner) / width, std::numeric_limits<double>::max());
    const double last = static_cast<double>(inner + 1);
    const auto bucketOf = [&](double end) {
        return static_cast<Index>(std::clamp((end - base) * scale + 1, 0.0, last));
    };
    m_first.resize(size);
    m_last.resize(size);
    m_sameEnds.clear(inner + 2);
    m_otherEnds.clear(inner + 2);
    for (std::size_t at = 0; at < size; ++at) {
        m_first[at] = bucketOf(m_low[at]);
        m_last[at] = bucketOf(m_high[at]);
        (at < firstOther ? m_sameEnds : m_otherEnds).add(m_first[at], m_last[at]);
    }
    m_sameEnds.sum();
    m_otherEnds.sum();
    return true;
}

void RowIntervals::count(Index begin, Index end, const std::vector<char>& marked, Ends& ends) const {
    ends.clear(static_cast<std::size_t>(m_buckets));
    for (Index row = begin; row < end; ++row) {
        if (marked[static_cast<std::size_t>(row)] == 0) {
            ends.add(firstOf(row), lastOf(row));
        }
    }
    ends.sum();
}

std::int64_t RowIntervals::meetings() const {
    std::int64_t count = 0;
    for (Index other = m_sames; other < size(); ++other) {
        count += meetingsOf(other);
    }
    return count;
}

void RowIntervals::Order::clear(std::size_t rows, std::size_t buckets) {
    m_rows.resize(rows);
    m_next.assign(buckets, -1);
    m_isOpen.assign(rows / 64 + 1, ~Word{0});
}

RowIntervals::Index RowIntervals::Order::add(Index row, Index first, const Ends& ends) {
    Index& last = m_next[static_cast<std::size_t>(first)];
    last = last < 0 ? ends.begun(first) : last + 1;
    m_rows[static_cast<std::size_t>(last)] = row;
    return last;
}

RowIntervals::Index RowIntervals::Order::nextOpen(Index begin, Index end) const {
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

void RowIntervals::sort(const std::vector<char>& closed) {
    m_place.resize(m_first.size());
    const auto buckets = static_cast<std::size_t>(m_buckets);
    const auto sortRows = [&](Index begin, Index end, const Ends& ends, Order& order) {
        order.clear(static_cast<std::size_t>(end - begin), buckets);
        for (Index row = begin; row < end; ++row) {
            const Index place = order.add(row, firstOf(row), ends);
            m_place[static_cast<std::size_t>(row)] = place;
            if (closed[static_cast<std::size_t>(row)] != 0) {
                order.close(place);
            }
        }
    };
    sortRows(0, m_sames, m_sameEnds, m_sameOrder);
    sortRows(m_sames, size(), m_otherEnds, m_otherOrder);
}

} // namespace lambdascope::triplets
