// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/sphere_rule.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// What a ball says of the triplets (j, l) of one anchor i by intervals of their rows: with the SeparableNormBound f +
/// g of ‖H‖ the triplet is in R̂ where [q_ij − r g, q_ij + r g] lies below [q_il − r f − 1, q_il + r f − (1 − γ)] and in
/// L̂ where it lies above. Where the two meet, ‖H‖ has to be asked. Ends are rounded to buckets, kBucketsPerEntry for
/// each row, by a function that never falls: buckets that differ tell how the ends lie, and ends that share a bucket
/// count as meeting. Rows of the anchor's class come first, those of others after them.
class RowIntervals {
  public:
    using Index = std::int32_t;

    /// From the forms q_ij, q_il of the rows and their parts r g, r f of ‖H‖; O(1) per row. False when they are no
    /// finite numbers.
    bool set(const double* q, std::span<const double> reaches, Index sames, const SphereRule& rule);
    /// Leaves the rows of these numbers, which rise, the first so many of them of the anchor's class.
    void keep(std::span<const Index> rows, Index sames);
    /// Sorts the rows into buckets, before these are asked for. False when numbers are too large.
    bool sortIntoBuckets();

    /// Ends of a row, and of all of some rows: from the lowest to the highest.
    struct Stretch {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
    };
    [[nodiscard]] Stretch of(Index row) const {
        return {m_low[static_cast<std::size_t>(row)], m_high[static_cast<std::size_t>(row)]};
    }
    [[nodiscard]] Stretch of(Index begin, Index end) const;

    [[nodiscard]] Index size() const { return static_cast<Index>(m_low.size()); }
    [[nodiscard]] Index buckets() const { return m_buckets; }
    /// Buckets of the ends of a row.
    [[nodiscard]] Index firstOf(Index row) const { return m_first[static_cast<std::size_t>(row)]; }
    [[nodiscard]] Index lastOf(Index row) const { return m_last[static_cast<std::size_t>(row)]; }
    [[nodiscard]] bool meet(Index a, Index b) const { return firstOf(a) <= lastOf(b) && firstOf(b) <= lastOf(a); }

    /// How many rows begin, and how many end, in the buckets before each one, side by side in a word.
    class Ends {
      public:
        void clear(std::size_t buckets) { m_counts.assign(buckets + 1, 0); }
        void add(Index first, Index last) {
            ++m_counts[static_cast<std::size_t>(first) + 1];
            m_counts[static_cast<std::size_t>(last) + 1] += kEnd;
        }
        void sum() { std::partial_sum(m_counts.begin(), m_counts.end(), m_counts.begin()); }
        [[nodiscard]] Index begun(Index bucket) const { return static_cast<Index>(word(bucket) % kEnd); }
        [[nodiscard]] Index ended(Index bucket) const { return static_cast<Index>(word(bucket) / kEnd); }

      private:
        static constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
        [[nodiscard]] std::uint64_t word(Index bucket) const { return m_counts[static_cast<std::size_t>(bucket)]; }

        std::vector<std::uint64_t> m_counts;
    };
    [[nodiscard]] const Ends& sameEnds() const { return m_sameEnds; }
    [[nodiscard]] const Ends& otherEnds() const { return m_otherEnds; }
    /// Of rows [begin, end) that are not marked.
    void count(Index begin, Index end, const std::vector<char>& marked, Ends& ends) const;

    /// Rows of the other kind whose interval meets that of the row, and how many meet in all.
    [[nodiscard]] std::int64_t meetingsOf(Index row) const {
        const Ends& theirs = row < m_sames ? m_otherEnds : m_sameEnds;
        return theirs.begun(lastOf(row) + 1) - theirs.ended(firstOf(row));
    }
    [[nodiscard]] std::int64_t meetings() const;

    /// Calls visit(same, other) once for each two rows that meet, unless both are closed; `visit` may close rows, and
    /// does so by closing both. O(size) and a word per 64 closed rows that meet a closed one.
    template <class Visit>
    void forEachMeeting(const std::vector<char>& closed, const Visit& visit) {
        sort(closed);
        const auto isClosed = [&](Index row) { return closed[static_cast<std::size_t>(row)] != 0; };
        // Of two rows that meet one begins where the other one is.
        for (Index same = 0; same < m_sames; ++same) {
            const Index end = m_otherEnds.begun(lastOf(same) + 1);
            for (Index n = m_otherEnds.begun(firstOf(same)); n < end; ++n) {
                n = isClosed(same) ? m_otherOrder.nextOpen(n, end) : n;
                if (n < end) {
                    visit(same, m_otherOrder.row(n));
                }
            }
        }
        for (Index other = m_sames; other < size(); ++other) {
            const Index end = m_sameEnds.begun(lastOf(other) + 1);
            for (Index n = m_sameEnds.begun(firstOf(other) + 1); n < end; ++n) {
                n = isClosed(other) ? m_sameOrder.nextOpen(n, end) : n;
                if (n < end) {
                    visit(m_sameOrder.row(n), other);
                }
            }
        }
    }
    /// While forEachMeeting() goes on.
    void close(Index same, Index other) {
        m_sameOrder.close(m_place[static_cast<std::size_t>(same)]);
        m_otherOrder.close(m_place[static_cast<std::size_t>(other)]);
    }

  private:
    static constexpr std::size_t kBucketsPerEntry = 2;

    /// Rows of a kind sorted by where they begin, and which of them are open.
    class Order {
      public:
        /// With so many rows; those that begin in bucket b come to places from ends.begun(b) on.
        void clear(std::size_t rows, std::size_t buckets);
        Index add(Index row, Index first, const Ends& ends); ///< returns its place
        [[nodiscard]] Index row(Index place) const { return m_rows[static_cast<std::size_t>(place)]; }
        void close(Index place) { m_isOpen[static_cast<std::size_t>(place) / 64] &= ~(Word{1} << (place % 64)); }
        /// The first place from `begin` on, or else `end`, of a row that is open.
        [[nodiscard]] Index nextOpen(Index begin, Index end) const;

      private:
        using Word = std::uint64_t;
        std::vector<Index> m_rows;
        std::vector<Index> m_next; ///< place of the last row of a bucket
        std::vector<Word> m_isOpen;
    };
    void sort(const std::vector<char>& closed);

    Index m_sames = 0;
    Index m_buckets = 0;
    std::vector<double> m_low; ///< ends of a row's interval
    std::vector<double> m_high;
    std::vector<Index> m_first; ///< and their buckets
    std::vector<Index> m_last;
    Ends m_sameEnds; ///< of all rows
    Ends m_otherEnds;
    Order m_sameOrder;
    Order m_otherOrder;
    std::vector<Index> m_place; ///< in the order of its kind
};

} // namespace lambdascope::triplets
