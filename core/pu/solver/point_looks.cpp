// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of a point: when its samples are judged or rest, and what that costs.
#include "core/common/clocks.h"
#include "core/pu/solver/point_attempt.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// How often samples are laid to rest again after some of them had to wake.
constexpr int kMostRests = 4;
/// Part of a path's work that looks in vain may take.
constexpr double kMostInVain = 0.01;
/// A point takes at least this share of the steps of the last one.
constexpr double kLikeLast = 0.5;

} // namespace

/// Lets the samples rest that `start` has proven, unless its scores or the expected ones contradict. False when that is
/// not worth while.
bool PointAttempt::beginAtRest(double wanted) {
    if (m_problem.space().isLinear() || m_start.decisions.size() != m_decisions.all().size() ||
        m_stopCheck.isStopped() || !isAffordable(ScreeningCostModel::operationsOfAhead(m_engine->members().size()))) {
        return false;
    }
    const CpuCharge charge(m_outcome.cpuScreen);
    const double before = operations();
    if (!findResting(wanted)) {
        m_inVain += operations() - before;
        return false;
    }
    m_engine->fix(m_resting.decisions(), m_stopCheck);
    return true;
}

/// Finds those samples. False when there are too few.
bool PointAttempt::findResting(double wanted) {
    const PuView view = m_engine->view();
    const double ahead = std::max(m_work.ahead(view, wanted), kLikeLast * static_cast<double>(m_start.work.steps));
    m_outcome.operations += m_work.takeOperations();
    m_resting = ProvisionalFixing(m_start.decisions);
    if (!restingPays(ahead)) {
        return false;
    }
    m_outcome.operations += ScreeningCostModel::kLooking * static_cast<double>(view.members.size());
    (void)m_resting.wake(unlabeledOf(m_engine->scores()), m_look.biasesOf(view, nextReach()).middle(), m_epsilon);
    if (const auto expected =
            m_start.trend.expectedAt(m_epsilon, m_problem.epsilon(m_start.lambda), m_start.bias, m_start.scores)) {
        (void)m_resting.wake(unlabeledOf(expected->scores), expected->bias, m_epsilon);
    }
    return restingPays(ahead);
}

/// Whether it is worth while to let those rest who do; else they are all awake again.
bool PointAttempt::restingPays(double ahead) {
    const double share = static_cast<double>(m_resting.count()) / static_cast<double>(m_problem.unlabeled());
    const bool pays = ScreeningCostModel::paysForResting(ahead, share);
    if (!pays) {
        m_resting.clear();
    }
    return pays;
}

/// Wakes the resting samples that the point as it stands contradicts; when there are none, or it has happened often,
/// all. False when none were resting.
bool PointAttempt::wakeSome() {
    if (m_resting.isEmpty()) {
        return false;
    }
    const SolvedPu& solved = m_outcome.solved;
    if (m_resting.wake(unlabeledOf(solved.scores), solved.bias, m_epsilon) > 0 && !m_hasStalled &&
        ++m_rests < kMostRests) {
        const CpuCharge charge(m_outcome.cpuScreen);
        m_engine->fix(m_resting.decisions(), m_stopCheck);
        return true;
    }
    m_resting.clear();
    m_hasStalled = false;
    lookNow(m_settings.tolerance * m_epsilon);
    return true;
}

std::span<const double> PointAttempt::unlabeledOf(const Eigen::VectorXd& scores) const {
    return {scores.data() + m_problem.positives(), static_cast<std::size_t>(m_problem.unlabeled())};
}

double PointAttempt::operations() const {
    return m_outcome.operations + m_engine->operations();
}

/// Whether so many operations, should they be in vain, are little of the path's work so far, with what has been in vain
/// before.
bool PointAttempt::isAffordable(double ofLook) const {
    return m_inVain + ofLook <= kMostInVain * (m_start.work.operations + operations());
}

/// Operations of a look that decides nothing: it draws some members, and, once there were steps, makes the scores of
/// all current, where shrinking puts some aside.
double PointAttempt::operationsInVain() const {
    const std::size_t members = m_engine->members().size();
    const bool mayShrink = m_outcome.steps > 0 && m_settings.shrinks && (m_pairs || !m_problem.space().isLinear());
    return ScreeningCostModel::operationsOfIsHopeless(members) +
           (mayShrink ? 2 * static_cast<double>(members) * m_problem.size() : 0);
}

/// Screens where the violation has fallen, if that is affordable and the work left may pay for it.
void PointAttempt::screenOnTheWay(double wanted) {
    if (m_work.firstViolation() < 0) {
        m_work.begin(m_lastViolation);
    }
    const double share = static_cast<double>(m_engine->visited()) / static_cast<double>(m_engine->members().size());
    const double left = m_work.left(m_outcome.steps, m_lastViolation, wanted);
    if (!m_settings.isAuto || (isAffordable(operationsInVain()) && ScreeningCostModel::paysForJudging(left, share))) {
        lookNow(wanted);
    }
}

/// Judges all members with their scores made current, and keeps account of what that takes in vain.
void PointAttempt::lookNow(double wanted) {
    const double before = operations();
    m_engine->update(m_stopCheck);
    if (!screenNow(wanted)) {
        m_inVain += operations() - before;
    }
}

/// Judges all members, and takes those that are decided out when the work left until the violation is `wanted` pays
/// for that. False where nothing is decided.
bool PointAttempt::screenNow(double wanted) {
    CpuCharge charge(m_outcome.cpuScreen);
    const double cpuBefore = threadCpuSeconds();
    const PuView view = m_engine->view(); // whose scores may be half made after a stop
    if (m_stopCheck.isStopped() || view.members.empty() || (m_settings.isAuto && isHopeless(view, wanted))) {
        return false;
    }
    if (m_work.firstViolation() < 0) {
        m_work.begin(std::max(0.0, violationOf(view)));
        m_lastViolation = m_work.firstViolation();
    }
    const auto members = static_cast<double>(view.members.size());
    m_outcome.operations += ScreeningCostModel::kLooking * members;
    m_look.look(view, m_outcome.steps, nextReach());
    const double gap = m_look.found().gap;
    if (m_outcome.steps > 0 && m_rule.isSmallEnough(gap, m_engine->value())) {
        return false; // the members are solved: nothing is left to save
    }
    std::vector<Decision> found;
    m_outcome.operations += ScreeningCostModel::kJudging * members;
    const double radius = screen(view, gap, found, &m_look.found().biases);
    const auto decided = static_cast<double>(m_decisions.take(view.members, found));
    const double watching = m_cpuWatching;
    const std::int32_t number = show(gap, radius, view);
    const double watched = m_cpuWatching - watching;
    m_outcome.cpuScreen -= watched; // which the charge above takes in
    const double work = m_work.left(m_outcome.steps, std::max(m_lastViolation, wanted), wanted);
    if (decided > 0 &&
        (!m_settings.isAuto || ScreeningCostModel::paysForFixing(work, decided / static_cast<double>(found.size())))) {
        m_engine->fix(found, m_stopCheck);
        m_look.forget();
    }
    note(number, gap, radius, threadCpuSeconds() - cpuBefore - watched);
    return decided > 0;
}

bool PointAttempt::isHopeless(const PuView& view, double wanted) {
    const bool isFirst = m_work.firstViolation() < 0;
    const bool isHopeless = m_work.isHopeless(view, m_outcome.steps, m_lastViolation, wanted);
    m_outcome.operations += m_work.takeOperations();
    if (isFirst) {
        m_lastViolation = m_work.firstViolation();
    }
    return isHopeless;
}

/// Shows a check to who looks on; its number.
std::int32_t PointAttempt::show(double gap, double radius, const PuView& view) {
    const auto number = static_cast<std::int32_t>(m_outcome.checks++);
    if (m_parts.observer != nullptr) {
        const CpuCharge watching(m_cpuWatching);
        m_parts.observer->checked({number, m_outcome.steps, gap, radius, view, m_decisions.all()});
    }
    return number;
}

void PointAttempt::note(std::int32_t number, double gap, double radius, double cpu) {
    const double unit = m_problem.unit(m_lambda);
    m_journal.check({number, m_outcome.steps, m_decisions.counts().zero,
                     m_decisions.counts().half + m_decisions.counts().full, gap * unit * unit, radius * unit, cpu});
}

/// What the solution says of all samples. It is asked for in any case, so that a lane that screens where it pays tells
/// who looks on. It comes too late to save anything, and is no check of the point.
void PointAttempt::judgeSolution() {
    const SolvedPu& solved = m_outcome.solved;
    std::vector<Decision> found;
    m_outcome.setCounts = setCountsOf(m_problem, solved, &found);
    m_outcome.solved.decisions = found;
    noteTrend();
    if (!m_settings.screens || !m_settings.isAuto || m_stopCheck.isStopped()) {
        return;
    }
    const std::vector<SampleIndex> all = allUnlabeled(m_problem);
    (void)m_decisions.take(all, found);
    if (m_parts.observer != nullptr) {
        m_parts.observer->checked({static_cast<std::int32_t>(m_outcome.checks), m_outcome.steps, solved.gap,
                                   gapRadius(solved.gap), viewOf(m_problem, solved, all), m_decisions.all(), true});
    }
}

/// For who begins at rest at the next λ.
void PointAttempt::noteTrend() {
    SolvedPu& solved = m_outcome.solved;
    const bool mayRest = m_settings.screens && m_settings.isAuto && !m_problem.space().isLinear();
    if (mayRest && !m_start.decisions.empty() && m_outcome.steps > 0) {
        solved.trend = PathExtrapolation(m_problem.epsilon(m_start.lambda), m_start.bias, m_start.scores, m_epsilon,
                                         solved.bias, solved.scores);
    }
}

} // namespace lambdascope::pu
