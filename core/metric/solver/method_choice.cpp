// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/method_choice.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// How much more work the first Newton in a row is on a working set, whose α it does not know.
constexpr double kFirst = 1.4;
/// Expected work over that of projected gradient below which Newton is tried, never having been used, and used.
constexpr double kUnknownNewton = 1.2;
constexpr double kKnownNewton = 0.95;
/// Work of Newton over that of projected gradient with which it stays, and of projected gradient when it last was used
/// over Newton's with which it is tried again.
constexpr double kStay = 1.1;
constexpr double kReturn = 0.93;
/// Budget of the first Newton in a row, over the work of projected gradient.
constexpr double kNewtonBudget = 1.8;
/// Weight of the last λ in the work of projected gradient, and in that of the method used.
constexpr double kLastWeight = 0.7;
constexpr double kMeanWeight = 0.3;
/// Share of Newton's work after which a trial of projected gradient is judged by its gap.
constexpr double kTrialShare = 0.25;
/// Expected work of projected gradient over Newton's when it is given up: in a trial, and else, Newton being known
/// from an earlier λ or not.
constexpr double kSlowTrial = 1.25;
constexpr double kSlow = 2.5;
constexpr double kVerySlow = 5;
/// λ between two trials: after one that was given up, and after one that was finished but did not pay.
constexpr std::int64_t kPauseAfterLoss = 6;
constexpr std::int64_t kPauseAfterTrial = 4;

double blended(double before, double last, double weight) {
    return before > 0 ? weight * last + (1 - weight) * before : last;
}

} // namespace

MethodChoice::MethodChoice(const MethodRecord& record, double newtonGuess, bool takesWholeSets)
    : m_record(record), m_guess(newtonGuess), m_takesWholeSets(takesWholeSets), m_expectedNewton(newtonGuess) {
    m_follows = record.wasNewton && record.tookWholeSets == takesWholeSets;
    m_first = takesWholeSets || m_follows ? 1 : kFirst;
    const MethodRecord::Newton& newton = record.newton[takesWholeSets ? 1 : 0];
    m_isKnown = newton.work > 0 && newton.guess > 0;
    if (m_isKnown) {
        m_expectedNewton = newton.work * newtonGuess / newton.guess;
    }
    m_expectedGradient = record.gradientWork;
    m_budget = kNewtonBudget * std::min(m_expectedGradient, record.meanWork);
    m_record.pause = std::max<std::int64_t>(record.pause - 1, 0);
    const bool isComparable = m_expectedNewton > 0 && m_expectedGradient > 0;
    const bool mayChange = m_record.pause == 0 && isComparable;
    m_beginsWithNewton =
        m_follows ? !(mayChange && m_expectedGradient < kReturn * m_expectedNewton)
                  : mayChange && m_expectedNewton < (m_isKnown ? kKnownNewton : kUnknownNewton) * m_expectedGradient;
}

bool MethodChoice::givesUpGradient(double work, double gapShare, double firstGapShare) {
    if (m_newtonNeeded > 0 || m_expectedNewton <= 0 || !(gapShare > 1) || !(firstGapShare > 1)) {
        return false;
    }
    const double newton = m_first * m_expectedNewton;
    if (work < (m_follows ? kTrialShare : 1) * newton) {
        return false;
    }
    // The gap falls by about the same factor for the same work.
    const double fallen = std::max(std::log(firstGapShare / gapShare), 1e-3 * std::log(firstGapShare));
    m_givenUp = work * (1 + std::log(gapShare) / fallen);
    return m_givenUp > (m_follows ? kSlowTrial : m_isKnown ? kSlow : kVerySlow) * newton;
}

bool MethodChoice::givesUpNewton(double work, double next) {
    if (m_follows || !m_beginsWithNewton || work + next <= m_budget) {
        return false;
    }
    m_newtonSpent = work;
    m_newtonNeeded = work + next;
    return true;
}

void MethodChoice::noteNewton(MethodRecord& record, double work) const {
    record.newton[m_takesWholeSets ? 1 : 0] = {work / m_first, m_guess};
    record.tookWholeSets = m_takesWholeSets;
}

void MethodChoice::noteGradient(MethodRecord& record, double work) const {
    record.gradientWork = m_record.wasNewton ? work : blended(m_record.gradientWork, work, kLastWeight);
}

MethodRecord MethodChoice::finished(double work, double gradientWork, bool usedNewton) const {
    MethodRecord record = m_record;
    record.meanWork = blended(m_record.meanWork, work, kMeanWeight);
    record.wasNewton = usedNewton;
    if (m_newtonNeeded > 0) { // given up
        if (m_first * m_expectedNewton < m_newtonNeeded) {
            noteNewton(record, m_newtonNeeded);
        }
        noteGradient(record, work - m_newtonSpent);
        record.pause = kPauseAfterLoss;
        return record;
    }
    if (!usedNewton) {
        noteGradient(record, work);
        return record;
    }
    noteNewton(record, work - gradientWork);
    if (gradientWork > 0) {
        noteGradient(record, std::max(m_givenUp, gradientWork));
        record.pause = m_follows ? kPauseAfterLoss : 0;
    } else if (!m_follows && (work - gradientWork) / m_first > kStay * m_expectedGradient) {
        record.wasNewton = false; // it did not pay
        record.pause = kPauseAfterTrial;
    }
    return record;
}

} // namespace lambdascope::metric
