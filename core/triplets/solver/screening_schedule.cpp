// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/screening_schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Evaluations at the λ before from which on a first look on arrival is tried.
constexpr double kFirstTrial = 4;
/// Savings that are expected have to be so many times the cost.
constexpr double kOnArrival = 1.1;
constexpr double kLater = 1.1;
/// Share that the gap has to fall to between two looks: radii by half.
constexpr double kFallen = 0.25;
/// Radius over that of the ball before, at most, where a look is taken to tell what an evaluation takes at least.
constexpr double kLargestRadius = 0.7;
/// Weight of the last λ in what is expected of the next one.
constexpr double kLastWeight = 0.5;
constexpr std::int64_t kFirstDelay = 4;
constexpr std::int64_t kLongestPause = 64;
constexpr std::int64_t kDelayFactor = 4;
/// Work of a λ without screening over that at the last trial from which on a pause is ended.
constexpr double kGrown = 2;
/// Share of the whole work, and of what looks have saved, that looks may lose which are not expected to pay.
constexpr double kTrialShare = 0.01;
constexpr double kRiskedShare = 0.5;
/// Work after which an evaluation of all items is made that tells what one takes, over what one took.
constexpr double kMeasured = 100;
/// Share of an evaluation that may be left at best.
constexpr double kLeast = 0.1;
/// Evaluations that making lasting decisions takes, where that is not known.
constexpr double kLookAhead = 3.3;
/// Work of a look over that of an evaluation, where nothing is known.
constexpr double kLookShare = 2;
/// Work of judging what lasting decisions leave over that of its evaluation, where that is not known.
constexpr double kNarrowShare = 3;
/// Savings of it that a forecast promises, over the cost: what is left takes more than its share of the pairs.
constexpr double kNarrow = 1.4;
/// Share of the work of a look, at most, that is for all later ones as well.
constexpr double kLargestOnce = 0.95;
/// λ without a forecast, at most.
constexpr std::int64_t kLongestWait = 8;
constexpr std::int64_t kLongestLaterWait = 2;

double blended(double before, double last, bool isKnown) {
    return isKnown ? kLastWeight * last + (1 - kLastWeight) * before : last;
}

} // namespace

void ForecastPause::note(bool promised, std::int64_t longest) {
    left = promised ? 0 : next;
    next = promised ? 1 : std::min(2 * next, longest);
}

bool ScreeningSchedule::looksOnArrival(double share, const Forecaster& forecaster) {
    m_share = share;
    m_hasLooked = isWorthLooking(forecaster);
    return m_hasLooked;
}

LookForecast ScreeningSchedule::forecastBy(const Forecaster& forecaster) {
    const LookForecast forecast = forecaster();
    m_once = forecast.once;
    return forecast;
}

/// Whether to ask a forecast of looks that take `work` as far as is known, and could save `most`: not where that is too
/// little, or while the pause lasts.
bool ScreeningSchedule::mayForecast(double most, double work, ForecastPause& pause) {
    if (most * (1 - kLeast) < kOnArrival * work) {
        return false;
    }
    if (pause.left > 0) {
        --pause.left;
        return false;
    }
    return true;
}

/// What a look takes by a forecast. What is made once is shared by as many λ to come as there were so far.
double ScreeningSchedule::costOf(const LookForecast& forecast, double work, bool isWorkKnown) const {
    const double once = forecast.once / static_cast<double>(std::max<std::int64_t>(m_record.solved, 1));
    return (isWorkKnown ? work : forecast.work) + once;
}

/// Whether a forecast, if one may be asked, says that such a look pays.
bool ScreeningSchedule::promises(const Forecaster& forecaster, double most, double work, bool isWorkKnown,
                                 ForecastPause& pause) {
    if (!mayForecast(most, work, pause)) {
        return false;
    }
    const LookForecast forecast = forecastBy(forecaster);
    const bool pays = most * (1 - forecast.left) >= kOnArrival * costOf(forecast, work, isWorkKnown);
    pause.note(pays, kLongestWait);
    return pays;
}

bool ScreeningSchedule::isWorthLooking(const Forecaster& forecaster) {
    if (m_kind == ScheduleKind::Every) {
        return true;
    }
    const double plain = m_record.visits * m_record.visit;
    const bool isKnown = m_record.looks > 0;
    if (isKnown && m_share < 1) {
        const double look = lookShare() * m_share * m_record.visit;
        return m_record.visits > 0 && plain * (m_share - m_record.leftLooked) >= kOnArrival * look;
    }
    if (isKnown && plain * (1 - m_record.left) >= kOnArrival * m_record.looks) {
        return true;
    }
    if (!isKnown) {
        return forecaster ? promises(forecaster, plain, lookShare() * m_record.visit, false, m_record.forecast)
                          : m_record.visits >= kFirstTrial && m_record.visits * (1 - kLeast) >= lookShare();
    }
    if (m_record.pause > 0 && !(plain > kGrown * m_record.tried)) {
        --m_record.pause;
        return false;
    }
    // Things may have changed.
    return plain * (1 - kLeast) >= m_record.looks &&
           m_record.lost + m_record.looks <= kTrialShare * m_record.total + kRiskedShare * m_record.saved &&
           (!forecaster || promises(forecaster, plain, m_record.looks, true, m_record.forecast));
}

const Stretch* ScreeningSchedule::looksAhead(std::span<const Stretch> stretches,
                                             const std::function<LookForecast(const Stretch&)>& forecaster) {
    LastingRecord& lasting = m_record.lasting;
    if (m_kind == ScheduleKind::Every || m_record.visit <= 0) {
        return nullptr;
    }
    const double plain = m_record.visits * m_record.visit;
    const bool isKnown = lasting.work > 0;
    const double work = isKnown ? lasting.work : kLookAhead * m_record.visit;
    if (!mayForecast(lasting.lasted * stretches.front().lasts * plain, work, lasting.pause)) {
        return nullptr;
    }
    const Stretch* best = nullptr;
    double most = 0;
    for (const Stretch& stretch : stretches) {
        const LookForecast forecast = forecastBy([&] { return forecaster(stretch); });
        const double cost = costOf(forecast, work, isKnown);
        const double gain = plain * (1 - forecast.left) - kOnArrival * cost / (lasting.lasted * stretch.lasts);
        if (gain > most) {
            most = gain;
            best = &stretch;
        }
    }
    lasting.pause.note(best != nullptr, kLongestWait);
    return best;
}

void ScreeningSchedule::lookedAhead(double work, double lasts) {
    LastingRecord& lasting = m_record.lasting;
    if (lasting.work > 0) {
        lasting.lasted = blended(lasting.lasted, static_cast<double>(lasting.uses) / lasting.expected, true);
    }
    lasting.uses = 0;
    lasting.expected = lasts;
    lasting.work = work - takeOnce(work);
    m_lookWork += work;
}

bool ScreeningSchedule::narrows(double visits, const Forecaster& wide, const Forecaster& narrow) {
    const double share = m_record.narrowing.share > 0 ? m_record.narrowing.share : kNarrowShare;
    if (m_kind == ScheduleKind::Every || m_record.visit <= 0 || !mayForecast(visits, share, m_record.narrowing.pause)) {
        return false;
    }
    const bool pays = visits * (1 - narrow().left / wide().left) > kNarrow * share;
    m_record.narrowing.pause.note(pays, kLongestWait);
    return pays;
}

void ScreeningSchedule::evaluatedLasting(double work, double expected) {
    if (expected > 0) {
        m_record.narrowing.scale = blended(m_record.narrowing.scale, work / expected, true);
    }
}

void ScreeningSchedule::narrowed(double work, double visit) {
    double& share = m_record.narrowing.share;
    share = blended(share, work / visit, share > 0);
    m_lookWork += work;
}

/// What of the work of a look is for all later ones as well, and is not taken again.
double ScreeningSchedule::takeOnce(double work) {
    const double once = std::min(std::exchange(m_once, 0), kLargestOnce * work);
    m_onceWork += once;
    return once;
}

/// The gap falls by the same factor with every evaluation after the first, which is of the start: by that of the λ
/// before and of this one so far.
double ScreeningSchedule::visitsToCome(const State& state) const {
    if (!(state.gap > state.goal)) {
        return 0;
    }
    if (!(state.goal > 0) || !(m_firstGap > state.goal)) {
        return std::max(m_record.visits, m_visits);
    }
    const double fall = std::max(std::log(m_firstGap / state.gap), 0.0);
    const double steps = std::max(m_record.visits - 1, 0.0) + std::max(m_visits - 1, 0.0);
    return std::log(state.gap / state.goal) * steps / (std::log(m_firstGap / state.goal) + fall);
}

bool ScreeningSchedule::isDue(const State& state) const {
    if (m_kind == ScheduleKind::Every) {
        return state.iteration >= m_nextIteration;
    }
    if (!state.isMeasured || m_visit <= 0 || m_record.visit <= 0 || m_later.isFresh ||
        (m_lastGap > 0 && !(state.gap <= kFallen * m_lastGap))) {
        return false;
    }
    return paysByRecord(state, m_record.least) || mayTry(state);
}

/// Whether a later look pays by what looks have brought of late, if an evaluation takes `least` of one of all items
/// however small the ball is. Not after a forecast that none pays: balls that decide nothing tell nothing of smaller
/// ones.
bool ScreeningSchedule::paysByRecord(const State& state, double least) const {
    if (m_lastIsVeto) {
        return false;
    }
    const double floor = std::min(least * m_record.visit, m_visit);
    const double after = m_lastGap > 0 ? floor + (m_visit - floor) * std::sqrt(state.gap / m_lastGap)
                                       : std::max(m_record.left * m_record.visit, floor);
    return paysLater(state, after, lookShare() * m_visit);
}

bool ScreeningSchedule::mayTry(const State& state) const {
    if (state.canForecast) {
        return m_record.later.left == 0 &&
               paysLater(state, std::min(kLeast * m_record.visit, m_visit), lookShare() * m_visit);
    }
    const double risk = kTrialShare * m_record.total + kRiskedShare * m_record.laterSaved;
    return m_record.laterLost + lookShare() * m_visit <= risk && paysByRecord(state, std::min(kLeast, m_record.least));
}

double ScreeningSchedule::lookShare() const {
    return m_record.lookShare > 0 ? m_record.lookShare : kLookShare;
}

/// Whether evaluations that are still to come save more than the cost of a look, if each takes `after` then.
bool ScreeningSchedule::paysLater(const State& state, double after, double cost) const {
    return visitsToCome(state) * (m_visit - after) > kLater * cost;
}

bool ScreeningSchedule::confirms(const State& state, const Forecaster& forecaster) {
    if (m_kind == ScheduleKind::Every || !forecaster || paysByRecord(state, m_record.least)) {
        return true;
    }
    const LookForecast forecast = forecastBy(forecaster);
    const double cost = m_record.lookShare > 0 ? m_record.lookShare * m_visit
                                               : (forecast.work + forecast.once) * m_visit / m_record.visit;
    const bool pays = paysLater(state, forecast.left * m_record.visit, cost);
    m_hasConfirmed = m_hasConfirmed || pays;
    m_hasVetoed = m_hasVetoed || !pays;
    if (!pays) {
        m_lastGap = state.gap; // the next forecast is made when it has fallen again
        m_lastIsVeto = true;
    }
    return pays;
}

void ScreeningSchedule::looked(double work, double gap, bool isArrival) {
    m_lookWork += work;
    const double once = takeOnce(work);
    const bool isFree = isArrival && !m_hasLooked; // only recalled
    // On arrival balls are half as large as this gap's: that of RRPB has the radius ½ (2 gap/λ)^½. Decisions are
    // recalled that hold for balls of about twice that.
    const double lastGap = std::exchange(m_lastGap, isFree ? 2 * gap : isArrival ? 0.5 * gap : gap);
    m_lastIsVeto = false;
    m_hasArrival = m_hasArrival || isArrival;
    const double visit = isArrival ? (m_share < 1 ? m_share * m_record.visit : 0) : m_visit;
    if (!isFree && visit > 0) {
        m_record.lookShare = blended(m_record.lookShare, (work - once) / visit, m_record.lookShare > 0);
    }
    if (!isArrival && m_visit > 0) {
        settle(m_record);
        m_later = {work, m_visit, lastGap > 0 ? std::sqrt(gap / lastGap) : 0, m_visits, true};
    }
}

/// An evaluation takes `visit` after the last look: what it takes beyond the least one falls with the radius.
void ScreeningSchedule::learnLeast(double visit) {
    const double radius = std::min(m_later.radius, kLargestRadius);
    const double least = std::max(visit - radius * m_later.before, 0.0) / (1 - radius);
    m_record.least = blended(m_record.least, std::min(least, visit) / m_record.visit, true);
}

/// Adds what the last later look has saved or lost.
void ScreeningSchedule::settle(ScreeningRecord& record) const {
    if (m_later.work > 0) {
        const double gain = (m_visits - m_later.visits) * (m_later.before - m_visit) - m_later.work;
        (gain < 0 ? record.laterLost : record.laterSaved) += std::abs(gain);
    }
}

void ScreeningSchedule::advanced(double work, double visit, bool isWhole, double gap) {
    if (visit <= 0) {
        return;
    }
    m_firstGap = m_firstGap > 0 ? m_firstGap : gap;
    m_visit = visit;
    if (std::exchange(m_later.isFresh, false) && m_record.visit > 0) {
        learnLeast(visit);
    }
    m_visits += work / visit;
    m_visitWork += work;
    if (isWhole) {
        measuredWhole(visit);
    }
}

bool ScreeningSchedule::wantsWhole() const {
    return m_kind == ScheduleKind::Auto && !m_hasWhole && m_record.visit > 0 &&
           m_record.sinceVisit + m_lookWork + m_visitWork > kMeasured * m_record.visit;
}

void ScreeningSchedule::measuredWhole(double work) {
    m_record.visit = work;
    m_hasWhole = true;
}

ScreeningRecord ScreeningSchedule::finished() const {
    ScreeningRecord record = m_record;
    record.visits = blended(record.visits, m_visits, record.visits > 0);
    record.total += m_lookWork + m_visitWork;
    record.sinceVisit = m_hasWhole ? 0 : record.sinceVisit + m_lookWork + m_visitWork;
    ++record.solved;
    if (m_hasVetoed || m_hasConfirmed) {
        record.later.note(m_hasConfirmed, kLongestLaterWait);
    } else if (record.later.left > 0) {
        --record.later.left;
    }
    if (m_lookWork > 0 || m_usesLasting) {
        const double gain = m_visits * record.visit - m_lookWork - m_visitWork;
        (gain < 0 ? record.lost : record.saved) += std::abs(gain);
    }
    settle(record);
    if (m_usesLasting) {
        ++record.lasting.uses;
    }
    if (!m_hasArrival || record.visit <= 0) {
        return record;
    }
    const double plain = m_visits * record.visit;
    const bool isKnown = record.looks > 0;
    const double looks = m_lookWork - m_onceWork; // what the next λ may take again
    record.looks = blended(record.looks, looks, isKnown);
    if (m_hasLooked) {
        record.looks = std::min(looks, record.looks);
    }
    if (m_visits > 0) {
        const double left = std::min(m_visitWork / plain, 1.0);
        record.left = blended(record.left, left, isKnown);
        if (m_hasLooked) {
            record.leftLooked = blended(record.leftLooked, left, record.leftLooked > 0);
        }
    }
    if (looks + m_visitWork <= plain) {
        record.delay = kFirstDelay;
    } else {
        record.pause = record.delay;
        record.delay = std::min(kDelayFactor * record.delay, kLongestPause);
        record.tried = plain;
    }
    return record;
}

} // namespace lambdascope::triplets
