// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/method_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Chosen on paths of iris and wine (k = all), segment (k = 20), pendigits, breast cancer, digits (k = 10) and phishing
// (k = 7), by the benchmark `lambdascope_metric_speed --long --only oracle`.

/// Expected work of the other kind of Newton step over that of the kind used last, below which it is taken.
constexpr double kOtherKind = 0.9;
/// Work over the guess where nothing is known yet of a kind of steps.
constexpr PerKind<double> kFirstWorth{{1.5, 1}};
/// Expected work of Newton over that of projected gradient below which a λ begins with it, where projected gradient is
/// used.
constexpr double kTrial = 0.98;
/// Expected work of projected gradient over that of Newton below which a λ begins with it, where Newton is used.
constexpr double kReturn = 0.85;
/// The same where it was not used for kUnseen λ: it is tried then.
constexpr double kCurious = 1.41;
/// λ without projected gradient after which it is tried even if somewhat more is expected of it.
constexpr std::int64_t kUnseen = 10;
/// Share of the work of Newton after which a trial of projected gradient is judged.
constexpr double kTrialShare = 0.15;
/// Weight of the fall of the gap that was expected beside that seen, and the share of the rate of the last step that is
/// expected to last: the gap hardly falls at first.
constexpr double kPrior = 0.73;
constexpr double kRecent = 0.08;
/// Expected work of what is left by the method at hand over that by the other one, above which that takes over.
constexpr double kGradientEnds = 1.48;
constexpr double kNewtonEnds = 0.93;
/// Share of the work of the last λ, older ones counting less, that trials may lose in all: half of what the choice may
/// take over the better method in ten λ.
constexpr double kRisk = 0.05;
/// Share of its work that the second one of two trials of Newton may lose and be followed: after the first one, what is
/// expected of projected gradient is a guess.
constexpr double kNearTie = 0.2;
/// How many λ as this one a method that takes over would serve, for sure.
constexpr double kHorizon = 1.3;
constexpr double kRemembered = 0.9;
/// Share of what projected gradient would take that a Newton step spares even if it falls short.
constexpr double kSurely = 0.35;
/// A Newton step on trial goes on beyond its budget, up to so many times that, if so many more parts like the next one
/// take no more than projected gradient would.
constexpr double kOverBudget = 2;
constexpr double kPartsLeft = 6;
/// Work of projected gradient where it was given up, at most, over what was expected.
constexpr double kMostNeeded = 1.4;
/// Weight of the last λ in what is smoothed, of the last step in its fall, and of the last λ in the growth of projected
/// gradient, which is kept within limits.
constexpr double kLastWeight = 0.3;
constexpr double kFallWeight = 0.69;
constexpr double kEndingWeight = 0.5;
constexpr double kGrowthWeight = 0.32;
constexpr double kSlowestGrowth = 0.93;
constexpr double kFastestGrowth = 1.04;
/// Growth from λ to λ that is expected of projected gradient where it is not used, at most.
constexpr double kUnseenGrowth = 1.04;
/// What guesses were worth is forgotten so slowly where they are not checked.
constexpr double kForgetting = 0.95;
/// Fall of the logarithm of the gap with a Newton step where none is known, how far it may be off, and the least one.
constexpr double kFirstFall = 5.8;
constexpr double kSpread = 0.53;
constexpr double kLeastFall = 0.01;
/// Steps of a kind at a λ until it is believed that they lower the gap less than they did at earlier λ.
constexpr int kSlowSteps = 12;
/// Share of the fall that is believed of a kind after a step that found nothing.
constexpr double kAfterFailure = 0.3;
/// Evaluations by projected gradient, after a step that found nothing, that tell that there was nothing left to find.
constexpr double kAtOnce = 2;
/// Steps that find nothing, more than of the other kind, after which that one is taken.
constexpr int kPatience = 4;
/// Fall that is left after a step that nearly does.
constexpr double kLittle = 0.3;

double blended(double before, double last, double weight) {
    return before > 0 ? weight * last + (1 - weight) * before : last;
}

double logOf(double share) {
    return share > 1 && std::isfinite(share) ? std::log(share) : 0;
}

} // namespace

/// What is expected of this λ from the one before.
void MethodChoice::grow() {
    for (StepRecord& each : m_record.newton.values) {
        each.worth = each.worth > 0 ? 1 + kForgetting * (each.worth - 1) : 0;
    }
    const double growth = m_record.gradientGrowth;
    m_record.gradientWork *= m_record.wasNewton ? std::clamp(growth, 1.0, kUnseenGrowth) : growth;
    ++m_record.sinceGradient;
    m_isTrial = m_record.wasNewton && m_record.sinceGradient > kUnseen;
}

double MethodChoice::fallOf(NewtonKind kind) const {
    const StepRecord& record = m_record.newton[kind];
    const bool isSlowAtMost = m_failures[kind] == 0 && m_steps[kind] < kSlowSteps;
    const double fall = isSlowAtMost ? std::max(record.fall, record.mean) : record.fall;
    return fall > 0 ? fall : kFirstFall;
}

double MethodChoice::workOf(NewtonKind kind, double guess) const {
    const double worth = m_record.newton[kind].worth;
    return guess * (worth > 0 ? worth : kFirstWorth[kind]);
}

/// Fall of the logarithm of the gap per work, as expected of a whole λ; 0 where nothing is known of it.
double MethodChoice::gradientRate() const {
    return m_record.gradientWork > 0 ? std::max(m_record.gradientFall, 0.0) / m_record.gradientWork : 0;
}

/// Infinite where nothing is known of it.
double MethodChoice::leftByGradient(double logShare, bool isEnding) const {
    const double visit = m_record.evaluationWork;
    const double whole = gradientRate();
    if (whole <= 0) {
        return kNever;
    }
    double expected = whole;
    if (isEnding && m_record.endingGain > 0) {
        // Known as far as it went after Newton; from farther away it is no faster than without.
        const double begin = m_endingShare > 0 ? m_endingShare : logShare;
        const double known = std::min(begin, m_record.endingShare);
        const double gain = m_record.endingGain;
        expected = whole * (begin > 0 ? begin / (known / gain + begin - known) : gain);
    }
    const double fall = kPrior * (isEnding ? m_endingShare : m_record.gradientFall);
    if (fall <= 0) {
        return std::max(logShare / expected, visit);
    }
    const double seen = isEnding ? m_endingFall : m_gradientFall;
    double rate = std::max(fall + seen, 0.05 * fall) / (fall / expected + (isEnding ? m_endingWork : m_gradientWork));
    rate = isEnding ? rate : std::max(rate, kRecent * m_lastRate);
    return std::max(logShare / rate, visit);
}

/// `isAlone`: by Newton steps only.
double MethodChoice::leftByNewton(NewtonKind kind, const StepGuess& guess, double logShare, bool isAlone) const {
    const double step = workOf(kind, guess.first);
    const double fall = fallOf(kind);
    const double surely = std::clamp((fall - logShare) / kSpread + 0.5, 0.0, 1.0);
    if (surely >= 1 || !std::isfinite(step)) {
        return step;
    }
    const double left = std::max(logShare - fall, kLittle);
    const double more = workOf(kind, guess.next) * std::max(1.0, left / fall);
    const double ending = m_chooses && !isAlone ? leftByGradient(left, true) : kNever;
    return step + (1 - surely) * std::min(more, ending);
}

/// What a trial may still lose at this λ where so much is expected to be saved: what is left of the share of the work
/// of the last λ, or as much as may be won; the second trial of two may lose all of it.
double MethodChoice::risk(double gain, NewtonKind kind) const {
    const bool isSecond = kind == NewtonKind::WorkingSet && m_record.halfLost > 0;
    const double before = isSecond ? 0 : m_record.lost + m_record.halfLost;
    return std::max(kRisk * m_record.spent, kHorizon * gain) - before - m_trialWork;
}

/// Whether a trial of Newton by that kind of steps would be the first one of two.
bool MethodChoice::isFirstOfTwo(NewtonKind kind) const {
    return m_chooses && kind == NewtonKind::WorkingSet && !m_record.wasNewton && m_record.halfLost <= 0;
}

/// What a Newton step spares even if it falls short. (What projected gradient was expected to take at first is known
/// better than what is left when it goes slowly.)
double MethodChoice::spared(double gradient) const {
    return kSurely * (m_step.isKnown ? std::min(gradient, m_expected.gradient) : gradient);
}

/// What the next step takes over that.
double MethodChoice::lossOf(const Step& step, double gradient) const {
    const double share = step.logShare > 0 ? std::min(fallOf(step.kind) / step.logShare, 1.0) : 1;
    return workOf(step.kind, step.guess) - share * spared(gradient);
}

bool MethodChoice::prefersNewton(const Step& next, double newton, double gradient) const {
    if (m_record.gradientWork <= 0) {
        return m_record.wasNewton;
    }
    if (m_record.wasNewton && !m_step.isKnown) {
        return gradient >= (m_isTrial ? kCurious : kReturn) * newton ||
               risk(newton - gradient, next.kind) < kTrialShare * newton;
    }
    if (!m_record.wasNewton && risk(gradient - newton, next.kind) < lossOf(next, gradient)) {
        return false;
    }
    if (!m_step.isKnown) {
        return newton < kTrial * gradient;
    }
    if (m_step.isNewton) {
        return newton <= kNewtonEnds * gradient;
    }
    return m_isTrial ? m_gradientWork >= kTrialShare * m_expected.newton && newton < gradient
                     : kGradientEnds * newton < gradient;
}

/// Whether projected gradient, going on after a Newton step, has taken as much as Newton steps to the end would, and is
/// not expected to end before that: as much as they take is lost at most by not knowing which one is right.
bool MethodChoice::isTooLong(double newton, double gradient) const {
    return m_chooses && m_hasTried && !m_isGivenUp && !m_step.isNewton && m_sinceNewton > newton && gradient > newton;
}

void MethodChoice::decide(double gapShare, double work, const NewtonGuess& guess) {
    const double logShare = logOf(gapShare);
    noteStep(logShare, work);
    const auto left = [&](NewtonKind kind) { return leftByNewton(kind, guess[kind], logShare, false); };
    const auto alone = [&](NewtonKind kind) { return leftByNewton(kind, guess[kind], logShare, true); };
    const NewtonKind last = m_record.kind;
    const NewtonKind other = last == NewtonKind::WholeSets ? NewtonKind::WorkingSet : NewtonKind::WholeSets;
    Step next;
    const bool isCheaper = left(other) < kOtherKind * left(last);
    // A kind that found nothing time and again makes room for the other one, however dear that seems.
    const bool isNextInTurn = m_failures[last] >= m_failures[other] + kPatience && std::isfinite(left(other));
    next.kind = isNextInTurn || isCheaper ? other : last;
    const double gradient = leftByGradient(logShare, m_usedNewton);
    const bool comesBack = isTooLong(std::min(alone(last), alone(other)), gradient);
    if (comesBack) {
        next.kind = alone(other) < alone(last) ? other : last;
    }
    next.logShare = logShare;
    next.work = work;
    next.guess = guess[next.kind].first;
    const double newton = left(next.kind);
    next.isNewton =
        !m_chooses || comesBack || (!m_isGivenUp && std::isfinite(newton) && prefersNewton(next, newton, gradient));
    if (!m_step.isKnown) {
        m_isTrial = m_isTrial && !next.isNewton;
        m_firstLogShare = logShare;
        m_expected = {gradient, newton};
        m_beganWithNewton = next.isNewton;
    }
    if (next.isNewton && !m_usedNewton) {
        m_gradientNeeded =
            m_gradientWork > 0 ? std::min(m_gradientWork + gradient, kMostNeeded * m_record.gradientWork) : 0;
    }
    const bool isSafe = comesBack || (m_record.wasNewton && m_record.newton[next.kind].worth > 0);
    m_budget = !m_chooses || isSafe || !std::isfinite(gradient) ? kNever
                                                                : risk(gradient - newton, next.kind) + spared(gradient);
    next.gradient = gradient;
    next.isKnown = true;
    m_step = next;
    m_usedNewton = m_usedNewton || next.isNewton;
    m_hasTried = m_hasTried || next.isNewton;
    if (next.isNewton) {
        m_record.kind = next.kind;
    }
}

/// What the step before this one did.
void MethodChoice::noteStep(double logShare, double work) {
    if (!m_step.isKnown) {
        return;
    }
    const double fall = m_step.logShare - logShare;
    const double spent = work - m_step.work;
    m_sinceNewton = m_step.isNewton ? 0 : m_sinceNewton + spent;
    if (m_step.isNewton) {
        m_trialWork += m_record.wasNewton ? 0 : spent;
        noteNewton(fall, logShare, spent);
        m_hasAdvanced = true;
    } else if (m_usedNewton) {
        m_endingShare = m_endingWork > 0 ? m_endingShare : m_step.logShare;
        m_endingWork += spent;
        m_endingFall += fall;
    } else {
        m_gradientWork += spent;
        m_gradientFall += fall;
        m_lastRate = fall / spent;
    }
}

void MethodChoice::noteNewton(double fall, double logShare, double work) {
    StepRecord& record = m_record.newton[m_step.kind];
    m_failures[m_step.kind] = 0;
    // One that begins with dual variables of Newton may do better.
    const bool isFirst = isFirstOfTwo(m_step.kind) && !m_hasAdvanced;
    if (m_step.guess > 0 && !m_isGivenUp && !isFirst) { // of one given up, at least so much is known already
        record.worth = blended(record.worth, work / m_step.guess, kLastWeight);
    }
    const double expected = fallOf(m_step.kind);
    // Where the gap is small enough after a step nobody knows how much it could have fallen.
    const double seen = logShare > 0 ? std::max(fall, kLeastFall) : std::max(expected, m_step.logShare + 0.5);
    if (isFirst && seen < expected) {
        return;
    }
    record.fall = kFallWeight * seen + (1 - kFallWeight) * expected;
    ++m_steps[m_step.kind];
    m_falls[m_step.kind] += seen;
}

bool MethodChoice::givesUpNewton(double work, double next) {
    const double taken = work - m_step.work + next;
    if (taken <= m_budget || (taken <= kOverBudget * m_budget && kPartsLeft * next <= m_step.gradient)) {
        return false;
    }
    StepRecord& record = m_record.newton[m_step.kind];
    if (m_step.guess > 0 && !isFirstOfTwo(m_step.kind)) { // else one with dual variables of Newton may take less
        record.worth = std::max(record.worth, taken / m_step.guess);
    }
    m_isGivenUp = true;
    return true;
}

void MethodChoice::gradientTakesOver(double work) {
    if (!m_step.isNewton) {
        return;
    }
    if (!m_isGivenUp) {
        StepRecord& record = m_record.newton[m_step.kind];
        m_fallBefore = fallOf(m_step.kind);
        record.fall = std::max(kAfterFailure * m_fallBefore, kLeastFall);
        ++m_failures[m_step.kind];
    }
    m_trialWork += m_record.wasNewton ? 0 : work - m_step.work;
    m_usedNewton = m_hasAdvanced;
    m_sinceNewton = 0;
    m_step.isNewton = false;
    m_step.work = work;
}

void MethodChoice::noteGradient(MethodRecord& record, double work) const {
    record.sinceGradient = 0;
    const double before = m_record.gradientWork;
    const double fall = m_firstLogShare > 0 ? m_firstLogShare : m_record.gradientFall;
    if (m_record.wasNewton || before <= 0) {
        record.gradientFall = fall;
        record.gradientWork = work;
        return;
    }
    record.gradientFall = blended(m_record.gradientFall, fall, kLastWeight); // what that work was for
    record.gradientWork = blended(before, work, kLastWeight);
    const double growth = std::clamp(work * m_record.gradientGrowth / before, kSlowestGrowth, kFastestGrowth);
    record.gradientGrowth = kGrowthWeight * growth + (1 - kGrowthWeight) * m_record.gradientGrowth;
}

MethodRecord MethodChoice::finished(double work) const {
    MethodChoice ended = *this;
    ended.noteStep(0, work);
    MethodRecord record = ended.m_record;
    if (!m_step.isKnown) {
        return record;
    }
    if (ended.m_failures[m_step.kind] > 0 && m_hasAdvanced && ended.m_sinceNewton <= kAtOnce * record.evaluationWork) {
        record.newton[m_step.kind].fall = m_fallBefore; // there was nothing left to find
    }
    for (const NewtonKind kind : {NewtonKind::WorkingSet, NewtonKind::WholeSets}) {
        if (const int steps = ended.m_steps[kind]; steps > 0) {
            double& mean = record.newton[kind].mean;
            mean = blended(mean, ended.m_falls[kind] / steps, kLastWeight);
        }
    }
    const double loss = work - (m_record.wasNewton ? m_expected.newton : m_expected.gradient);
    const bool isTried = m_record.wasNewton ? !m_beganWithNewton : m_usedNewton || m_isGivenUp;
    // It loses what it took at most: projected gradient may take longer than expected without any trial.
    const double ofSteps = m_record.wasNewton ? ended.m_gradientWork : ended.m_trialWork;
    const double ofTrial = isTried && std::isfinite(loss) ? std::min(loss, ofSteps) : 0;
    const bool isHalf = isFirstOfTwo(m_record.kind) && ofTrial > 0;
    record.spent = kRemembered * record.spent + work;
    record.halfLost = isHalf ? ofTrial : 0;
    record.lost = std::max(kRemembered * record.lost + m_record.halfLost + ofTrial - record.halfLost, 0.0);
    const double tie = m_record.halfLost > 0 && m_usedNewton ? kNearTie * work : 0;
    record.wasNewton = loss > tie ? m_record.wasNewton : m_usedNewton;
    if (!m_usedNewton) {
        noteGradient(record, ended.m_gradientWork);
        return record;
    }
    if (const double whole = gradientRate(); whole > 0 && ended.m_endingWork > 0 && ended.m_endingFall > 0) {
        const double gain = ended.m_endingFall / ended.m_endingWork / whole;
        record.endingGain = blended(record.endingGain, gain, kEndingWeight);
        record.endingShare = blended(record.endingShare, ended.m_endingShare, kEndingWeight);
    }
    if (!m_beganWithNewton) {
        noteGradient(record, std::max(m_gradientNeeded, m_gradientWork));
    }
    return record;
}

} // namespace lambdascope::triplets
