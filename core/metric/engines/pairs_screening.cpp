// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the pairs engine by the sphere rule, and what all rules share; other rules are in pairs_refining.cpp,
// sums in pairs_engine.cpp.
#include "core/metric/engines/bit_groups.h"
#include "core/metric/engines/pairs_engine.h"
#include "core/metric/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

void PairsEngine::beginAnchor(RowIndex anchor) {
    const std::int64_t others = m_triplets.otherCount(anchor);
    m_otherWeights.assign(static_cast<std::size_t>((others + kGroupSize - 1) / kGroupSize * kGroupSize), 0.0);
    m_linearRows.assign(static_cast<std::size_t>((others + 63) / 64), 0.0);
}

void PairsEngine::fixBlock(const ActiveBlocks::Anchor& anchor, ActiveBlock& block, std::uint64_t bits,
                           Decision decision, ScreenedPart& screened) {
    if (bits == 0) {
        return;
    }
    const std::int64_t others = m_triplets.otherCount(anchor.row);
    const int count = std::popcount(bits);
    block.mask &= ~bits;
    if (m_states != nullptr) {
        m_states->set(numberOf(anchor.row, block.same, block.base), bits, decision);
    }
    if (decision == Decision::Zero) {
        screened.zero += count;
        return;
    }
    screened.linear += count;
    m_weights[static_cast<std::size_t>(m_triplets.samePair(m_triplets.sameOffset(anchor.row) + block.same))] -= count;
    if (bits == ActiveBlocks::fullMask(others, block.base)) {
        m_linearRows[static_cast<std::size_t>(block.base / 64)] += 1;
        return;
    }
    double* weights = m_otherWeights.data() + block.base;
    forEachGroup(bits, [&](int number, std::uint32_t group) {
        for (std::size_t b = 0; b < kGroupSize; ++b) {
            weights[kGroupSize * static_cast<std::size_t>(number) + b] += kGroupMasks[group].ones[b];
        }
    });
}

void PairsEngine::endAnchor(RowIndex anchor) {
    const std::int64_t begin = m_triplets.otherOffset(anchor);
    for (std::int64_t o = 0; o < m_triplets.otherCount(anchor); ++o) {
        const auto at = static_cast<std::size_t>(o);
        if (const double weight = m_otherWeights[at] + m_linearRows[at / 64]; weight != 0) {
            m_weights[static_cast<std::size_t>(m_triplets.otherPair(begin + o))] += weight;
        }
    }
}

template <class SetAnchor, class Judge>
bool PairsEngine::screenBlocks(const SetAnchor& setAnchor, const Judge& judge, StopCheck& stopCheck,
                               ScreenedPart& screened) {
    const std::int64_t single = m_judge.judgedSingly() + m_farJudge.judgedSingly();
    const std::int64_t norms = m_norms.computed();
    for (const ActiveBlocks::Anchor& anchor : m_active.blocks.anchors()) {
        beginAnchor(anchor.row);
        setAnchor(anchor.row);
        const std::int64_t normsBefore = m_norms.computed();
        for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
            ActiveBlock& block = m_active.blocks.blocks()[static_cast<std::size_t>(at)];
            const BlockJudge::Decisions decisions = judge(block);
            fixBlock(anchor, block, decisions.zero, Decision::Zero, screened);
            fixBlock(anchor, block, decisions.linear, Decision::Linear, screened);
        }
        endAnchor(anchor.row);
        if (stopCheck.spend(128 * (anchor.end - anchor.begin) +
                            3 * m_triplets.stride() * (m_norms.computed() - normsBefore))) {
            return false;
        }
    }
    m_work += work::ofJudging(std::ssize(m_active.blocks.blocks()),
                              m_judge.judgedSingly() + m_farJudge.judgedSingly() - single, m_norms.computed() - norms,
                              m_triplets.stride());
    return true;
}

bool PairsEngine::screenBySphere(const SphereRule& rule, StopCheck& stopCheck, ScreenedPart& screened) {
    return screenBlocks([&](RowIndex anchor) { m_judge.setAnchor(anchor, m_values, 1, rule); },
                        [&](const ActiveBlock& block) { return m_judge.judge(block); }, stopCheck, screened);
}

bool PairsEngine::screenByCapsule(const Capsule& capsule, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    const double error = marginError(spectralBound(capsule.centre));
    const SphereRule near(capsule.radius, gamma, error);
    const SphereRule far(capsule.radius, gamma, capsule.growth * error * (1 + 8 * kUnitRoundoff));
    const auto setAnchor = [&](RowIndex anchor) {
        m_judge.setAnchor(anchor, m_values, 1, near);
        m_farJudge.setAnchor(anchor, m_values, capsule.growth, far);
    };
    const auto judge = [&](const ActiveBlock& block) {
        BlockJudge::Decisions decisions = m_judge.judge(block);
        if ((decisions.zero | decisions.linear) == 0) {
            return decisions;
        }
        const BlockJudge::Decisions beyond =
            m_farJudge.judge({decisions.zero | decisions.linear, block.same, block.base});
        return BlockJudge::Decisions{decisions.zero & beyond.zero, decisions.linear & beyond.linear};
    };
    return m_space.forms(capsule.centre, nullptr, stopCheck, m_values) &&
           screenBlocks(setAnchor, judge, stopCheck, screened);
}

void PairsEngine::prepareDecisions() {
    if (m_active.blocks.isComplete()) {
        m_active.blocks.list();
    }
    // From here on: counts of newly linear triplets.
    if (m_active.blocks.pairs() == nullptr) {
        std::fill(m_weights.begin(), m_weights.end(), 0.0);
        return;
    }
    for (const PairIndex p : *m_active.blocks.pairs()) {
        m_weights[static_cast<std::size_t>(p)] = 0;
    }
}

bool PairsEngine::finishDecisions(TripletIndex linearBefore, StopCheck& stopCheck, ScreenedPart& screened) {
    if (screened.linear > linearBefore) {
        MatrixSum sum;
        if (!m_space.weightedSum(m_weights, 0, m_active.blocks.pairs(), stopCheck, sum)) {
            return false;
        }
        screened.addLinearSum(sum.value, sum.error);
    }
    const TripletIndex before = m_active.blocks.triplets();
    m_work += work::ofPacking(std::ssize(m_active.blocks.blocks()));
    m_active.blocks.compact();
    const bool isSame = m_active.blocks.triplets() == before;
    m_active.isPacked = m_active.isPacked && isSame;
    m_hasNotes = m_hasNotes && isSame;
    return true;
}

bool PairsEngine::makeLasting(const Capsule& capsule, double gamma, StopCheck& stopCheck) {
    TripletStates states(m_triplets.triplets());
    TripletStates* const recorded = std::exchange(m_states, &states);
    ScreenedPart part;
    prepareDecisions();
    const bool done = screenByCapsule(capsule, gamma, stopCheck, part) && finishDecisions(0, stopCheck, part);
    m_states = recorded;
    if (done) {
        m_lasting.set(capsule, gamma, std::move(part), std::move(states));
        m_lastingOpen = m_active.blocks;
    } else {
        m_active.blocks.setComplete();
    }
    return done;
}

/// Starts from what lasting decisions leave open, which are made anew where they do not hold.
bool PairsEngine::useLasting(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                             ScreenedPart& screened) {
    const auto holds = [&](const Region& region) { return m_lasting.hold(region.sphere, gamma); };
    auto inside = std::find_if(regions.begin(), regions.end(), holds);
    if (inside == regions.end()) {
        const std::optional<Capsule> capsule = m_lasting.propose(regions.front().sphere);
        if (!capsule) {
            return true;
        }
        if (!makeLasting(*capsule, gamma, stopCheck)) {
            return false;
        }
        inside = regions.begin();
    }
    m_lasting.count();
    const ScreenedPart& part = m_lasting.part();
    m_active.blocks = m_lastingOpen;
    m_active.isPacked = false;
    m_hasNotes = false;
    screened.zero += part.zero;
    screened.linear += part.linear;
    if (part.linear > 0) {
        screened.addLinearSum(part.linearSum, part.linearError);
    }
    if (m_states != nullptr) {
        m_states->add(m_lasting.states());
    }
    m_certificate.balls.push_back(inside->sphere);
    return true;
}

void PairsEngine::beginCertificate(double gamma, const ScreenedPart& screened) {
    const ScreenedPart& known = m_certificate.screened;
    const bool goesOn = known.zero == screened.zero && known.linear == screened.linear &&
                        (m_certificate.balls.empty() || gamma == m_certificate.gamma);
    m_certificate.isComplete = m_certificate.isComplete && goesOn;
    m_certificate.gamma = gamma;
}

bool PairsEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (stopCheck.isStopped()) {
        return false;
    }
    if (regions.empty()) {
        return true;
    }
    beginCertificate(gamma, screened);
    if (m_active.blocks.isComplete() && !useLasting(regions, gamma, stopCheck, screened)) {
        return false;
    }
    for (const Region& region : regions) {
        const Sphere& sphere = region.sphere;
        if (!std::isfinite(sphere.radius)) {
            continue; // decides nothing
        }
        prepareDecisions();
        const TripletIndex before = m_active.blocks.triplets();
        const TripletIndex linearBefore = screened.linear;
        const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
        if (!m_space.forms(sphere.centre, m_active.blocks.pairs(), stopCheck, m_values) ||
            !screenBySphere(rule, stopCheck, screened)) {
            return false;
        }
        // The dearer rules see only what the ball alone leaves open.
        if ((region.rule == RuleKind::Linear && !screenLinearly(region, gamma, stopCheck, screened)) ||
            ((region.rule == RuleKind::Semidefinite || region.rule == RuleKind::Analytic) &&
             !screenByCone(region, gamma, stopCheck, screened))) {
            return false;
        }
        if (!finishDecisions(linearBefore, stopCheck, screened)) {
            return false;
        }
        if (m_active.blocks.triplets() < before) {
            m_certificate.balls.push_back(sphere);
        }
    }
    m_certificate.screened = screened;
    return true;
}

} // namespace lambdascope::metric
