// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/point_attempt.h"

#include "core/common/clocks.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// Rounds of solving more exactly before a gap that will not fall is taken for rounding.
constexpr int kMostRounds = 40;
/// Factor of the violation asked for from round to round.
constexpr double kNextViolation = 0.2;
/// Violations below this share of ε are rounding.
constexpr double kLeastViolation = 1e-14;
/// Unlabeled samples up to which steps of two finish what the linear kernel's engine leaves.
constexpr SampleIndex kMostPairs = 20000;

} // namespace

PointAttempt::PointAttempt(const SolverParts& parts, double lambda, const SolvedPu& start, std::int32_t index,
                           RunContext& context)
    : m_parts(parts), m_problem(parts.problem), m_settings(parts.settings), m_engine(&parts.engine), m_lambda(lambda),
      m_start(start), m_epsilon(m_problem.epsilon(lambda)), m_context(context),
      m_stopCheck([&context] { return context.shouldStop(); }), m_journal(context, index, m_problem.unlabeled()),
      m_cpuStart(threadCpuSeconds()), m_rule(m_problem, m_settings, lambda), m_decisions(m_problem),
      m_inVain(start.work.inVain) {}

PointOutcome PointAttempt::run() {
    m_engine->load(m_epsilon, m_start);
    if (m_start.drift > m_rule.bearableDrift(m_engine->value())) {
        m_engine->refresh(m_stopCheck);
    }
    m_look.expect(m_start.biases,
                  std::abs(m_epsilon - m_problem.epsilon(m_start.lambda)) + m_start.biases.high - m_start.biases.low);
    if (m_problem.space().isLinear()) { // a Newton step forms sums over pairs of features
        m_work.setStepCost(16 + 4 * static_cast<double>(m_problem.space().features().features()));
    }
    const double wanted = m_rule.firstViolation();
    if (m_settings.screens) {
        begin(wanted);
    }
    return iterate(wanted);
}

void PointAttempt::begin(double wanted) {
    const double most = m_work.mostAfter(m_start.work.steps);
    if (m_settings.isAuto && ScreeningCostModel::paysForResting(most, 1) && beginAtRest(wanted)) {
        return;
    }
    if (!m_settings.isAuto || (ScreeningCostModel::paysForJudging(most, 1) && isAffordable(operationsInVain()))) {
        lookNow(wanted);
    }
    m_outcome.pathScreened = m_decisions.counts();
}

PointOutcome PointAttempt::iterate(double wanted) {
    for (int round = 0; round < kMostRounds; ++round) {
        work(wanted);
        if (isOpenAmongMembers(wanted)) {
            wanted = kNextViolation * std::min(wanted, std::max(m_reached, 1e-300));
            continue;
        }
        m_engine->updateAll(m_stopCheck);
        conclude();
        if (m_stopCheck.isStopped() || m_outcome.steps >= m_settings.maxSteps) {
            break;
        }
        if (isSolved(m_problem, m_outcome.solved, m_settings.tolerance, m_settings.toleranceKind)) {
            return finish(Termination::Converged);
        }
        if (wakeSome()) {
            continue;
        }
        if ((m_hasStalled || wanted <= kLeastViolation * m_epsilon) && turnToPairs()) {
            wanted = 5 * m_outcome.solved.violation;
        }
        if (m_hasStalled || wanted <= kLeastViolation * m_epsilon) {
            if (m_isFresh) {
                return finish(Termination::ConvergedLoosely);
            }
            m_engine->refresh(m_stopCheck); // rounding on the way may be what is in the way
            m_isFresh = true;
            m_hasStalled = false;
        }
        wanted = kNextViolation * std::min(wanted, std::max(m_outcome.solved.violation, 1e-300));
        refix();
    }
    return finish(m_stopCheck.isStopped()                  ? m_context.stopReason()
                  : m_outcome.steps >= m_settings.maxSteps ? Termination::IterationLimit
                                                           : Termination::ConvergedLoosely);
}

/// Works until the violation is at most `wanted`, screening on the way.
void PointAttempt::work(double wanted) {
    const std::int64_t sweep = m_problem.space().isLinear() && !m_pairs ? 1 : 200 + m_problem.unlabeled() / 20;
    while (!m_stopCheck.isStopped() && m_outcome.steps < m_settings.maxSteps) {
        const bool mayScreen = m_settings.screens && m_resting.isEmpty();
        const double goal = mayScreen ? std::max(wanted, m_settings.screenFall * m_lastViolation) : wanted;
        const EngineRun stretch =
            m_engine->run(std::min(sweep, m_settings.maxSteps - m_outcome.steps), goal, m_stopCheck);
        m_outcome.steps += stretch.steps;
        m_reached = stretch.violation;
        noteBytes();
        // While samples rest or are put aside by shrinking nobody knows the gap.
        if (m_resting.isEmpty() && m_engine->visited() == static_cast<std::int64_t>(m_engine->members().size()) &&
            m_journal.wants(m_outcome.steps)) {
            publish();
        }
        if (stretch.violation <= wanted) {
            break;
        }
        if (stretch.hasStalled) {
            m_hasStalled = true;
            break;
        }
        if (mayScreen && stretch.violation <= m_settings.screenFall * m_lastViolation) {
            m_lastViolation = stretch.violation;
            screenOnTheWay(wanted);
        }
    }
}

/// Whether the members alone, the other samples being fixed, are not solved to the tolerance: what is left at all
/// is never less, as each sample adds to the gap, so that looking at all of them can wait.
bool PointAttempt::isOpenAmongMembers(double wanted) {
    if (m_settings.toleranceKind != ToleranceKind::Gap || m_stopCheck.isStopped() || m_hasStalled ||
        m_outcome.steps >= m_settings.maxSteps || wanted <= kLeastViolation * m_epsilon) {
        return false;
    }
    m_engine->update(m_stopCheck);
    const PuView view = m_engine->view();
    if (m_stopCheck.isStopped() || view.members.empty()) {
        return false;
    }
    if (!m_look.isAt(m_outcome.steps)) {
        m_outcome.operations += ScreeningCostModel::kLooking * static_cast<double>(view.members.size());
        m_look.look(view, m_outcome.steps, nextReach());
    }
    if (m_rule.isSmallEnough(m_look.found().gap, m_engine->value())) {
        return false;
    }
    if (m_resting.isEmpty()) {
        const double square = m_problem.unit(m_lambda) * m_problem.unit(m_lambda);
        const double gap = m_look.found().gap * square;
        const double dual = m_engine->value() * square;
        m_journal.iteration(m_outcome.steps, dual, gap, m_rule.gapTolerance(dual + gap), m_engine->visited(),
                            threadCpuSeconds() - m_cpuStart);
    }
    return true;
}

/// The dual value and the gap as they stand, all members being visited; the price is a look at them. When it is due is
/// a matter of the clock, so that what it finds is not kept.
void PointAttempt::publish() {
    const CpuCharge watching(m_cpuWatching);
    m_engine->update(m_stopCheck);
    if (m_stopCheck.isStopped()) {
        return;
    }
    GapCache aside = m_look;
    aside.look(m_engine->view(), m_outcome.steps, nextReach());
    const double unit = m_problem.unit(m_lambda);
    const double gap = aside.found().gap * unit * unit;
    m_journal.iteration(m_outcome.steps, m_engine->value() * unit * unit, gap,
                        m_rule.gapTolerance(m_outcome.solved.primal), m_engine->visited(),
                        threadCpuSeconds() - m_cpuStart);
}

double PointAttempt::nextReach() const {
    return m_outcome.steps > 0 ? m_reached : std::max(0.0, m_work.firstViolation());
}

/// Where the linear kernel's engine gets no further on few samples, steps of two may. True when they begin now.
bool PointAttempt::turnToPairs() {
    if (!m_problem.space().isLinear() || m_pairs || m_problem.unlabeled() > kMostPairs) {
        return false;
    }
    m_earlierValues = m_engine->kernelValues();
    m_outcome.operations += m_engine->operations();
    m_pairs = std::make_unique<KernelEngine>(m_problem, m_settings.shrinks);
    m_engine = m_pairs.get();
    m_engine->load(m_epsilon, m_outcome.solved);
    m_work.setStepCost(1);
    m_hasStalled = false;
    return true;
}

/// Takes screened samples out again after all samples were looked at.
void PointAttempt::refix() {
    if (m_decisions.counts().sum() > 0 &&
        (!m_settings.isAuto || 4 * m_decisions.counts().sum() > m_problem.unlabeled())) {
        m_engine->fix(m_decisions.all(), m_stopCheck);
    }
}

/// The point as it stands, with everything that follows from it.
void PointAttempt::conclude() {
    SolvedPu& solved = m_outcome.solved;
    solved.s = m_engine->s();
    solved.scores = m_engine->scores();
    solved.drift = m_engine->drift();
    solved.weights = m_engine->weights();
    if (m_pairs) {
        makeScores(m_problem, solved, m_stopCheck); // with the weights
    }
    const BiasRange near = m_look.near();
    // The linear kernel's scores have been made anew since; the others stand as they were looked at.
    const KnownGap* known =
        m_problem.space().isLinear() ? nullptr : m_look.ofAll(m_outcome.steps, m_problem.unlabeled());
    m_outcome.operations += known == nullptr ? ScreeningCostModel::kLooking * m_problem.unlabeled() : 0;
    completePoint(m_problem, m_lambda, solved, &near, known);
    m_look.forget(); // members and scores may change without a step from here on
    m_look.expect(solved.biases, nextReach());
    const double unit = m_problem.unit(m_lambda);
    m_journal.iteration(m_outcome.steps, solved.dual, solved.gap * unit * unit,
                        m_rule.gapTolerance(m_outcome.solved.primal), m_engine->visited(),
                        threadCpuSeconds() - m_cpuStart);
}

void PointAttempt::noteBytes() {
    m_outcome.bytes = std::max(m_outcome.bytes, m_engine->bytes() + m_problem.space().kernelBytes());
}

PointOutcome PointAttempt::finish(Termination termination) {
    noteBytes();
    m_outcome.termination = termination;
    m_outcome.kernelValues = m_earlierValues + m_engine->kernelValues();
    m_outcome.operations += m_engine->operations();
    m_outcome.solved.work = {m_outcome.steps, m_start.work.operations + m_outcome.operations, m_inVain};
    m_outcome.cpuSolve = threadCpuSeconds() - m_cpuStart - m_outcome.cpuScreen - m_cpuWatching;
    m_outcome.finalScreened = m_decisions.counts();
    judgeSolution();
    m_outcome.afterScreened = m_decisions.counts();
    return std::move(m_outcome);
}

} // namespace lambdascope::pu
