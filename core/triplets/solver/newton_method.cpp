// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/newton_method.h"

#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// Memory of a working set: some 50 bytes for each triplet.
constexpr std::size_t kMostTriplets = 2'000'000;
/// How far beyond the edges of the loss a working set goes at first, in units of the margin, and at most: margins may
/// move by any number of units where features are large.
constexpr double kFirstReach = 0.5;
constexpr double kLongestReach = 1e9;
/// Triplets in a working set for each one that is free to move: those cost next to nothing, a set too small costs
/// another one.
constexpr std::size_t kRoomy = 5;
/// Steps within one working set at most.
constexpr std::int64_t kStepsPerSet = 30;
/// Work of a λ at a guess: triplets free to move in the first system for each one between the edges, in the working set
/// for each one of those, sums over all triplets (those over the set among them), systems solved.
constexpr std::int64_t kExpectedFree = 2;
constexpr std::int64_t kExpectedNear = 4;
constexpr double kExpectedVisits = 3.5;
constexpr double kExpectedSteps = 1.8;
/// Trial steps on an arc, the factor between them, and the share of the ascent promised by the gradient that will do.
constexpr int kTrials = 12;
constexpr double kTrialFactor = 0.4;
constexpr double kAscentShare = 1e-4;
/// Steps of projected gradient after Newton found nothing better.
constexpr std::int64_t kTurns = 10;
/// Rounding that values may differ by, relative.
constexpr double kRoom = 1e-14;

/// Work on a working set that is listed, beside that of systems.
double workOnList(std::int64_t near) {
    return 2 * work::ofSearches(near, near) + 3 * work::ofListed(near);
}

} // namespace

NewtonMethod::NewtonMethod(ReducedObjective& objective, const PairTable& table, double lambda, bool chooses,
                           ThreadTeam& team)
    : m_objective(objective), m_chooses(chooses), m_gradient(objective, lambda, objective.ledger()),
      m_set(table, lambda), m_curvature(team) {
    // (One feature makes a diagonal M.)
    const TripletSet* sets = objective.engine().productSets();
    if (sets != nullptr && table.structure() == Structure::Full && table.features() > 1) {
        m_whole = std::make_unique<ConeNewton>(objective, *sets, lambda, m_memory.between, team);
    }
}

void NewtonMethod::start(MetricPoint point, ReducedState state, const MethodMemory& memory) {
    m_memory = memory;
    if (memory.record) {
        m_record = *memory.record;
    }
    m_memory.reach = memory.reach > 0 ? memory.reach : kFirstReach;
    m_first = point;
    m_gradient.start(std::move(point), std::move(state), memory);
}

void NewtonMethod::restart(ReducedState state) {
    m_hasDual = false; // what it is a value of changed
    m_gradient.restart(std::move(state));
}

MethodMemory NewtonMethod::memory() const {
    MethodMemory memory = m_memory;
    memory.step = m_gradient.step();
    MethodRecord record = m_record;
    if (m_choice) {
        record = m_choice->finished(m_workOfSteps);
    }
    if (m_objective.visitWork() > 0) {
        record.evaluationWork = m_objective.screened.decided() > 0
                                    ? std::max(m_objective.visitWork(), m_objective.wholeVisit)
                                    : m_objective.visitWork();
    }
    memory.record = std::make_shared<const MethodRecord>(record);
    return memory;
}

std::optional<Bounded> NewtonMethod::dualValue(double gamma) const {
    return m_hasDual ? std::optional(m_set.dual(m_state, gamma)) : std::nullopt;
}

/// How many triplets are between the edges: α is spread evenly over them, so that Σ α(1 − α) is a sixth of their
/// number.
double NewtonMethod::freeTriplets() const {
    const LossTotals& totals = state().totals;
    return 6 * std::max(totals.alphaSum.value - totals.alphaSquares.value, 0.0);
}

/// From the number of triplets between the edges; the sums are not known before the first one is counted.
NewtonGuess NewtonMethod::guessedWork() const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    NewtonGuess guess{{StepGuess{kNever, kNever}, StepGuess{kNever, kNever}}};
    const double visit = workOfVisit();
    if (m_whole) {
        guess[NewtonKind::WholeSets] = {m_scale * m_whole->workOfStep(visit),
                                        m_scale * m_whole->workOfLaterStep(visit)};
    }
    const auto free = kExpectedFree * static_cast<std::int64_t>(freeTriplets());
    if (DualCurvature::takes(m_set.table(), free, freedom())) {
        const std::int64_t near = kExpectedNear * free;
        const double work =
            kExpectedVisits * visit + work::ofListing(near) + workOnList(near) + kExpectedSteps * workOfSystem(free);
        guess[NewtonKind::WorkingSet] = {m_scale * work, m_scale * work};
    }
    return guess;
}

double NewtonMethod::workOfSystem(std::int64_t free) const {
    return DualCurvature::workOf(m_set.table(), free, point().factor.cols(), freedom());
}

/// Numbers in a row of B at the point (DualCurvature).
std::int64_t NewtonMethod::freedom() const {
    const Eigen::Index d = m_set.table().features();
    const Eigen::Index rank = point().factor.cols();
    return isDiagonal(point().matrix) ? d : rank * (rank + 1) / 2 + rank * (d - rank);
}

/// Whether projected gradient takes over, Newton being too much work before a step of `next`.
bool NewtonMethod::givesUp(double next) {
    return m_choice && m_choice->takesNewton() && m_choice->givesUpNewton(workHere(), m_scale * next);
}

bool NewtonMethod::isGradientTurn() {
    if (m_gradientTurns > 0) {
        --m_gradientTurns;
        return true;
    }
    if (!m_choice) {
        m_choice.emplace(m_record, m_chooses);
    }
    m_choice->decide(m_objective.gapShare, workHere(), guessedWork());
    return !m_choice->takesNewton();
}

StepOutcome NewtonMethod::gradientStep() {
    if (m_whole) {
        m_whole->forget();
    }
    m_hasLeftFirst = true;
    return m_gradient.advance();
}

double NewtonMethod::workOfVisit() const {
    return m_objective.screened.decided() > 0 ? m_objective.visitLeft() : m_record.evaluationWork;
}

double NewtonMethod::scale() const {
    const double left = m_objective.visitLeft();
    if (m_objective.screened.decided() == 0 || left <= 0) {
        return 1;
    }
    const Eigen::Index d = point().matrix.rows();
    const double beside = isDiagonal(point().matrix) ? 0 : work::ofEigen(d) + work::ofEigen(d, false);
    return std::max((m_objective.wholeVisit + beside) / (left + beside), 1.0);
}

StepOutcome NewtonMethod::advance() {
    m_workBefore = m_objective.ledger().work; // the rest is that of others, of looks, say
    m_scale = scale();
    const StepOutcome outcome = step();
    m_workOfSteps = workHere();
    m_workBefore = m_objective.ledger().work;
    return outcome;
}

StepOutcome NewtonMethod::step() {
    m_iterations = 1;
    m_hasDual = false;
    if (isGradientTurn()) {
        return gradientStep();
    }
    const bool isWhole = m_choice->kind() == NewtonKind::WholeSets;
    if (givesUp(isWhole ? m_whole->workOfStep(workOfVisit()) : workOfVisit())) {
        m_choice->gradientTakesOver(workHere());
        return gradientStep();
    }
    if (isWhole) {
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
    if (outcome == StepOutcome::Advanced) {
        moveTo(std::move(target), std::move(found));
        return outcome;
    }
    return outcome == StepOutcome::Stopped ? outcome : gradientTurns();
}

/// Newton found nothing better; where one kind of its steps does not, the other one may.
StepOutcome NewtonMethod::gradientTurns() {
    m_gradientTurns = kTurns;
    m_choice->gradientTakesOver(workHere());
    return gradientStep();
}

/// Sets m_state to the best of the α at the point, those of the last set, and those at the point that a λ begins with:
/// steps of projected gradient lower the primal value at first, and the dual value far below that of the λ before.
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
    const auto free = static_cast<std::int64_t>(freeTriplets());
    if (givesUp(workOnList(std::ssize(m_set.near())) + kExpectedSteps * workOfSystem(free))) {
        return WorkingSet::Outcome::TooMany;
    }
    bool isKnown = m_set.evaluateDual(m_objective, m_state);
    const auto offer = [&] {
        if (m_set.evaluateDual(m_objective, m_trial) && (!isKnown || m_trial.dual > m_state.dual)) {
            std::swap(m_state, m_trial);
            isKnown = true;
        }
    };
    if (m_set.carryOver(m_objective, *m_memory.alphas, m_state.alphas, m_trial.alphas)) {
        offer();
    }
    if (m_hasLeftFirst && m_set.alphasAt(m_objective, m_first, m_trial.alphas)) {
        offer();
    }
    m_hasLeftFirst = false;
    return m_objective.stopCheck().isStopped() ? WorkingSet::Outcome::Stopped : outcome;
}

bool NewtonMethod::isGoodEnough() const {
    return m_state.gap() <= std::max(m_objective.goal, m_objective.slackShare * m_state.slack);
}

/// Solves the working set's problem; Advanced when that found a better point.
StepOutcome NewtonMethod::descend() {
    if (!m_set.evaluatePrimal(m_objective, m_state)) {
        return StepOutcome::Stopped;
    }
    const std::int64_t most = std::min(kStepsPerSet, m_objective.iterationsLeft);
    StepOutcome last = StepOutcome::Advanced;
    for (m_iterations = 0; m_iterations < most && !isGoodEnough() && last == StepOutcome::Advanced; ++m_iterations) {
        last = newtonStep();
    }
    m_iterations = std::max<std::int64_t>(m_iterations, 1);
    if (last == StepOutcome::Stopped) {
        return last;
    }
    m_memory.alphas = std::make_shared<const KnownAlphas>(m_set.named(m_state.alphas));
    m_objective.ledger().work += work::ofSearches(std::ssize(m_set.near()), std::ssize(m_set.near()));
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
    if (givesUp(DualCurvature::workOf(m_set.table(), size, m_state.cone.rank(), m_state.cone.freedom()))) {
        return StepOutcome::Stalled;
    }
    Eigen::VectorXd ascent(size); // in √w a
    Eigen::VectorXd alphas(size);
    Eigen::VectorXd roots(size);
    for (Eigen::Index f = 0; f < size; ++f) {
        const std::size_t t = m_free[static_cast<std::size_t>(f)];
        roots[f] = std::sqrt(m_set.weight(t));
        ascent[f] = m_state.ascent[t] / roots[f];
        alphas[f] = m_state.alphas[t] * roots[f];
    }
    Eigen::VectorXd step;
    {
        const CpuCharge charge(m_objective.ledger().evaluate);
        const double before = m_curvature.countedWork();
        StopCheck& stopCheck = m_objective.stopCheck();
        const auto outcome = m_curvature.set(m_set, m_state.cone, m_free, stopCheck);
        if (outcome == DualCurvature::Outcome::TooLarge) {
            return StepOutcome::Stalled;
        }
        if (outcome == DualCurvature::Outcome::Stopped ||
            !m_curvature.solve(ascent, -alphas, roots - alphas, stopCheck, step)) {
            return StepOutcome::Stopped;
        }
        m_objective.ledger().work += m_curvature.countedWork() - before;
    }
    step.array() /= roots.array();
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
        if (m_objective.stopCheck().isStopped()) {
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
    for (int halvings = 0; halvings < 5; ++halvings) {
        const double share = std::ldexp(1.0, -halvings);
        MetricPoint target =
            halvings == 0 ? m_state.cone.point()
                          : MetricPoint::fromSplit(splitByCone(origin.matrix + share * way, &m_objective.stopCheck()));
        if (m_objective.stopCheck().isStopped() || !m_objective.evaluate(target, found)) {
            return StepOutcome::Stopped; // a split that was stopped has no matrix
        }
        if (std::isfinite(found.value) && found.value <= before + kRoom * std::abs(before)) {
            const double surprise = std::abs(found.value - m_state.value);
            const bool isRight = halvings == 0 && surprise <= 0.1 * (before - found.value) + m_objective.goal;
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

std::unique_ptr<InnerMethod<ReducedState>> makeInnerMethod(ReducedObjective& objective, MethodKind kind, double lambda,
                                                           ThreadTeam& team) {
    const PairTable* table = objective.engine().collectable();
    if (kind == MethodKind::ProjectedGradient || table == nullptr) {
        return std::make_unique<ProjectedGradient<ReducedObjective>>(objective, lambda, objective.ledger());
    }
    return std::make_unique<NewtonMethod>(objective, *table, lambda, kind == MethodKind::Automatic, team);
}

} // namespace lambdascope::triplets
