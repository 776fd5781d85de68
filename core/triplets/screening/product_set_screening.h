// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/sorted_keys.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/screening/sphere_rule.h"
#include "core/triplets/screening/triplet_states.h"

#include <cstdint>
#include <vector>

namespace lambdascope::triplets {

/// Screening of one anchor's product set at a time, by whole rows. With the SeparableNormBound f + g of ‖H‖ a ball says
/// that the triplet of rows j, of the anchor's class, and l, of another one, is in R̂ where [q_ij − r g, q_ij + r g]
/// lies below [q_il − r f − 1, q_il + r f − (1 − γ)], and in L̂ where it lies above. So a row whose interval lies before
/// or behind those of all rows of the other kind is decided with each of them and is taken out; then other rows may lie
/// outside of all that are left. (Rows in a gap between two of the other kind stay: one or two in a hundred, and to
/// find them takes three times as long.) A capsule, which decides what the balls at both its ends decide alike, is
/// judged by intervals at each of them. One object per thread.
///
/// Of rows that stay, the same intervals tell between which of the other kind the loss may be quadratic (addRuns).
///
/// Cost: O(1) per entry of the lists, once more for those left while many are taken out; twice that for a capsule.
class ProductSetScreening {
  public:
    /// Triplets that went.
    struct Tally {
        TripletIndex zero = 0;
        TripletIndex linear = 0;

        void add(const Tally& other) {
            zero += other.zero;
            linear += other.linear;
        }
    };

    /// Forms ⟨δδᵀ, Q⟩ of an anchor's entries.
    struct Forms {
        const double* near = nullptr; ///< at the centre of the ball, or at an end of the capsule
        const double* far = nullptr;  ///< at the other end; null for a ball
    };

    explicit ProductSetScreening(const TripletSet& triplets) : m_triplets(triplets) {}

    /// Judges the anchor's product set: appends what remains to `rest` and writes, per entry, the signed number of
    /// linear triplets that went to `weights`, so that Σ H over these is Σ weight δδᵀ. `states` may be null.
    Tally remove(const ProductLists& lists, const ProductLists::Anchor& anchor, Forms forms, const SphereRule& rule,
                 TripletStates* states, ProductLists& rest, double* weights);
    /// Adds the runs of what the last remove() has appended to `rest`, if it is neither too small nor too large for
    /// them. Returns the number of comparisons of rows with groups that this took at an end of the capsule.
    std::int64_t addRuns(ProductLists& rest);

  private:
    /// Intervals of the rows left, those of the anchor's class first.
    struct Intervals {
        std::vector<double> low;
        std::vector<double> high;
    };
    /// From the lowest end of some of them to the highest.
    struct Stretch {
        double low = 0;
        double high = 0;
    };
    /// At an end of a capsule: of the rows left of either kind.
    struct AtEnd {
        Stretch sames;
        Stretch others;
        double pad = 0; ///< how far an interval must lie outside of a stretch for that to be sure
        bool isFinite = false;
    };
    /// How far the intervals of the first groups of sames reach up, and those of the last ones down.
    struct GroupEnds {
        std::vector<double> high; ///< of a group and all before it
        std::vector<double> low;  ///< of a group and all behind it
    };
    /// Signed numbers of linear triplets of a row: those with rows that went before, and with those left as well.
    struct Weights {
        double withGone = 0;
        double withAll = 0;
    };

    void setReaches(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius);
    AtEnd beginEnd(const double* q, const SphereRule& rule, Intervals& intervals) const;
    void setStretches(const Intervals& intervals, AtEnd& end) const;
    TripletIndex peelKind(bool isSame, const Stretch& theirs, const Stretch& theirsAtFar, const Weights& went,
                          Intervals& far, double* weights, std::size_t& left);
    void peel(AtEnd nearEnd, AtEnd farEnd, Intervals& far, double* weights, Tally& tally);
    void setGroupEnds(const Intervals& intervals, GroupEnds& ends) const;
    TripletIndex appendLeft(const ProductLists& lists, const ProductLists::Anchor& anchor, ProductLists& rest) const;
    void record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                TripletStates& states) const;

    const TripletSet& m_triplets;
    std::vector<double> m_reach;     ///< per entry: its part of ‖H‖ times the radius
    std::size_t m_sames = 0;         ///< rows of its class that have not gone, the first ones
    std::vector<std::size_t> m_rows; ///< entries of the rows that have not gone
    Intervals m_near;
    Intervals m_far; ///< of a capsule
    double m_nearPad = 0;
    double m_farPad = 0;
    bool m_isCapsule = false;
    bool m_isFinite = false;
    std::vector<double> m_middles; ///< of the intervals of the sames left, twice
    SortedKeys m_sorted;           ///< these
    GroupEnds m_nearEnds;
    GroupEnds m_farEnds;
};

} // namespace lambdascope::triplets
