// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/engines/active_blocks.h"
#include "core/metric/problem/triplet_norm.h"
#include "core/metric/screening/sphere_rule.h"

#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// The sphere rule for the triplets of one anchor at a time, up to 64 of a row at once, four by four.
///
/// With the SeparableNormBound of ‖H‖, from A = ‖a‖² of the other-class pair and B = ‖b‖² of the same-class one, one
/// comparison may decide a whole row. Other rows are judged with the norms of the NormCache, as SphereRule judges but
/// for the rounding of norms to floats, which may lose a decision near the border and never gains one.
///
/// In sets too large to keep norms |A − B| ≤ ‖H‖ tells which triplets cannot be decided; only the others are judged one
/// by one (SphereRule::look).
class BlockJudge {
  public:
    struct Decisions {
        std::uint64_t zero = 0;
        std::uint64_t linear = 0;
    };

    BlockJudge(const TripletSet& triplets, NormCache& norms) : m_triplets(triplets), m_norms(norms) {}

    /// From now on blocks are of this anchor; `q` are the forms ⟨δδᵀ, Q⟩ of all pairs that its blocks use, times
    /// `scale`. The rule must stay as long as blocks are judged.
    void setAnchor(RowIndex anchor, const std::vector<double>& q, double scale, const SphereRule& rule);

    /// What the rule says about the triplets of a block.
    Decisions judge(const ActiveBlock& block);

    /// Triplets judged one by one since the object was made.
    [[nodiscard]] std::int64_t judgedSingly() const { return m_judgedSingly; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    Decisions judgeByNorms(const ActiveBlock& block, double q);
    Decisions judgeByBounds(const ActiveBlock& block, PairIndex same, double q);
    Decisions judgeEach(const ActiveBlock& block, PairIndex same, double q, std::uint64_t open);

    const TripletSet& m_triplets;
    NormCache& m_norms;
    const SphereRule* m_rule = nullptr;
    const std::vector<double>* m_q = nullptr;
    double m_scale = 1;
    RowIndex m_anchor = 0;
    SeparableNormBound m_bound{0, 0};
    double m_largest = 0; ///< size of the numbers that are compared
    double m_longest = 0; ///< largest A
    double m_leastZero = 0;
    double m_mostLinear = 0;
    // Per other-class neighbour, padded to a multiple of four:
    std::vector<double> m_value;         ///< q
    std::vector<double> m_length;        ///< A
    std::vector<std::uint64_t> m_places; ///< bit o % 64
    std::int64_t m_judgedSingly = 0;
};

} // namespace lambdascope::metric
