// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/sphere_tester.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

constexpr double kSlack = SeparableNormBound::kSlack;
static_assert(NormCache::kPadding >= kGroupSize);

} // namespace

SphereTester::SphereTester(const TripletSet& triplets, NormCache& norms, const std::vector<double>& q,
                           const SphereRule& rule, double growth)
    : m_triplets(triplets), m_norms(norms), m_q(q), m_rule(rule), m_growth(growth),
      m_reach(rule.radius() * norms.unit() * (1 + kSlack)) {}

void SphereTester::beginAnchor(const PackedTriplets::AnchorView& anchor) {
    m_anchor = anchor;
    m_anchorNorms = nullptr;
    const std::size_t others = anchor.columns.size();
    m_value.resize(others);
    m_lowest = std::numeric_limits<double>::infinity();
    m_highest = -m_lowest;
    bool areNumbers = true;
    for (std::size_t o = 0; o < others; ++o) {
        m_value[o] = m_q[static_cast<std::size_t>(anchor.columns[o])];
        m_lowest = std::min(m_lowest, m_value[o]);
        m_highest = std::max(m_highest, m_value[o]);
        areNumbers = areNumbers && !std::isnan(m_value[o]);
    }
    m_largest = std::max({1.0, -m_lowest, m_highest});
    if (!areNumbers) { // nothing is above or below this
        m_lowest = m_highest = std::numeric_limits<double>::quiet_NaN();
    }
    m_isLong = others >= kLongRow || !m_norms.keepsRows();
    if (m_isLong) {
        setBounds();
    }
}

/// What rows are compared with as a whole.
void SphereTester::setBounds() {
    const std::size_t others = m_value.size();
    m_length.resize(others);
    double total = 0;
    for (std::size_t o = 0; o < others; ++o) {
        m_length[o] = m_triplets.squaredLength(m_anchor.other(o));
        total += m_length[o];
    }
    m_bound = SeparableNormBound(total / static_cast<double>(others), m_rule.radius());
    m_leastZero = std::numeric_limits<double>::infinity();
    m_mostLinear = -m_leastZero;
    m_mostLinearFar = -m_leastZero;
    for (std::size_t o = 0; o < others; ++o) {
        const double reach = m_bound.ofOther(m_length[o]);
        m_leastZero = std::min(m_leastZero, m_value[o] - reach);
        m_mostLinear = std::max(m_mostLinear, m_value[o] + reach);
        m_mostLinearFar = std::max(m_mostLinearFar, m_growth * m_value[o] + reach);
    }
    if (std::isnan(m_lowest)) {
        m_leastZero = m_mostLinear = m_lowest;
    }
}

Decision SphereTester::beginRow(const PackedTriplets::Row& row) {
    m_sameValue = m_q[static_cast<std::size_t>(row.same)];
    // Each side of the comparisons is a few operations on numbers of that size: forms, and radii times norms, ‖H‖ ≤
    // ‖a‖² + ‖b‖² ≤ 8 ρ².
    const double rho = m_triplets.largestNorm();
    const double size = m_growth * (m_largest + std::abs(m_sameValue)) + m_rule.radius() * 8 * rho * rho;
    const double pad = m_rule.marginError() + 16 * kUnitRoundoff * size;
    if (m_isLong) {
        m_same = m_anchor.number(row.same);
        m_sameLength = m_triplets.squaredLength(m_same);
        const double reach = m_bound.ofSame(m_sameLength);
        if (m_leastZero > 1 + m_sameValue + reach + pad) {
            return Decision::Zero;
        }
        const double edge = m_rule.lowerEdge() - reach - pad;
        if (m_mostLinear < edge + m_sameValue && m_mostLinearFar < edge + m_growth * m_sameValue) {
            return Decision::Linear;
        }
    }
    m_rowNorms = nullptr;
    if (m_norms.keepsRows()) {
        if (m_anchorNorms == nullptr) {
            m_anchorNorms = m_norms.ofAnchor(m_anchor.row);
        }
        m_rowNorms = m_anchorNorms + row.place * m_triplets.otherCount(m_anchor.row);
        m_zeroLimit = 1 + pad;
        m_linearLimit = m_rule.lowerEdge() - pad;
        const double reach = m_reach * static_cast<double>(m_norms.mostOfAnchor(m_anchor.row)[row.place]);
        if (m_lowest - m_sameValue - reach > m_zeroLimit) {
            return Decision::Zero;
        }
        const double most = m_highest - m_sameValue;
        if (std::max(most, m_growth * most) + reach < m_linearLimit) {
            return Decision::Linear;
        }
    }
    return Decision::Keep;
}

GroupDecisions SphereTester::testByBounds(std::uint32_t group, std::uint32_t bits) {
    GroupDecisions found;
    for (; bits != 0; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const std::size_t o = kGroupSize * group + static_cast<std::size_t>(bit);
        const double margin = m_value[o] - m_sameValue;
        const double far = m_growth * margin;
        // Undecided even with the least norm there could be; rounding may only lose decisions here.
        const double least = m_rule.radius() * std::abs(m_length[o] - m_sameLength) * (1 - kSlack);
        if (!(margin - least > 1) && !(std::max(margin, far) + least < m_rule.lowerEdge())) {
            continue;
        }
        ++m_judgedSingly;
        const bool mayBeZero = margin > 1;
        const double q = mayBeZero ? margin : std::max(margin, far);
        Decision decision = m_rule.look(q, m_length[o], m_sameLength);
        if (decision == Decision::Unsure) {
            decision = m_rule.judge(q, m_norms.squared(m_anchor.other(o), m_same));
        }
        found.zero |= static_cast<std::uint32_t>(mayBeZero && decision == Decision::Zero) << bit;
        found.linear |= static_cast<std::uint32_t>(!mayBeZero && decision == Decision::Linear) << bit;
    }
    return found;
}

} // namespace lambdascope::triplets
