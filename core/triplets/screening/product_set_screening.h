// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/screening/row_intervals.h"
#include "core/triplets/screening/sphere_rule.h"
#include "core/triplets/screening/triplet_states.h"

#include <cstdint>
#include <vector>

namespace lambdascope::triplets {

/// Screening of one anchor's product set at a time, by whole rows: a row, of the anchor's class or of another, is
/// taken out when every triplet that it is in is decided. One object per thread.
///
/// RowIntervals tell most. Rows that lie before or behind all of the other kind go first, from outside in, by a few
/// comparisons each; the others are sorted into buckets, and only where two rows meet their triplet has to be judged by
/// its ‖H‖, unless both are known to stay. A capsule, which decides what the balls at both its ends decide alike, is
/// judged by intervals at each of them.
///
/// Cost: O(1) per entry of the lists, more of those that are sorted, O(d) per triplet judged, and a word per 64 other
/// ones of rows that meet; twice that for a capsule. Where more than kMeetingsPerEntry meet per entry, they all stay.
class ProductSetScreening {
  public:
    static constexpr std::int64_t kMeetingsPerEntry = 32;

    /// Triplets that went, and what finding them took.
    struct Tally {
        TripletIndex zero = 0;
        TripletIndex linear = 0;
        std::int64_t sorted = 0; ///< entries
        std::int64_t judged = 0; ///< triplets, one by one
        std::int64_t exact = 0;  ///< of these, with ‖H‖ itself

        void add(const Tally& other) {
            zero += other.zero;
            linear += other.linear;
            sorted += other.sorted;
            judged += other.judged;
            exact += other.exact;
        }
    };

    /// Forms ⟨δδᵀ, Q⟩ of an anchor's entries.
    struct Forms {
        const double* near = nullptr; ///< at the centre of the ball, or at an end of the capsule
        const double* far = nullptr;  ///< at the other end; null for a ball
    };

    explicit ProductSetScreening(const TripletSet& triplets) : m_triplets(triplets), m_norm(triplets) {}

    /// Judges the anchor's product set: appends what remains to `rest` and writes, per entry, the signed number of
    /// linear triplets that went to `weights`, so that Σ H over these is Σ weight δδᵀ. `states` may be null.
    Tally remove(const ProductLists& lists, const ProductLists::Anchor& anchor, Forms forms, const SphereRule& rule,
                 TripletStates* states, ProductLists& rest, double* weights);

  private:
    using Index = RowIntervals::Index;
    struct Meeting {
        Index same = 0;
        Index other = 0;
    };

    void setRows(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius);
    bool setIntervals(Forms forms, const SphereRule& rule);
    TripletIndex peelKind(bool isSame, bool isCapsule, TripletIndex ofEach, double* weights);
    void peel(bool isCapsule, double* weights, Tally& tally);
    void leave(Index sames, bool isCapsule);
    [[nodiscard]] std::size_t entry(Index row) const {
        return static_cast<std::size_t>(m_entry[static_cast<std::size_t>(row)]);
    }
    [[nodiscard]] bool stays(Index row) const { return m_stays[static_cast<std::size_t>(row)] != 0; }
    void findStaying(Forms forms, const SphereRule& rule, Tally& tally);
    void keepCrossing(Index begin, Index end, Index theirBegin, Index theirEnd);
    Decision decisionOf(Index same, Index other, Forms forms, const SphereRule& rule, Tally& tally);
    TripletIndex countLinear(const double* q, double* weights);
    TripletIndex appendStaying(const ProductLists& lists, const ProductLists::Anchor& anchor, ProductLists& rest) const;
    void record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                TripletStates& states) const;

    const TripletSet& m_triplets;
    TripletNorm m_norm;
    std::vector<PairIndex> m_pair; ///< per entry of the anchor at work
    std::vector<double> m_length;  ///< ‖δ‖²
    std::vector<double> m_reach;   ///< its part of ‖H‖ times the radius
    Index m_sames = 0;             ///< rows of its class that have not gone yet, the first ones
    Index m_size = 0;              ///< rows that have not gone yet
    std::vector<Index> m_entry;    ///< of each of them
    std::vector<Index> m_left;     ///< those that stay so far
    RowIntervals m_near;
    RowIntervals m_far; ///< of a capsule
    std::vector<char> m_stays;
    RowIntervals::Ends m_goingSameEnds; ///< at the near end
    RowIntervals::Ends m_goingOtherEnds;
    std::vector<Meeting> m_decided;   ///< of rows that meet at the near end, by ‖H‖
    std::vector<Index> m_latestBegin; ///< per bucket of the near end: at the far end, of rows that end before
    std::vector<Index> m_earliestEnd; ///< … of rows that begin there or later
};

} // namespace lambdascope::triplets
