// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/newton_method.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// Memory of a working set: some 50 bytes for each triplet.
constexpr std::size_t kMostTriplets = 2'000'000;
/// How far beyond the edges of the loss a working set goes at first, in units of the margin, and at most.
constexpr double kFirstReach = 0.5;
constexpr double kLongestReach = 16;
/// Triplets in a working set for each one that is free to move: those cost next to nothing, a set too small costs
/// another one.
constexpr std::size_t kRoomy = 5;
/// Steps within one working set, and how many are expected.
constexpr std::int64_t kStepsPerSet = 30;
constexpr double kExpectedSteps = 4;
/// How much more work projected gradient is thought to have than at the last λ where it was tried.
constexpr double kGrowth = 2;
/// Steps of projected gradient that come first at least, when it comes first.
constexpr std::int64_t kPatience = 12;
/// Trial steps on an arc, the factor between them, and the share of the ascent promised by the gradient that will do.
constexpr int kTrials = 12;
constexpr double kTrialFactor = 0.4;
constexpr double kAscentShare = 1e-4;
/// Triplets between the edges from which on whole product sets are the way, and how many steps that is thought to take.
constexpr double kWholeSets = 5000;
constexpr double kWholeSteps = 4;
/// Steps of projected gradient after Newton found nothing better.
constexpr std::int64_t kTurns = 10;
/// Rounding that values may differ by, relative.
constexpr double kRoom = 1e-14;
/// Operations of an eigen-decomposition over d³, of making and gathering a number of B, of judging a triplet when a
/// set is picked, and of keeping one in it.
constexpr double kEigenWork = 25;
constexpr double kOverhead = 50;
constexpr double kPickingWork = 20;
constexpr double kListWork = 500;

} // namespace

NewtonMethod::NewtonMethod(ReducedObjective& objective, const TripletSet& triplets, double lambda, bool isPatient,
                           ThreadTeam& team)
    : m_objective(objective), m_isPatient(isPatient), m_gradient(objective, lambda, objective.ledger()),
      m_set(triplets, lambda), m_curvature(team) {
    // (One feature makes a diagonal M.)
    if (objective.engine().productLists() != nullptr && triplets.structure() == Structure::Full &&
        triplets.features() > 1) {
        m_whole = std::make_unique<ConeNewton>(objective, triplets, lambda, team);
    }
}

void NewtonMethod::start(MetricPoint point, ReducedState state, const MethodMemory& memory) {
    m_memory = memory;
    m_memory.reach = memory.reach > 0 ? memory.reach : kFirstReach;
    m_gradient.start(std::move(point), std::move(state), memory);
}

void NewtonMethod::restart(ReducedState state) {
    m_hasDual = false; // what it is a value of changed
    m_gradient.restart(std::move(state));
}

MethodMemory NewtonMethod::memory() const {
    MethodMemory memory = m_memory;
    memory.step = m_gradient.step();
    memory.gradientWork = m_gradientWork > 0 ? m_gradientWork : m_memory.gradientWork;
    const double whole = m_whole ? m_whole->work() : 0;
    memory.newtonWork = m_newtonWork > 0 ? m_newtonWork + m_curvature.work() + whole : 0;
    return memory;
}

std::optional<Bounded> NewtonMethod::dualValue(double gamma) const {
    return m_hasDual ? std::optional(m_set.dual(m_state, gamma)) : std::nullopt;
}

/// Operations of sums over so many pairs, with what is done once for all pairs.
double NewtonMethod::evaluationWork(std::int64_t pairs) const {
    const TripletSet& triplets = m_set.triplets();
    const auto d = static_cast<double>(triplets.features());
    const double perRow = isDiagonal(point().matrix) ? 0 : 4 * d * d;
    return static_cast<double>(triplets.rows()) * perRow + 6 * d * static_cast<double>(pairs);
}

/// How many triplets are between the edges: α is spread evenly over them, so that Σ α(1 − α) is a sixth of their
/// number.
double NewtonMethod::freeTriplets() const {
    const LossTotals& totals = state().totals;
    return 6 * std::max(totals.alphaSum.value - totals.alphaSquares.value, 0.0);
}

bool NewtonMethod::takesWholeSets() const {
    return m_whole != nullptr && freeTriplets() > kWholeSets;
}

/// From the last time, or from the size of the system.
double NewtonMethod::expectedWork() const {
    if (m_memory.newtonWork > 0) {
        return m_memory.newtonWork;
    }
    const Engine& engine = m_objective.engine();
    if (takesWholeSets()) {
        return kWholeSteps * m_whole->expectedWork(evaluationWork(engine.pairsPerEvaluation()));
    }
    const double free = freeTriplets();
    const auto d = static_cast<double>(m_set.triplets().features());
    const auto rank = static_cast<double>(point().factor.cols());
    const double freedom = isDiagonal(point().matrix) ? d : rank * (rank + 1) / 2 + rank * (d - rank);
    const double perStep =
        free * freedom * (std::min(free, freedom) + kOverhead) + 2 * evaluationWork(engine.pairsPerEvaluation());
    const double picking = kPickingWork * static_cast<double>(engine.tripletsPerEvaluation()) +
                           kListWork * static_cast<double>(kRoomy) * free;
    return kExpectedSteps * perStep + picking;
}

bool NewtonMethod::isGradientTurn() {
    if (m_gradientTurns > 0) {
        --m_gradientTurns;
        return true;
    }
    if (!m_isPatient || m_newtonWork > 0) {
        return false;
    }
    const bool isFirst = m_gradientSteps == 0;
    return isFirst ? kGrowth * m_memory.gradientWork <= expectedWork()
                   : m_gradientSteps < kPatience || m_gradientWork <= expectedWork();
}

StepOutcome NewtonMethod::gradientStep() {
    const Engine& engine = m_objective.engine();
    const Eigen::MatrixXd& matrix = point().matrix;
    const double eigen = isDiagonal(matrix) ? 0 : kEigenWork * std::pow(static_cast<double>(matrix.rows()), 3);
    ++m_gradientSteps;
    if (m_whole) {
        m_whole->forget();
    }
    m_gradientWork +=
        evaluationWork(engine.pairsPerEvaluation()) + 2 * static_cast<double>(engine.tripletsPerEvaluation()) + eigen;
    return m_gradient.advance();
}

StepOutcome NewtonMethod::advance() {
    m_iterations = 1;
    m_hasDual = false;
    if (isGradientTurn()) {
        return gradientStep();
    }
    if (takesWholeSets()) {
        return wholeStep();
    }
    switch (collect()) {
    case WorkingSet::Outcome::Stopped: return StepOutcome::Stopped;
    case WorkingSet::Outcome::TooMany: return gradientTurns();
    case WorkingSet::Outcome::Collected: break;
    }
    const StepOutcome found = descend();
    if (found != StepOutcome::Advanced) {
        return found == StepOutcome::Stopped ? found : gradientTurns();
    }
    return proveStep();
}

StepOutcome NewtonMethod::wholeStep() {
    MetricPoint target;
    ReducedState found;
    const StepOutcome outcome = m_whole->step(point(), state(), target, found);
    m_newtonWork += evaluationWork(m_objective.engine().pairsPerEvaluation());
    if (outcome == StepOutcome::Advanced) {
        m_gradient.moveTo(std::move(target), std::move(found));
        return outcome;
    }
    return outcome == StepOutcome::Stopped ? outcome : gradientTurns();
}

StepOutcome NewtonMethod::gradientTurns() {
    m_gradientTurns = kTurns;
    return gradientStep();
}

/// Sets m_state to the better of the α at the point and those of the last set.
WorkingSet::Outcome NewtonMethod::collect() {
    auto outcome = WorkingSet::Outcome::TooMany;
    while (true) {
        outcome = m_set.collect(m_objective, point(), m_memory.reach, kMostTriplets, m_state.alphas);
        if (outcome != WorkingSet::Outcome::TooMany || m_memory.reach < m_objective.smoothing) {
            break;
        }
        m_memory.reach /= 4;
    }
    if (outcome != WorkingSet::Outcome::Collected) {
        return outcome;
    }
    const bool isKnown = m_set.evaluateDual(m_objective, m_state);
    if (m_set.carryOver(m_memory.alphas, m_state.alphas, m_objective.poll(), m_trial.alphas) &&
        m_set.evaluateDual(m_objective, m_trial) && (!isKnown || m_trial.dual > m_state.dual)) {
        std::swap(m_state, m_trial);
    }
    return m_objective.poll().isStopped() ? WorkingSet::Outcome::Stopped : outcome;
}

bool NewtonMethod::isGoodEnough() const {
    return m_state.gap() <= std::max(m_objective.goal, m_objective.slackShare * m_state.slack);
}

/// Solves the working set's problem; Advanced when that found a better point.
StepOutcome NewtonMethod::descend() {
    if (!m_set.evaluatePrimal(m_objective, m_state)) {
        return StepOutcome::Stopped;
    }
    m_newtonWork += 3 * evaluationWork(static_cast<std::int64_t>(m_set.pairs()));
    const std::int64_t most = std::min(kStepsPerSet, m_objective.iterationsLeft);
    StepOutcome last = StepOutcome::Advanced;
    for (m_iterations = 0; m_iterations < most && !isGoodEnough() && last == StepOutcome::Advanced; ++m_iterations) {
        last = newtonStep();
    }
    m_iterations = std::max<std::int64_t>(m_iterations, 1);
    if (last == StepOutcome::Stopped) {
        return last;
    }
    m_memory.alphas = m_set.named(m_state.alphas);
    m_hasDual = true;
    const bool isLower = m_state.value < state().value - kRoom * std::abs(state().value);
    return isLower ? StepOutcome::Advanced : StepOutcome::Stalled;
}

/// Those that are not held by an edge of the box.
void NewtonMethod::setFree() {
    m_free.clear();
    for (std::size_t t = 0; t < m_state.alphas.size(); ++t) {
        const double alpha = m_state.alphas[t];
        const double ascent = m_state.ascent[t];
        if (!(alpha <= 0 && ascent <= 0) && !(alpha >= 1 && ascent >= 0)) {
            m_free.push_back(t);
        }
    }
}

StepOutcome NewtonMethod::newtonStep() {
    setFree();
    const auto size = static_cast<Eigen::Index>(m_free.size());
    Eigen::VectorXd ascent(size);
    Eigen::VectorXd alphas(size);
    for (Eigen::Index f = 0; f < size; ++f) {
        const std::size_t t = m_free[static_cast<std::size_t>(f)];
        ascent[f] = m_state.ascent[t];
        alphas[f] = m_state.alphas[t];
    }
    Eigen::VectorXd step;
    {
        const CpuCharge charge(m_objective.ledger().evaluate);
        WorkPoll& poll = m_objective.poll();
        const auto outcome = m_curvature.set(m_set, m_state.cone, m_free, poll);
        if (outcome == DualCurvature::Outcome::TooLarge) {
            return StepOutcome::Stalled;
        }
        if (outcome == DualCurvature::Outcome::Stopped ||
            !m_curvature.solve(ascent, -alphas, Eigen::VectorXd::Ones(size) - alphas, poll, step)) {
            return StepOutcome::Stopped;
        }
    }
    return step.allFinite() ? searchArc(step) : StepOutcome::Stalled;
}

StepOutcome NewtonMethod::searchArc(const Eigen::VectorXd& step) {
    const double room = 100 * kRoom * std::abs(m_state.dual);
    double share = 1;
    for (int trial = 0; trial < kTrials; ++trial, share *= kTrialFactor) {
        m_trial.alphas = m_state.alphas;
        double promised = 0;
        for (std::size_t f = 0; f < m_free.size(); ++f) {
            double& alpha = m_trial.alphas[m_free[f]];
            const double before = alpha;
            alpha = std::clamp(before + share * step[static_cast<Eigen::Index>(f)], 0.0, 1.0);
            promised += m_state.ascent[m_free[f]] * (alpha - before);
        }
        const bool isKnown = m_set.evaluateDual(m_objective, m_trial);
        m_newtonWork += evaluationWork(static_cast<std::int64_t>(m_set.pairs()));
        if (m_objective.poll().isStopped()) {
            return StepOutcome::Stopped;
        }
        if (!isKnown || m_trial.dual < m_state.dual + kAscentShare * promised - room) {
            continue;
        }
        if (!m_set.evaluatePrimal(m_objective, m_trial)) {
            return StepOutcome::Stopped;
        }
        if (m_trial.dual <= m_state.dual + room && m_trial.gap() >= m_state.gap()) {
            return StepOutcome::Stalled;
        }
        std::swap(m_state, m_trial);
        return StepOutcome::Advanced;
    }
    return StepOutcome::Stalled;
}

/// Visits all triplets at the point that the working set led to, and where it is no better there, on the way to it.
StepOutcome NewtonMethod::proveStep() {
    const double before = state().value;
    const MetricPoint origin = point();
    const Eigen::MatrixXd way = m_state.cone.point().matrix - origin.matrix;
    ReducedState found;
    for (double share = 1; share > 0.05; share *= 0.5) {
        MetricPoint target =
            share == 1 ? m_state.cone.point()
                       : MetricPoint::fromSplit(splitByCone(origin.matrix + share * way, &m_objective.poll()));
        if (m_objective.poll().isStopped() || !m_objective.evaluate(target, found)) {
            return StepOutcome::Stopped; // a split that was stopped has no matrix
        }
        if (std::isfinite(found.value) && found.value <= before + kRoom * std::abs(before)) {
            const double surprise = std::abs(found.value - m_state.value);
            const bool isRight = share == 1 && surprise <= 0.1 * (before - found.value) + m_objective.goal;
            if (!isRight) {
                m_memory.reach = std::min(2 * m_memory.reach, kLongestReach);
            } else if (m_set.near().size() > kRoomy * m_free.size()) {
                m_memory.reach = std::max(0.8 * m_memory.reach, m_objective.smoothing);
            }
            m_gradient.moveTo(std::move(target), std::move(found));
            return StepOutcome::Advanced;
        }
    }
    m_memory.reach = std::min(2 * m_memory.reach, kLongestReach);
    return gradientTurns();
}

} // namespace lambdascope::metric
