// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_attempt.h"

#include "core/common/clocks.h"
#include "core/svm/problem/work_units.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/free_set_newton.h"
#include "core/svm/solver/point_solver.h"
#include "core/svm/solver/proximal_newton.h"
#include "core/svm/solver/visited_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lambdascope::svm {

namespace {

/// How much closer the reduced problem is solved when the proof on all samples fails.
constexpr double kCloser = 0.3;
/// Share of the target that rounding of margins may take before they are made anew.
constexpr double kRoundingShare = 0.1;
/// Gap of the start, as a share of its size, up to which it says who is free.
constexpr double kSolved = 1e-2;
constexpr double kNear = 4; ///< and how far off its C may be
/// Part of the target that free samples may leave of the gap.
constexpr double kFaceShare = 0.25;
/// Change of the number of free samples over a sweep, as a share of it, that is much.
constexpr double kUnsettled = 0.05;
/// A proximal step is taken when so many times its cost have not been enough, and again at once while each leaves at
/// most this share of the gap.
constexpr double kPatience = 8;
constexpr double kGoesOn = 0.5;
/// How often margins are made anew before rounding is taken to have the last word.
constexpr int kMostClearings = 4;
/// Smallest share of the target a reduced problem is solved to before rounding is taken to have the last word.
constexpr double kLeastShare = 1e-4;

} // namespace

PointAttempt::PointAttempt(const SolverParts& parts, double c, const SolvedSvm& start, std::int32_t index,
                           RunContext& context)
    : m_parts(parts), m_problem(parts.problem), m_settings(parts.settings), m_space(parts.space), m_c(c),
      m_start(start), m_index(index), m_context(context), m_journal(context, index, parts.problem.size()),
      m_stopCheck([&context] { return context.shouldStop(); }),
      m_random(context.seed(), "sweeps of point " + std::to_string(index)),
      m_screening(parts.problem, parts.settings.bounds), m_visited(parts.problem, parts.space, m_screening),
      m_schedule(scheduleTerms(parts.settings, parts.problem, index), start.looks) {}

PointOutcome PointAttempt::run() {
    m_cpuStart = threadCpuSeconds();
    begin();
    const Termination termination = m_stopCheck.isStopped() ? Termination::StoppedByUser : iterate();
    m_outcome.termination = m_stopCheck.isStopped() ? m_context.stopReason() : termination;
    m_outcome.sweeps = m_sweeps;
    m_outcome.finalScreened = m_screening.decided();
    m_outcome.solved.looks = m_schedule.history();
    m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuStatistics;
    CpuLedger& ledger = m_outcome.ledger;
    ledger.other = std::max(0.0, m_outcome.cpuSolve + m_outcome.cpuScreen - ledger.rule - ledger.images);
    return std::move(m_outcome);
}

void PointAttempt::begin() {
    m_space.load(m_start, m_c, m_stopCheck);
    countSpace(false);
    sumLinearTerms();
    m_dual = m_linearSum - 0.5 * m_space.squaredNorm();
    if (m_parts.known != nullptr && m_settings.knowsDistance) {
        measure();
        const double counted = m_outcome.ledger.operations;
        arrive();
        m_outcome.ledger.operations = counted;
        m_cpuStatistics += std::exchange(m_outcome.cpuScreen, 0);
    } else if (m_parts.known != nullptr) {
        takeKnown();
        m_outcome.pathScreened = m_screening.decided();
    } else if (m_screening.hasBounds()) {
        arrive();
        m_outcome.pathScreened = m_screening.decided();
    }
    if (!std::isfinite(m_gap)) {
        measure();
    }
    visitAll();
    m_schedule.looked(scheduleState());
    if (m_parts.known != nullptr && m_settings.knowsDistance) {
        (void)lookAgain();
    }
    if (m_start.gap > kSolved * sizeOf(m_problem, m_start) || m_c > kNear * m_start.c || m_start.c > kNear * m_c) {
        m_freeBefore = 0; // who is free is not known yet
    }
    if (m_gap > target() && !m_problem.isLinear()) {
        m_work = std::numeric_limits<double>::infinity(); // free samples follow the bounded ones at once
        stepOnFace();
    }
}

Termination PointAttempt::iterate() {
    while (true) {
        if (m_stopCheck.ask()) {
            return Termination::StoppedByUser;
        }
        if (m_gap > m_share * target() && m_gapValue <= kRoundingShare * m_share * target()) {
            clearRounding();
        }
        if (const auto end = seemsDone() ? conclude() : std::nullopt) {
            return *end;
        }
        if (m_sweeps >= m_settings.maxSweeps) {
            prove();
            return Termination::IterationLimit;
        }
        if (!lookAgain()) {
            sweep();
        }
    }
}

PointAttempt::ReducedGap PointAttempt::reducedGap(const Eigen::VectorXd& margins) const {
    const GapSum gap = m_screening.openGap(m_space, margins);
    return {gap.value(), gap.upper(static_cast<double>(margins.size()))};
}

void PointAttempt::measure() {
    m_margins = m_screening.measured(m_space);
    m_isMeasured = true;
    countMargins();
    takeGap();
}

void PointAttempt::takeGap() {
    const ReducedGap gap = reducedGap(m_margins);
    m_gapValue = gap.value;
    m_gap = gap.upper;
    m_primal = m_dual + m_gapValue;
    noteNorm();
}

void PointAttempt::noteNorm() {
    const auto terms = static_cast<double>(m_outcome.ledger.updates + m_sweeps + m_problem.size() + 8);
    const double lost = roundingFactor(terms) * (m_linearSize + std::abs(m_dual));
    m_space.noteNorm(1.01 * std::sqrt(2 * (std::max(m_linearSum - m_dual, 0.0) + 4 * lost)) + 1e-300);
}

void PointAttempt::sweep() {
    const auto visited = static_cast<double>(m_visited.count());
    const SweepOutcome done = m_space.sweep(m_visited.positions(), m_visited.limits(), m_random, m_stopCheck);
    m_isMeasured = false;
    ++m_sweeps;
    countSweep(done, visited);
    m_outcome.ledger.updates += done.updates;
    m_dual += done.gain;
    sumLinearTerms();
    if (m_settings.shrinks) {
        m_visited.shrinkBeyond(done);
    }
    if (m_stopCheck.isStopped()) {
        return;
    }
    // Steps over samples go on for ever below the rounding of what they gain.
    const bool isIdle = done.updates == 0 || (!m_problem.isLinear() && isRounding(done.gain));
    const bool mayBeDone = done.slack <= 2 * m_share * target() || isIdle;
    if (m_problem.isLinear() && !mayBeDone) {
        m_gapValue = m_gap = done.slack;
        m_primal = m_dual + m_gapValue;
        noteNorm();
    } else {
        measure();
    }
    m_workSinceProximal += static_cast<double>(done.operations);
    m_work = isIdle && done.updates > 0 ? std::numeric_limits<double>::infinity()
                                        : m_work + static_cast<double>(done.operations);
    const bool isLeft = m_gap > m_share * target() && done.updates > 0;
    const bool isStuck = (isLeft ? isRounding(stepOnFace()) : true) && isIdle;
    m_isStalled = isStuck && m_visited.isWhole();
    // Once those visited are done, the rest of the gap is that of shrunk samples of the same level.
    if (std::min(m_gap, done.slack) <= m_share * target() || isStuck) {
        unshrink();
    } else {
        moveTogether();
    }
    publishProgress();
}

double PointAttempt::stepOnFace() {
    if (const double gain = stepByProximity(); gain > 0) {
        return gain;
    }
    FreeSetNewton step(m_space, m_parts.freeSets, m_visited.positions(), kFaceShare * m_share * target());
    // Steps over many are for sets that change little from sweep to sweep.
    const auto size = static_cast<double>(step.size());
    const double before = std::exchange(m_freeBefore, size).value_or(size);
    const bool isUnsettled = step.isIterative() && std::abs(size - before) > kUnsettled * before;
    if (step.size() == 0 || !std::isfinite(step.cost()) || m_work < step.cost() || isUnsettled) {
        return 0;
    }
    m_work = 0;
    m_workSinceProximal += step.work();
    count(step.work());
    const double gain = step.take(m_stopCheck);
    tookStep(gain);
    return gain;
}

double PointAttempt::stepByProximity() {
    if (!m_problem.isLinear() || m_problem.features().features() > m_settings.mostProximalFeatures) {
        return 0;
    }
    ProximalNewton step(m_space, m_visited.positions());
    if (m_workSinceProximal < kPatience * step.cost()) {
        return 0;
    }
    const double before = m_gap;
    const double gain = step.take(before, kFaceShare * m_share * target(), m_stopCheck);
    count(step.operations());
    tookStep(gain);
    m_workSinceProximal = m_gap <= kGoesOn * before ? std::numeric_limits<double>::infinity() : 0.0;
    return gain;
}

void PointAttempt::tookStep(double gain) {
    countSpace(false);
    m_isMeasured = false;
    m_dual += gain;
    sumLinearTerms();
    if (!m_stopCheck.isStopped()) {
        measure();
    }
}

void PointAttempt::clearRounding() {
    const double before = m_space.drift();
    refreshAll();
    visitAll();
    moveTogether();
    measure();
    const bool isBetter = m_space.drift() < 0.5 * before && ++m_clearings < kMostClearings;
    m_isStalled = m_gap > m_share * target() && !isBetter;
}

void PointAttempt::refreshAll() {
    widenToAll();
    m_space.refresh(m_stopCheck);
    countSpace(false);
    m_isMeasured = false;
}

void PointAttempt::unshrink() {
    if (!m_visited.isWhole()) {
        m_visited.widenToWhole(m_stopCheck);
        countSpace(wouldHoldAll());
        visitAll();
        measure();
    }
}

void PointAttempt::moveTogether() {
    if (m_visited.moveTogether(m_outcome.ledger.updates)) {
        countSpace(wouldHoldAll());
        m_isMeasured = false; // for members of another level
    }
}

std::optional<Termination> PointAttempt::conclude() {
    prove();
    if (m_stopCheck.isStopped()) {
        return Termination::StoppedByUser;
    }
    if (m_outcome.solved.gap <= m_settings.tolerance * sizeOf(m_problem, m_outcome.solved)) {
        return Termination::Converged;
    }
    if (m_isStalled || m_share < kLeastShare) {
        return Termination::ConvergedLoosely;
    }
    // The screened samples' part of the gap is still above zero: come closer.
    m_share *= kCloser;
    visitAll();
    moveTogether();
    measure();
    return std::nullopt;
}

void PointAttempt::prove() {
    widenToAll();
    m_isMeasured = false;
    SolvedSvm& solved = m_outcome.solved;
    solved.c = m_c;
    solved.alpha = m_space.alpha();
    takeMargins();
    if (solved.gap > target() || solved.squaredNorm.error > kRoundingShare * target()) {
        refreshAll();
        takeMargins();
    }
    m_outcome.primal = primalValue(solved);
    m_outcome.dual = dualValue(solved);
    m_space.noteNorm(std::sqrt(std::max(solved.squaredNorm.upper(), 0.0)));
    const CpuCharge statistics(m_cpuStatistics);
    m_outcome.setCounts = setCountsOf(m_problem, solved);
}

void PointAttempt::takeMargins() {
    SolvedSvm& solved = m_outcome.solved;
    solved.margins = m_space.margins();
    count((m_schedule.marginCost() + work_units::kProof) * m_problem.size());
    solved.marginError = m_space.marginError();
    solved.drift = m_space.drift();
    solved.weights = m_space.weights();
    completeSolved(m_problem, solved);
}

void PointAttempt::publishProgress() {
    if (m_journal.wants(m_sweeps) || m_gap <= target()) {
        const CpuCharge watching(m_cpuStatistics); // being watched is no part of solving
        m_journal.iteration(m_sweeps, m_primal, m_gap, target(), m_visited.count(), threadCpuSeconds() - m_cpuStart);
    }
}

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Share of members still of interest below which their data are moved together.
constexpr double kWorthNarrowing = 0.8;

} // namespace

void VisitedSamples::shrinkBeyond(const SweepOutcome& sweep) {
    m_limits = {sweep.highest > 0 ? sweep.highest : kNoLimit, sweep.lowest < 0 ? sweep.lowest : -kNoLimit};
}

void VisitedSamples::visitAll() {
    m_positions.clear();
    std::int32_t k = 0;
    for (const SampleIndex i : m_space.members()) {
        if (m_screening.isOpen(i)) {
            m_positions.push_back(k);
        }
        ++k;
    }
    m_limits = {kNoLimit, -kNoLimit};
}

void VisitedSamples::dropDecided() {
    std::erase_if(m_positions, [this](std::int32_t k) {
        return !m_screening.isOpen(m_space.members()[static_cast<std::size_t>(k)]);
    });
}

void VisitedSamples::widenToWhole(StopCheck& stopCheck) {
    while (m_space.depth() > m_wholeDepth) {
        m_space.widen(stopCheck);
    }
}

void VisitedSamples::widenToAll(StopCheck& stopCheck) {
    m_wholeDepth = 1;
    widenToWhole(stopCheck);
}

bool VisitedSamples::isWorthNarrowing(std::int64_t updates) const {
    const auto visited = static_cast<double>(count());
    const auto width = static_cast<double>(m_space.members().size());
    if (m_problem.isLinear()) {
        return visited <= kWorthNarrowing * width;
    }
    if (!isWhole() || visited <= kWorthNarrowingRows * width) {
        return visited <= kWorthNarrowingRows * width;
    }
    // On the way back the others catch up on the moves of the free samples, a row for each.
    const auto free = static_cast<double>(std::count_if(m_positions.begin(), m_positions.end(), [this](std::int32_t k) {
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(k)];
        return m_space.alpha()(i) > 0 && m_space.alpha()(i) < m_space.upper(i);
    }));
    return static_cast<double>(updates) * (width - visited) >= free * static_cast<double>(m_problem.size());
}

bool VisitedSamples::moveTogether(std::int64_t updates) {
    if (m_positions.empty() || !isWorthNarrowing(updates)) {
        return false;
    }
    const bool holdsAll = isWhole();
    std::sort(m_positions.begin(), m_positions.end());
    m_space.narrow(m_positions);
    std::iota(m_positions.begin(), m_positions.end(), 0);
    if (holdsAll) {
        m_wholeDepth = m_space.depth();
    }
    return true;
}

} // namespace lambdascope::svm
