// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/method_choice.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

// Chosen on the paths of iris and wine (k = all) and segment (k = 20), and on the made-up ones of its tests.

/// Expected work of the other kind of Newton step over that of the kind used last, below which it is taken.
constexpr double kOtherKind = 0.9;
/// A method is used when less work is expected of it than of the other one. Projected gradient, of which nothing is
/// guessed, is tried now and then even when somewhat more is: after so many λ, up to that ratio.
constexpr std::int64_t kUnseenGradient = 3;
constexpr double kCurious = 1.2;
/// Factor of what is asked of a method with each trial of it that did not pay, and work over that of the other one with
/// which one does.
constexpr double kAfterLoss = 0.85;
constexpr std::int64_t kMostLosses = 4;
constexpr double kPays = 1.3;
/// Budget of the first Newton in a row, over the work of projected gradient.
constexpr double kNewtonBudget = 1.3;
/// Weight of the last λ in what is smoothed, and in the growth of projected gradient, which is kept within limits.
constexpr double kLastWeight = 0.6;
constexpr double kGrowthWeight = 0.2;
constexpr double kSlowestGrowth = 0.9;
constexpr double kFastestGrowth = 1.15;
/// Growth from λ to λ that is expected of projected gradient where it is not used, at most.
constexpr double kUnseenGrowth = 1.02;
/// What guesses were worth is forgotten so slowly where they are not checked.
constexpr double kForgetting = 0.97;
/// Share of Newton's work after which a trial of projected gradient is judged by its gap.
constexpr double kTrialShare = 0.25;
/// Expected work of projected gradient over Newton's when it is given up: in a trial, and else, Newton's guesses having
/// been checked or not.
constexpr double kSlowTrial = 1.25;
constexpr double kSlow = 2.5;
constexpr double kVerySlow = 5;

double blended(double before, double last, double weight) {
    return before > 0 ? weight * last + (1 - weight) * before : last;
}

/// What is asked of a method, over what is asked of one that has lost no trial.
double afterLosses(std::int64_t losses) {
    return std::pow(kAfterLoss, std::min(losses, kMostLosses));
}

} // namespace

MethodChoice::MethodChoice(const MethodRecord& record, const NewtonGuess& guess) : m_record(record) {
    setKind(guess);
    for (double& worth : m_record.worth.values) {
        worth = worth > 0 ? 1 + kForgetting * (worth - 1) : 0;
    }
    m_expectedGradient = expectedGradient();
    ++m_record.sinceGradient;
    if (m_expectedNewton > 0 && m_expectedGradient > 0) {
        const double curiosity = m_record.sinceGradient > kUnseenGradient ? kCurious : 1;
        m_beginsWithNewton =
            record.wasNewton ? m_expectedGradient >= curiosity * afterLosses(record.losses.gradient) * m_expectedNewton
                             : m_expectedNewton < afterLosses(record.losses.newton) * m_expectedGradient;
    } else {
        m_beginsWithNewton = record.wasNewton;
    }
}

void MethodChoice::setKind(const NewtonGuess& guess) {
    const auto expected = [&](NewtonKind kind) {
        const double worth = m_record.worth[kind];
        return guess[kind] * (worth > 0 ? worth : 1);
    };
    const NewtonKind other = m_record.kind == NewtonKind::WholeSets ? NewtonKind::WorkingSet : NewtonKind::WholeSets;
    m_kind = expected(other) < kOtherKind * expected(m_record.kind) ? other : m_record.kind;
    if (std::isfinite(expected(m_kind))) {
        m_guess = guess[m_kind];
        m_expectedNewton = expected(m_kind);
    }
}

/// Of the λ at hand.
double MethodChoice::expectedGradient() const {
    const double growth =
        m_record.wasNewton ? std::clamp(m_record.gradientGrowth, 1.0, kUnseenGrowth) : m_record.gradientGrowth;
    return m_record.gradientWork * growth;
}

bool MethodChoice::givesUpGradient(double work, double gapShare, double firstGapShare) {
    if (m_newtonNeeded > 0 || m_expectedNewton <= 0 || !(gapShare > 1) || !(firstGapShare > 1)) {
        return false;
    }
    if (work < (m_record.wasNewton ? kTrialShare : 1) * m_expectedNewton) {
        return false;
    }
    // The gap falls by about the same factor for the same work.
    const double fallen = std::max(std::log(firstGapShare / gapShare), 1e-3 * std::log(firstGapShare));
    m_givenUp = work * (1 + std::log(gapShare) / fallen);
    const double most = m_record.wasNewton ? kSlowTrial : m_record.worth[m_kind] > 0 ? kSlow : kVerySlow;
    return m_givenUp > most * m_expectedNewton;
}

bool MethodChoice::givesUpNewton(double work, double next) {
    if (m_record.wasNewton || !m_beginsWithNewton || work + next <= kNewtonBudget * m_expectedGradient) {
        return false;
    }
    m_newtonSpent = work;
    m_newtonNeeded = work + next;
    return true;
}

void MethodChoice::noteNewton(MethodRecord& record, double work, bool isWhole) const {
    record.kind = m_kind;
    if (m_guess > 0) {
        double& worth = record.worth[m_kind];
        worth = isWhole ? blended(worth, work / m_guess, kLastWeight) : std::max(worth, work / m_guess);
    }
}

void MethodChoice::noteGradient(MethodRecord& record, double work) const {
    record.sinceGradient = 0;
    if (m_record.wasNewton || m_record.gradientWork <= 0) {
        record.gradientWork = work;
        return;
    }
    record.gradientWork = blended(m_expectedGradient, work, kLastWeight);
    const double growth = std::clamp(work / m_record.gradientWork, kSlowestGrowth, kFastestGrowth);
    record.gradientGrowth = kGrowthWeight * growth + (1 - kGrowthWeight) * m_record.gradientGrowth;
}

MethodRecord MethodChoice::finished(double work, double gradientWork, bool usedNewton) const {
    MethodRecord record = m_record;
    record.wasNewton = usedNewton;
    if (m_newtonNeeded > 0) { // given up
        noteNewton(record, m_newtonNeeded, false);
        noteGradient(record, work - m_newtonSpent);
        ++record.losses.newton;
        return record;
    }
    if (!usedNewton) {
        noteGradient(record, work);
        if (m_record.wasNewton) {
            record.losses.gradient = work > kPays * m_expectedNewton ? record.losses.gradient + 1 : 0;
        }
        return record;
    }
    noteNewton(record, work - gradientWork, true);
    if (gradientWork > 0) {
        noteGradient(record, std::max(m_givenUp, gradientWork));
        record.losses.gradient += m_record.wasNewton ? 1 : 0;
    } else {
        record.gradientWork = m_expectedGradient;
        if (!m_record.wasNewton && m_expectedGradient > 0) {
            record.losses.newton = work > kPays * m_expectedGradient ? record.losses.newton + 1 : 0;
        }
    }
    return record;
}

} // namespace lambdascope::metric
