// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the pairs engine that look at triplets one by one; the sphere rule is in pairs_screening.cpp.
#include "core/metric/engines/pairs_engine.h"
#include "core/metric/screening/diagonal_rule.h"
#include "core/metric/screening/linear_rule.h"
#include "core/metric/screening/range_rule.h"
#include "core/metric/screening/range_store.h"
#include "core/metric/screening/semidefinite_rule.h"

#include <cmath>
#include <utility>

namespace lambdascope::metric {

namespace {

/// All triplets of a block.
std::uint64_t wholeBlock(RowIndex /*anchor*/, const ActiveBlock& block) {
    return block.mask;
}

} // namespace

template <class Pick, class Judge>
bool PairsEngine::judgeEach(Pick&& pick, Judge&& judge, StopCheck& stopCheck, ScreenedPart& screened) {
    for (const ActiveBlocks::Anchor& anchor : m_active.blocks.anchors()) {
        beginAnchor(anchor.row);
        for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
            ActiveBlock& block = m_active.blocks.blocks()[static_cast<std::size_t>(at)];
            std::uint64_t zero = 0;
            std::uint64_t linear = 0;
            for (std::uint64_t rest = pick(anchor.row, block); rest != 0; rest &= rest - 1) {
                const int bit = std::countr_zero(rest);
                const Decision decision = judge(anchor.row, block.same, block.base + bit);
                zero |= std::uint64_t{decision == Decision::Zero} << bit;
                linear |= std::uint64_t{decision == Decision::Linear} << bit;
                if (stopCheck.isStopped()) {
                    return false;
                }
            }
            fixBlock(anchor, block, zero, Decision::Zero, screened);
            fixBlock(anchor, block, linear, Decision::Linear, screened);
        }
        endAnchor(anchor.row);
        if (stopCheck.spend(64 * (anchor.end - anchor.begin))) {
            return false;
        }
    }
    return true;
}

bool PairsEngine::screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (region.normal.size() == 0) {
        return true; // the half-space is everything
    }
    if (!m_space.forms(region.normal, m_active.blocks.pairs(), stopCheck, m_normalValues)) {
        return !stopCheck.isStopped();
    }
    const LinearRule rule(region, gamma, marginError(spectralBound(region.sphere.centre)),
                          marginError(spectralBound(region.normal)));
    const auto judge = [&](RowIndex anchor, std::int64_t same, std::int64_t other) {
        const PairIndex samePair = m_triplets.samePair(m_triplets.sameOffset(anchor) + same);
        const PairIndex otherPair = m_triplets.otherPair(m_triplets.otherOffset(anchor) + other);
        const auto s = static_cast<std::size_t>(samePair);
        const auto o = static_cast<std::size_t>(otherPair);
        const double q = m_values[o] - m_values[s];
        const double p = m_normalValues[o] - m_normalValues[s];
        const double a = m_triplets.squaredLength(otherPair);
        const double b = m_triplets.squaredLength(samePair);
        (void)stopCheck.spend(40);
        // (A − B)² ≤ ‖H‖² ≤ A² + B²: the exact norm only where it matters.
        const Decision sure = rule.judge(q, p, SphereRule::mostSquaredNorm(a, b));
        if (sure != Decision::Keep || rule.judge(q, p, SphereRule::leastSquaredNorm(a, b)) == Decision::Keep) {
            return sure;
        }
        (void)stopCheck.spend(3 * m_triplets.stride());
        return rule.judge(q, p, m_norms.squared(otherPair, samePair));
    };
    return judgeEach(wholeBlock, judge, stopCheck, screened);
}

bool PairsEngine::screenByCone(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    const auto judgeBy = [&](auto& rule, RowIndex anchor, std::int64_t same, std::int64_t other) {
        const PairIndex samePair = m_triplets.samePair(m_triplets.sameOffset(anchor) + same);
        const PairIndex otherPair = m_triplets.otherPair(m_triplets.otherOffset(anchor) + other);
        const Decision decision = rule.judge(m_triplets.rowsOf(otherPair), m_triplets.rowsOf(samePair));
        (void)stopCheck.spend(rule.takeOperations());
        return decision;
    };
    const auto screenBy = [&](auto rule) {
        const auto judge = [&](RowIndex anchor, std::int64_t same, std::int64_t other) {
            return judgeBy(rule, anchor, same, other);
        };
        return judgeEach(wholeBlock, judge, stopCheck, screened);
    };
    return m_triplets.structure() == Structure::Diagonal
               ? screenBy(DiagonalRule(m_triplets, region, gamma))
               : screenBy(SemidefiniteRule(m_triplets, region, gamma, stopCheck));
}

bool PairsEngine::activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) {
    activateAll();
    m_certificate.isComplete = false;
    prepareDecisions();
    const TripletIndex linearBefore = screened.linear;
    for (const ActiveBlocks::Anchor& anchor : m_active.blocks.anchors()) {
        beginAnchor(anchor.row);
        for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
            ActiveBlock& block = m_active.blocks.blocks()[static_cast<std::size_t>(at)];
            const TripletIndex number = numberOf(anchor.row, block.same, block.base);
            fixBlock(anchor, block, fixed.bits(Decision::Zero, number) & block.mask, Decision::Zero, screened);
            fixBlock(anchor, block, fixed.bits(Decision::Linear, number) & block.mask, Decision::Linear, screened);
        }
        endAnchor(anchor.row);
        if (stopCheck.spend(200 * (anchor.end - anchor.begin))) {
            return false;
        }
    }
    return finishDecisions(linearBefore, stopCheck, screened);
}

bool PairsEngine::screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck,
                               RangeStore& store, ScreenedPart& screened) {
    prepareDecisions();
    std::vector<double> ofDual; // δᵀM̂δ; the same as of M₀ when there is no dual
    if (!ball.forms(m_space, m_active.blocks.pairs(), stopCheck, m_values, ofDual)) {
        return false;
    }
    const std::vector<double>& duals = ball.hasDual() ? ofDual : m_values;
    const RangeRule rule(ball, gamma, [this](double size) { return marginError(size); });
    // Intervals that do not hold this λ are of no use: only for triplets that the ball decides here are they computed.
    const SphereRule sphere = rule.at(lambda);
    std::vector<double> atCentre(m_values.size());
    for (std::size_t p = 0; p < atCentre.size(); ++p) {
        atCentre[p] = ball.margin(m_values[p], duals[p], lambda);
    }
    const TripletIndex linearBefore = screened.linear;
    RowIndex anchorAtWork = -1;
    const auto pick = [&](RowIndex anchor, const ActiveBlock& block) {
        if (anchor != std::exchange(anchorAtWork, anchor)) {
            m_judge.setAnchor(anchor, atCentre, 1, sphere);
        }
        const BlockJudge::Decisions decisions = m_judge.judge(block);
        return decisions.zero | decisions.linear;
    };
    const auto judge = [&](RowIndex anchor, std::int64_t same, std::int64_t other) {
        const PairIndex samePair = m_triplets.samePair(m_triplets.sameOffset(anchor) + same);
        const PairIndex otherPair = m_triplets.otherPair(m_triplets.otherOffset(anchor) + other);
        const double t = m_values[static_cast<std::size_t>(otherPair)] - m_values[static_cast<std::size_t>(samePair)];
        const double dual = duals[static_cast<std::size_t>(otherPair)] - duals[static_cast<std::size_t>(samePair)];
        (void)stopCheck.spend(3 * m_triplets.stride());
        const TripletIndex number = numberOf(anchor, same, other);
        const Lifetime lifetime = rule.lifetime(t, dual, m_norms.squared(otherPair, samePair));
        if (!lifetime.range.contains(lambda)) {
            return Decision::Keep;
        }
        store.add(number, lifetime.decision, lifetime.range.low);
        return lifetime.decision;
    };
    if (!judgeEach(pick, judge, stopCheck, screened)) {
        return false;
    }
    store.seal();
    return finishDecisions(linearBefore, stopCheck, screened);
}

} // namespace lambdascope::metric
