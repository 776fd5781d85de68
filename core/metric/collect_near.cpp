// SPDX-License-Identifier: GPL-3.0-or-later
// Picking out the triplets near the edges of the loss, for both engines that list triplets.
#include "core/metric/pairs_engine.h"
#include "core/metric/triplets_engine.h"

namespace lambdascope::metric {

bool PairsEngine::collectNear(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                              WorkPoll& poll, std::vector<PairedTriplet>& near) {
    near.clear();
    if (!m_space.distances(point, m_active.pairs(), poll, m_values)) {
        return false;
    }
    const auto collectRow = [&](PairIndex same, std::int64_t otherBegin, std::int64_t base, std::uint64_t mask) {
        const double least = lowest + m_values[static_cast<std::size_t>(same)];
        const double most = highest + m_values[static_cast<std::size_t>(same)];
        for (std::uint64_t bits = mask; bits != 0; bits &= bits - 1) {
            const auto at = static_cast<std::size_t>(base + std::countr_zero(bits));
            if (m_otherValues[at] >= least && m_otherValues[at] <= most) {
                near.push_back({same, m_triplets.otherPair(otherBegin + static_cast<std::int64_t>(at))});
            }
        }
    };
    if (!m_active.isComplete()) {
        for (const ActiveBlocks::Anchor& anchor : m_active.anchors()) {
            gatherOthers(anchor.row, m_values, m_otherValues);
            for (std::int64_t at = anchor.begin; at < anchor.end && near.size() <= limit; ++at) {
                const ActiveBlock& block = m_active.blocks()[static_cast<std::size_t>(at)];
                const PairIndex same = m_triplets.samePair(m_triplets.sameOffset(anchor.row) + block.same);
                collectRow(same, m_triplets.otherOffset(anchor.row), block.base, block.mask);
            }
            if (poll.spend((anchor.end - anchor.begin) * 64)) {
                return false;
            }
        }
        return true;
    }
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        gatherOthers(i, m_values, m_otherValues);
        const std::int64_t others = m_triplets.otherCount(i);
        for (std::int64_t s = 0; s < m_triplets.sameCount(i) && near.size() <= limit; ++s) {
            const PairIndex same = m_triplets.samePair(m_triplets.sameOffset(i) + s);
            for (std::int64_t base = 0; base < others; base += 64) {
                collectRow(same, m_triplets.otherOffset(i), base, ActiveBlocks::fullMask(others, base));
            }
        }
        if (poll.spend(4 * m_triplets.sameCount(i) * others)) {
            return false;
        }
    }
    return true;
}

bool TripletsEngine::collectNear(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                                 WorkPoll& poll, std::vector<PairedTriplet>& near) {
    near.clear();
    const Eigen::Index d = m_triplets.features();
    for (const Item& item : m_active) {
        setDifferences(item.anchor, item.same, item.other);
        const double margin = form(point.matrix);
        if (margin >= lowest && margin <= highest) {
            const std::int64_t others = m_triplets.otherCount(item.anchor);
            near.push_back({m_triplets.samePair(m_triplets.sameOffset(item.anchor) + item.within / others),
                            m_triplets.otherPair(m_triplets.otherOffset(item.anchor) + item.within % others)});
        }
        if (near.size() > limit) {
            return true;
        }
        if (poll.spend(8 * d * d + 40)) {
            return false;
        }
    }
    return true;
}

} // namespace lambdascope::metric
