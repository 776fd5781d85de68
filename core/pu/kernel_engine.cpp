// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/kernel_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::pu {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kShrinkEvery = 1000;
/// So many steps that gain less than this share of the value are going in circles of rounding.
constexpr std::int64_t kLookEvery = 1000;
constexpr double kLeastGain = 1e-14;
/// Curvature that stands for equal images.
constexpr double kLeastCurvature = 1e-12;

} // namespace

PairStep::Move PairStep::best() const {
    const double most = std::min(2 - raised, lowered);
    double slopeNow = slope;
    Move move;
    while (move.length < most && slopeNow > 0) {
        // The next kink of either sample, or the end of the way.
        double next = most;
        int kinks = 0;
        const double toRaised = 1 - raised;
        const double toLowered = lowered - 1;
        for (const double kink : {toRaised, toLowered}) {
            if (kink > move.length && kink < next) {
                next = kink;
            }
        }
        kinks = (toRaised == next ? 1 : 0) + (toLowered == next ? 1 : 0);
        const double way = next - move.length;
        const double wanted = slopeNow / curvature;
        if (wanted < way) {
            // Rounding down keeps within the piece; multiples of the quantum stay such when added.
            const double step = std::floor(wanted / PuProblem::kQuantum) * PuProblem::kQuantum;
            move.length += step;
            move.gain += step * (slopeNow - 0.5 * curvature * step);
            return move;
        }
        move.length = next;
        move.gain += way * (slopeNow - 0.5 * curvature * way);
        slopeNow -= curvature * way + 2 * epsilon * kinks;
    }
    return move;
}

void KernelEngine::load(double epsilon, const SolvedPu& start) {
    PuEngine::load(epsilon, start);
    m_drift += rowDoubt();
    rebase();
    visit(m_members);
    m_sinceLook = 0;
    m_gained = 0;
}

void KernelEngine::rebase() {
    m_baseS = m_s;
    m_baseScores = m_scores;
}

double KernelEngine::bytes() const {
    return PuEngine::bytes() + static_cast<double>(sizeof(double)) *
                                   static_cast<double>(m_baseS.size() + m_baseScores.size() + 5 * m_active.capacity());
}

void KernelEngine::visit(std::vector<SampleIndex> samples) {
    m_active = std::move(samples);
    const std::size_t count = m_active.size();
    m_activeScores.resize(count);
    m_up.resize(count);
    m_down.resize(count);
    m_diagonal.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        m_activeScores[k] = m_scores(m_active[k]);
        m_diagonal[k] = m_problem.space().diagonal()(m_active[k]);
        setSlopes(k);
    }
    m_sinceShrink = 0;
}

void KernelEngine::setSlopes(std::size_t position) {
    const double s = m_s(m_active[position]);
    m_up[position] = s >= 2 ? -kInfinity : s >= 1 ? -m_epsilon : m_epsilon;
    m_down[position] = s <= 0 ? kInfinity : s > 1 ? -m_epsilon : m_epsilon;
}

KernelEngine::Pick KernelEngine::pick() const {
    Pick best;
    best.highest = -kInfinity;
    best.lowest = kInfinity;
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        if (const double up = m_activeScores[k] + m_up[k]; up > best.highest) {
            best.highest = up;
            best.raise = static_cast<std::int32_t>(k);
        }
        if (const double down = m_activeScores[k] + m_down[k]; down < best.lowest) {
            best.lowest = down;
            best.lower = static_cast<std::int32_t>(k);
        }
    }
    return best;
}

std::int32_t KernelEngine::partnerOf(std::int32_t raise, const double* row) const {
    const auto i = static_cast<std::size_t>(raise);
    const double slope = m_activeScores[i] + m_up[i];
    const double own = m_diagonal[i];
    double best = 0;
    std::int32_t partner = -1;
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        const double gain = slope - (m_activeScores[k] + m_down[k]);
        if (gain > 0) {
            const double curvature = std::max(own + m_diagonal[k] - 2 * row[m_active[k]], kLeastCurvature * own);
            if (const double worth = gain * gain / curvature; worth > best) {
                best = worth;
                partner = static_cast<std::int32_t>(k);
            }
        }
    }
    return partner;
}

KernelEngine::Pick KernelEngine::move(std::int32_t raise, std::int32_t lower, double length, const double* raiseRow,
                                      const double* lowerRow) {
    const auto i = static_cast<std::size_t>(raise);
    const auto j = static_cast<std::size_t>(lower);
    m_s(m_active[i]) += length;
    m_s(m_active[j]) -= length;
    setSlopes(i);
    setSlopes(j);
    const double step = length * (m_problem.space().norms()(m_active[i]) + m_problem.space().norms()(m_active[j]));
    m_norm = std::min(m_norm + step, m_problem.largestNorm());
    m_drift += 1.1 * kUnitRoundoff * (m_norm + 2.2 * step);
    Pick best;
    best.highest = -kInfinity;
    best.lowest = kInfinity;
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        const SampleIndex u = m_active[k];
        const double score = m_activeScores[k] - length * (raiseRow[u] - lowerRow[u]);
        m_activeScores[k] = score;
        if (const double up = score + m_up[k]; up > best.highest) {
            best.highest = up;
            best.raise = static_cast<std::int32_t>(k);
        }
        if (const double down = score + m_down[k]; down < best.lowest) {
            best.lowest = down;
            best.lower = static_cast<std::int32_t>(k);
        }
    }
    return best;
}

EngineRun KernelEngine::run(std::int64_t steps, double target, WorkPoll& poll) {
    EngineRun result;
    Pick next = pick();
    while (result.steps < steps) {
        // Differences of slopes below their rounding are none.
        const double least = 8 * kUnitRoundoff * (m_epsilon + std::abs(next.highest) + std::abs(next.lowest));
        if (next.violation() <= std::max(target, least)) {
            if (m_active.size() == m_members.size()) {
                result.hasStalled = next.violation() > target;
                break;
            }
            update(poll); // before success is declared, all members are looked at
            next = pick();
            if (next.violation() <= std::max(target, least) || poll.isStopped()) {
                result.hasStalled = next.violation() > target;
                break;
            }
        }
        const KernelRow raised = m_problem.space().row(m_active[static_cast<std::size_t>(next.raise)], m_scratch);
        const std::int32_t lower = partnerOf(next.raise, raised.values);
        if (lower < 0) { // no gain is a number, or none is above 0
            result.hasStalled = true;
            break;
        }
        const auto i = static_cast<std::size_t>(next.raise);
        const auto j = static_cast<std::size_t>(lower);
        const KernelRow lowered = m_problem.space().row(m_active[j], m_otherScratch);
        const double own = m_diagonal[i];
        const PairStep step{m_activeScores[i] + m_up[i] - m_activeScores[j] - m_down[j],
                            std::max(own + m_diagonal[j] - 2 * raised.values[m_active[j]], kLeastCurvature * own),
                            m_s(m_active[i]), m_s(m_active[j]), m_epsilon};
        const auto [length, gain] = step.best();
        ++result.steps;
        m_value += gain;
        m_gained += gain;
        if (length <= 0) {
            result.hasStalled = true;
            break;
        }
        next = move(next.raise, lower, length, raised.values, lowered.values);
        if (++m_sinceLook % kLookEvery == 0) {
            if (m_gained <= kLeastGain * std::max(m_epsilon * m_epsilon, std::abs(m_value))) {
                result.hasStalled = true;
                break;
            }
            m_gained = 0;
        }
        if (m_shrinks && ++m_sinceShrink >= std::min<std::int64_t>(kShrinkEvery, m_problem.unlabeled())) {
            shrink(next);
            next = pick();
        }
        if (poll.spend(8 * static_cast<std::int64_t>(m_active.size()) + 64 + 2 * m_problem.space().rowWork())) {
            break;
        }
    }
    result.violation = std::max(0.0, next.violation());
    return result;
}

void KernelEngine::shrink(const Pick& extremes) {
    m_sinceShrink = 0;
    std::vector<SampleIndex> stay;
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        const bool mayRise = m_activeScores[k] + m_up[k] > extremes.lowest;
        const bool mayFall = m_activeScores[k] + m_down[k] < extremes.highest;
        if (mayRise || mayFall) {
            stay.push_back(m_active[k]);
        }
    }
    if (stay.size() + stay.size() / 16 >= m_active.size() || stay.size() < 2) {
        return;
    }
    store();
    visit(std::move(stay));
}

void KernelEngine::store() {
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        m_scores(m_active[k]) = m_activeScores[k];
    }
}

void KernelEngine::catchUp(std::span<const SampleIndex> samples, WorkPoll& poll) {
    if (samples.empty()) {
        return;
    }
    std::vector<double> owed(samples.size(), 0.0);
    double moved = 0;
    double moves = 0;
    for (SampleIndex u = m_problem.positives(); u < m_problem.size() && !poll.isStopped(); ++u) {
        const double change = m_s(u) - m_baseS(u);
        if (change == 0) {
            continue;
        }
        const KernelRow row = m_problem.space().row(u, m_scratch);
        for (std::size_t k = 0; k < samples.size(); ++k) {
            owed[k] += change * row.values[samples[k]];
        }
        moved += std::abs(change) * m_problem.space().norms()(u);
        moves += 1;
        (void)poll.spend(4 * static_cast<std::int64_t>(samples.size()) + 64 + m_problem.space().rowWork());
    }
    for (std::size_t k = 0; k < samples.size(); ++k) {
        m_scores(samples[k]) = m_baseScores(samples[k]) - owed[k];
    }
    m_drift += roundingFactor(moves + 2) * moved + kUnitRoundoff * m_norm;
}

void KernelEngine::update(WorkPoll& poll) {
    store();
    if (m_active.size() == m_members.size()) {
        return;
    }
    std::vector<SampleIndex> missed;
    std::set_difference(m_members.begin(), m_members.end(), m_active.begin(), m_active.end(),
                        std::back_inserter(missed));
    catchUp(missed, poll);
    visit(m_members);
}

void KernelEngine::updateAll(WorkPoll& poll) {
    store();
    std::vector<SampleIndex> missed;
    std::size_t k = 0;
    for (SampleIndex u = 0; u < m_problem.size(); ++u) {
        if (k < m_active.size() && m_active[k] == u) {
            ++k;
        } else {
            missed.push_back(u);
        }
    }
    catchUp(missed, poll);
    m_members.resize(static_cast<std::size_t>(m_problem.unlabeled()));
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        m_members[i] = m_problem.positives() + static_cast<SampleIndex>(i);
    }
    rebase();
    visit(m_members);
    m_value = dualValue(m_problem, m_epsilon, m_s, m_scores);
}

double KernelEngine::rowDoubt() const {
    return m_problem.space().isLinear() ? m_problem.space().valueError() * m_problem.largestNorm() : 0.0;
}

void KernelEngine::refresh(WorkPoll& poll) {
    SolvedPu point;
    point.s = m_s;
    makeScores(m_problem, point, poll);
    m_scores = point.scores;
    m_drift = point.drift + rowDoubt();
    rebase();
    visit(m_active);
}

void KernelEngine::fix(std::span<const Verdict> verdicts, WorkPoll& poll) {
    store();
    const std::vector<Change> changes = applyVerdicts(verdicts);
    for (const auto& [u, change] : changes) {
        const KernelRow row = m_problem.space().row(u, m_scratch);
        for (const SampleIndex v : m_members) {
            m_scores(v) -= change * row.values[v];
        }
        const double step = std::abs(change) * m_problem.space().norms()(u);
        m_norm = std::min(m_norm + step, m_problem.largestNorm());
        m_drift += 1.1 * kUnitRoundoff * (m_norm + 2.2 * step);
        (void)poll.spend(4 * static_cast<std::int64_t>(m_members.size()) + 64 + m_problem.space().rowWork());
    }
    visit(m_members);
}

} // namespace lambdascope::pu
