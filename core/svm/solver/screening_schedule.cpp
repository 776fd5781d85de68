// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/screening_schedule.h"

#include <algorithm>

namespace lambdascope::svm {

namespace {

/// Sweeps have to cost so many times what a look takes: then looks add an eighth at most, and mostly far less.
constexpr double kWorthLooking = 8;
/// Where samples are shrunk a look brings all undecided ones back, and a sweep visits them before they are shrunk
/// again: passes over all of them.
constexpr double kPassesOfShrunk = 3;
/// Share that the gap has to fall to between two looks: radii by half.
constexpr double kFallen = 0.25;

} // namespace

ScreeningSchedule::ScreeningSchedule(const PointSettings& settings, const SvmProblem& problem)
    : m_kind(settings.schedule), m_every(settings.screenEvery),
      m_marginCost(problem.isLinear() ? 2 * (1 + problem.features().meanEntries()) : 1),
      m_nextSweep(settings.screenEvery) {
    const bool hasOthers = !std::all_of(settings.bounds.begin(), settings.bounds.end(), isDynamic);
    // What other bounds leave open on arrival, the gap of the start hardly ever decides.
    m_measuresOnArrival = m_kind == ScheduleKind::Every || !hasOthers || !problem.isLinear();
}

bool ScreeningSchedule::isDue(const State& state) const {
    if (m_kind == ScheduleKind::Every) {
        return state.sweeps >= m_nextSweep;
    }
    if (!(state.gap <= kFallen * m_lastGap)) {
        return false;
    }
    if (state.isWhole && state.isMeasured) {
        return true;
    }
    const double passes = state.isWhole ? 1 : kPassesOfShrunk;
    return state.work - m_lastWork >= kWorthLooking * state.open * (kJudgingCost + passes * m_marginCost);
}

void ScreeningSchedule::looked(const State& state) {
    m_nextSweep = state.sweeps + m_every;
    m_lastWork = state.work;
    m_lastGap = state.gap;
}

} // namespace lambdascope::svm
