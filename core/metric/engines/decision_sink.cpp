// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/decision_sink.h"

#include <Eigen/Core>

namespace lambdascope::metric {

void DecisionSink::beginAnchor(const PackedTriplets::AnchorView& anchor) {
    m_anchor = anchor;
    m_otherWeights.assign(anchor.columns.size(), 0.0);
    m_hasLinear = false;
}

void DecisionSink::beginRow(const PackedTriplets::Row& row) {
    endRow();
    m_same = row.same;
    m_rowNumber = m_triplets.tripletOffset(m_anchor.row) + row.place * m_triplets.otherCount(m_anchor.row);
}

void DecisionSink::endRow() {
    if (m_rowLinear > 0) {
        m_weights[static_cast<std::size_t>(m_same)] -= static_cast<double>(m_rowLinear);
        m_linear += m_rowLinear;
        m_hasLinear = true;
        m_rowLinear = 0;
    }
}

void DecisionSink::add(std::uint32_t group, const GroupDecisions& decisions) {
    m_zero += kGroupCounts[decisions.zero];
    if (m_states != nullptr) {
        m_states->set(numberOf(group), decisions.zero, Decision::Zero);
        m_states->set(numberOf(group), decisions.linear, Decision::Linear);
    }
    if (decisions.linear != 0) {
        m_rowLinear += kGroupCounts[decisions.linear];
        Eigen::Array4d::Map(m_otherWeights.data() + kGroupSize * group) +=
            Eigen::Array4d::Map(kGroupMasks[decisions.linear].ones.data());
    }
}

void DecisionSink::takeRow(std::span<const std::uint32_t> groups, Decision decision) {
    for (const std::uint32_t group : groups) {
        const std::uint32_t bits = group & kGroupBits;
        add(group >> kGroupSize, decision == Decision::Zero ? GroupDecisions{bits, 0} : GroupDecisions{0, bits});
    }
}

void DecisionSink::endAnchor() {
    endRow();
    if (!m_hasLinear) {
        return;
    }
    for (std::size_t o = 0; o < m_otherWeights.size(); ++o) {
        m_weights[static_cast<std::size_t>(m_anchor.columns[o])] += m_otherWeights[o];
    }
}

} // namespace lambdascope::metric
