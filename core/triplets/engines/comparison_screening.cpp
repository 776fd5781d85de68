// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the comparison engine; sums are in comparison_engine.cpp.
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/screening/diagonal_rule.h"
#include "core/triplets/screening/linear_rule.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/screening/semidefinite_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

struct ComparisonEngine::Found {
    TripletIndex zero = 0;
    TripletIndex linear = 0;
    CompensatedSum weight;        ///< Σ w over the newly linear
    CompensatedSum shift;         ///< Σ w (τ − 1)
    double shiftMagnitude = 0;    ///< Σ w |τ − 1|
    double lengths = 0;           ///< Σ w (‖a‖² + ‖b‖²)
    std::vector<PairIndex> pairs; ///< of the items that were active before
};

void ComparisonEngine::fix(std::size_t item, Decision decision, Found& found) {
    if (m_states != nullptr) {
        m_states->set(m_number[item], decision);
    }
    if (decision == Decision::Zero) {
        ++found.zero;
        return;
    }
    const double weight = m_weight[item];
    ++found.linear;
    found.weight.add(weight);
    found.shift.add(weight * (m_threshold[item] - 1));
    found.shiftMagnitude += weight * std::abs(m_threshold[item] - 1);
    found.lengths += weight * m_length[item];
    m_weights[static_cast<std::size_t>(m_far[item])] += weight;
    m_weights[static_cast<std::size_t>(m_near[item])] -= weight;
}

template <class Judge>
bool ComparisonEngine::judgeEach(Judge&& judge, StopCheck& stopCheck, Found& found) {
    const std::size_t count = m_far.size();
    std::size_t kept = 0;
    for (std::size_t c = 0; c < count; ++c) {
        const Decision decision = judge(c);
        if (stopCheck.isStopped()) {
            return false;
        }
        if (decision == Decision::Keep) {
            keepAt(c, kept++);
        } else {
            fix(c, decision, found);
        }
    }
    resizeItems(kept);
    m_work += work::ofJudgedList(static_cast<std::int64_t>(count), static_cast<std::int64_t>(count - kept));
    return true;
}

bool ComparisonEngine::screenByRegion(const Region& region, double gamma, StopCheck& stopCheck, Found& found) {
    const Sphere& sphere = region.sphere;
    if (!std::isfinite(sphere.radius) || !m_space.forms(sphere.centre, &found.pairs, stopCheck, m_values)) {
        return !stopCheck.isStopped(); // a ball of infinite radius decides nothing
    }
    m_values.resize(m_weights.size(), 0.0);
    const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
    const auto bySphere = [&](std::size_t c) {
        (void)stopCheck.spend(20);
        // The rule's constants are those of triplets, 1 and 1 − γ: shift the margin rather than the rule.
        return rule.judge(between(m_values, c) - m_threshold[c] + 1, squaredNormOf(c));
    };
    if (!judgeEach(bySphere, stopCheck, found)) {
        return false;
    }
    // The dearer rules see only what the ball alone leaves open.
    switch (region.rule) {
    case RuleKind::Sphere: return true;
    case RuleKind::Linear: return screenLinearly(region, gamma, stopCheck, found);
    default: return screenByCone(region, gamma, stopCheck, found);
    }
}

bool ComparisonEngine::screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, Found& found) {
    if (region.normal.size() == 0) {
        return true; // the half-space is everything
    }
    if (!m_space.forms(region.normal, &found.pairs, stopCheck, m_normalValues)) {
        return !stopCheck.isStopped();
    }
    m_normalValues.resize(m_weights.size(), 0.0);
    const LinearRule rule(region, gamma, marginError(spectralBound(region.sphere.centre)),
                          marginError(spectralBound(region.normal)));
    const auto byLine = [&](std::size_t c) {
        (void)stopCheck.spend(40);
        // Shifting the margin shifts the edges: β, which knows neither, stays the best.
        const double q = between(m_values, c) - m_threshold[c] + 1;
        const double s = between(m_normalValues, c);
        return rule.judge(q, s, squaredNormOf(c));
    };
    return judgeEach(byLine, stopCheck, found);
}

bool ComparisonEngine::screenByCone(const Region& region, double gamma, StopCheck& stopCheck, Found& found) {
    const auto screenBy = [&](auto rule) {
        std::int64_t operations = 0;
        const auto byCone = [&](std::size_t c) {
            const Decision decision = rule.judge(m_set.rowsOf(m_far[c]), m_set.rowsOf(m_near[c]), m_threshold[c]);
            const std::int64_t taken = rule.takeOperations();
            operations += taken;
            (void)stopCheck.spend(taken);
            return decision;
        };
        const bool done = judgeEach(byCone, stopCheck, found);
        m_work += work::ofRuleOperations(operations);
        return done;
    };
    return m_set.structure() == Structure::Diagonal ? screenBy(DiagonalRule(m_set, region, gamma))
                                                    : screenBy(SemidefiniteRule(m_set, region, gamma, stopCheck));
}

void ComparisonEngine::beginScreening(Found& found) {
    if (m_isComplete) {
        listAll();
    }
    found.pairs = m_pairs;
    std::fill(m_weights.begin(), m_weights.end(), 0.0); // from here on: weights of newly linear items
}

bool ComparisonEngine::finishScreening(const Found& found, StopCheck& stopCheck, ScreenedPart& screened) {
    screened.zero += found.zero;
    screened.linear += found.linear;
    if (found.linear > 0) {
        MatrixSum sum;
        if (!m_space.weightedSum(m_weights, 0, &found.pairs, stopCheck, sum)) {
            return false;
        }
        if (!screened.weights) {
            screened.weights.emplace();
        }
        screened.addLinearSum(sum.value, sum.error + weightError() * found.lengths * (1 + 1e-9));
        const double perTerm = roundingFactor(8);
        LinearWeights& weights = *screened.weights;
        weights.weight = weights.weight + Bounded{found.weight.value(), perTerm * found.weight.value()};
        weights.shift = weights.shift + Bounded{found.shift.value(), perTerm * found.shiftMagnitude};
    }
    if (m_far.size() == static_cast<std::size_t>(m_set.size())) {
        activateAll(); // nothing was taken away
    } else {
        listPairs();
    }
    return true;
}

bool ComparisonEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                              ScreenedPart& screened) {
    if (regions.empty()) {
        return true;
    }
    Found found;
    beginScreening(found);
    for (const Region& region : regions) {
        if (!screenByRegion(region, gamma, stopCheck, found)) {
            return false;
        }
    }
    return finishScreening(found, stopCheck, screened);
}

bool ComparisonEngine::activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) {
    activateAll();
    Found found;
    beginScreening(found);
    const auto asStored = [&](std::size_t c) {
        (void)stopCheck.spend(20);
        return fixed.at(m_number[c]);
    };
    return judgeEach(asStored, stopCheck, found) && finishScreening(found, stopCheck, screened);
}

bool ComparisonEngine::screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck,
                                    RangeStore& store, ScreenedPart& screened) {
    Found found;
    beginScreening(found);
    std::vector<double> ofDual; // δᵀM̂δ; the same as of M₀ when there is no dual
    if (!ball.forms(m_space, &found.pairs, stopCheck, m_values, ofDual)) {
        return false;
    }
    m_values.resize(m_weights.size(), 0.0);
    ofDual.resize(m_weights.size(), 0.0);
    const std::vector<double>& duals = ball.hasDual() ? ofDual : m_values;
    const RangeRule rule(ball, gamma, [this](double size) { return marginError(size); });
    const SphereRule firstLook = rule.at(lambda);
    std::int64_t lifetimes = 0;
    const auto byRange = [&](std::size_t c) {
        (void)stopCheck.spend(40);
        const double t = between(m_values, c);
        const double dual = between(duals, c);
        if (firstLook.judge(ball.margin(t, dual, lambda) - m_threshold[c] + 1, squaredNormOf(c)) == Decision::Keep) {
            return Decision::Keep;
        }
        ++lifetimes;
        const Lifetime lifetime = rule.lifetime(t, dual, squaredNormOf(c), m_threshold[c]);
        if (!lifetime.range.contains(lambda)) {
            return Decision::Keep;
        }
        store.add(m_number[c], lifetime.decision, lifetime.range.low);
        return lifetime.decision;
    };
    const bool done = judgeEach(byRange, stopCheck, found);
    m_work += work::ofLifetimes(lifetimes);
    if (!done) {
        return false;
    }
    store.seal();
    return finishScreening(found, stopCheck, screened);
}

void ComparisonEngine::listAll() {
    const ComparisonSet::Items items = m_set.items();
    m_isComplete = false;
    m_far.assign(items.far.begin(), items.far.end());
    m_near.assign(items.near.begin(), items.near.end());
    m_threshold.assign(items.threshold.begin(), items.threshold.end());
    m_weight.assign(items.weight.begin(), items.weight.end());
    m_length.assign(items.length.begin(), items.length.end());
    m_number.resize(items.size());
    for (std::size_t c = 0; c < items.size(); ++c) {
        m_number[c] = static_cast<TripletIndex>(c);
    }
    listPairs();
}

void ComparisonEngine::keepAt(std::size_t from, std::size_t to) {
    m_far[to] = m_far[from];
    m_near[to] = m_near[from];
    m_threshold[to] = m_threshold[from];
    m_weight[to] = m_weight[from];
    m_length[to] = m_length[from];
    m_number[to] = m_number[from];
}

void ComparisonEngine::resizeItems(std::size_t count) {
    m_far.resize(count);
    m_near.resize(count);
    m_threshold.resize(count);
    m_weight.resize(count);
    m_length.resize(count);
    m_number.resize(count);
}

void ComparisonEngine::listPairs() {
    m_isUsed.assign(static_cast<std::size_t>(m_set.pairs()) + 1, false);
    for (std::size_t c = 0; c < m_far.size(); ++c) {
        m_isUsed[static_cast<std::size_t>(m_far[c])] = true;
        m_isUsed[static_cast<std::size_t>(m_near[c])] = true;
    }
    m_pairs.clear();
    for (PairIndex p = 0; p < m_set.pairs(); ++p) {
        if (m_isUsed[static_cast<std::size_t>(p)]) {
            m_pairs.push_back(p);
        }
    }
}

} // namespace lambdascope::triplets
