// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {

namespace {

/// Rows are taken out again as long as the last round took at least one in so many.
constexpr std::size_t kLeastPeeled = 16;
/// Sames in so many groups are the fewest that have runs.
constexpr std::size_t kFewestGroups = 3;

/// A part of a list.
Eigen::Map<const Eigen::ArrayXd> numbers(const std::vector<double>& all, std::size_t begin, std::size_t end) {
    return {all.data() + begin, static_cast<Eigen::Index>(end - begin)};
}

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
    for (std::size_t at = m_sames; at < size; ++at) {
        m_reach[at] = m_triplets.squaredLength(m_triplets.otherPair(otherOffset + position[at]));
    }
    const SeparableNormBound bound(numbers(m_reach, m_sames, size).mean(), radius);
    for (std::size_t at = 0; at < m_sames; ++at) {
        m_reach[at] = bound.ofSame(m_reach[at]);
    }
    for (std::size_t at = m_sames; at < size; ++at) {
        m_reach[at] = bound.ofOther(m_reach[at]);
    }
}

/// Sets the intervals of all entries at an end of a capsule, from the forms there.
ProductSetScreening::AtEnd ProductSetScreening::beginEnd(const double* q, const SphereRule& rule,
                                                         Intervals& intervals) const {
    const std::size_t count = m_reach.size();
    const Eigen::Map<const Eigen::ArrayXd> forms(q, static_cast<Eigen::Index>(count));
    const auto reaches = numbers(m_reach, 0, count);
    intervals.low.resize(count);
    intervals.high.resize(count);
    const auto set = [&](std::size_t begin, std::size_t end, double below, double above) {
        for (std::size_t at = begin; at < end; ++at) {
            intervals.low[at] = q[at] - m_reach[at] - below;
            intervals.high[at] = q[at] + m_reach[at] - above;
        }
    };
    set(0, m_sames, 0, 0);
    set(m_sames, count, 1, rule.lowerEdge());
    AtEnd end;
    // The ends are a few operations on numbers up to that size.
    end.pad = rule.marginError() + 16 * kUnitRoundoff * std::max(1.0, (forms.abs() + reaches).maxCoeff());
    end.isFinite = (0.0 * forms).sum() == 0 && std::isfinite(end.pad);
    return end;
}

/// The stretches of the rows that are left.
void ProductSetScreening::setStretches(const Intervals& intervals, AtEnd& end) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto stretchOf = [&](std::size_t first, std::size_t last) {
        return first == last ? Stretch{kInfinity, -kInfinity}
                             : Stretch{numbers(intervals.low, first, last).minCoeff(),
                                       numbers(intervals.high, first, last).maxCoeff()};
    };
    end.sames = stretchOf(0, m_sames);
    end.others = stretchOf(m_sames, m_rows.size());
}

/// Takes out the rows of a kind that lie before or behind all rows of the other kind, at both ends of a capsule; those
/// that stay move up to place `left` and after. Writes to `weights` of each row, and returns of how many rows all
/// triplets are linear.
TripletIndex ProductSetScreening::peelKind(bool isSame, const Stretch& theirs, const Stretch& theirsAtFar,
                                           const Weights& went, Intervals& far, double* weights, std::size_t& left) {
    TripletIndex linear = 0;
    std::size_t to = left;
    for (std::size_t row = isSame ? 0 : m_sames, end = isSame ? m_sames : m_rows.size(); row < end; ++row) {
        const Stretch own{m_near.low[row], m_near.high[row]};
        const Stretch atFar{far.low[row], far.high[row]};
        const std::size_t entry = m_rows[row];
        const bool isBehind = (own.low > theirs.high) & (atFar.low > theirsAtFar.high);
        const bool isBefore = (own.high < theirs.low) & (atFar.high < theirsAtFar.low);
        const bool isLinear = isSame ? isBehind : isBefore;
        weights[entry] = isLinear ? went.withAll : went.withGone;
        linear += isLinear ? 1 : 0;
        m_near.low[to] = own.low;
        m_near.high[to] = own.high;
        far.low[to] = atFar.low;
        far.high[to] = atFar.high;
        m_rows[to] = entry;
        to += (isBehind | isBefore) ? 0 : 1;
    }
    left = to;
    return linear;
}

/// Takes out such rows of both kinds, and again as long as those are many. Writes to `weights`, of each row, the signed
/// number of its linear triplets that went. `far` are the intervals at the other end of a capsule, or those at hand.
void ProductSetScreening::peel(AtEnd nearEnd, AtEnd farEnd, Intervals& far, double* weights, Tally& tally) {
    TripletIndex ofSames = 0; // linear triplets that went, of each row that is left
    TripletIndex ofOthers = 0;
    const auto isOneKind = [&] { return m_sames == 0 || m_sames == m_rows.size(); }; // nothing of it is undecided
    const auto padded = [](const Stretch& stretch, double pad) {
        return Stretch{stretch.low - pad, stretch.high + pad};
    };
    for (std::size_t gone = m_rows.size(); !m_rows.empty() && (kLeastPeeled * gone >= m_rows.size() || isOneKind());) {
        const auto sames = static_cast<TripletIndex>(m_sames);
        const TripletIndex others = std::ssize(m_rows) - sames;
        setStretches(m_near, nearEnd);
        setStretches(far, farEnd);
        std::size_t left = 0;
        const Weights ofSame{-static_cast<double>(ofSames), -static_cast<double>(ofSames + others)};
        const TripletIndex linearSames = peelKind(true, padded(nearEnd.others, nearEnd.pad),
                                                  padded(farEnd.others, farEnd.pad), ofSame, far, weights, left);
        const std::size_t samesLeft = left;
        const Weights ofOther{static_cast<double>(ofOthers), static_cast<double>(ofOthers + sames)};
        const TripletIndex linearOthers = peelKind(false, padded(nearEnd.sames, nearEnd.pad),
                                                   padded(farEnd.sames, farEnd.pad), ofOther, far, weights, left);
        tally.linear += linearSames * others + linearOthers * sames - linearSames * linearOthers;
        ofSames += linearOthers;
        ofOthers += linearSames;
        gone = m_rows.size() - left;
        m_rows.resize(left);
        m_sames = samesLeft;
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        weights[m_rows[row]] = row < m_sames ? -static_cast<double>(ofSames) : static_cast<double>(ofOthers);
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
    m_isCapsule = forms.far != nullptr;
    const AtEnd near = beginEnd(forms.near, rule, m_near);
    const AtEnd far = m_isCapsule ? beginEnd(forms.far, rule, m_far) : near;
    m_nearPad = near.pad;
    m_farPad = far.pad;
    m_isFinite = near.isFinite && far.isFinite;
    if (m_isFinite) {
        peel(near, far, m_isCapsule ? m_far : m_near, weights, tally);
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
    rest.partner.resize(rest.partner.size() + m_rows.size());
    rest.position.resize(rest.partner.size());
    auto to = static_cast<std::size_t>(begin);
    for (const std::size_t row : m_rows) {
        const std::size_t at = static_cast<std::size_t>(anchor.begin) + row;
        rest.partner[to] = lists.partner[at];
        rest.position[to++] = lists.position[at];
    }
    const ProductLists::Anchor kept{anchor.row, begin, begin + static_cast<std::int64_t>(m_sames), rest.entries()};
    rest.anchors.push_back(kept);
    rest.longest = std::max(rest.longest, kept.end - kept.begin);
    return kept.triplets();
}

void ProductSetScreening::setGroupEnds(const Intervals& intervals, GroupEnds& ends) const {
    constexpr std::size_t kGroupSize = QuadraticRuns::kGroupSize;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::size_t groups = QuadraticRuns::groupsOf(m_sames);
    ends.high.assign(groups, -kInfinity);
    ends.low.assign(groups, kInfinity);
    for (std::size_t at = 0; at < m_sames; ++at) {
        const auto row = static_cast<std::size_t>(m_sorted.index(at));
        double& high = ends.high[at / kGroupSize];
        double& low = ends.low[at / kGroupSize];
        high = std::max(high, intervals.high[row]);
        low = std::min(low, intervals.low[row]);
    }
    for (std::size_t group = 1; group < groups; ++group) {
        ends.high[group] = std::max(ends.high[group], ends.high[group - 1]);
        const std::size_t back = groups - 1 - group;
        ends.low[back] = std::min(ends.low[back], ends.low[back + 1]);
    }
}

std::int64_t ProductSetScreening::addRuns(ProductLists& rest) {
    const std::size_t others = m_rows.size() - m_sames;
    const std::size_t groups = QuadraticRuns::groupsOf(m_sames);
    if (!m_isFinite || others == 0 || groups < kFewestGroups || m_sames > QuadraticRuns::kMostSames) {
        return 0;
    }
    m_middles.resize(m_sames);
    std::transform(m_near.low.begin(), m_near.low.begin() + static_cast<std::ptrdiff_t>(m_sames), m_near.high.begin(),
                   m_middles.begin(), std::plus<>());
    if (!m_sorted.set(m_middles)) {
        return 0;
    }
    setGroupEnds(m_near, m_nearEnds);
    if (m_isCapsule) {
        setGroupEnds(m_far, m_farEnds);
    }
    // Both rise with the group.
    const auto zeroUpTo = [](const GroupEnds& ends, double border) {
        return std::count_if(ends.high.begin(), ends.high.end(), [=](double high) { return high < border; });
    };
    const auto notLinearUpTo = [](const GroupEnds& ends, double border) {
        return std::count_if(ends.low.begin(), ends.low.end(), [=](double low) { return !(low > border); });
    };
    const std::size_t first = rest.runs.size();
    rest.anchors.back().runs = static_cast<std::int64_t>(first);
    rest.runs.resize(first + m_sames + 2 * others);
    for (std::size_t at = 0; at < m_sames; ++at) {
        rest.runs[first + at] = static_cast<std::uint8_t>(m_sorted.index(at));
    }
    for (std::size_t other = 0; other < others; ++other) {
        const std::size_t row = m_sames + other;
        auto begin = zeroUpTo(m_nearEnds, m_near.low[row] - m_nearPad);
        auto end = notLinearUpTo(m_nearEnds, m_near.high[row] + m_nearPad);
        if (m_isCapsule) {
            begin = std::min(begin, zeroUpTo(m_farEnds, m_far.low[row] - m_farPad));
            end = std::max(end, notLinearUpTo(m_farEnds, m_far.high[row] + m_farPad));
        }
        rest.runs[first + row] = static_cast<std::uint8_t>(begin);
        rest.runs[first + row + others] = static_cast<std::uint8_t>(std::max(begin, end));
    }
    return static_cast<std::int64_t>((others + QuadraticRuns::kGroupSize) * groups);
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
