// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/screening/sphere_rule.h"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Bits of up to four triplets by what a rule says of them.
struct GroupDecisions {
    std::uint32_t zero = 0;
    std::uint32_t linear = 0;
};

/// The sphere rule for packed triplets, four at a time.
///
/// With the SeparableNormBound of ‖H‖, from A = ‖a‖² of the other-class pair and B = ‖b‖² of the same-class one, or
/// with the largest norm of a row, one comparison may decide a whole row. Other rows are judged with the norms of the
/// NormCache, as SphereRule judges but for the rounding of norms to floats, which may lose a decision near the border
/// and never gains one.
///
/// In sets too large to keep norms |A − B| ≤ ‖H‖ tells which triplets cannot be decided; only the others are judged one
/// by one (SphereRule::look).
///
/// With `growth` > 1 by all balls of that radius round c Q, 1 ≤ c ≤ growth: a margin above 1 only grows, one below
/// 1 − γ is smallest at either end.
class SphereTester {
  public:
    /// `q` are the forms ⟨δδᵀ, Q⟩ of all pairs that the triplets use, by place; the rule's margin error is that at
    /// growth · Q.
    SphereTester(const TripletSet& triplets, NormCache& norms, const std::vector<double>& q, const SphereRule& rule,
                 double growth = 1);

    void beginAnchor(const PackedTriplets::AnchorView& anchor);
    /// A row that will come soon: its norms are fetched, since rows are met in no order that a processor foresees.
    void expect(const PackedTriplets::Row& row) const {
        if (m_anchorNorms != nullptr) {
            const float* norms = m_anchorNorms + row.place * m_triplets.otherCount(m_anchor.row);
            __builtin_prefetch(norms);
            __builtin_prefetch(norms + 16);
        }
    }
    /// What one comparison says about all triplets of a row; else its groups are tested.
    Decision beginRow(const PackedTriplets::Row& row);
    /// What the rule says about triplets of a group.
    GroupDecisions test(std::uint32_t group, std::uint32_t bits) {
        return m_rowNorms != nullptr ? testByNorms(group, bits) : testByBounds(group, bits);
    }

    /// Triplets judged one by one.
    [[nodiscard]] std::int64_t judgedSingly() const { return m_judgedSingly; }

  private:
    /// Shorter rows are judged group by group at once.
    static constexpr std::size_t kLongRow = 48;
    using Four = Eigen::Array4d;

    [[nodiscard]] GroupDecisions testByNorms(std::uint32_t group, std::uint32_t bits) const {
        const Four margin = Four::Map(m_value.data() + kGroupSize * group) - m_sameValue;
        const Four reach =
            m_reach * Eigen::Array4f::Map(m_rowNorms + kGroupSize * m_anchor.origins[group]).cast<double>();
        const Four least = margin - reach;
        const Four most = reach + margin.max(m_growth * margin);
        return {bits & bitsAbove(least.data(), m_zeroLimit), bits & bitsBelow(most.data(), m_linearLimit)};
    }
    void setBounds();
    GroupDecisions testByBounds(std::uint32_t group, std::uint32_t bits);

    const TripletSet& m_triplets;
    NormCache& m_norms;
    const std::vector<double>& m_q;
    SphereRule m_rule;
    double m_growth;
    double m_reach; ///< radius in units of the norms kept
    bool m_isLong = false;
    PackedTriplets::AnchorView m_anchor;
    const float* m_anchorNorms = nullptr; ///< of the anchor's triplets
    SeparableNormBound m_bound{0, 0};
    double m_largest = 0; ///< size of the numbers that are compared
    double m_lowest = 0;  ///< and the forms of the other-class pairs lie between these
    double m_highest = 0;
    double m_leastZero = 0;
    double m_mostLinear = 0;    ///< at Q
    double m_mostLinearFar = 0; ///< at growth · Q
    // Per other-class neighbour:
    std::vector<double> m_value;  ///< q
    std::vector<double> m_length; ///< A; of long rows, and where norms are not kept
    // Of the row at work:
    const float* m_rowNorms = nullptr;
    PairIndex m_same = 0;
    double m_sameValue = 0;
    double m_sameLength = 0;
    double m_zeroLimit = 0;
    double m_linearLimit = 0;
    std::int64_t m_judgedSingly = 0;
};

} // namespace lambdascope::triplets
