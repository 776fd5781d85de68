// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/product_lists.h"
#include "core/metric/problem/triplet_norm.h"
#include "core/metric/screening/decision_bits.h"
#include "core/metric/screening/sphere_rule.h"
#include "core/metric/screening/triplet_states.h"

#include <vector>

namespace lambdascope::metric {

/// Screening of one anchor's product set at a time; one object per thread.
///
/// Runs first, with A = ‖a‖² and B = ‖b‖² (squaredLength): h = ‖H‖ ≤ (A² + B²)^½ ≤ f(A) + g(B) with f(A) = (A² + c²)/2c
/// below c and A from c on, g(B) = min(B, B²/2c), for any c > 0 (c is the mean of A). So [q_il − r f] − [q_ij + r g] >
/// 1 proves R̂ and [q_il + r f] − [q_ij − r g] < 1 − γ proves L̂, conditions that split into a part of l and a part of j:
/// once the j are sorted, each l is decided for a run of them, and a run costs no more than one triplet.
class ProductSetScreening {
  public:
    struct Tally {
        TripletIndex zero = 0; ///< newly decided
        TripletIndex linear = 0;
        TripletIndex open = 0; ///< left undecided
    };
    /// What remains of an anchor, and what was taken away.
    struct Rest {
        TripletIndex heldZero = 0; ///< decided, but still in the product set that remains
        TripletIndex heldLinear = 0;
        TripletIndex removedLinear = 0; ///< went out of the product set with this call
    };

    ProductSetScreening(const TripletSet& triplets, DecisionBits& bits)
        : m_triplets(triplets), m_bits(bits), m_norm(triplets) {}

    /// Decides runs of open triplets; `q` are the forms ⟨δδᵀ, Q⟩ of the anchor's entries. Adds to `tally`.
    void decideRuns(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                    const SphereRule& rule, TripletStates* states, Tally& tally);
    /// Judges every triplet still open, with its ‖H‖. O(1) each, O(d) near the border.
    void decideEach(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                    const SphereRule& rule, TripletStates* states, Tally& tally);
    /// Takes out same-class and other-class rows all of whose triplets are decided: appends what remains to `rest` and
    /// writes, per entry of the anchor, the signed number of linear triplets that went with this call to `weights`.
    Rest remove(const ProductLists& lists, const ProductLists::Anchor& anchor, ProductLists& rest, double* weights);

  private:
    using Word = DecisionBits::Word;

    void setLengths(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius);
    void sweep(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q, double sign, double edge,
               double pad, TripletStates* states, Tally& tally);
    void fix(const ProductLists::Anchor& anchor, std::int32_t same, std::size_t word, Word bits, Verdict verdict,
             TripletStates* states, Tally& tally);
    void setColumns(const ProductLists& lists, const ProductLists::Anchor& anchor);

    const TripletSet& m_triplets;
    DecisionBits& m_bits;
    struct Ranked {
        double value = 0;
        std::int32_t index = 0;
    };
    std::vector<double> m_length;    ///< per entry: ‖δ‖²
    std::vector<double> m_reach;     ///< per entry: r g (same class) or r f (others), rounded up
    std::vector<Ranked> m_sames;     ///< sorted
    std::vector<Ranked> m_others;    ///< value: how many of the sorted sames
    std::vector<Word> m_run;         ///< other-class rows decided for the same-class row at work
    std::vector<Word> m_columns;     ///< other-class rows in the lists
    std::vector<Word> m_liveColumns; ///< … with an open triplet
    std::vector<BitColumnCounter> m_counters;
    std::vector<std::int32_t> m_entryOf; ///< entry of an other-class row, by its position
    TripletNorm m_norm;
};

} // namespace lambdascope::metric
