// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/kernel_engine.h"

#include "core/pu/engines/pair_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::pu {

namespace {

constexpr std::int64_t kShrinkEvery = 1000;
/// So many steps that gain less than this share of the value are going in circles of rounding.
constexpr std::int64_t kLookEvery = 1000;
constexpr double kLeastGain = 1e-14;
/// Operations of a pass over what is known of samples, per sample.
constexpr double kGathering = 8;

/// Whether samples (ascending) follow each other without a gap.
bool isRow(std::span<const SampleIndex> samples) {
    return !samples.empty() && samples.back() - samples.front() + 1 == static_cast<SampleIndex>(samples.size());
}

void gather(const Eigen::VectorXd& values, std::span<const SampleIndex> samples, std::vector<double>& out) {
    const double* const from = values.data();
    double* const to = out.data();
    const std::size_t count = out.size();
    if (isRow(samples)) {
        std::copy_n(from + samples.front(), count, to);
        return;
    }
    for (std::size_t k = 0; k < count; ++k) {
        to[k] = from[samples[k]];
    }
}

} // namespace

void ActiveRows::visit(std::span<const SampleIndex> active) {
    m_active = active;
    m_slots.assign(active.size(), -1);
    m_kept = 0;
}

const double* ActiveRows::row(std::int32_t position, Hold& hold) {
    const std::size_t count = m_active.size();
    std::int32_t& slot = m_slots[static_cast<std::size_t>(position)];
    if (slot >= 0) {
        return m_values.get() + static_cast<std::size_t>(slot) * count;
    }
    hold.row = m_space.row(m_active[static_cast<std::size_t>(position)], hold.made);
    if (count == static_cast<std::size_t>(m_space.unlabeled())) {
        return hold.row.values + m_space.positives();
    }
    const std::size_t half = static_cast<std::size_t>(m_space.unlabeled()) / 2;
    if (m_values == nullptr) {
        m_room = std::min(kMostValues, half * half);
        if (!m_space.isLinear()) { // no more than the rows themselves may take
            m_room = std::min(m_room, static_cast<std::size_t>(m_space.budget() / sizeof(double)));
        }
        m_values = std::make_unique_for_overwrite<double[]>(m_room);
    }
    double* out = nullptr;
    if ((m_kept + 1) * count <= m_room) {
        slot = static_cast<std::int32_t>(m_kept);
        out = m_values.get() + m_kept * count;
        ++m_kept;
        m_touched = std::max(m_touched, m_kept * count);
    } else {
        hold.gathered.resize(count);
        out = hold.gathered.data();
    }
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = hold.row.values[m_active[k]];
    }
    return out;
}

double ActiveRows::bytes() const {
    return static_cast<double>(sizeof(double)) * static_cast<double>(m_touched) +
           static_cast<double>(sizeof(std::int32_t)) * static_cast<double>(m_slots.capacity());
}

void KernelEngine::load(double epsilon, const SolvedPu& start) {
    PuEngine::load(epsilon, start);
    m_drift += rowDoubt();
    m_lapsed.begin(m_members, m_s);
    visit(m_members);
    m_sinceLook = 0;
    m_gained = 0;
}

double KernelEngine::bytes() const {
    return PuEngine::bytes() + m_rows.bytes() + m_lapsed.bytes() +
           static_cast<double>(sizeof(double)) * static_cast<double>(5 * m_active.capacity());
}

void KernelEngine::visit(std::vector<SampleIndex> samples) {
    m_active = std::move(samples);
    m_isGathered = false;
    m_sinceShrink = 0;
}

void KernelEngine::gatherVisited() {
    const std::size_t count = m_active.size();
    m_activeScores.resize(count);
    m_up.resize(count);
    m_down.resize(count);
    m_diagonal.resize(count);
    gather(m_scores, m_active, m_activeScores);
    gather(m_problem.space().diagonal(), m_active, m_diagonal);
    gather(m_s, m_active, m_up);
    for (std::size_t k = 0; k < count; ++k) {
        m_down[k] = slopeDown(m_up[k], m_epsilon);
        m_up[k] = slopeUp(m_up[k], m_epsilon);
    }
    m_rows.visit(m_active);
    m_isGathered = true;
    m_operations += kGathering * static_cast<double>(count);
}

void KernelEngine::setSlopes(std::size_t position) {
    const double s = m_s(m_active[position]);
    m_up[position] = slopeUp(s, m_epsilon);
    m_down[position] = slopeDown(s, m_epsilon);
}

PairSamples KernelEngine::samples() {
    return {m_activeScores.data(), m_up.data(), m_down.data(), m_diagonal.data(), m_active.size()};
}

PairPick KernelEngine::pick() {
    if (!m_isGathered) {
        gatherVisited();
    }
    return pickPair(samples());
}

PairPick KernelEngine::move(const PairPick& pair, double length, const double* raiseRow, const double* lowerRow) {
    const auto i = static_cast<std::size_t>(pair.raise);
    const auto j = static_cast<std::size_t>(pair.lower);
    m_lapsed.moved();
    m_s(m_active[i]) += length;
    m_s(m_active[j]) -= length;
    setSlopes(i);
    setSlopes(j);
    const double step = length * (m_problem.space().norms()(m_active[i]) + m_problem.space().norms()(m_active[j]));
    m_norm = std::min(m_norm + step, m_problem.largestNorm());
    m_drift += 1.1 * kUnitRoundoff * (m_norm + 2.2 * step);
    m_kernelValues += 2 * static_cast<std::int64_t>(m_active.size());
    return movePair(samples(), length, length, raiseRow, lowerRow);
}

EngineRun KernelEngine::run(std::int64_t steps, double target, StopCheck& stopCheck) {
    EngineRun result;
    PairPick next = pick();
    while (result.steps < steps) {
        // Differences of slopes below their rounding are none.
        const double least = 8 * kUnitRoundoff * (m_epsilon + std::abs(next.highest) + std::abs(next.lowest));
        if (next.violation() <= std::max(target, least)) {
            if (m_active.size() == m_members.size()) {
                result.hasStalled = next.violation() > target;
                break;
            }
            update(stopCheck); // before success is declared, all members are looked at
            next = pick();
            if (next.violation() <= std::max(target, least) || stopCheck.isStopped()) {
                result.hasStalled = next.violation() > target;
                break;
            }
        }
        const double* raised = m_rows.row(next.raise, m_raised);
        const std::int32_t lower = pairPartner(samples(), next.raise, raised);
        if (lower < 0) { // no gain is a number, or none is above 0
            result.hasStalled = true;
            break;
        }
        const auto i = static_cast<std::size_t>(next.raise);
        const auto j = static_cast<std::size_t>(lower);
        const double* lowered = m_rows.row(lower, m_lowered);
        const double own = m_diagonal[i];
        const PairStep step{m_activeScores[i] + m_up[i] - m_activeScores[j] - m_down[j],
                            std::max(own + m_diagonal[j] - 2 * raised[j], kLeastPairCurvature * own), m_s(m_active[i]),
                            m_s(m_active[j]), m_epsilon};
        const auto [length, gain] = step.best();
        ++result.steps;
        m_value += gain;
        m_gained += gain;
        if (length <= 0) {
            result.hasStalled = true;
            break;
        }
        next.lower = lower;
        next = move(next, length, raised, lowered);
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
        const std::int64_t work = 8 * static_cast<std::int64_t>(m_active.size()) + 64 + 2 * m_problem.space().rowWork();
        m_operations += static_cast<double>(work);
        if (stopCheck.spend(work)) {
            break;
        }
    }
    result.violation = std::max(0.0, next.violation());
    return result;
}

void KernelEngine::shrink(const PairPick& extremes) {
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
    std::vector<SampleIndex> aside;
    std::set_difference(m_active.begin(), m_active.end(), stay.begin(), stay.end(), std::back_inserter(aside));
    m_lapsed.add(std::move(aside), m_s, true);
    visit(std::move(stay));
}

void KernelEngine::store() {
    if (!m_isGathered) {
        return; // none has moved
    }
    if (isRow(m_active)) {
        std::copy(m_activeScores.begin(), m_activeScores.end(), m_scores.data() + m_active.front());
        return;
    }
    for (std::size_t k = 0; k < m_active.size(); ++k) {
        m_scores(m_active[k]) = m_activeScores[k];
    }
}

void KernelEngine::catchUp(bool all, StopCheck& stopCheck) {
    const DeferredScores::Caught caught = m_lapsed.catchUp(all, m_s, m_norm, m_scores, stopCheck);
    m_drift += caught.rounding;
    m_kernelValues += caught.kernelValues;
    m_operations += 2 * static_cast<double>(caught.kernelValues);
}

void KernelEngine::update(StopCheck& stopCheck) {
    store();
    if (m_active.size() == m_members.size()) {
        return;
    }
    catchUp(false, stopCheck);
    visit(m_members);
}

void KernelEngine::updateAll(StopCheck& stopCheck) {
    store();
    catchUp(true, stopCheck);
    const bool areAllVisited = m_active.size() == static_cast<std::size_t>(m_problem.unlabeled());
    if (!areAllVisited) {
        m_members.resize(static_cast<std::size_t>(m_problem.unlabeled()));
        std::iota(m_members.begin(), m_members.end(), m_problem.positives());
    }
    m_lapsed.begin(m_members, m_s);
    if (!areAllVisited) {
        visit(m_members);
    }
    m_value = dualValue(m_problem, m_epsilon, m_s, m_scores);
    m_operations += kGathering * static_cast<double>(m_problem.unlabeled());
}

double KernelEngine::rowDoubt() const {
    return m_problem.space().isLinear() ? m_problem.space().valueError() * m_problem.largestNorm() : 0.0;
}

void KernelEngine::refresh(StopCheck& stopCheck) {
    SolvedPu point;
    point.s = m_s;
    makeScores(m_problem, point, stopCheck);
    m_scores = point.scores;
    m_drift = point.drift + rowDoubt();
    m_operations += 2 * static_cast<double>((m_s.array() != 0).count()) * m_problem.size();
    m_lapsed.begin(m_members, m_s);
    visit(m_members);
}

void KernelEngine::fix(std::span<const Decision> decisions, StopCheck& stopCheck) {
    store();
    std::vector<SampleIndex> fixed;
    fixed.reserve(m_members.size());
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        if (decisions[k] != Decision::Keep) {
            fixed.push_back(m_members[k]);
        }
    }
    m_lapsed.add(std::move(fixed), m_s, false);
    const std::vector<Change> changes = applyDecisions(decisions);
    if (!changes.empty()) {
        m_lapsed.moved();
    }
    for (const auto& [u, change] : changes) {
        const KernelRow row = m_problem.space().row(u, m_scratch);
        for (const SampleIndex v : m_members) {
            m_scores(v) -= change * row.values[v];
        }
        const double step = std::abs(change) * m_problem.space().norms()(u);
        m_norm = std::min(m_norm + step, m_problem.largestNorm());
        m_drift += 1.1 * kUnitRoundoff * (m_norm + 2.2 * step);
        m_kernelValues += static_cast<std::int64_t>(m_members.size());
        const std::int64_t work = 4 * static_cast<std::int64_t>(m_members.size()) + 64 + m_problem.space().rowWork();
        m_operations += static_cast<double>(work);
        (void)stopCheck.spend(work);
    }
    visit(m_members);
}

} // namespace lambdascope::pu
