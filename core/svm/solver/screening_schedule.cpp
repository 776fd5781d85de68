// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/screening_schedule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// What is saved is an estimate: it has to be so many times the cost. Later on two things are estimated, what a look
/// decides and what is left to do.
constexpr double kWorthIt = 1.5;
constexpr double kWorthItLater = 2;
/// A path has to have taken so many times what a look costs, before the first on arrival, of which nothing is known,
/// and before any later one, of which a draw of samples tells what it decides.
constexpr double kAffordable = 60;
constexpr double kAffordableLater = 20;
/// Looks on arrival may have lost what so many of them cost, this part of the path's work, and of what others have
/// saved.
constexpr double kTrials = 60;
constexpr double kTrialShare = 0.005;
constexpr double kRiskedShare = 0.5;
/// Where not all undecided samples are visited, sweeps have to have cost so many times what a look takes.
constexpr double kWorthLooking = 8;
/// Where samples are shrunk a look brings all undecided ones back, and a sweep visits them before they are shrunk
/// again: passes over all of them.
constexpr double kPassesOfShrunk = 3;
/// Share that the gap has to fall to between two looks: radii by half.
constexpr double kFallen = 0.25;
/// A point that has taken more than the one before may go on for this part of what it has taken.
constexpr double kLonger = 0.5;
/// Weight of the newest point among all before.
constexpr double kNewest = 0.5;
/// And of what a look on arrival has saved in truth.
constexpr double kTrusted = 0.75;
/// Added to shares before they are divided, so that small ones say little.
constexpr double kLittle = 0.02;
constexpr double kMostCorrection = 4;
/// What has led to no look goes back to what is expected of a first one, by this part at each point.
constexpr double kForgotten = 0.1;

double mixed(double before, double now) {
    return before + kNewest * (now - before);
}

} // namespace

ScreeningSchedule::ScreeningSchedule(const Terms& terms, const LookHistory& history)
    : m_terms(terms), m_history(history), m_nextSweep(terms.every) {}

/// What other bounds leave open on arrival, the gap of the start hardly ever decides.
bool ScreeningSchedule::measuresOnArrival() const {
    return m_terms.kind == ScheduleKind::Every || !m_terms.hasOthers;
}

double ScreeningSchedule::arrivalCost(double making) const {
    return m_terms.samples * (m_history.cost > 0 ? m_history.cost : m_terms.arrivalCost + making);
}

bool ScreeningSchedule::isAffordable(double cost, double times) const {
    return m_terms.pointsBefore * growing() + m_growing >= times * cost;
}

bool ScreeningSchedule::mayArrive(double making) const {
    const double cost = arrivalCost(making);
    const double risk = kTrials * cost + kTrialShare * m_history.total + kRiskedShare * m_history.saved;
    return m_terms.kind == ScheduleKind::Auto && !m_terms.solvesBeyond && growing() > kWorthIt * cost &&
           (m_history.cost > 0 ? m_history.lost + cost <= risk : isAffordable(cost, kAffordable));
}

bool ScreeningSchedule::looksOnArrival(double share, double making) {
    const double saved = growing() * std::min(m_history.correction * (share + kLittle), 1.0);
    const bool isWorthIt = mayArrive(making) && saved > kWorthIt * arrivalCost(making);
    if (m_terms.kind == ScheduleKind::Every || isWorthIt) {
        m_expected = share;
        return true;
    }
    m_history.correction += kForgotten * (1 - m_history.correction);
    m_history.cost += m_history.cost > 0 ? kForgotten * (m_terms.arrivalCost + making - m_history.cost) : 0;
    return false;
}

double ScreeningSchedule::laterCost(const State& state) const {
    const double passes = state.isWhole ? (state.isMeasured ? 0 : 1) : kPassesOfShrunk;
    return state.open * (m_terms.laterCost + passes * m_terms.marginCost);
}

double ScreeningSchedule::left(const State& state) const {
    const double byPath = std::max(m_history.growing - m_growing, kLonger * m_growing);
    if (!(m_growing > 0 && m_firstGap > state.gap)) {
        return byPath;
    }
    const double byGap =
        m_growing * std::log(std::max(state.gap / state.target, 1.0)) / std::log(m_firstGap / state.gap);
    return std::min(byPath, byGap);
}

double ScreeningSchedule::laterSaving(const State& state, double share) const {
    return share * left(state) * state.open / std::max(m_terms.samples, 1.0);
}

bool ScreeningSchedule::asksShare(const State& state) const {
    if (m_terms.kind == ScheduleKind::Every || !(state.gap <= kFallen * m_lastGap)) {
        return false;
    }
    const double cost = laterCost(state);
    const bool isAtHand = state.isWhole && state.isMeasured;
    return (isAtHand || state.work - m_lastWork >= kWorthLooking * cost) &&
           laterSaving(state, 1) > kWorthItLater * cost && isAffordable(cost, kAffordableLater);
}

bool ScreeningSchedule::isDue(const State& state) {
    if (m_terms.kind == ScheduleKind::Every) {
        return state.sweeps >= m_nextSweep;
    }
    if (!asksShare(state)) {
        return false;
    }
    m_likely = state.share;
    return laterSaving(state, std::min(m_history.share * state.share, 1.0)) > kWorthItLater * laterCost(state);
}

void ScreeningSchedule::looked(const State& state) {
    m_nextSweep = state.sweeps + m_terms.every;
    m_lastWork = state.work;
    m_lastGap = state.gap;
    m_firstGap = std::isfinite(m_firstGap) ? m_firstGap : state.gap;
}

void ScreeningSchedule::decided(double share) {
    const double found = (share + kLittle) / (m_likely + kLittle);
    m_history.share = mixed(m_history.share, std::min(found, kMostCorrection));
}

void ScreeningSchedule::worked(double operations, double samples, double all) {
    m_growing += operations * all;
    m_saved += operations * (all - samples);
}

LookHistory ScreeningSchedule::history() const {
    LookHistory history = m_history;
    history.growing = history.isKnown ? mixed(history.growing, m_growing) : m_growing;
    history.isKnown = true;
    history.total += m_growing;
    if (m_expected < 0) {
        return history;
    }
    const double gain = m_saved - m_spent;
    (gain < 0 ? history.lost : history.saved) += std::abs(gain);
    const double each = std::max(m_spent, 0.0) / std::max(m_terms.samples, 1.0);
    history.cost = history.cost > 0 ? mixed(history.cost, each) : each;
    if (m_growing > 0) {
        const double found = (m_saved / m_growing + kLittle) / (m_expected + kLittle);
        history.correction += kTrusted * (std::min(found, kMostCorrection) - history.correction);
    }
    return history;
}

} // namespace lambdascope::svm
