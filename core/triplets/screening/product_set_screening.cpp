// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <algorithm>
#include <limits>

namespace lambdascope::triplets {

void ProductSetScreening::setRows(const ProductLists& lists, const ProductLists::Anchor& anchor) {
    m_sames = static_cast<Index>(anchor.sames());
    m_size = static_cast<Index>(anchor.end - anchor.begin);
    const auto size = static_cast<std::size_t>(m_size);
    const auto sames = static_cast<std::size_t>(m_sames);
    m_pair.resize(size);
    m_length.resize(size);
    const std::int64_t sameOffset = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    const std::int32_t* position = lists.position.data() + anchor.begin;
    for (std::size_t at = 0; at < size; ++at) {
        m_pair[at] = at < sames ? m_triplets.samePair(sameOffset + position[at])
                                : m_triplets.otherPair(otherOffset + position[at]);
        m_length[at] = m_triplets.squaredLength(m_pair[at]);
    }
}

/// By the ball, or by those at both ends.
Decision ProductSetScreening::decisionOf(Index same, Index other, Forms forms, const SphereRule& rule, Tally& tally) {
    const auto j = static_cast<std::size_t>(same);
    const auto l = static_cast<std::size_t>(other);
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
    if (meetings > kMeetingsPerEntry * m_size) {
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
/// stays, those with a row that goes. Returns how many.
TripletIndex ProductSetScreening::countLinear(const double* q, double* weights) {
    m_near.count(0, m_sames, m_stays, m_goingSameEnds);
    m_near.count(m_sames, m_size, m_stays, m_goingOtherEnds);
    TripletIndex linear = 0;
    for (Index row = 0; row < m_size; ++row) {
        if (row < m_sames) { // others that end before it begins
            const RowIntervals::Ends& ends = stays(row) ? m_goingOtherEnds : m_near.otherEnds();
            weights[row] = -static_cast<double>(ends.ended(m_near.firstOf(row)));
        } else { // sames that begin after its end
            const RowIntervals::Ends& ends = stays(row) ? m_goingSameEnds : m_near.sameEnds();
            const Index count = ends.begun(m_near.buckets()) - ends.begun(m_near.lastOf(row) + 1);
            weights[row] = static_cast<double>(count);
            linear += count;
        }
    }
    for (const Meeting& meeting : m_decided) {
        const bool goes = !stays(meeting.same) || !stays(meeting.other);
        if (goes && q[meeting.other] - q[meeting.same] < 1) { // decided, so above 1 or below 1 − γ
            weights[meeting.same] -= 1;
            weights[meeting.other] += 1;
            ++linear;
        }
    }
    return linear;
}

void ProductSetScreening::record(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                 TripletStates& states) const {
    const std::int32_t* position = lists.position.data() + anchor.begin;
    for (Index same = 0; same < m_sames; ++same) {
        const TripletIndex first =
            m_triplets.tripletOffset(anchor.row) + position[same] * m_triplets.otherCount(anchor.row);
        for (Index other = m_sames; other < m_size; ++other) {
            if (!stays(same) || !stays(other)) {
                states.set(first + position[other], q[other] - q[same] < 1 ? Decision::Linear : Decision::Zero);
            }
        }
    }
}

ProductSetScreening::Tally ProductSetScreening::remove(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                       Forms forms, const SphereRule& rule, TripletStates* states,
                                                       ProductLists& rest, double* weights) {
    Tally tally;
    setRows(lists, anchor);
    double total = 0;
    for (Index other = m_sames; other < m_size; ++other) {
        total += m_length[static_cast<std::size_t>(other)];
    }
    const SeparableNormBound bound(total / static_cast<double>(anchor.others()), rule.radius());
    if (m_near.set(forms.near, m_length, m_sames, bound, rule) &&
        (forms.far == nullptr || m_far.set(forms.far, m_length, m_sames, bound, rule))) {
        findStaying(forms, rule, tally);
    } else { // no finite numbers: the anchor is left as it is
        m_stays.assign(static_cast<std::size_t>(m_size), 1);
    }
    const auto staying = std::count(m_stays.begin(), m_stays.end(), 1);
    if (staying < m_size) {
        tally.linear = countLinear(forms.near, weights);
        if (states != nullptr) {
            record(lists, anchor, forms.near, *states);
        }
    } else {
        std::fill_n(weights, m_size, 0.0);
    }
    ProductLists::Anchor kept{anchor.row, rest.entries(), rest.entries(), rest.entries()};
    for (Index row = 0; row < m_size; ++row) {
        if (stays(row)) {
            const auto entry = static_cast<std::size_t>(anchor.begin + row);
            rest.partner.push_back(lists.partner[entry]);
            rest.position.push_back(lists.position[entry]);
            kept.middle += row < m_sames ? 1 : 0;
            ++kept.end;
        }
    }
    if (staying > 0) {
        rest.anchors.push_back(kept);
        rest.longest = std::max(rest.longest, kept.end - kept.begin);
    }
    tally.zero = anchor.triplets() - kept.triplets() - tally.linear;
    return tally;
}

} // namespace lambdascope::triplets
