// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/screening/sphere_rule.h"
#include "core/triplets/screening/triplet_states.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace lambdascope::triplets {

/// Screening of one anchor's product set at a time, by whole rows: a row, of the anchor's class or of another, is
/// taken out when every triplet that it is in is decided. One object per thread.
///
/// With the SeparableNormBound f + g of ‖H‖ the sphere rule compares two intervals: triplet (j, l) is in R̂ where
/// [q_ij − r g, q_ij + r g] lies below [q_il − r f − 1, q_il + r f − (1 − γ)] and in L̂ where it lies above. Only where
/// the two meet the triplet has to be judged by its ‖H‖, unless both its rows are known to stay. Ends are rounded to
/// buckets, kBucketsPerEntry for each entry, by a function that never falls: buckets that differ tell how the ends lie,
/// and ends that share a bucket count as meeting.
///
/// Cost: O(1) per entry of the lists, O(d) per triplet judged, and a word per 64 other ones of rows that meet. Where
/// more than kMeetingsPerEntry meet per entry, they all stay.
class ProductSetScreening {
  public:
    static constexpr std::int64_t kMeetingsPerEntry = 32;

    /// Triplets that went, and what finding them took.
    struct Tally {
        TripletIndex zero = 0;
        TripletIndex linear = 0;
        std::int64_t judged = 0; ///< triplets, one by one
        std::int64_t exact = 0;  ///< of these, with ‖H‖ itself

        void add(const Tally& other) {
            zero += other.zero;
            linear += other.linear;
            judged += other.judged;
            exact += other.exact;
        }
    };

    explicit ProductSetScreening(const TripletSet& triplets) : m_triplets(triplets), m_norm(triplets) {}

    /// Judges the anchor's product set, where `q` are the forms ⟨δδᵀ, Q⟩ of its entries: appends what remains to `rest`
    /// and writes, per entry, the signed number of linear triplets that went to `weights`, so that Σ H over these is
    /// Σ weight δδᵀ. `states` may be null.
    Tally remove(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q, const SphereRule& rule,
                 TripletStates* states, ProductLists& rest, double* weights);

  private:
    static constexpr std::size_t kBucketsPerEntry = 2;

    using Index = std::int32_t;
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
    struct Meeting {
        Index same = 0;
        Index other = 0;
    };
    /// Rows of a kind sorted by where they begin, and which of them are not known to stay.
    class Order {
      public:
        /// With so many rows; those that begin in bucket b come to places from ends.begun(b) on.
        void clear(std::size_t rows, std::size_t buckets);
        Index add(Index row, Index first, const Ends& ends); ///< returns its place
        [[nodiscard]] Index row(Index place) const { return m_rows[static_cast<std::size_t>(place)]; }
        void setStaying(Index place) { m_isOpen[static_cast<std::size_t>(place) / 64] &= ~(Word{1} << (place % 64)); }
        /// The first place from `begin` on, or else `end`, of a row that is not known to stay.
        [[nodiscard]] Index nextOpen(Index begin, Index end) const;

      private:
        using Word = std::uint64_t;
        std::vector<Index> m_rows;
        std::vector<Index> m_next; ///< place of the last row of a bucket
        std::vector<Word> m_isOpen;
    };

    bool setIntervals(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                      const SphereRule& rule);
    bool setBuckets();
    void count(Index begin, Index end, bool goingOnly, Ends& ends) const;
    void sort(Index begin, Index end, const Ends& ends, Order& order);
    void setStaying(Index same, Index other);
    /// Rows of the other kind whose interval meets that of the row.
    [[nodiscard]] std::int64_t meetingsOf(Index row) const {
        const Ends& theirs = row < m_sames ? m_otherEnds : m_sameEnds;
        return theirs.begun(lastOf(row) + 1) - theirs.ended(firstOf(row));
    }
    [[nodiscard]] Index firstOf(Index row) const { return m_first[static_cast<std::size_t>(row)]; }
    [[nodiscard]] Index lastOf(Index row) const { return m_last[static_cast<std::size_t>(row)]; }
    [[nodiscard]] bool stays(Index row) const { return m_stays[static_cast<std::size_t>(row)] != 0; }
    void findStaying(const double* q, const SphereRule& rule, Tally& tally);
    void judge(Index same, Index other, const double* q, const SphereRule& rule, Tally& tally);
    TripletIndex countLinear(const double* q, double* weights);
    void record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                TripletStates& states) const;

    const TripletSet& m_triplets;
    TripletNorm m_norm;
    Index m_sames = 0; ///< of the anchor at work: its first entries
    Index m_size = 0;  ///< its entries
    Index m_buckets = 0;
    std::vector<PairIndex> m_pair; ///< per entry
    std::vector<double> m_length;  ///< ‖δ‖²
    std::vector<double> m_low;     ///< ends of its interval
    std::vector<double> m_high;
    std::vector<Index> m_first; ///< and their buckets
    std::vector<Index> m_last;
    std::vector<char> m_stays;
    Ends m_sameEnds; ///< of all rows
    Ends m_otherEnds;
    Ends m_goingSameEnds; ///< of rows that go
    Ends m_goingOtherEnds;
    Order m_sameOrder;
    Order m_otherOrder;
    std::vector<Index> m_place;     ///< in the order of its kind
    std::vector<Meeting> m_decided; ///< by ‖H‖
};

} // namespace lambdascope::triplets
