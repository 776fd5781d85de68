// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/point_solver.h"

#include "core/common/state_archive.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/point_attempt.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// From this dimension on the dual value, which costs the eigenvalues of a d × d matrix, is computed more rarely.
/// (A diagonal M is one column wide: its dual value is cheap in any dimension.)
constexpr Eigen::Index kCheapDimension = 64;
constexpr std::int64_t kIterationsPerCheck = 5;
/// Iterations after which the active set is chosen anew [T, §7.3].
constexpr std::int64_t kActiveSetIterations = 10;
/// Choices after which it only grows: else two sets could follow each other for ever, each leaving out what the other
/// one needs.
constexpr std::int64_t kFreeChoices = 10;
/// Share of the tolerance, and of what smoothing costs the hinge, that a method aims at.
constexpr double kMethodShare = 0.3;
/// What the radius of the smaller capsule grows by where the solution is taken to lie outside of it.
constexpr double kWider = 1.5;
/// Steps in a row outside of a trusted capsule after which the solution is taken to lie there too.
constexpr int kAstray = 2;

} // namespace

Termination PointSolver::Attempt::iterate() {
    if (!begin()) {
        return Termination::StoppedByUser;
    }
    while (true) {
        const bool isSetOld = m_objective.hasActiveSet() && m_iteration >= m_nextRefresh;
        if (m_stopCheck.ask() || (isSetOld && !refresh())) {
            return abandon(Termination::StoppedByUser);
        }
        if (m_astray > 0) {
            updateGap(); // of the reduced problem: for the method alone
        } else if (m_iteration >= m_nextCheck || m_isStalled) {
            updateGap();
            if (seemsDone() && !m_isWhole) { // as far as the active set can tell
                if (!refresh()) {
                    return abandon(Termination::StoppedByUser);
                }
                updateGap();
            }
            if (!confirm()) {
                return abandon(Termination::StoppedByUser);
            }
            publishProgress();
            if (const auto end = seemsDone() ? conclude() : std::nullopt) {
                return *end;
            }
            if (isHinge() && narrowHinge() && m_stopCheck.isStopped()) {
                return abandon(Termination::StoppedByUser);
            }
        }
        if (m_astray == 0 && screens() && !narrow(m_method->point(), m_schedule.visitsToCome(screeningState()))) {
            return abandon(Termination::StoppedByUser);
        }
        if ((screens() || knowsDistance()) && !m_screening.trusts() && m_schedule.isDue(screeningState())) {
            if (!screenHere()) {
                return abandon(Termination::StoppedByUser);
            }
            if (m_iteration >= m_nextCheck) {
                continue; // nothing was screened, as the point seems to be solved
            }
        }
        if (m_iteration >= m_settings.maxIterations) {
            return abandon(Termination::IterationLimit);
        }
        if (!advance()) {
            return abandon(Termination::StoppedByUser);
        }
    }
}

bool PointSolver::Attempt::advance() {
    if (m_ahead.size() > 0) {
        m_nextCheck = m_iteration + 1;
        return stepAhead();
    }
    m_objective.gapShare = m_gap.bound() / (m_innerShare * target(m_gap.primal().value));
    m_objective.goal = kMethodShare * m_innerShare * target(m_gap.primal().value);
    m_objective.slackShare = isHinge() ? kMethodShare : 0;
    m_objective.iterationsLeft = m_settings.maxIterations - m_iteration;
    const double before = m_outcome.ledger.sums;
    const double gapBefore = m_gap.bound();
    const StepOutcome step = m_method->advance();
    m_schedule.advanced(m_outcome.ledger.sums - before, m_objective.visitWork(), m_objective.screened.decided() == 0,
                        gapBefore);
    m_isStalled = step == StepOutcome::Stalled;
    if (step != StepOutcome::Stopped && !followCapsule()) {
        return false;
    }
    if (step == StepOutcome::Advanced) {
        m_iteration += m_method->lastIterations();
        m_isWhole = !m_objective.hasActiveSet();
        if (wentFar()) {
            m_nextCheck = m_iteration; // see where it led
        }
    }
    return step != StepOutcome::Stopped;
}

bool PointSolver::Attempt::followCapsule() {
    if (!m_screening.isAstray(m_method->point())) {
        m_nextCheck = m_astray > 0 ? 0 : m_nextCheck;
        m_astray = 0;
        return true;
    }
    const bool isOnTheWay = m_wasAhead != PathExtrapolation::Outcome::Better; // else it began where it is to end
    if (!wentFar() && isOnTheWay && !m_isStalled && m_astray < kAstray) {
        ++m_astray;
        return true;
    }
    m_astray = 0;
    m_screening.retreatTo(m_method->point());
    m_narrowMisses *= kWider;
    m_hasAskedNarrow = false;
    return reevaluate();
}

bool PointSolver::Attempt::begin() {
    m_engine.activateAll();
    m_objective.wholePairs = m_engine.pairsPerEvaluation();
    m_checkInterval = m_start.point.matrix.cols() <= kCheapDimension ? 1 : kIterationsPerCheck;
    m_objective.smoothing = m_start.totals.smoothing;
    m_objective.wholeVisit = m_start.screening.visit;
    State state;
    state.totals = m_start.totals;
    m_objective.complete(m_start.point, state);
    m_method->start(m_start.point, std::move(state), m_start.memory);
    updateGap();
    m_gap.keep(m_method->point(), m_iteration);
    m_nextCheck = 0; // the start may be the solution
    if (m_settings.extrapolates() && !isSolved()) {
        m_ahead = m_start.path.at(m_start.point.matrix, m_start.lambda, m_lambda);
    }
    if (m_ahead.size() == 0 && screens() && !isSolved() && m_screening.mayTrust()) {
        if (!trustStart()) {
            return false;
        }
        if (m_screening.trusts()) {
            return confirm(pathReference(m_start));
        }
    }
    m_looksAhead = m_ahead.size() > 0 && screens() && m_settings.schedule == ScheduleKind::Auto;
    const bool done = knowsDistance() ? m_ahead.size() > 0 || takeDistance() : m_known == nullptr || takeKnown();
    if (!done || (screens() && !m_looksAhead && !arrive(pathReference(m_start)))) {
        return false;
    }
    const double width = firstHingeWidth(m_objective.smoothing);
    return !isHinge() || isSolved() || width == m_objective.smoothing || changeSmoothing(width);
}

void PointSolver::Attempt::updateGap() {
    m_gapIteration = m_iteration;
    m_nextCheck = nextMultiple(m_checkInterval);
    const State& state = m_method->state();
    m_gap.keepDual(dualValue(state.totals, m_objective.squaredNorm(state.totals.pull), m_lambda, m_settings.gamma),
                   state.totals);
    if (const auto dual = m_method->dualValue(m_settings.gamma)) {
        m_gap.keepDual(*dual, *m_method->dualTotals());
    }
    m_gap.setPrimal(primalValue(state.totals, m_method->point(), m_lambda, m_settings.gamma));
    if (m_isWhole && m_astray == 0 && m_gap.isBest()) {
        m_gap.keep(m_method->point(), m_iteration);
    }
}

std::optional<Termination> PointSolver::Attempt::conclude() {
    const bool goesOn = canGoOn();
    if (!prove(goesOn ? m_method->point() : m_gap.bestPoint())) {
        return abandon(Termination::StoppedByUser);
    }
    if (m_outcome.solved.gap <= target(m_outcome.primal.value)) {
        return Termination::Converged;
    }
    if (goesOn) {
        // The screened triplets' loss at M is still above its value at the optimum: come closer.
        m_innerShare *= 0.3;
        return std::nullopt;
    }
    if (const auto narrower = nextHingeWidth(m_objective.smoothing); isHinge() && narrower) {
        return changeSmoothing(*narrower) ? std::nullopt : std::optional(Termination::StoppedByUser);
    }
    return Termination::ConvergedLoosely;
}

bool PointSolver::Attempt::prove(const MetricPoint& point) {
    const double cpu = threadCpuSeconds();
    const double work = m_outcome.ledger.work;
    SolvedPoint& solved = m_outcome.solved;
    const double edge = isHinge() ? m_objective.smoothing : m_settings.gamma;
    const bool mayMeasure = screens() && !m_objective.hasActiveSet(); // no evaluation is of an active set alone
    const bool isKnown = screens() && !(mayMeasure && m_schedule.wantsWhole()) && m_screening.holdsAt(point, edge);
    const bool pays = screens() && !isKnown;
    const bool done = isKnown ? m_objective.evaluateKnown(point, edge, solved.totals, m_outcome.setCounts)
                              : m_objective.evaluateAll(point, edge, pays ? m_objective.wholePairs : 0, solved.totals,
                                                        m_outcome.setCounts);
    (pays ? m_outcome.cpuScreen : m_cpuStatistics) += threadCpuSeconds() - cpu;
    if (!done) {
        return false;
    }
    if (pays && mayMeasure) {
        m_schedule.measuredWhole(m_outcome.ledger.work - work);
    }
    setSolved(point);
    m_outcome.primal = primalValue(solved.totals, point, m_lambda, m_settings.gamma);
    m_outcome.loss = lossValue(solved.totals, m_settings.gamma).value;
    const Bounded gap = m_outcome.primal - m_gap.dual();
    solved.gap = std::max(gap.value, 0.0) + gap.error;
    return true;
}

Termination PointSolver::Attempt::abandon(Termination reason) {
    if (reason == Termination::IterationLimit) {
        (void)prove(m_gap.bestPoint());
    } else {
        setSolved(m_gap.bestPoint());
        m_outcome.solved.gap = m_gap.bestBound();
        m_outcome.primal = m_gap.bestPrimal();
    }
    return reason;
}

void PointSolver::Attempt::setSolved(const MetricPoint& point) {
    m_outcome.solved.point = point;
    m_outcome.solved.lambda = m_lambda;
    m_outcome.solved.memory = m_method->memory();
    m_outcome.solved.screening = m_schedule.finished();
    m_outcome.solved.dual = m_gap.dualPull();
    m_outcome.solved.path = m_start.path.next(m_start.point.matrix, m_start.lambda, m_wasAhead,
                                              m_expected.size() > 0 ? (point.matrix - m_expected).norm() : 0);
    m_outcome.dual = m_gap.dual();
}

bool PointSolver::Attempt::narrowHinge() {
    const double cost = subgradientSlack(m_method->state().totals, 0).value;
    const auto narrower = nextHingeWidth(m_objective.smoothing);
    if (isSolved() || !narrower || !isHingeTooWide(cost, m_gap.gap().value)) {
        return false;
    }
    (void)changeSmoothing(*narrower);
    return true;
}

bool PointSolver::Attempt::changeSmoothing(double smoothing) {
    m_method->scaleStep(smoothing / m_objective.smoothing);
    m_objective.smoothing = smoothing;
    m_gap.beginAnew(m_iteration);
    return reevaluate();
}

bool PointSolver::Attempt::sumHere(void (InnerMethod<State>::*take)(State)) {
    State state;
    if (!m_objective.refresh(m_method->point(), m_choices++ >= kFreeChoices, state)) {
        return false;
    }
    m_isWhole = true;
    m_isStalled = false;
    m_gapIteration = -1;
    m_nextRefresh = nextMultiple(kActiveSetIterations);
    (*m_method.*take)(std::move(state));
    return true;
}

PointSolver::PointSolver(Engine& engine, std::vector<std::unique_ptr<Bound>> bounds, PointSettings settings)
    : m_engine(engine), m_bounds(std::move(bounds)), m_settings(settings), m_team(settings.threads) {
    if (settings.ranges && settings.schedule == ScheduleKind::Every && engine.ranges() != nullptr) {
        m_ranges = std::make_unique<RangeStore>(engine.activeTriplets());
    }
}

PointSolver::~PointSolver() = default;

void PointSolver::transfer(StateArchive& archive) {
    m_engine.transfer(archive);
    if (m_ranges) {
        archive(*m_ranges);
    }
}

PointOutcome PointSolver::solve(double lambda, const SolvedPoint& start, std::int32_t pointIndex, RunContext& context,
                                const SolvedPoint* known) {
    return Attempt(*this, lambda, start, pointIndex, context, known).run();
}

} // namespace lambdascope::triplets
