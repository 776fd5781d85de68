// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/engines/sphere_tester.h"
#include "core/triplets/screening/triplet_states.h"

#include <vector>

namespace lambdascope::triplets {

/// Takes down what rules decide about packed triplets, anchor by anchor as PackedTriplets::takeFrom() goes through
/// them: which ones where somebody wants to know, and Σ ± 1 over the linear ones per pair.
class DecisionSink {
  public:
    /// `weights` of the pairs that are met, by place, are zeros; `states` may be null.
    DecisionSink(const TripletSet& triplets, std::vector<double>& weights, TripletStates* states)
        : m_triplets(triplets), m_weights(weights), m_states(states) {}

    void beginAnchor(const PackedTriplets::AnchorView& anchor);
    /// The rows of the anchor that were decided as a whole.
    void takeRows(std::span<const PackedTriplets::Row> rows, const JudgedRows& judged);
    void beginRow(const PackedTriplets::Row& row) {
        m_same = row.same;
        m_rowLinear = 0;
        if (m_states != nullptr) {
            m_rowNumber = m_triplets.tripletOffset(m_anchor.row) + row.place * m_triplets.otherCount(m_anchor.row);
        }
    }
    /// Without a branch by what was decided, which no processor foresees.
    void take(std::uint32_t group, const GroupDecisions& decisions) {
        m_rowLinear += kGroupCounts[decisions.linear];
        Eigen::Array4d::Map(m_otherWeights.data() + kGroupSize * group) +=
            Eigen::Array4d::Map(kGroupMasks[decisions.linear].ones.data());
        if (m_states != nullptr) {
            m_states->set(numberOf(group), decisions.zero, Decision::Zero);
            m_states->set(numberOf(group), decisions.linear, Decision::Linear);
        }
    }
    void endRow() {
        m_weights[static_cast<std::size_t>(m_same)] -= static_cast<double>(m_rowLinear);
        m_linear += m_rowLinear;
    }
    void endAnchor();

    /// Number of the first triplet of a group, in the row at work.
    [[nodiscard]] TripletIndex numberOf(std::uint32_t group) const {
        return m_rowNumber + static_cast<TripletIndex>(kGroupSize * m_anchor.origins[group]);
    }
    [[nodiscard]] TripletIndex linear() const { return m_linear; }

  private:
    void takeRow(const PackedTriplets::Row& row, Decision decision);

    const TripletSet& m_triplets;
    std::vector<double>& m_weights;
    TripletStates* m_states;
    PackedTriplets::AnchorView m_anchor;
    TripletIndex m_rowNumber = 0; ///< of its first triplet
    PairIndex m_same = 0;
    TripletIndex m_rowLinear = 0;
    TripletIndex m_linearBefore = 0; ///< before the anchor at work
    std::vector<double> m_otherWeights;
    TripletIndex m_linear = 0;
};

} // namespace lambdascope::triplets
