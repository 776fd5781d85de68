// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/clocks.h"
#include "core/run/point_journal.h"
#include "core/triplets/solver/gap_record.h"
#include "core/triplets/solver/newton_method.h"
#include "core/triplets/solver/point_screening.h"
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/reduced_objective.h"

namespace lambdascope::triplets {

/// The state of one solve, for point_solver.cpp alone.
class PointSolver::Attempt {
  public:
    using State = ReducedState;

    Attempt(PointSolver& owner, double lambda, const SolvedPoint& start, std::int32_t pointIndex, RunContext& context,
            const SolvedPoint* known)
        : m_owner(owner), m_engine(owner.m_engine), m_settings(owner.m_settings), m_lambda(lambda), m_start(start),
          m_known(known), m_context(context), m_journal(context, pointIndex, start.totals.triplets),
          m_stopCheck([&context] { return context.shouldStop(); }),
          m_objective(m_engine, m_stopCheck, m_outcome.ledger, lambda, owner.m_settings.hasActiveSet()),
          m_screening(m_engine, owner.m_bounds, m_settings, owner.m_ranges.get(), start.screening.visits, m_objective,
                      m_stopCheck),
          m_schedule(m_settings.schedule, m_settings.screenEvery, start.screening),
          m_method(makeInnerMethod(m_objective, m_settings.method, lambda, owner.m_team)) {}

    PointOutcome run() {
        m_cpuStart = threadCpuSeconds();
        const Termination termination = iterate();
        m_outcome.termination = m_stopCheck.isStopped() ? m_context.stopReason() : termination;
        m_outcome.iterations = m_iteration;
        m_outcome.finalScreened = m_screening.proven();
        m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuStatistics;
        m_outcome.ledger.close(m_outcome.cpuSolve + m_outcome.cpuScreen);
        return std::move(m_outcome);
    }

  private:
    /// Radius of the smaller capsule over how far the last solution was from its line.
    static constexpr double kNarrowMisses = 1.25;

    [[nodiscard]] bool screens() const { return !m_owner.m_bounds.empty() && m_known == nullptr; }
    [[nodiscard]] bool isHinge() const { return m_settings.gamma == 0; }
    [[nodiscard]] double target(double primal) const { return m_settings.target(primal); }
    Termination iterate();
    bool advance();

    /// Starts from the reference: no triplet is visited, its sums are known. Then the path screening.
    bool begin();

    /// The first look, which the previous solution is the reference of unless `path` is none.
    bool arrive(const PathReference& path) {
        const bool looks = m_schedule.mayLookOnArrival(isSolved()) &&
                           (m_screening.mayRecall() ||
                            chargedToScreening([&] { return m_schedule.looksOnArrival(1, forecasterAt(path)); }));
        if (looks && !screenWith(path, Look::Arrival)) {
            return false;
        }
        m_outcome.pathScreened = m_objective.screened;
        return true;
    }

    /// Goes to where the solution is to be expected, if the function is lower there.
    bool stepAhead();

    /// Where the method begins at the last solution: goes by decisions that last there and where the solution is to be
    /// expected, if there are any or making them pays. False when stopped.
    bool trustStart() {
        m_expected = m_start.path.expected(m_start.point.matrix, m_start.lambda, m_lambda);
        if (m_screening.lastsTo(m_expected)) {
            m_screening.trustAt(m_start.point);
        }
        return lookAhead(m_start.point, m_start.path.matrix);
    }
    /// Takes or makes decisions that last along the path, from the point on away from the solution `last`, if that
    /// pays. False when stopped.
    bool lookAhead(const MetricPoint& point, const Eigen::MatrixXd& last);
    /// Takes out for this λ what a smaller capsule decides, round the way from the point to where the solution is to be
    /// expected, if evaluations, so many of which are to come, then save more than that takes. False when stopped.
    bool narrow(const MetricPoint& point, double visits);
    /// Whether the last step was a long way, or knows its gap.
    [[nodiscard]] bool wentFar() const { return m_method->lastIterations() > 1 || m_method->dualTotals() != nullptr; }
    /// After a step: notes whether it led outside of a trusted capsule. The method minimizes the reduced problem there,
    /// whose optimum is that of the whole one if that lies inside; its gap tells nothing until it comes back. Where it
    /// does not, what the capsule decides becomes active again. False when stopped.
    bool followCapsule();
    /// Proves what is trusted, as far as a ball at the point, or by the path, is small enough. False when stopped.
    bool confirm(const PathReference& path = {});
    /// No step was made yet, but to where the solution was to be expected.
    [[nodiscard]] bool isArrival() const {
        return m_iteration == (m_wasAhead == PathExtrapolation::Outcome::NotTried ? 0 : 1);
    }

    /// Takes over what the known solution proves: neither time nor work of that counts.
    bool takeKnown() {
        if (!m_screening.takeOver(*m_known, m_owner.m_observer, m_cpuStatistics)) {
            return false;
        }
        noteCheck(m_known->gap, 0);
        m_outcome.pathScreened = m_objective.screened;
        return m_objective.screened.decided() == 0 || reevaluate();
    }

    /// Whether the known solution tells nothing but how far a point is from it.
    [[nodiscard]] bool knowsDistance() const { return m_known != nullptr && m_settings.knowsDistance; }
    /// Decides what follows from that at a point. (The centres of the lane's balls are made with the sums at the point
    /// of the method: how far any centre is from the solution is known.)
    bool takeDistanceAt(const MetricPoint& point) {
        const BoundReference reference = m_screening.referenceAt(point, m_method->state().totals, m_gap.bound());
        return m_screening.judgeByDistance(reference, *m_known, m_cpuStatistics);
    }
    /// The same at the point of the method.
    bool takeDistance() {
        const TripletIndex before = m_objective.screened.decided();
        if (!takeDistanceAt(m_method->point())) {
            return false;
        }
        noteCheck(m_gap.bound(), 0);
        m_outcome.pathScreened = isArrival() ? m_objective.screened : m_outcome.pathScreened;
        return m_objective.screened.decided() == before ||
               (!m_objective.hasActiveSet() && m_screening.lastHoldsAt(m_method->point(), m_objective.smoothing)) ||
               reevaluate();
    }

    /// Dual value and gap at the current point.
    void updateGap();

    [[nodiscard]] std::int64_t nextMultiple(std::int64_t interval) const {
        return (m_iteration / interval + 1) * interval;
    }

    [[nodiscard]] bool isSolved() const { return m_gap.bound() <= m_innerShare * target(m_gap.primal().value); }
    [[nodiscard]] bool seemsDone() const { return isSolved() || !canGoOn(); }
    [[nodiscard]] bool canGoOn() const { return !m_isStalled && !m_gap.isStuck(m_iteration); }

    /// Proves the best point on all triplets. Nothing when the reduced problem must be solved further.
    std::optional<Termination> conclude();

    /// Sums over all triplets at `point`: primal value, gap and reference of the next λ. Statistics only where the
    /// method's own sums say the same: without screening, and where all decisions hold at the point. Else a lane that
    /// screens pays for it in its screening account.
    bool prove(const MetricPoint& point);

    /// Ends without convergence: the best point, with sums if time allows.
    Termination abandon(Termination reason);

    /// What the next λ starts from, but for the sums over all triplets.
    void setSolved(const MetricPoint& point);

    /// Hinge: a smaller width when what the width costs is most of the gap. True when it changed.
    bool narrowHinge();

    bool changeSmoothing(double smoothing);

    bool reevaluate() { return sumHere(&InnerMethod<State>::restart); } ///< the function changed
    bool refresh() { return sumHere(&InnerMethod<State>::refresh); }

    /// Chooses the active set anew; the state is that of all triplets not screened again.
    bool sumHere(void (InnerMethod<State>::*take)(State));

    [[nodiscard]] ScreeningSchedule::State screeningState() const {
        return {m_iteration, m_gap.bound(), m_innerShare * target(m_gap.primal().value), m_gapIteration == m_iteration,
                m_screening.canForecast(m_method->point())};
    }

    bool screenHere();

    /// The answer to a question whose forecast is screening's.
    template <class Question>
    [[nodiscard]] bool chargedToScreening(const Question& question) {
        const CpuCharge charge(m_outcome.cpuScreen);
        const CpuCharge ofRule(m_outcome.ledger.rule);
        return question();
    }
    /// What a look at the point would bring, if that can be told.
    [[nodiscard]] Forecaster forecasterAt(const PathReference& path) {
        if (!m_screening.canForecast(m_method->point())) {
            return {};
        }
        return [this, path] { return m_screening.forecast(referenceHere(path)); };
    }

    /// One check of all bounds on the active triplets; re-evaluates when any was decided, unless what was decided holds
    /// at the point, where the sums then stay the same.
    enum class Look { Arrival, Later };
    bool screenWith(const PathReference& path, Look look);
    [[nodiscard]] BoundReference referenceHere(const PathReference& path) const {
        BoundReference reference = m_screening.referenceAt(m_method->point(), m_method->state().totals, m_gap.bound());
        reference.gapDual = &m_gap.dualPull();
        reference.path = path;
        return reference;
    }
    void noteCheck(double gap, double cpu) {
        const ScreenedPart proven = m_screening.proven();
        m_journal.check({static_cast<std::int32_t>(m_outcome.checks++), m_iteration, proven.zero, proven.linear, gap,
                         m_screening.radius(), cpu});
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
    Eigen::MatrixXd m_ahead; ///< where the solution is to be expected, until that was tried; else empty
    PathExtrapolation::Outcome m_wasAhead = PathExtrapolation::Outcome::NotTried;
    Eigen::MatrixXd m_expected; ///< that point, once it was tried, or decisions that last were asked there; else empty
    bool m_looksAhead = false;  ///< the first look is to come after that
    double m_narrowMisses = kNarrowMisses;
    bool m_hasAskedNarrow = false; ///< whether that pays, since iterates left such a capsule
    int m_astray = 0;              ///< steps in a row that led outside of a trusted capsule
    double m_innerShare = 1;       ///< share of the target that the reduced problem has to reach
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

} // namespace lambdascope::triplets
