// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {

namespace {

/// Rows are taken out from outside in again as long as the last round took at least one in so many.
constexpr std::int32_t kLeastPeeled = 16;

} // namespace

void ProductSetScreening::setRows(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius) {
    m_sames = static_cast<Index>(anchor.sames());
    m_size = static_cast<Index>(anchor.end - anchor.begin);
    const auto size = static_cast<std::size_t>(m_size);
    const auto sames = static_cast<std::size_t>(m_sames);
    m_pair.resize(size);
    m_length.resize(size);
    m_reach.resize(size);
    m_entry.resize(size);
    std::iota(m_entry.begin(), m_entry.end(), Index{0});
    const std::int64_t sameOffset = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    const std::int32_t* position = lists.position.data() + anchor.begin;
    for (std::size_t at = 0; at < sames; ++at) {
        m_pair[at] = m_triplets.samePair(sameOffset + position[at]);
        m_length[at] = m_triplets.squaredLength(m_pair[at]);
    }
    double ofOthers = 0;
    for (std::size_t at = sames; at < size; ++at) {
        m_pair[at] = m_triplets.otherPair(otherOffset + position[at]);
        m_length[at] = m_triplets.squaredLength(m_pair[at]);
        ofOthers += m_length[at];
    }
    const SeparableNormBound bound(ofOthers / static_cast<double>(anchor.others()), radius);
    for (std::size_t at = 0; at < sames; ++at) {
        m_reach[at] = bound.ofSame(m_length[at]);
    }
    for (std::size_t at = sames; at < size; ++at) {
        m_reach[at] = bound.ofOther(m_length[at]);
    }
}

/// False when they are no finite numbers.
bool ProductSetScreening::setIntervals(Forms forms, const SphereRule& rule) {
    return m_near.set(forms.near, m_reach, m_sames, rule) &&
           (forms.far == nullptr || m_far.set(forms.far, m_reach, m_sames, rule));
}

/// Takes out rows of a kind that lie before or behind all rows left of the other kind, at both ends of a capsule: their
/// triplets are decided. Those left are in m_left. A row that goes has `ofEach` linear triplets with rows that went
/// before. Returns in how many all triplets are linear.
TripletIndex ProductSetScreening::peelKind(bool isSame, bool isCapsule, TripletIndex ofEach, double* weights) {
    const RowIntervals& far = isCapsule ? m_far : m_near;
    const Index theirBegin = isSame ? m_sames : 0;
    const Index theirEnd = isSame ? m_size : m_sames;
    const RowIntervals::Stretch nearTheirs = m_near.of(theirBegin, theirEnd);
    const RowIntervals::Stretch farTheirs = far.of(theirBegin, theirEnd);
    const double sign = isSame ? -1 : 1;
    const double withAll = sign * static_cast<double>(ofEach + theirEnd - theirBegin);
    const double withGone = sign * static_cast<double>(ofEach);
    TripletIndex linear = 0;
    std::size_t left = m_left.size();
    m_left.resize(static_cast<std::size_t>(m_size));
    for (Index row = isSame ? 0 : m_sames; row < (isSame ? m_sames : m_size); ++row) {
        const RowIntervals::Stretch near = m_near.of(row);
        const RowIntervals::Stretch atFar = far.of(row);
        const bool isBehind = (near.low > nearTheirs.high) & (atFar.low > farTheirs.high);
        const bool isBefore = (near.high < nearTheirs.low) & (atFar.high < farTheirs.low);
        const bool isLinear = isSame ? isBehind : isBefore;
        weights[entry(row)] = isLinear ? withAll : withGone;
        m_left[left] = row;
        left += (isBehind | isBefore) ? 0 : 1;
        linear += isLinear ? 1 : 0;
    }
    m_left.resize(left);
    return linear;
}

/// Takes out such rows of both kinds, and again as long as those are many. Writes to `weights`, of each row, the signed
/// number of its linear triplets that went.
void ProductSetScreening::peel(bool isCapsule, double* weights, Tally& tally) {
    TripletIndex ofSames = 0; // linear triplets that went, of each row that is left
    TripletIndex ofOthers = 0;
    const auto isOneKind = [&] { return m_sames == 0 || m_sames == m_size; }; // nothing of it is undecided
    for (Index gone = m_size; m_size > 0 && (kLeastPeeled * gone >= m_size || isOneKind());) {
        m_left.clear();
        const TripletIndex sames = m_sames;
        const TripletIndex others = m_size - m_sames;
        const TripletIndex linearSames = peelKind(true, isCapsule, ofSames, weights);
        const auto samesLeft = static_cast<Index>(m_left.size());
        const TripletIndex linearOthers = peelKind(false, isCapsule, ofOthers, weights);
        tally.linear += linearSames * others + linearOthers * sames - linearSames * linearOthers;
        ofSames += linearOthers;
        ofOthers += linearSames;
        gone = m_size - static_cast<Index>(m_left.size());
        if (gone > 0) {
            leave(samesLeft, isCapsule);
        }
    }
    for (Index row = 0; row < m_size; ++row) {
        weights[entry(row)] = row < m_sames ? -static_cast<double>(ofSames) : static_cast<double>(ofOthers);
    }
}

/// Only the rows in m_left stay, the first so many of them of the anchor's class.
void ProductSetScreening::leave(Index sames, bool isCapsule) {
    m_near.keep(m_left, sames);
    if (isCapsule) {
        m_far.keep(m_left, sames);
    }
    for (std::size_t at = 0; at < m_left.size(); ++at) {
        m_entry[at] = m_entry[static_cast<std::size_t>(m_left[at])];
    }
    m_sames = sames;
    m_size = static_cast<Index>(m_left.size());
}

/// By the ball, or by those at both ends.
Decision ProductSetScreening::decisionOf(Index same, Index other, Forms forms, const SphereRule& rule, Tally& tally) {
    const std::size_t j = entry(same);
    const std::size_t l = entry(other);
    const auto decisionBy = [&](const double* q) {
        const double margin = q[l] - q[j];
        const Decision decision = rule.look(margin, m_length[l], m_length[j]);
        ++tally.judged;
        if (decision != Decision::Unsure) {
            return decision;
        }
        ++tally.exact;
        return rule.judge(margin, m_norm.squared(m_pair[l], m_pair[j]));
    };
    const Decision near = decisionBy(forms.near);
    return near == Decision::Keep || forms.far == nullptr || decisionBy(forms.far) == near ? near : Decision::Keep;
}

/// Marks the rows that stay.
void ProductSetScreening::findStaying(Forms forms, const SphereRule& rule, Tally& tally) {
    m_stays.assign(static_cast<std::size_t>(m_size), 0);
    m_decided.clear();
    const bool isCapsule = forms.far != nullptr;
    const std::int64_t meetings = m_near.meetings() + (isCapsule ? m_far.meetings() : 0);
    if (isCapsule) {
        keepCrossing(0, m_sames, m_sames, m_size);
        keepCrossing(m_sames, m_size, 0, m_sames);
    }
    if (meetings > kMeetingsPerEntry * std::ssize(m_pair)) {
        for (Index row = 0; row < m_size; ++row) {
            const bool meets = m_near.meetingsOf(row) > 0 || (isCapsule && m_far.meetingsOf(row) > 0);
            m_stays[static_cast<std::size_t>(row)] |= meets ? 1 : 0;
        }
        return;
    }
    if (meetings == 0) {
        return;
    }
    const auto judgeIn = [&](RowIntervals& intervals, Index same, Index other, bool isNear) {
        if (decisionOf(same, other, forms, rule, tally) == Decision::Keep) {
            m_stays[static_cast<std::size_t>(same)] = m_stays[static_cast<std::size_t>(other)] = 1;
            intervals.close(same, other);
        } else if (isNear) {
            m_decided.push_back({same, other});
        }
    };
    m_near.forEachMeeting(m_stays, [&](Index same, Index other) { judgeIn(m_near, same, other, true); });
    if (isCapsule) {
        m_far.forEachMeeting(m_stays, [&](Index same, Index other) {
            if (!m_near.meet(same, other)) { // else it was judged
                judgeIn(m_far, same, other, false);
            }
        });
    }
}

/// Marks those of rows [begin, end) that with some row of the other kind are in R̂ at one end and in L̂ at the other one
/// by their intervals: which of the two begins first is not the same at both.
void ProductSetScreening::keepCrossing(Index begin, Index end, Index theirBegin, Index theirEnd) {
    const auto buckets = static_cast<std::size_t>(m_near.buckets());
    m_latestBegin.assign(buckets + 1, -1);
    m_earliestEnd.assign(buckets + 1, std::numeric_limits<Index>::max());
    for (Index row = theirBegin; row < theirEnd; ++row) {
        Index& latest = m_latestBegin[static_cast<std::size_t>(m_near.lastOf(row)) + 1];
        Index& earliest = m_earliestEnd[static_cast<std::size_t>(m_near.firstOf(row))];
        latest = std::max(latest, m_far.firstOf(row));
        earliest = std::min(earliest, m_far.lastOf(row));
    }
    for (std::size_t bucket = 1; bucket <= buckets; ++bucket) {
        m_latestBegin[bucket] = std::max(m_latestBegin[bucket], m_latestBegin[bucket - 1]);
        Index& earliest = m_earliestEnd[buckets - bucket];
        earliest = std::min(earliest, m_earliestEnd[buckets - bucket + 1]);
    }
    for (Index row = begin; row < end; ++row) {
        const bool crosses = m_latestBegin[static_cast<std::size_t>(m_near.firstOf(row))] > m_far.lastOf(row) ||
                             m_earliestEnd[static_cast<std::size_t>(m_near.lastOf(row)) + 1] < m_far.firstOf(row);
        m_stays[static_cast<std::size_t>(row)] |= crosses ? 1 : 0;
    }
}

/// A triplet goes with either of its rows and counts once in both: in a row that goes, all its linear ones, in one that
/// stays, those with a row that goes. Adds their numbers to `weights` and returns how many they are.
TripletIndex ProductSetScreening::countLinear(const double* q, double* weights) {
    m_near.count(0, m_sames, m_stays, m_goingSameEnds);
    m_near.count(m_sames, m_size, m_stays, m_goingOtherEnds);
    TripletIndex linear = 0;
    for (Index row = 0; row < m_size; ++row) {
        if (row < m_sames) { // others that end before it begins
            const RowIntervals::Ends& ends = stays(row) ? m_goingOtherEnds : m_near.otherEnds();
            weights[entry(row)] -= static_cast<double>(ends.ended(m_near.firstOf(row)));
        } else { // sames that begin after its end
            const RowIntervals::Ends& ends = stays(row) ? m_goingSameEnds : m_near.sameEnds();
            const Index count = ends.begun(m_near.buckets()) - ends.begun(m_near.lastOf(row) + 1);
            weights[entry(row)] += static_cast<double>(count);
            linear += count;
        }
    }
    for (const Meeting& meeting : m_decided) {
        const std::size_t j = entry(meeting.same);
        const std::size_t l = entry(meeting.other);
        if ((!stays(meeting.same) || !stays(meeting.other)) && q[l] - q[j] < 1) { // decided: above 1 or below 1 − γ
            weights[j] -= 1;
            weights[l] += 1;
            ++linear;
        }
    }
    return linear;
}

void ProductSetScreening::record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                 TripletStates& states) const {
    const std::int32_t* position = lists.position.data() + anchor.begin;
    std::vector<char> stayingEntry(m_pair.size(), 0);
    for (Index row = 0; row < m_size; ++row) {
        stayingEntry[entry(row)] = m_stays[static_cast<std::size_t>(row)];
    }
    const auto sames = static_cast<std::size_t>(anchor.sames());
    for (std::size_t same = 0; same < sames; ++same) {
        const TripletIndex first =
            m_triplets.tripletOffset(anchor.row) + position[same] * m_triplets.otherCount(anchor.row);
        for (std::size_t other = sames; other < m_pair.size(); ++other) {
            if (stayingEntry[same] == 0 || stayingEntry[other] == 0) {
                states.set(first + position[other], q[other] - q[same] < 1 ? Decision::Linear : Decision::Zero);
            }
        }
    }
}

ProductSetScreening::Tally ProductSetScreening::remove(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                       Forms forms, const SphereRule& rule, TripletStates* states,
                                                       ProductLists& rest, double* weights) {
    Tally tally;
    setRows(lists, anchor, rule.radius());
    std::fill_n(weights, m_size, 0.0);
    bool isFinite = setIntervals(forms, rule);
    if (isFinite) {
        peel(forms.far != nullptr, weights, tally);
        tally.sorted = m_size;
        isFinite = m_size == 0 || (m_near.sortIntoBuckets() && (forms.far == nullptr || m_far.sortIntoBuckets()));
    }
    if (isFinite) {
        findStaying(forms, rule, tally);
    } else { // what is left stays
        m_stays.assign(static_cast<std::size_t>(m_size), 1);
    }
    const auto staying = std::count(m_stays.begin(), m_stays.end(), 1);
    if (staying < m_size) {
        tally.linear += countLinear(forms.near, weights);
    }
    if (states != nullptr && staying < std::ssize(m_pair)) {
        record(lists, anchor, forms.near, *states);
    }
    tally.zero = anchor.triplets() - appendStaying(lists, anchor, rest) - tally.linear;
    return tally;
}

/// Returns the number of their triplets.
TripletIndex ProductSetScreening::appendStaying(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                ProductLists& rest) const {
    ProductLists::Anchor kept{anchor.row, rest.entries(), rest.entries(), rest.entries()};
    for (Index row = 0; row < m_size; ++row) {
        if (stays(row)) {
            const auto at = static_cast<std::size_t>(anchor.begin) + entry(row);
            rest.partner.push_back(lists.partner[at]);
            rest.position.push_back(lists.position[at]);
            kept.middle += row < m_sames ? 1 : 0;
            ++kept.end;
        }
    }
    if (kept.end > kept.begin) {
        rest.anchors.push_back(kept);
        rest.longest = std::max(rest.longest, kept.end - kept.begin);
    }
    return kept.triplets();
}

} // namespace lambdascope::triplets
