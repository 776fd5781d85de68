// SPDX-License-Identifier: GPL-3.0-or-later
// When a solve at one λ screens, and what becomes of it; the solve itself is in point_solver.cpp.
#include "core/triplets/solver/point_attempt.h"

#include <array>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// What lasting decisions may be made for: the solutions leave the line that they are expected on ever faster.
constexpr std::array<Stretch, 2> kStretches = {
    {{.steps = 7, .misses = 8, .lasts = 6}, {.steps = 3, .misses = 4, .lasts = 3}}};

} // namespace

bool PointSolver::Attempt::stepAhead() {
    const auto point = m_objective.projected(std::exchange(m_ahead, {}));
    if (!point) {
        return !m_stopCheck.isStopped() && (!m_looksAhead || arrive(pathReference(m_start)));
    }
    m_expected = point->matrix;
    // What lasts is made before the point is evaluated, so that this takes what is left.
    if (m_looksAhead && m_screening.mayTrust()) {
        m_screening.trustAt(*point);
        if (!lookAhead(*point, m_start.point.matrix) || !narrow(*point, m_start.screening.visits)) {
            return false;
        }
    }
    if (knowsDistance() && !takeDistanceAt(*point)) {
        return false;
    }
    State state;
    const double gapBefore = m_gap.bound();
    const double before = m_outcome.ledger.sums;
    const double expected = m_objective.visitLeft();
    if (!m_objective.evaluate(*point, state)) {
        return false;
    }
    if (m_screening.mayNarrow()) {
        m_schedule.evaluatedLasting(m_objective.visitWork(), expected);
    }
    m_schedule.advanced(m_outcome.ledger.sums - before, m_objective.visitWork(), m_objective.screened.decided() == 0,
                        gapBefore);
    const bool isBetter = state.value < m_method->state().value;
    m_wasAhead = isBetter ? PathExtrapolation::Outcome::Better : PathExtrapolation::Outcome::Worse;
    ++m_iteration;
    if (isBetter) {
        m_method->moveTo(*point, std::move(state));
        updateGap();
    } else if (m_screening.trusts()) {
        m_screening.retreatTo(m_start.point);
        m_hasAskedNarrow = false;
    }
    if (m_screening.trusts()) {
        return confirm(isBetter ? PathReference() : pathReference(m_start));
    }
    return knowsDistance() ? isBetter || m_objective.screened.decided() == 0 || reevaluate()
                           : !m_looksAhead || arrive(isBetter ? PathReference() : pathReference(m_start));
}

bool PointSolver::Attempt::lookAhead(const MetricPoint& point, const Eigen::MatrixXd& last) {
    if (!m_screening.trusts() && m_start.path.miss > 0) {
        const CpuCharge charge(m_outcome.cpuScreen);
        const CpuCharge ofRule(m_outcome.ledger.rule);
        const double solved = std::sqrt(2 * target(m_gap.primal().value) / m_lambda); // radius of the last ball
        const auto capsuleOf = [&](const Stretch& stretch) {
            return Capsule{point.matrix, point.matrix + stretch.steps * (point.matrix - last),
                           stretch.misses * m_start.path.miss + solved};
        };
        const auto forecaster = [&](const Stretch& stretch) { return m_screening.forecast(capsuleOf(stretch)); };
        if (const Stretch* stretch = m_schedule.looksAhead(kStretches, forecaster)) {
            const Capsule capsule = capsuleOf(*stretch);
            const double before = m_outcome.ledger.work;
            if (!m_screening.makeLasting(capsule)) {
                return false;
            }
            m_schedule.lookedAhead(m_outcome.ledger.work - before, stretch->lasts);
            m_screening.trustAt(point);
        }
    }
    if (m_screening.trusts()) {
        m_schedule.usesLasting();
    }
    return true;
}

bool PointSolver::Attempt::narrow(const MetricPoint& point, double visits) {
    if (m_hasAskedNarrow || !m_screening.mayNarrow() || !(m_start.path.miss > 0) || m_expected.size() == 0) {
        return true;
    }
    m_hasAskedNarrow = true;
    const CpuCharge charge(m_outcome.cpuScreen);
    const CpuCharge ofRule(m_outcome.ledger.rule);
    const Capsule capsule{point.matrix, m_expected == point.matrix ? Eigen::MatrixXd() : m_expected,
                          m_narrowMisses * m_start.path.miss};
    if (!capsule.holds(point) || // for its error alone
        !m_schedule.narrows(
            visits, [&] { return m_screening.forecast(m_screening.capsule()); },
            [&] { return m_screening.forecast(capsule); })) {
        return true;
    }
    const double visit =
        m_objective.visitWork() > 0 ? m_objective.visitLeft() : m_schedule.workOfLasting(m_objective.visitLeft());
    const double before = m_outcome.ledger.work;
    if (!m_screening.narrow(capsule)) {
        return false;
    }
    m_schedule.narrowed(m_outcome.ledger.work - before, visit);
    return true;
}

bool PointSolver::Attempt::confirm(const PathReference& path) {
    if (!m_screening.trusts()) {
        return true;
    }
    const double cpu = threadCpuSeconds();
    const double watching = m_screening.cpuOfWatching();
    const TripletIndex before = m_screening.proven().decided();
    const bool done = m_screening.prove(referenceHere(path), static_cast<std::int32_t>(m_outcome.checks), m_iteration,
                                        m_owner.m_observer);
    const double watched = m_screening.cpuOfWatching() - watching; // is no part of solving
    const double spent = threadCpuSeconds() - cpu - watched;
    m_cpuStatistics += watched;
    m_outcome.ledger.rule += spent;
    m_outcome.cpuScreen += spent;
    if (done && m_screening.proven().decided() > before) {
        m_outcome.pathScreened = isArrival() ? m_screening.proven() : m_outcome.pathScreened;
        m_schedule.proved(m_lambda, m_screening.provenRadius());
        noteCheck(m_gap.bound(), spent);
    }
    return done;
}

bool PointSolver::Attempt::screenHere() {
    m_schedule.begin(m_iteration);
    if (knowsDistance()) {
        return takeDistance();
    }
    // By what the active set tells: the sums over all items that a look needs cost more than the answer.
    if (!chargedToScreening([&] { return m_schedule.confirms(screeningState(), forecasterAt({})); })) {
        return true;
    }
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
    return screenWith({}, Look::Later);
}

bool PointSolver::Attempt::screenWith(const PathReference& path, Look look) {
    const double cpu = threadCpuSeconds();
    const BoundReference reference = referenceHere(path);
    const TripletIndex before = m_objective.screened.decided();
    const double workBefore = m_outcome.ledger.work;
    const double watching = m_screening.cpuOfWatching();
    bool looks = look == Look::Later || (look == Look::Arrival && !m_screening.mayRecall());
    const auto goesOn = [&] {
        looks =
            looks || (look == Look::Arrival && m_schedule.looksOnArrival(m_objective.shareLeft(), forecasterAt(path)));
        return looks;
    };
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
    m_schedule.looked(m_outcome.ledger.work - workBefore, m_gap.bound(), look == Look::Arrival);
    noteCheck(m_gap.bound(), spent);
    return true;
}

} // namespace lambdascope::triplets
