// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/path_config.h"

#include <cstdint>
#include <functional>
#include <span>

namespace lambdascope::triplets {

/// λ to pass before the next forecast, more of them after each one that promised nothing.
struct ForecastPause {
    std::int64_t left = 0;
    std::int64_t next = 1;

    /// After a forecast, or those of a λ.
    void note(bool promised, std::int64_t longest);

    void transfer(auto& archive) {
        auto& [wait, following] = *this;
        archive(wait, following);
    }
};

/// What is known of decisions that are to last over several λ (see Capsule), in the same units.
struct LastingRecord {
    double work = 0;       ///< of making them; 0 before the first ones
    double lasted = 1;     ///< λ that they served over those expected, smoothed
    double expected = 1;   ///< λ that those at hand are expected to serve
    std::int64_t uses = 0; ///< λ that those at hand have served
    ForecastPause pause;

    void transfer(auto& archive) {
        auto& [ofMaking, share, number, so, wait] = *this;
        archive(ofMaking, share, number, so, wait);
    }
};

/// What is known of judging what lasting decisions leave by a smaller capsule.
struct NarrowingRecord {
    double share = 0; ///< its work over that of an evaluation of what they leave; 0 when not known
    double scale = 1; ///< what such an evaluation takes over what is expected by its pairs
    ForecastPause pause;

    void transfer(auto& archive) {
        auto& [work, evaluation, wait] = *this;
        archive(work, evaluation, wait);
    }
};

/// A part of the path that lasting decisions may be made for: round the line on which the solutions are expected.
struct Stretch {
    double steps = 0;  ///< of the path, beyond the next point
    double misses = 0; ///< how far from the line, over how far the last solution was from it
    double lasts = 0;  ///< λ that such decisions are expected to serve
};

/// Makes a forecast; empty where none can be made.
using Forecaster = std::function<LookForecast()>;

/// What screening has cost and saved at earlier λ, in the units of counted_work.h; goes from λ to λ with the solution.
/// Sums over the items left are counted in visits, each being what one evaluation takes at that time.
struct ScreeningRecord {
    double visit = 0;       ///< work of an evaluation of all items; 0 when not known
    double sinceVisit = 0;  ///< work of all λ since the last one where that was measured
    double visits = 0;      ///< of a λ, smoothed; 0 when not known
    double looks = 0;       ///< work of all looks of a λ that had one on arrival, smoothed; 0 before the first
    double left = 1;        ///< mean work of its evaluations over `visit`
    double leftLooked = 0;  ///< the same where something was judged on arrival, not recalled alone; 0 before the first
    double least = 0.1;     ///< of an evaluation however small the ball is, as far as later looks tell
    double lookShare = 0;   ///< work of a later look over that of an evaluation of what it judges; 0 when not known
    std::int64_t pause = 0; ///< λ to pass before a look is tried that is not expected to pay
    std::int64_t delay = 4; ///< the next pause, when a look does not pay
    double tried = 0;       ///< work without screening of the λ where one did not
    double total = 0;       ///< work of all λ so far
    double lost = 0;        ///< what λ with looks took more than without, summed
    double saved = 0;       ///< and less
    double laterLost = 0;   ///< the same of later looks over what the λ would have taken without that look
    double laterSaved = 0;
    std::int64_t solved = 0; ///< λ so far
    ForecastPause forecast;  ///< of looks on arrival
    ForecastPause later;     ///< of later ones
    LastingRecord lasting;
    NarrowingRecord narrowing;

    void transfer(auto& archive) {
        auto& [whole, since, number, spent, rest, judged, last, share, wait, nextWait, without, all, loss, gain,
               lateLoss, lateGain, count, waitArrival, waitLater, overMany, again] = *this;
        archive(whole, since, number, spent, rest, judged, last, share, wait, nextWait, without, all, loss, gain,
                lateLoss, lateGain, count, waitArrival, waitLater, overMany, again);
    }
};

/// When items are screened at one λ: on arrival and every so many iterations or, with the schedule "auto", where
/// counted work says that it pays, so that a lane that screens is no slower than one that does not. No clock is asked:
/// the same run makes the same choices. A look is one pass of a rule over the items that are left.
///
/// * On arrival, what decisions of earlier λ still say costs nothing and is always taken. A look besides is expected to
///   cost and to leave what it did at the λ before, for as many evaluations as there were.
/// * A later look is due when the gap has fallen to a quarter, and the ball with it to half its radius, and when the
///   evaluations that are still to come, by the rate at which the gap falls, save more than the look takes. What an
///   evaluation takes beyond `least` is expected to fall with the radius.
/// * Where that is not known, or where no look pays by it, a forecast from a sample of the items tells whether one is
///   tried; it costs a hundredth of an evaluation or so. Engines without a sample try without a forecast. A look that
///   is not expected to pay is tried after pauses that grow with each failure, or when a λ takes twice the work; what
///   such looks lose in all is kept little beside the whole work and beside what others have saved.
/// * What the first look makes for all later ones may cost what as many λ as there were so far would save, and is not
///   expected of those.
/// * What an evaluation of all items takes may change severalfold along a path: now and then one is made to tell.
class ScreeningSchedule {
  public:
    ScreeningSchedule(ScheduleKind kind, std::int64_t every, const ScreeningRecord& record)
        : m_kind(kind), m_every(every), m_nextIteration(every), m_record(record) {}

    /// How a point stands.
    struct State {
        std::int64_t iteration = 0;
        double gap = 0;
        double goal = 0;          ///< gap that ends the solve
        bool isMeasured = false;  ///< the gap is that of this iteration
        bool canForecast = false; ///< a forecast can be made
    };

    /// Whether to take what earlier λ decided and to ask whether to look besides. `isSolved`: the start is the
    /// solution, as far as its gap tells.
    [[nodiscard]] bool mayLookOnArrival(bool isSolved) const {
        return m_kind == ScheduleKind::Every || (!isSolved && m_record.visits > 0);
    }
    /// Whether to look besides, where an evaluation takes `share` of one of all items.
    [[nodiscard]] bool looksOnArrival(double share, const Forecaster& forecaster = {});
    /// Whether a later look that is due is to be taken.
    [[nodiscard]] bool confirms(const State& state, const Forecaster& forecaster);

    /// Chooses the stretch of the path to make lasting decisions for: by forecasts, the one that saves most at each λ;
    /// null where none saves anything. The longest one comes first.
    [[nodiscard]] const Stretch* looksAhead(std::span<const Stretch> stretches,
                                            const std::function<LookForecast(const Stretch&)>& forecaster);
    /// They were made by so much work, and are expected to serve so many λ.
    void lookedAhead(double work, double lasts);
    /// Decisions that last serve this λ.
    void usesLasting() { m_usesLasting = true; }
    /// They are proven, as by a ball of that radius.
    void proved(double lambda, double radius) { m_lastGap = 0.5 * lambda * radius * radius; }

    /// An evaluation of what lasting decisions leave took so much, where so much was expected by its pairs.
    void evaluatedLasting(double work, double expected);
    /// What the next one is to be expected to take.
    [[nodiscard]] double workOfLasting(double expected) const { return m_record.narrowing.scale * expected; }
    /// Whether to judge for this λ what lasting decisions leave, `wide`, by a smaller capsule, where so many
    /// evaluations are to come.
    [[nodiscard]] bool narrows(double visits, const Forecaster& wide, const Forecaster& narrow);
    /// It took so much work, where an evaluation took `visit`.
    void narrowed(double work, double visit);

    [[nodiscard]] bool isDue(const State& state) const;
    /// A look was due: the next one is later.
    void begin(std::int64_t iteration) { m_nextIteration = (iteration / m_every + 1) * m_every; }
    /// It took so much work.
    void looked(double work, double gap, bool isArrival);
    /// The method advanced by so much work, its last evaluation, of all items or of what was left, having taken
    /// `visit`; `gap` is the one it began with.
    void advanced(double work, double visit, bool isWhole, double gap);

    /// Whether an evaluation of all items is to be made at the end of the λ, which tells what one takes.
    [[nodiscard]] bool wantsWhole() const;
    /// One took so much work.
    void measuredWhole(double work);

    /// Evaluations until the gap that ends the solve.
    [[nodiscard]] double visitsToCome(const State& state) const;

    /// At the end of the λ.
    [[nodiscard]] ScreeningRecord finished() const;

  private:
    [[nodiscard]] bool isWorthLooking(const Forecaster& forecaster);
    [[nodiscard]] LookForecast forecastBy(const Forecaster& forecaster);
    [[nodiscard]] double takeOnce(double work);
    [[nodiscard]] static bool mayForecast(double most, double work, ForecastPause& pause);
    [[nodiscard]] double costOf(const LookForecast& forecast, double work, bool isWorkKnown) const;
    [[nodiscard]] bool promises(const Forecaster& forecaster, double most, double work, bool isWorkKnown,
                                ForecastPause& pause);
    [[nodiscard]] bool paysByRecord(const State& state, double least) const;
    [[nodiscard]] bool mayTry(const State& state) const;
    [[nodiscard]] bool paysLater(const State& state, double after, double cost) const;
    [[nodiscard]] double lookShare() const;
    void learnLeast(double visit);
    void settle(ScreeningRecord& record) const;

    ScheduleKind m_kind;
    std::int64_t m_every;
    std::int64_t m_nextIteration;
    ScreeningRecord m_record; ///< of the λ before, but for what is known at once
    bool m_hasWhole = false;  ///< an evaluation of all items
    bool m_hasArrival = false;
    bool m_usesLasting = false;
    bool m_hasLooked = false; ///< on arrival
    double m_share = 1;       ///< of an evaluation that recalled decisions leave
    double m_visit = 0;       ///< work of the last evaluation; 0 before the first
    bool m_hasVetoed = false; ///< a later look, by a forecast
    bool m_hasConfirmed = false;
    double m_firstGap = 0;     ///< 0 before the first step
    double m_lastGap = 0;      ///< at the last look or forecast; 0 before the first
    bool m_lastIsVeto = false; ///< m_lastGap is that of a forecast that no look pays
    double m_visits = 0;
    double m_visitWork = 0;
    double m_lookWork = 0;
    double m_once = 0;     ///< work of the next look that is for all later ones as well, as the last forecast says
    double m_onceWork = 0; ///< that of the looks of this λ

    /// A later look and what it changed.
    struct LaterLook {
        double work = 0;      ///< 0 for none
        double before = 0;    ///< an evaluation
        double radius = 0;    ///< over that of the ball before; 0 where there was none
        double visits = 0;    ///< by then
        bool isFresh = false; ///< no evaluation since
    };
    LaterLook m_later;
};

} // namespace lambdascope::triplets
