// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {

namespace {

/// Rows are taken out again as long as the last round took at least one in so many.
constexpr std::size_t kLeastPeeled = 16;

} // namespace

void ProductSetScreening::setReaches(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius) {
    m_sames = static_cast<std::size_t>(anchor.sames());
    const auto size = static_cast<std::size_t>(anchor.end - anchor.begin);
    m_reach.resize(size);
    const std::int64_t sameOffset = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    const std::int32_t* position = lists.position.data() + anchor.begin;
    for (std::size_t at = 0; at < m_sames; ++at) {
        m_reach[at] = m_triplets.squaredLength(m_triplets.samePair(sameOffset + position[at]));
    }
    double ofOthers = 0;
    for (std::size_t at = m_sames; at < size; ++at) {
        m_reach[at] = m_triplets.squaredLength(m_triplets.otherPair(otherOffset + position[at]));
        ofOthers += m_reach[at];
    }
    const SeparableNormBound bound(ofOthers / static_cast<double>(anchor.others()), radius);
    for (std::size_t at = 0; at < m_sames; ++at) {
        m_reach[at] = bound.ofSame(m_reach[at]);
    }
    for (std::size_t at = m_sames; at < size; ++at) {
        m_reach[at] = bound.ofOther(m_reach[at]);
    }
}

/// False when they are no finite numbers.
bool ProductSetScreening::setIntervals(const double* q, const SphereRule& rule, Intervals& intervals) const {
    const std::size_t size = m_reach.size();
    intervals.low.resize(size);
    intervals.high.resize(size);
    double largest = 1;
    double check = 0;
    for (std::size_t at = 0; at < size; ++at) {
        largest = std::max(largest, std::abs(q[at]) + m_reach[at]);
        check += 0.0 * q[at];
    }
    // The ends are a few operations on numbers up to `largest`.
    const double pad = rule.marginError() + 16 * kUnitRoundoff * largest;
    for (std::size_t at = 0; at < m_sames; ++at) {
        intervals.low[at] = q[at] - m_reach[at];
        intervals.high[at] = q[at] + m_reach[at];
    }
    for (std::size_t at = m_sames; at < size; ++at) {
        intervals.low[at] = q[at] - m_reach[at] - (1 + pad);
        intervals.high[at] = q[at] + m_reach[at] + (pad - rule.lowerEdge());
    }
    return check == 0 && std::isfinite(pad);
}

/// From the lowest end of some rows to the highest.
ProductSetScreening::Stretch ProductSetScreening::stretchOf(const Intervals& intervals, std::size_t begin,
                                                            std::size_t end) {
    Stretch all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t row = begin; row < end; ++row) {
        all.low = std::min(all.low, intervals.low[row]);
        all.high = std::max(all.high, intervals.high[row]);
    }
    return all;
}

/// Lists in m_left the rows of a kind that do not lie before or behind all rows left of the other kind, at both ends of
/// a capsule. A row that goes has `ofEach` linear triplets with rows that went before. Returns of how many all triplets
/// are linear.
TripletIndex ProductSetScreening::peelKind(bool isSame, const Intervals& far, TripletIndex ofEach, double* weights) {
    const std::size_t size = m_rows.size();
    const std::size_t theirBegin = isSame ? m_sames : 0;
    const std::size_t theirEnd = isSame ? size : m_sames;
    const Stretch near = stretchOf(m_near, theirBegin, theirEnd);
    const Stretch atFar = stretchOf(far, theirBegin, theirEnd);
    const double sign = isSame ? -1 : 1;
    const double withAll = sign * static_cast<double>(ofEach + static_cast<TripletIndex>(theirEnd - theirBegin));
    const double withGone = sign * static_cast<double>(ofEach);
    TripletIndex linear = 0;
    std::size_t left = m_left.size();
    m_left.resize(size);
    for (std::size_t row = isSame ? 0 : m_sames; row < (isSame ? m_sames : size); ++row) {
        const Stretch own{m_near.low[row], m_near.high[row]};
        const Stretch ownAtFar{far.low[row], far.high[row]};
        const bool isBehind = (own.low > near.high) & (ownAtFar.low > atFar.high);
        const bool isBefore = (own.high < near.low) & (ownAtFar.high < atFar.low);
        const bool isLinear = isSame ? isBehind : isBefore;
        weights[m_rows[row]] = isLinear ? withAll : withGone;
        m_left[left] = row;
        left += (isBehind | isBefore) ? 0 : 1;
        linear += isLinear ? 1 : 0;
    }
    m_left.resize(left);
    return linear;
}

/// Takes out such rows of both kinds, and again as long as those are many. Writes to `weights`, of each row, the signed
/// number of its linear triplets that went. `far` are the intervals at the other end of a capsule, or those at hand.
void ProductSetScreening::peel(Intervals& far, double* weights, Tally& tally) {
    TripletIndex ofSames = 0; // linear triplets that went, of each row that is left
    TripletIndex ofOthers = 0;
    const auto isOneKind = [&] { return m_sames == 0 || m_sames == m_rows.size(); }; // nothing of it is undecided
    for (std::size_t gone = m_rows.size(); !m_rows.empty() && (kLeastPeeled * gone >= m_rows.size() || isOneKind());) {
        m_left.clear();
        const auto sames = static_cast<TripletIndex>(m_sames);
        const TripletIndex others = std::ssize(m_rows) - sames;
        const TripletIndex linearSames = peelKind(true, far, ofSames, weights);
        const std::size_t samesLeft = m_left.size();
        const TripletIndex linearOthers = peelKind(false, far, ofOthers, weights);
        tally.linear += linearSames * others + linearOthers * sames - linearSames * linearOthers;
        ofSames += linearOthers;
        ofOthers += linearSames;
        gone = m_rows.size() - m_left.size();
        if (gone == 0) {
            continue;
        }
        keepLeft(m_near);
        if (&far != &m_near) {
            keepLeft(far);
        }
        std::transform(m_left.begin(), m_left.end(), m_left.begin(), [&](std::size_t row) { return m_rows[row]; });
        m_rows.swap(m_left);
        m_sames = samesLeft;
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        weights[m_rows[row]] = row < m_sames ? -static_cast<double>(ofSames) : static_cast<double>(ofOthers);
    }
}

void ProductSetScreening::keepLeft(Intervals& intervals) const {
    for (std::size_t at = 0; at < m_left.size(); ++at) {
        intervals.low[at] = intervals.low[m_left[at]];
        intervals.high[at] = intervals.high[m_left[at]];
    }
}

ProductSetScreening::Tally ProductSetScreening::remove(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                       Forms forms, const SphereRule& rule, TripletStates* states,
                                                       ProductLists& rest, double* weights) {
    Tally tally;
    setReaches(lists, anchor, rule.radius());
    m_rows.resize(m_reach.size());
    std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
    std::fill_n(weights, m_rows.size(), 0.0);
    const bool isCapsule = forms.far != nullptr;
    if (setIntervals(forms.near, rule, m_near) && (!isCapsule || setIntervals(forms.far, rule, m_far))) {
        peel(isCapsule ? m_far : m_near, weights, tally);
    }
    if (states != nullptr && m_rows.size() < m_reach.size()) {
        record(lists, anchor, forms.near, *states);
    }
    tally.zero = anchor.triplets() - appendLeft(lists, anchor, rest) - tally.linear;
    return tally;
}

/// Returns the number of their triplets.
TripletIndex ProductSetScreening::appendLeft(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                             ProductLists& rest) const {
    if (m_rows.empty()) {
        return 0;
    }
    const std::int64_t begin = rest.entries();
    for (const std::size_t row : m_rows) {
        const std::size_t at = static_cast<std::size_t>(anchor.begin) + row;
        rest.partner.push_back(lists.partner[at]);
        rest.position.push_back(lists.position[at]);
    }
    const ProductLists::Anchor kept{anchor.row, begin, begin + static_cast<std::int64_t>(m_sames), rest.entries()};
    rest.anchors.push_back(kept);
    rest.longest = std::max(rest.longest, kept.end - kept.begin);
    return kept.triplets();
}

void ProductSetScreening::record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                 TripletStates& states) const {
    const std::int32_t* position = lists.position.data() + anchor.begin;
    std::vector<char> stays(m_reach.size(), 0);
    for (const std::size_t row : m_rows) {
        stays[row] = 1;
    }
    const auto sames = static_cast<std::size_t>(anchor.sames());
    for (std::size_t same = 0; same < sames; ++same) {
        const TripletIndex first =
            m_triplets.tripletOffset(anchor.row) + position[same] * m_triplets.otherCount(anchor.row);
        for (std::size_t other = sames; other < stays.size(); ++other) {
            if (stays[same] == 0 || stays[other] == 0) { // decided: above 1 or below 1 − γ
                states.set(first + position[other], q[other] - q[same] < 1 ? Decision::Linear : Decision::Zero);
            }
        }
    }
}

} // namespace lambdascope::triplets
