// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_attempt.h"

#include "core/common/clocks.h"
#include "core/svm/problem/sample_products.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/free_set_newton.h"
#include "core/svm/solver/point_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::svm {

namespace {

/// Share of members still of interest below which their data are moved together. Picking numbers out of kernel rows
/// takes longer than passing over them, so that there it has to be a small share.
constexpr double kWorthNarrowing = 0.8;
constexpr double kWorthNarrowingRows = 0.45;
/// How much closer the reduced problem is solved when the proof on all samples fails.
constexpr double kCloser = 0.3;
/// Share of the target that rounding of margins may take before they are made anew.
constexpr double kRoundingShare = 0.1;
/// How often margins are made anew before rounding is taken to have the last word.
constexpr int kMostClearings = 4;
/// Smallest share of the target a reduced problem is solved to before rounding is taken to have the last word.
constexpr double kLeastShare = 1e-4;

} // namespace

PointAttempt::PointAttempt(const SolverParts& parts, double c, const SolvedSvm& start, std::int32_t index,
                           RunContext& context)
    : m_parts(parts), m_problem(parts.problem), m_settings(parts.settings), m_space(parts.space), m_c(c),
      m_start(start), m_index(index), m_context(context), m_journal(context, index, parts.problem.size()),
      m_poll([&context] { return context.shouldStop(); }),
      m_random(context.seed(), "sweeps of point " + std::to_string(index)),
      m_screening(parts.problem, parts.settings.bounds) {}

PointOutcome PointAttempt::run() {
    m_cpuStart = threadCpuSeconds();
    begin();
    const Termination termination = m_poll.isStopped() ? Termination::StoppedByUser : iterate();
    m_outcome.termination = m_poll.isStopped() ? m_context.stopReason() : termination;
    m_outcome.sweeps = m_sweeps;
    m_outcome.finalScreened = m_screening.decided();
    m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuStatistics;
    CpuLedger& ledger = m_outcome.ledger;
    ledger.other = std::max(0.0, m_outcome.cpuSolve + m_outcome.cpuScreen - ledger.rule - ledger.images);
    return std::move(m_outcome);
}

void PointAttempt::begin() {
    m_space.load(m_start, m_c, m_poll);
    m_alphaSum = m_space.alpha().sum();
    m_dual = m_alphaSum - 0.5 * m_space.squaredNorm();
    if (m_settings.known) {
        m_screening.take(m_settings.known(m_c));
        reduce();
    }
    if (m_screening.hasBounds()) {
        if (m_screening.hasDynamicBounds()) {
            measure(); // the gap of the start makes a ball too
        }
        screenPath();
        m_outcome.pathScreened = m_screening.decided();
    }
    if (!std::isfinite(m_gap)) {
        measure();
    }
    visitAll();
    if (m_gap > target() && !m_problem.isLinear()) {
        m_work = std::numeric_limits<double>::infinity(); // the free samples follow the bounded ones at once
        stepOnFace();
    }
    m_nextScreening = m_settings.screenEvery;
}

Termination PointAttempt::iterate() {
    while (true) {
        if (m_poll.ask()) {
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
        sweep();
        if (m_screening.hasDynamicBounds() && m_sweeps >= m_nextScreening && !m_poll.isStopped()) {
            screenHere();
        }
    }
}

PointAttempt::ReducedGap PointAttempt::reducedGap() const {
    const Eigen::VectorXd margins = m_space.margins();
    const double error = m_space.marginError();
    GapSum gap;
    Eigen::Index k = 0;
    for (const SampleIndex i : m_space.members()) {
        const double margin = margins(k++);
        if (m_screening.isOpen(i)) {
            gap.add(m_space.alpha()(i), m_space.upper(i), margin, error * m_problem.norms()(i));
        }
    }
    return {gap.value(), gap.upper(static_cast<double>(margins.size()))};
}

void PointAttempt::measure() {
    const ReducedGap gap = reducedGap();
    m_gapValue = gap.value;
    m_gap = gap.upper;
    m_primal = m_dual + m_gapValue;
    noteNorm();
}

void PointAttempt::noteNorm() {
    const auto terms = static_cast<double>(m_outcome.ledger.updates + m_sweeps + m_problem.size() + 8);
    const double lost = roundingFactor(terms) * (std::abs(m_alphaSum) + std::abs(m_dual));
    m_space.noteNorm(1.01 * std::sqrt(2 * (std::max(m_alphaSum - m_dual, 0.0) + 4 * lost)) + 1e-300);
}

void PointAttempt::sweep() {
    const SweepOutcome done = m_space.sweep(m_visit, m_limits, m_random, m_poll);
    ++m_sweeps;
    m_outcome.ledger.updates += done.updates;
    m_dual += done.gain;
    m_alphaSum = m_space.alpha().sum();
    if (m_settings.shrinks) {
        m_limits = {done.highest > 0 ? done.highest : std::numeric_limits<double>::infinity(),
                    done.lowest < 0 ? done.lowest : -std::numeric_limits<double>::infinity()};
    }
    if (m_poll.isStopped()) {
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
    m_work = isIdle && done.updates > 0 ? std::numeric_limits<double>::infinity()
                                        : m_work + static_cast<double>(done.operations);
    const bool isLeft = m_gap > m_share * target() && done.updates > 0;
    const bool isStuck = (isLeft ? isRounding(stepOnFace()) : true) && isIdle;
    m_isStalled = isStuck && m_visit.size() == activeCount();
    // Once those visited are done, the rest of the gap is that of shrunk samples of the same level.
    if (std::min(m_gap, done.slack) <= m_share * target() || isStuck) {
        unshrink();
    } else {
        moveTogether();
    }
    publishProgress();
}

double PointAttempt::stepOnFace() {
    FreeSetNewton step(m_space, m_parts.factor, m_visit);
    if (step.size() == 0 || !(m_work >= step.cost())) {
        return 0;
    }
    m_work = 0;
    const double gain = step.take(m_poll);
    m_dual += gain;
    m_alphaSum = m_space.alpha().sum();
    if (!m_poll.isStopped()) {
        measure();
    }
    return gain;
}

std::size_t PointAttempt::activeCount() const {
    return static_cast<std::size_t>(m_problem.size() - m_screening.decided().sum());
}

void PointAttempt::visitAll() {
    m_visit.clear();
    std::int32_t k = 0;
    for (const SampleIndex i : m_space.members()) {
        if (m_screening.isOpen(i)) {
            m_visit.push_back(k);
        }
        ++k;
    }
    m_limits = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
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
    while (m_space.depth() > 1) {
        m_space.widen(m_poll);
    }
    m_wholeDepth = 1;
    m_space.refresh(m_poll);
}

void PointAttempt::unshrink() {
    if (m_visit.size() == activeCount()) {
        return;
    }
    while (m_space.depth() > m_wholeDepth) {
        m_space.widen(m_poll);
    }
    visitAll();
    measure();
}

bool PointAttempt::isWorthNarrowing(bool isWhole) const {
    const auto visited = static_cast<double>(m_visit.size());
    const auto width = static_cast<double>(m_space.members().size());
    if (m_problem.isLinear()) {
        return visited <= kWorthNarrowing * width;
    }
    if (!isWhole || visited <= kWorthNarrowingRows * width) {
        return visited <= kWorthNarrowingRows * width;
    }
    // On the way back the others catch up on the moves of the free samples, a row for each.
    const auto free = static_cast<double>(std::count_if(m_visit.begin(), m_visit.end(), [this](std::int32_t k) {
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(k)];
        return m_space.alpha()(i) > 0 && m_space.alpha()(i) < m_space.upper(i);
    }));
    const auto updates = static_cast<double>(m_outcome.ledger.updates);
    return updates * (width - visited) >= free * static_cast<double>(m_problem.size());
}

void PointAttempt::moveTogether() {
    const bool isWhole = m_visit.size() == activeCount();
    if (m_visit.empty() || !isWorthNarrowing(isWhole)) {
        return;
    }
    std::sort(m_visit.begin(), m_visit.end());
    m_space.narrow(m_visit);
    std::iota(m_visit.begin(), m_visit.end(), 0);
    if (isWhole) {
        m_wholeDepth = m_space.depth();
    }
}

std::optional<Termination> PointAttempt::conclude() {
    prove();
    if (m_poll.isStopped()) {
        return Termination::StoppedByUser;
    }
    if (m_outcome.solved.gap <= m_settings.tolerance * m_outcome.primal.value) {
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
    while (m_space.depth() > 1) {
        m_space.widen(m_poll);
    }
    m_wholeDepth = 1;
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
    takeCensus();
}

void PointAttempt::takeMargins() {
    SolvedSvm& solved = m_outcome.solved;
    solved.margins = m_space.margins();
    solved.marginError = m_space.marginError();
    solved.drift = m_space.drift();
    solved.weights = m_space.weights();
    completeSolved(m_problem, solved);
}

void PointAttempt::takeCensus() {
    const SolvedSvm& solved = m_outcome.solved;
    m_outcome.census = {};
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double upper = m_space.upper(i);
        const bool isFree = solved.alpha(i) > 0 && solved.alpha(i) < upper;
        if (isFree) {
            continue;
        }
        m_outcome.census.zero += solved.alpha(i) <= 0 && solved.margins(i) > 1 ? 1 : 0;
        m_outcome.census.full += solved.alpha(i) >= upper && solved.margins(i) < 1 ? 1 : 0;
    }
}

void PointAttempt::screenPath() {
    const double cpu = threadCpuSeconds();
    ScreeningReference reference;
    reference.c = m_c;
    reference.path = &m_start;
    std::optional<SolvedSvm> beyond;
    {
        const CpuCharge images(m_outcome.ledger.images);
        m_outcome.solved.cut = m_screening.cutFor(m_start, m_c, m_poll);
        reference.cut = m_outcome.solved.cut.get();
        if (m_parts.beyondSolver && m_c > m_start.c) {
            NullSink sink;
            RunContext quiet(RunId{0}, sink, m_context.stopToken(), nullptr, {}, m_context.seed());
            PointOutcome outcome = m_parts.beyondSolver->solve(m_settings.beyond * m_c, m_start, m_index, quiet);
            beyond = std::move(outcome.solved);
            reference.beyond = outcome.termination == Termination::StoppedByUser ? nullptr : &*beyond;
        }
    }
    check(reference, cpu);
}

void PointAttempt::screenHere() {
    m_nextScreening = m_sweeps + m_settings.screenEvery;
    const double cpu = threadCpuSeconds();
    unshrink();
    if (m_problem.isLinear()) {
        measure();
    }
    ScreeningReference reference;
    reference.c = m_c;
    if (!seemsDone()) { // else there is nothing to save
        check(reference, cpu);
    }
}

void PointAttempt::check(ScreeningReference& reference, double cpuStart) {
    if (m_poll.isStopped()) {
        return;
    }
    const double cpuRule = threadCpuSeconds();
    reference.gap = m_gap;
    if (std::isfinite(m_gap)) {
        reference.current = m_screening.currentMargins(m_space);
    }
    reference.alpha = &m_space.alpha();
    reference.squaredNorm = 2 * (m_alphaSum - m_dual);
    const double statistics = m_cpuStatistics;
    std::optional<WatchedReference> watched;
    if (m_parts.watch != nullptr) {
        const CpuCharge watching(m_cpuStatistics); // being watched is no part of solving
        watched = watchedReference(reference);
    }
    const std::int64_t before = m_screening.decided().sum();
    const double radius = m_screening.judge(reference, m_space.members());
    m_outcome.ledger.rule += threadCpuSeconds() - cpuRule - (m_cpuStatistics - statistics);
    if (watched) {
        const CpuCharge watching(m_cpuStatistics);
        m_parts.watch->checked(
            {static_cast<std::int32_t>(m_outcome.checks), m_sweeps, watched->reference, m_screening.verdicts()});
    }
    if (m_screening.decided().sum() > before) {
        reduce();
    }
    const double spent = threadCpuSeconds() - cpuStart - (m_cpuStatistics - statistics);
    m_outcome.cpuScreen += spent;
    publishCheck(radius, spent);
}

PointAttempt::WatchedReference PointAttempt::watchedReference(const ScreeningReference& reference) const {
    WatchedReference watched{reference, {}};
    if (!std::isfinite(reference.gap)) {
        watched.reference.gap = reducedGap().upper;
        watched.margins = m_screening.marginsBySample(m_space);
        watched.reference.current = {{watched.margins.data(), static_cast<std::size_t>(watched.margins.size())},
                                     m_space.marginError()};
    }
    return watched;
}

void PointAttempt::reduce() {
    m_dual += m_screening.settle(m_space, m_poll);
    if (m_poll.isStopped()) {
        return;
    }
    m_alphaSum = m_space.alpha().sum();
    visitAll();
    moveTogether();
    measure();
}

void PointAttempt::publishCheck(double radius, double cpu) {
    m_journal.check({static_cast<std::int32_t>(m_outcome.checks++), m_sweeps, m_screening.decided().zero,
                     m_screening.decided().full, m_gap, radius, cpu});
}

void PointAttempt::publishProgress() {
    if (m_journal.wants(m_sweeps) || m_gap <= target()) {
        const CpuCharge watching(m_cpuStatistics); // being watched is no part of solving
        m_journal.iteration(m_sweeps, m_primal, m_gap, target(), static_cast<std::int64_t>(m_visit.size()),
                            threadCpuSeconds() - m_cpuStart);
    }
}

} // namespace lambdascope::svm
