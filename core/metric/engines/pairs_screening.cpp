// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the pairs engine; sums are in pairs_engine.cpp.
#include "core/metric/engines/pairs_engine.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

void PairsEngine::fixBlock(const ActiveBlocks::Anchor& anchor, ActiveBlock& block, std::uint64_t bits, Verdict verdict,
                           ScreenedPart& screened) {
    if (bits == 0) {
        return;
    }
    const int count = std::popcount(bits);
    block.mask &= ~bits;
    if (m_states != nullptr) {
        const TripletIndex first =
            m_triplets.tripletOffset(anchor.row) + block.same * m_triplets.otherCount(anchor.row) + block.base;
        for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
            m_states->set(first + std::countr_zero(rest), verdict);
        }
    }
    if (verdict == Verdict::Zero) {
        screened.zero += count;
        return;
    }
    screened.linear += count;
    m_weights[static_cast<std::size_t>(m_triplets.samePair(m_triplets.sameOffset(anchor.row) + block.same))] -= count;
    for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        m_otherWeights[static_cast<std::size_t>(block.base + std::countr_zero(rest))] += 1;
    }
}

void PairsEngine::addOtherWeights(RowIndex anchor) {
    const std::int64_t begin = m_triplets.otherOffset(anchor);
    for (std::int64_t o = 0; o < m_triplets.otherCount(anchor); ++o) {
        m_weights[static_cast<std::size_t>(m_triplets.otherPair(begin + o))] +=
            m_otherWeights[static_cast<std::size_t>(o)];
    }
}

template <class Rule>
void PairsEngine::screenAnchor(const ActiveBlocks::Anchor& anchor, const Rule& rule, ScreenedPart& screened) {
    gatherOthers(anchor.row, m_values, m_otherValues);
    const std::int64_t others = m_triplets.otherCount(anchor.row);
    const std::int64_t sameBegin = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherBegin = m_triplets.otherOffset(anchor.row);
    m_otherLengths.resize(static_cast<std::size_t>(others));
    m_otherWeights.assign(static_cast<std::size_t>(others), 0.0);
    // h ≤ A + B, the norms of the pairs' parts of H, splits into a part of l and a part of j, so one comparison can
    // decide a whole row.
    const double radius = rule.radius() * (1 + 1e-12);
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (std::int64_t o = 0; o < others; ++o) {
        const auto at = static_cast<std::size_t>(o);
        m_otherLengths[at] = m_triplets.squaredLength(m_triplets.otherPair(otherBegin + o));
        lowest = std::min(lowest, m_otherValues[at] - radius * m_otherLengths[at]);
        highest = std::max(highest, m_otherValues[at] + radius * m_otherLengths[at]);
    }
    for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
        ActiveBlock& block = m_active.blocks()[static_cast<std::size_t>(at)];
        const PairIndex samePair = m_triplets.samePair(sameBegin + block.same);
        const double q = m_values[static_cast<std::size_t>(samePair)];
        const double b = m_triplets.squaredLength(samePair);
        const double rounding =
            rule.marginError() + 8 * kUnitRoundoff * (std::abs(q) + radius * b + std::abs(lowest) + std::abs(highest));
        if (lowest - (q + radius * b) - rounding > 1) {
            fixBlock(anchor, block, block.mask, Verdict::Zero, screened);
            continue;
        }
        if (highest - (q - radius * b) + rounding < rule.lowerEdge()) {
            fixBlock(anchor, block, block.mask, Verdict::Linear, screened);
            continue;
        }
        std::uint64_t zero = 0;
        std::uint64_t linear = 0;
        for (std::uint64_t rest = block.mask; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const auto o = static_cast<std::size_t>(block.base + bit);
            const double margin = m_otherValues[o] - q;
            const double a = m_otherLengths[o];
            Verdict verdict = rule.look(margin, a, b);
            if (verdict == Verdict::Unsure) {
                const PairIndex otherPair = m_triplets.otherPair(otherBegin + static_cast<std::int64_t>(o));
                verdict = rule.judge(margin, m_norm.squared(otherPair, samePair));
            }
            if (verdict == Verdict::Zero) {
                zero |= std::uint64_t{1} << bit;
            } else if (verdict == Verdict::Linear) {
                linear |= std::uint64_t{1} << bit;
            }
        }
        fixBlock(anchor, block, zero, Verdict::Zero, screened);
        fixBlock(anchor, block, linear, Verdict::Linear, screened);
    }
    addOtherWeights(anchor.row);
}

template <class Rule>
bool PairsEngine::screenWith(const Rule& rule, WorkPoll& poll, ScreenedPart& screened) {
    for (const ActiveBlocks::Anchor& anchor : m_active.anchors()) {
        screenAnchor(anchor, rule, screened);
        if (poll.spend((anchor.end - anchor.begin) * 64 * (10 + 4 * m_triplets.stride()))) {
            return false;
        }
    }
    return true;
}

void PairsEngine::prepareDecisions() {
    if (m_active.isComplete()) {
        m_active.list();
    }
    for (const PairIndex p : *m_active.pairs()) {
        m_weights[static_cast<std::size_t>(p)] = 0; // from here on: counts of newly linear triplets
    }
}

bool PairsEngine::addLinear(TripletIndex linearBefore, WorkPoll& poll, ScreenedPart& screened) {
    if (screened.linear > linearBefore) {
        MatrixSum sum;
        if (!m_space.weightedSum(m_weights, 0, m_active.pairs(), poll, sum)) {
            return false;
        }
        screened.addLinearSum(sum.value, sum.error);
    }
    const TripletIndex before = m_active.triplets();
    m_active.compact();
    m_hasNotes = m_hasNotes && m_active.triplets() == before;
    return true;
}

bool PairsEngine::screen(std::span<const Region> regions, double gamma, WorkPoll& poll, ScreenedPart& screened) {
    if (regions.empty()) {
        return true;
    }
    prepareDecisions();
    const TripletIndex linearBefore = screened.linear;
    for (const Region& region : regions) {
        const Sphere& sphere = region.sphere;
        if (!std::isfinite(sphere.radius) || !m_space.forms(sphere.centre, m_active.pairs(), poll, m_values)) {
            if (poll.isStopped()) {
                return false;
            }
            continue; // a ball of infinite radius decides nothing
        }
        const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
        if (!screenWith(rule, poll, screened)) {
            return false;
        }
        // The dearer rules see only what the ball alone leaves open.
        if ((region.rule == RuleKind::Linear && !screenLinearly(region, gamma, poll, screened)) ||
            ((region.rule == RuleKind::Semidefinite || region.rule == RuleKind::Analytic) &&
             !screenByCone(region, gamma, poll, screened))) {
            return false;
        }
    }
    return addLinear(linearBefore, poll, screened);
}

} // namespace lambdascope::metric
