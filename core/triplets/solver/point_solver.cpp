// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/point_solver.h"

#include "core/common/clocks.h"
#include "core/common/state_archive.h"
#include "core/run/point_journal.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/gap_record.h"
#include "core/triplets/solver/newton_method.h"
#include "core/triplets/solver/point_screening.h"
#include "core/triplets/solver/reduced_objective.h"

#include <algorithm>

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

} // namespace

class PointSolver::Attempt {
  public:
    using State = ReducedState;

    Attempt(PointSolver& owner, double lambda, const SolvedPoint& start, std::int32_t pointIndex, RunContext& context,
            const SolvedPoint* known)
        : m_owner(owner), m_engine(owner.m_engine), m_settings(owner.m_settings), m_lambda(lambda), m_start(start),
          m_known(known), m_context(context), m_journal(context, pointIndex, start.totals.triplets),
          m_stopCheck([&context] { return context.shouldStop(); }),
          m_objective(m_engine, m_stopCheck, m_outcome.ledger, lambda, owner.m_settings.hasActiveSet()),
          m_screening(m_engine, owner.m_bounds, m_settings, owner.m_ranges.get(), m_objective, m_stopCheck),
          m_schedule(owner.m_settings.schedule, owner.m_settings.screenEvery, screeningRecord(start, m_engine)),
          m_method(makeInnerMethod(m_objective, m_settings.method, lambda, owner.m_team)) {}

    PointOutcome run() {
        m_cpuStart = threadCpuSeconds();
        const Termination termination = iterate();
        m_outcome.termination = m_stopCheck.isStopped() ? m_context.stopReason() : termination;
        m_outcome.iterations = m_iteration;
        m_outcome.finalScreened = m_objective.screened;
        m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuStatistics;
        m_outcome.ledger.close(m_outcome.cpuSolve + m_outcome.cpuScreen);
        return std::move(m_outcome);
    }

  private:
    [[nodiscard]] bool screens() const { return !m_owner.m_bounds.empty() && m_known == nullptr; }
    [[nodiscard]] bool isHinge() const { return m_settings.gamma == 0; }
    [[nodiscard]] double target(double primal) const { return m_settings.target(primal); }

    Termination iterate() {
        if (!begin()) {
            return Termination::StoppedByUser;
        }
        while (true) {
            const bool isSetOld = m_objective.hasActiveSet() && m_iteration >= m_nextRefresh;
            if (m_stopCheck.ask() || (isSetOld && !refresh())) {
                return abandon(Termination::StoppedByUser);
            }
            if (m_iteration >= m_nextCheck || m_isStalled) {
                updateGap();
                if (seemsDone() && !m_isWhole) { // as far as the active set can tell
                    if (!refresh()) {
                        return abandon(Termination::StoppedByUser);
                    }
                    updateGap();
                }
                publishProgress();
                if (const auto end = seemsDone() ? conclude() : std::nullopt) {
                    return *end;
                }
                if (isHinge() && narrowHinge() && m_stopCheck.isStopped()) {
                    return abandon(Termination::StoppedByUser);
                }
            }
            if (screens() && isScreeningDue()) {
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

    bool advance() {
        m_objective.gapShare = m_gap.bound() / (m_innerShare * target(m_gap.primal().value));
        m_objective.goal = kMethodShare * m_innerShare * target(m_gap.primal().value);
        m_objective.slackShare = isHinge() ? kMethodShare : 0;
        m_objective.iterationsLeft = m_settings.maxIterations - m_iteration;
        const double before = m_outcome.ledger.sums;
        const double gapBefore = m_gap.bound();
        const StepOutcome step = m_method->advance();
        m_schedule.advanced(m_outcome.ledger.sums - before, m_objective.visitWork(),
                            m_objective.screened.decided() == 0, gapBefore);
        m_isStalled = step == StepOutcome::Stalled;
        if (step == StepOutcome::Advanced) {
            m_iteration += m_method->lastIterations();
            m_isWhole = !m_objective.hasActiveSet();
            if (m_method->lastIterations() > 1) {
                m_nextCheck = m_iteration; // a long way: see where it led
            }
        }
        return step != StepOutcome::Stopped;
    }

    /// Starts from the reference: no triplet is visited, its sums are known. Then the path screening.
    bool begin() {
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
        const bool looks = screens() && m_schedule.mayLookOnArrival(isSolved()) &&
                           (m_screening.mayRecall() || m_schedule.looksOnArrival(1));
        if (m_known != nullptr ? !takeKnown() : looks && !screenWith(pathReference(m_start))) {
            return false;
        }
        m_outcome.pathScreened = m_objective.screened;
        const double width = firstHingeWidth(m_objective.smoothing);
        return !isHinge() || isSolved() || width == m_objective.smoothing || changeSmoothing(width);
    }

    /// Takes over what the known solution proves: neither time nor work of that counts.
    bool takeKnown() {
        if (!m_screening.takeOver(*m_known, m_owner.m_observer, m_cpuStatistics)) {
            return false;
        }
        noteCheck(m_known->gap, 0);
        return m_objective.screened.zero + m_objective.screened.linear == 0 || reevaluate();
    }

    /// Dual value and gap at the current point.
    void updateGap() {
        m_gapIteration = m_iteration;
        m_nextCheck = nextMultiple(m_checkInterval);
        const State& state = m_method->state();
        m_gap.keepDual(dualValue(state.totals, m_objective.squaredNorm(state.totals.pull), m_lambda, m_settings.gamma),
                       state.totals);
        if (const auto dual = m_method->dualValue(m_settings.gamma)) {
            m_gap.keepDual(*dual, *m_method->dualTotals());
        }
        m_gap.setPrimal(primalValue(state.totals, m_method->point(), m_lambda, m_settings.gamma));
        if (m_isWhole && m_gap.isBest()) {
            m_gap.keep(m_method->point(), m_iteration);
        }
    }

    [[nodiscard]] std::int64_t nextMultiple(std::int64_t interval) const {
        return (m_iteration / interval + 1) * interval;
    }

    [[nodiscard]] bool isSolved() const { return m_gap.bound() <= m_innerShare * target(m_gap.primal().value); }
    [[nodiscard]] bool seemsDone() const { return isSolved() || !canGoOn(); }
    [[nodiscard]] bool canGoOn() const { return !m_isStalled && !m_gap.isStuck(m_iteration); }

    /// Proves the best point on all triplets. Nothing when the reduced problem must be solved further.
    std::optional<Termination> conclude() {
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

    /// Sums over all triplets at `point`: primal value, gap and reference of the next λ. Statistics only where the
    /// method's own sums say the same: without screening, and where all decisions hold at the point. Else a lane that
    /// screens pays for it in its screening account.
    bool prove(const MetricPoint& point) {
        const double cpu = threadCpuSeconds();
        SolvedPoint& solved = m_outcome.solved;
        const double edge = isHinge() ? m_objective.smoothing : m_settings.gamma;
        const bool isKnown = screens() && m_screening.holdsAt(point, edge);
        const bool pays = screens() && !isKnown;
        const bool done = isKnown ? m_objective.evaluateKnown(point, edge, solved.totals, m_outcome.setCounts)
                                  : m_objective.evaluateAll(point, edge, pays ? m_objective.wholePairs : 0,
                                                            solved.totals, m_outcome.setCounts);
        (pays ? m_outcome.cpuScreen : m_cpuStatistics) += threadCpuSeconds() - cpu;
        if (!done) {
            return false;
        }
        setSolved(point);
        m_outcome.primal = primalValue(solved.totals, point, m_lambda, m_settings.gamma);
        m_outcome.loss = lossValue(solved.totals, m_settings.gamma).value;
        const Bounded gap = m_outcome.primal - m_gap.dual();
        solved.gap = std::max(gap.value, 0.0) + gap.error;
        return true;
    }

    /// Ends without convergence: the best point, with sums if time allows.
    Termination abandon(Termination reason) {
        if (reason == Termination::IterationLimit) {
            (void)prove(m_gap.bestPoint());
        } else {
            setSolved(m_gap.bestPoint());
            m_outcome.solved.gap = m_gap.bestBound();
            m_outcome.primal = m_gap.bestPrimal();
        }
        return reason;
    }

    /// What the next λ starts from, but for the sums over all triplets.
    void setSolved(const MetricPoint& point) {
        m_outcome.solved.point = point;
        m_outcome.solved.lambda = m_lambda;
        m_outcome.solved.memory = m_method->memory();
        m_outcome.solved.screening = m_schedule.finished();
        m_outcome.solved.dual = m_gap.dualPull();
        m_outcome.dual = m_gap.dual();
    }

    /// Hinge: a smaller width when what the width costs is most of the gap. True when it changed.
    bool narrowHinge() {
        const double cost = subgradientSlack(m_method->state().totals, 0).value;
        const auto narrower = nextHingeWidth(m_objective.smoothing);
        if (isSolved() || !narrower || !isHingeTooWide(cost, m_gap.gap().value)) {
            return false;
        }
        (void)changeSmoothing(*narrower);
        return true;
    }

    bool changeSmoothing(double smoothing) {
        m_method->scaleStep(smoothing / m_objective.smoothing);
        m_objective.smoothing = smoothing;
        m_gap.beginAnew(m_iteration);
        return reevaluate();
    }

    bool reevaluate() { return sumHere(&InnerMethod<State>::restart); } ///< the function changed
    bool refresh() { return sumHere(&InnerMethod<State>::refresh); }

    /// Chooses the active set anew; the state is that of all triplets not screened again.
    bool sumHere(void (InnerMethod<State>::*take)(State)) {
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

    [[nodiscard]] bool isScreeningDue() const {
        return m_schedule.isDue(
            {m_iteration, m_gap.bound(), m_innerShare * target(m_gap.primal().value), m_gapIteration == m_iteration});
    }

    bool screenHere() {
        m_schedule.begin(m_iteration);
        if (!m_isWhole && !refresh()) {
            return false;
        }
        if (m_gapIteration != m_iteration) {
            updateGap();
            if (seemsDone()) {
                m_nextCheck = m_iteration;
                return true;
            }
        }
        return screenWith({});
    }

    /// One check of all bounds on the active triplets; re-evaluates when any was decided, unless what was decided holds
    /// at the point, where the sums then stay the same.
    bool screenWith(const PathReference& path) {
        const double cpu = threadCpuSeconds();
        BoundReference reference = m_screening.referenceAt(m_method->point(), m_method->state().totals, m_gap.bound());
        reference.gapDual = &m_gap.dualPull();
        reference.path = path;
        const TripletIndex before = m_objective.screened.decided();
        const double workBefore = m_outcome.ledger.work;
        const double watching = m_screening.cpuOfWatching();
        bool looks = path.point == nullptr || !m_screening.mayRecall();
        const auto goesOn = [&] { return looks = looks || m_schedule.looksOnArrival(m_objective.shareLeft()); };
        bool done = m_screening.decide(reference, static_cast<std::int32_t>(m_outcome.checks), m_iteration,
                                       m_owner.m_observer, goesOn);
        const double watched = m_screening.cpuOfWatching() - watching; // is no part of solving
        m_cpuStatistics += watched;
        m_outcome.ledger.rule += threadCpuSeconds() - cpu - watched;
        if (done && m_objective.screened.decided() > before) {
            done = (!m_objective.hasActiveSet() && m_screening.lastHoldsAt(m_method->point(), m_objective.smoothing)) ||
                   reevaluate();
        }
        const double spent = threadCpuSeconds() - cpu - watched;
        m_outcome.cpuScreen += spent;
        if (!done || (!looks && m_objective.screened.decided() == before)) {
            return done;
        }
        m_schedule.looked(m_outcome.ledger.work - workBefore, m_gap.bound(), path.point != nullptr);
        noteCheck(m_gap.bound(), spent);
        return true;
    }

    void noteCheck(double gap, double cpu) {
        m_journal.check({static_cast<std::int32_t>(m_outcome.checks++), m_iteration, m_objective.screened.zero,
                         m_objective.screened.linear, gap, m_screening.radius(), cpu});
    }

    void publishProgress() {
        if (m_journal.wants(m_iteration) || isSolved()) {
            const CpuCharge watching(m_cpuStatistics); // being watched is no part of solving
            m_journal.iteration(m_iteration, m_gap.primal().value, m_gap.bound(), target(m_gap.primal().value),
                                m_engine.activeTriplets(), threadCpuSeconds() - m_cpuStart);
        }
    }

    PointSolver& m_owner;
    Engine& m_engine;
    const PointSettings& m_settings;
    double m_lambda;
    const SolvedPoint& m_start;
    const SolvedPoint* m_known; ///< at this λ; null where nothing is known
    RunContext& m_context;
    PointJournal m_journal;
    StopCheck m_stopCheck;
    PointOutcome m_outcome;
    ReducedObjective m_objective;
    PointScreening m_screening;
    ScreeningSchedule m_schedule;
    std::unique_ptr<InnerMethod<State>> m_method;
    GapRecord m_gap;
    double m_innerShare = 1; ///< share of the target that the reduced problem has to reach
    bool m_isStalled = false;
    std::int64_t m_iteration = 0;
    std::int64_t m_nextRefresh = 0; ///< of the active set
    std::int64_t m_choices = 0;     ///< of the active set
    bool m_isWhole = true;          ///< the state is a sum over all triplets not screened
    std::int64_t m_checkInterval = 1;
    std::int64_t m_nextCheck = 0;
    std::int64_t m_gapIteration = -1; ///< iteration of the last updateGap
    double m_cpuStart = 0;
    double m_cpuStatistics = 0;
};

PointSolver::PointSolver(Engine& engine, std::vector<std::unique_ptr<Bound>> bounds, PointSettings settings)
    : m_engine(engine), m_bounds(std::move(bounds)), m_settings(settings), m_team(settings.threads) {
    if (settings.ranges && engine.ranges() != nullptr) {
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
