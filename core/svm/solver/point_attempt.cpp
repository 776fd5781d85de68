// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_attempt.h"

#include "core/common/clocks.h"
#include "core/svm/problem/sample_products.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/free_set_newton.h"
#include "core/svm/solver/point_solver.h"

#include <cmath>

namespace lambdascope::svm {

namespace {

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
      m_stopCheck([&context] { return context.shouldStop(); }),
      m_random(context.seed(), "sweeps of point " + std::to_string(index)),
      m_screening(parts.problem, parts.settings.bounds), m_visited(parts.problem, parts.space, m_screening),
      m_schedule(parts.settings, parts.problem) {}

PointOutcome PointAttempt::run() {
    m_cpuStart = threadCpuSeconds();
    begin();
    const Termination termination = m_stopCheck.isStopped() ? Termination::StoppedByUser : iterate();
    m_outcome.termination = m_stopCheck.isStopped() ? m_context.stopReason() : termination;
    m_outcome.sweeps = m_sweeps;
    m_outcome.finalScreened = m_screening.decided();
    m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuStatistics;
    CpuLedger& ledger = m_outcome.ledger;
    ledger.other = std::max(0.0, m_outcome.cpuSolve + m_outcome.cpuScreen - ledger.rule - ledger.images);
    return std::move(m_outcome);
}

void PointAttempt::begin() {
    m_space.load(m_start, m_c, m_stopCheck);
    sumLinearTerms();
    m_dual = m_linearSum - 0.5 * m_space.squaredNorm();
    if (m_parts.known != nullptr) {
        takeKnown();
        m_outcome.pathScreened = m_screening.decided();
    } else if (m_screening.hasBounds()) {
        if (m_screening.hasDynamicBounds() && m_schedule.measuresOnArrival()) {
            measure(); // the gap of the start makes a ball too
        }
        screenPath();
        m_outcome.pathScreened = m_screening.decided();
    }
    if (!std::isfinite(m_gap)) {
        measure();
    }
    m_visited.visitAll();
    m_schedule.looked(scheduleState());
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
        sweep();
        if (m_parts.known == nullptr && m_screening.hasDynamicBounds() && m_schedule.isDue(scheduleState()) &&
            !m_stopCheck.isStopped()) {
            screenHere();
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
    const SweepOutcome done = m_space.sweep(m_visited.positions(), m_visited.limits(), m_random, m_stopCheck);
    m_isMeasured = false;
    ++m_sweeps;
    count(static_cast<double>(done.operations));
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
    FreeSetNewton step(m_space, m_parts.factor, m_visited.positions());
    if (step.size() == 0 || !std::isfinite(step.cost()) || m_work < step.cost()) {
        return 0;
    }
    m_work = 0;
    count(step.cost());
    const double gain = step.take(m_stopCheck);
    m_isMeasured = false;
    m_dual += gain;
    sumLinearTerms();
    if (!m_stopCheck.isStopped()) {
        measure();
    }
    return gain;
}

void PointAttempt::clearRounding() {
    const double before = m_space.drift();
    refreshAll();
    m_visited.visitAll();
    moveTogether();
    measure();
    const bool isBetter = m_space.drift() < 0.5 * before && ++m_clearings < kMostClearings;
    m_isStalled = m_gap > m_share * target() && !isBetter;
}

void PointAttempt::refreshAll() {
    m_visited.widenToAll(m_stopCheck);
    m_space.refresh(m_stopCheck);
    m_isMeasured = false;
}

void PointAttempt::unshrink() {
    if (!m_visited.isWhole()) {
        m_visited.widenToWhole(m_stopCheck);
        m_visited.visitAll();
        measure();
    }
}

void PointAttempt::moveTogether() {
    if (m_visited.moveTogether(m_outcome.ledger.updates)) {
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
    m_visited.visitAll();
    moveTogether();
    measure();
    return std::nullopt;
}

void PointAttempt::prove() {
    m_visited.widenToAll(m_stopCheck);
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
    countMargins();
    solved.marginError = m_space.marginError();
    solved.drift = m_space.drift();
    solved.weights = m_space.weights();
    completeSolved(m_problem, solved);
}

void PointAttempt::screenPath() {
    const double cpu = threadCpuSeconds();
    const bool keepsRanges = m_settings.keepsRanges && m_settings.schedule == ScheduleKind::Auto;
    if (keepsRanges && m_start.ranges) {
        m_outcome.carried = m_screening.carry(*m_start.ranges, m_c);
        count(static_cast<double>(m_problem.size()));
    }
    ScreeningReference reference;
    reference.c = m_c;
    reference.path = &m_start;
    std::optional<SolvedSvm> beyond;
    {
        const CpuCharge images(m_outcome.ledger.images);
        m_outcome.solved.cut = m_screening.cutFor(m_start, m_c, m_stopCheck);
        reference.cut = m_outcome.solved.cut.get();
        count(reference.cut != nullptr ? m_schedule.marginCost() * m_problem.size() : 0);
        if (m_parts.beyondSolver && m_c > m_start.c) {
            NullSink sink;
            RunContext quiet(RunId{0}, sink, m_context.stopToken(), nullptr, {}, m_context.seed());
            PointOutcome outcome = m_parts.beyondSolver->solve(m_settings.beyond * m_c, m_start, m_index, quiet);
            beyond = std::move(outcome.solved);
            reference.beyond = outcome.termination == Termination::StoppedByUser ? nullptr : &*beyond;
        }
    }
    check(reference, cpu);
    if (keepsRanges && !m_stopCheck.isStopped()) {
        const CpuCharge rule(m_outcome.ledger.rule);
        const CpuCharge screening(m_outcome.cpuScreen);
        PointScreening::Kept kept = m_screening.keep(m_start, m_c);
        m_outcome.solved.ranges = std::move(kept.ranges);
        count(kept.operations);
    }
}

void PointAttempt::takeKnown() {
    ScreeningReference reference = referenceAt(*m_parts.known);
    double radius = 0;
    {
        const CpuCharge knowing(m_cpuStatistics);
        radius = m_screening.judge(reference, m_space.members()).radius;
        if (auto* observer = m_parts.observer) {
            observer->checked({0, m_sweeps, reference, m_screening.decisions()});
        }
    }
    reduce();
    publishCheck(radius, 0);
}

ScreeningSchedule::State PointAttempt::scheduleState() const {
    return {m_sweeps, m_outcome.ledger.operations, static_cast<double>(m_visited.openCount()),
            m_gap,    m_visited.isWhole(),         m_isMeasured};
}

void PointAttempt::screenHere() {
    const double cpu = threadCpuSeconds();
    unshrink();
    if (!m_isMeasured) {
        measure();
    }
    m_schedule.looked(scheduleState());
    ScreeningReference reference;
    reference.c = m_c;
    if (!seemsDone()) { // else there is nothing to save
        check(reference, cpu);
    }
}

void PointAttempt::check(ScreeningReference& reference, double cpuStart) {
    if (m_stopCheck.isStopped()) {
        return;
    }
    const double cpuRule = threadCpuSeconds();
    reference.gap = m_isMeasured ? m_gap : std::numeric_limits<double>::infinity();
    if (m_isMeasured) {
        reference.current = m_screening.currentMargins(m_space, m_margins);
    }
    reference.alpha = &m_space.alpha();
    reference.squaredNorm = 2 * (m_linearSum - m_dual);
    const double statistics = m_cpuStatistics;
    std::optional<WatchedReference> watched;
    if (m_parts.observer != nullptr) {
        const CpuCharge watching(m_cpuStatistics); // being watched is no part of solving
        watched = watchedReference(reference);
    }
    const auto judged = m_screening.judge(reference, m_space.members());
    count(judged.operations);
    m_outcome.ledger.rule += threadCpuSeconds() - cpuRule - (m_cpuStatistics - statistics);
    if (watched) {
        const CpuCharge watching(m_cpuStatistics);
        m_parts.observer->checked(
            {static_cast<std::int32_t>(m_outcome.checks), m_sweeps, watched->reference, m_screening.decisions()});
    }
    if (m_screening.decided().sum() > m_settled) {
        reduce();
    }
    const double spent = threadCpuSeconds() - cpuStart - (m_cpuStatistics - statistics);
    m_outcome.cpuScreen += spent;
    publishCheck(judged.radius, spent);
}

PointAttempt::WatchedReference PointAttempt::watchedReference(const ScreeningReference& reference) const {
    WatchedReference watched{reference, {}};
    if (!std::isfinite(reference.gap)) {
        watched.reference.gap = reducedGap(m_space.margins()).upper;
        watched.margins = m_screening.marginsBySample(m_space);
        watched.reference.current = {{watched.margins.data(), static_cast<std::size_t>(watched.margins.size())},
                                     m_space.marginError()};
    }
    watched.reference.anchor = m_screening.anchor();
    bracketBiases(m_problem, m_screening.decisions(), watched.reference);
    return watched;
}

void PointAttempt::reduce() {
    m_settled = m_screening.decided().sum();
    const PointScreening::Settled settled = m_screening.settle(m_space, m_stopCheck);
    m_dual += settled.gain;
    count(2 * m_schedule.marginCost() * static_cast<double>(settled.moved));
    if (m_stopCheck.isStopped()) {
        return;
    }
    sumLinearTerms();
    m_visited.visitAll();
    if (m_isMeasured && settled.moved == 0) {
        takeGap(); // the margins are still those
        moveTogether();
        return;
    }
    m_isMeasured = false;
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
        m_journal.iteration(m_sweeps, m_primal, m_gap, target(), m_visited.count(), threadCpuSeconds() - m_cpuStart);
    }
}

} // namespace lambdascope::svm
