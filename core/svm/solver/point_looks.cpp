// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of a point: when they are taken, what they are made from, and what they cost.
#include "core/common/clocks.h"
#include "core/svm/problem/work_units.h"
#include "core/svm/solver/kernel_space.h"
#include "core/svm/solver/point_attempt.h"
#include "core/svm/solver/point_solver.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// The first sweep sees all slopes, the second tells who is beyond them.
constexpr std::int64_t kSweepsToShrink = 2;

} // namespace

ScreeningSchedule::Terms PointAttempt::scheduleTerms(const PointSettings& settings, const SvmProblem& problem,
                                                     std::int32_t index) {
    const std::vector<BoundKind>& bounds = settings.bounds;
    const auto later = static_cast<double>(std::count_if(bounds.begin(), bounds.end(), isDynamic));
    const auto all = static_cast<double>(bounds.size());
    const double n = problem.size();
    const double product = problem.isLinear() ? 2 * (1 + problem.features().meanEntries()) : 0;
    const double bias = problem.hasFreeBias() ? work_units::kBestBias : 0;
    const double tie = problem.hasFreeBias() ? work_units::kBracket + work_units::kTie : 0;
    const bool hasCut = std::any_of(bounds.begin(), bounds.end(), needsCut);
    ScreeningSchedule::Terms terms;
    terms.kind = settings.schedule;
    terms.every = settings.screenEvery;
    terms.samples = n;
    terms.marginCost = product + work_units::kGap + bias;
    terms.laterCost = later * work_units::kJudging + work_units::kSettling + tie;
    const bool isByPath = settings.schedule == ScheduleKind::Auto && later < all; // see measuresOnArrival()
    terms.arrivalCost = (isByPath ? all - later : all) * work_units::kJudging + work_units::kSettling +
                        2 * work_units::kLevel + tie + (hasCut ? work_units::kCut + product + bias : 0);
    terms.firstWork = n * (terms.marginCost + (problem.isLinear() ? 2 * (product + work_units::kVisit)
                                                                  : KernelSpace::leastOperationsPerMember()));
    terms.pointsBefore = index;
    terms.hasOthers = later < all;
    terms.solvesBeyond = std::find(bounds.begin(), bounds.end(), BoundKind::Delta) != bounds.end();
    return terms;
}

void PointAttempt::countSpace(bool isForScreening) {
    const double operations = m_space.takeOperations();
    count(operations);
    m_schedule.spent(isForScreening ? operations : 0);
}

void PointAttempt::countMargins() {
    const auto members = static_cast<double>(m_space.members().size());
    count(m_schedule.marginCost() * members);
    m_schedule.worked(m_schedule.marginCost(), members, wouldHoldAll() ? m_problem.size() : members);
}

bool PointAttempt::wouldHoldAll() const {
    const bool isLeftOut =
        m_settings.shrinks && m_sweptSince >= kSweepsToShrink &&
        static_cast<double>(m_visited.count()) <= VisitedSamples::kWorthNarrowingRows * m_problem.size();
    return m_screening.decided().sum() > 0 && !isLeftOut;
}

void PointAttempt::countSweep(const SweepOutcome& done, double visited) {
    const auto members = static_cast<double>(m_space.members().size());
    const auto decided = static_cast<double>(m_screening.decided().sum());
    count(static_cast<double>(done.operations));
    if (m_problem.isLinear()) {
        const double each = 2 * (1 + m_problem.features().meanEntries()) + work_units::kVisit;
        const bool isLeftOut = m_settings.shrinks && m_sweptSince >= kSweepsToShrink;
        m_schedule.worked(each, visited, isLeftOut ? visited : visited + decided);
        countSpace(false);
    } else if (members > 0) {
        const bool holdsAll = wouldHoldAll();
        m_schedule.worked(static_cast<double>(done.operations) / members + work_units::kSweep, members,
                          holdsAll ? m_problem.size() : members);
        // Rows are gathered for a level that screening has made.
        m_schedule.spent(holdsAll ? -work_units::kSweep * members : 0);
        countSpace(holdsAll);
    }
    ++m_sweptSince;
}

double PointAttempt::likelyShare() const {
    double share = 0;
    ScreeningReference reference;
    reference.c = m_c;
    reference.path = &m_start;
    if (const auto ball = m_screening.hasPathBounds() ? makeBall(BoundKind::BallOne, reference) : std::nullopt) {
        share =
            m_screening.likelyShare({m_start.margins, ball->a, ball->a * m_start.bias, std::sqrt(ball->squaredRadius)});
    }
    if (m_isMeasured && m_screening.hasDynamicBounds()) {
        share = std::max(share, m_screening.likelyShare({m_margins, 1, m_space.bias(), std::sqrt(m_gap)}));
    }
    return share;
}

void PointAttempt::arrive() {
    if (m_screening.hasDynamicBounds() && m_schedule.measuresOnArrival()) {
        measure(); // the gap of the start makes a ball too
    }
    const bool isAuto = m_settings.schedule == ScheduleKind::Auto;
    if (isAuto && m_isMeasured && seemsDone()) {
        return; // nothing to save
    }
    const auto free = static_cast<double>(
        ((m_start.alpha.array() > 0) && (m_start.alpha.array() < m_start.c * m_problem.weights().array())).count());
    const double making = m_screening.needsCuts() && !m_problem.isLinear() ? work_units::kRow * free : 0;
    double share = 0;
    if (m_schedule.mayArrive(making)) {
        share = likelyShare();
        count(work_units::kJudging * PointScreening::kProbed);
    }
    const double before = m_outcome.ledger.operations;
    if (m_schedule.looksOnArrival(share, making)) {
        screenPath();
    }
    m_schedule.spent(m_outcome.ledger.operations - before);
}

void PointAttempt::screenPath() {
    const double begun = threadCpuSeconds();
    const bool keepsRanges = m_settings.keepsRanges && m_settings.schedule == ScheduleKind::Auto;
    if (keepsRanges && m_start.ranges) {
        m_outcome.carried = m_screening.carry(*m_start.ranges, m_c);
        count(work_units::kCarrying * m_problem.size());
    }
    ScreeningReference reference;
    reference.c = m_c;
    reference.path = &m_start;
    m_outcome.solved.cut = m_screening.cutFor(m_start, m_c, m_stopCheck);
    reference.cut = m_outcome.solved.cut.get();
    count(reference.cut != nullptr ? reference.cut->operations() : 0);
    std::optional<SolvedSvm> beyond;
    if (m_parts.beyondSolver && m_c > m_start.c) {
        NullSink sink;
        const RunContext::Diverted unheard(m_context, sink);
        PointOutcome outcome = m_parts.beyondSolver->solve(m_settings.beyond * m_c, m_start, m_index, m_context);
        count(outcome.ledger.operations);
        beyond = std::move(outcome.solved);
        reference.beyond = isInterruption(outcome.termination) ? nullptr : &*beyond;
    }
    const double judging = threadCpuSeconds();
    m_outcome.ledger.images += judging - begun;
    const double checked = check(reference, begun, judging);
    if (keepsRanges && !m_stopCheck.isStopped()) {
        PointScreening::Kept kept = m_screening.keep(m_start, m_c);
        m_outcome.solved.ranges = std::move(kept.ranges);
        count(kept.operations);
        const double spent = threadCpuSeconds() - checked;
        m_outcome.ledger.rule += spent;
        m_outcome.cpuScreen += spent;
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

bool PointAttempt::takeDistance() {
    m_schedule.looked(scheduleState());
    const double counted = m_outcome.ledger.operations;
    {
        const CpuCharge knowing(m_cpuStatistics);
        const SolvedSvm here = solvedAt(m_problem, m_c, m_space.alpha(), m_stopCheck);
        if (m_screening.judgeByDistance(here, *m_parts.known, m_space) == 0 || m_stopCheck.isStopped()) {
            return false;
        }
        m_dual += m_screening.settle(m_space, m_stopCheck).gain;
        sumLinearTerms();
        m_visited.dropDecided();
        measure();
        (void)m_space.takeOperations();
        m_outcome.ledger.operations = counted;
    }
    if (seemsDone()) {
        unshrink();
    }
    moveTogether();
    return true;
}

bool PointAttempt::lookAgain() {
    if (m_stopCheck.isStopped() || !m_screening.hasDynamicBounds()) {
        return false;
    }
    if (m_parts.known != nullptr) {
        return m_settings.knowsDistance && m_schedule.isDue(scheduleState()) && takeDistance();
    }
    ScreeningSchedule::State state = scheduleState();
    if (m_schedule.asksShare(state)) {
        state.share = likelyLater();
    }
    if (!m_schedule.isDue(state)) {
        return false;
    }
    const std::int64_t before = m_screening.decided().sum();
    screenHere();
    return m_screening.decided().sum() > before;
}

double PointAttempt::likelyLater() {
    const PointScreening::Likely likely = m_screening.likelyLater(m_space, std::sqrt(m_gap));
    const double each =
        work_units::kProbing + (m_problem.isLinear() ? 2 * (1 + m_problem.features().meanEntries()) : 0);
    count(each * likely.drawn);
    m_schedule.spent(each * likely.drawn);
    return likely.share;
}

ScreeningSchedule::State PointAttempt::scheduleState() const {
    return {.sweeps = m_sweeps,
            .work = m_outcome.ledger.operations,
            .open = static_cast<double>(m_visited.openCount()),
            .gap = m_gap,
            .target = m_share * target(),
            .isWhole = m_visited.isWhole(),
            .isMeasured = m_isMeasured};
}

void PointAttempt::screenHere() {
    const double begun = threadCpuSeconds();
    const ShrinkLimits limits = m_visited.limits();
    unshrink();
    if (!m_isMeasured) {
        measure();
    }
    m_schedule.looked(scheduleState());
    ScreeningReference reference;
    reference.c = m_c;
    if (!seemsDone()) { // else there is nothing to save
        const auto open = static_cast<double>(m_visited.openCount());
        check(reference, begun, threadCpuSeconds());
        m_schedule.decided((open - static_cast<double>(m_visited.openCount())) / std::max(open, 1.0));
    }
    // By its own slopes the next sweep leaves out at once what the last one would have: it need not begin anew.
    m_visited.shrinkBeyond(limits);
}

double PointAttempt::check(ScreeningReference& reference, double begun, double judging) {
    if (m_stopCheck.isStopped()) {
        return judging;
    }
    reference.stopCheck = &m_stopCheck;
    reference.gap = m_isMeasured ? m_gap : std::numeric_limits<double>::infinity();
    if (m_isMeasured) {
        reference.current = m_screening.currentMargins(m_space, m_margins);
    }
    reference.alpha = &m_space.alpha();
    reference.squaredNorm = 2 * (m_linearSum - m_dual);
    double watching = 0; // being watched is no part of solving
    std::optional<WatchedReference> watched;
    if (m_parts.observer != nullptr) {
        const CpuCharge charge(watching);
        watched = watchedReference(reference);
    }
    const auto judged = m_screening.judge(reference, m_space.members());
    count(judged.operations);
    const double judgedAt = threadCpuSeconds();
    m_outcome.ledger.rule += judgedAt - judging - watching;
    if (watched) {
        const CpuCharge charge(watching);
        m_parts.observer->checked(
            {static_cast<std::int32_t>(m_outcome.checks), m_sweeps, watched->reference, m_screening.decisions()});
    }
    if (m_screening.decided().sum() > m_settled) {
        reduce();
    }
    const double end = threadCpuSeconds();
    m_cpuStatistics += watching;
    m_outcome.cpuScreen += end - begun - watching;
    publishCheck(judged.radius, end - begun - watching);
    return end;
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
    const double each = work_units::kSettling + (m_problem.hasFreeBias() ? work_units::kTie : 0);
    count(each * static_cast<double>(m_space.members().size()));
    const PointScreening::Settled settled = m_screening.settle(m_space, m_stopCheck);
    m_dual += settled.gain;
    countSpace(false); // the look is charged as a whole
    if (m_stopCheck.isStopped()) {
        return;
    }
    sumLinearTerms();
    visitAll();
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

} // namespace lambdascope::svm
