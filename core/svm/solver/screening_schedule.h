// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/svm_config.h"
#include "core/svm/screening/look_history.h"

#include <cstdint>
#include <limits>

namespace lambdascope::svm {

/// When a point is screened: every so many sweeps, or (auto) where counted work says that it pays.
///
/// A look costs a known number of operations for each sample. What it can save is the part of a point's work that grows
/// with the undecided samples, as the points before have shown it, times the share that is likely to be decided. On
/// arrival a draw of samples tells that share, corrected by what looks along this path have saved in truth; later on,
/// when the gap has fallen, a draw of those undecided tells it again, by margins that are at hand and the ball of the
/// gap, corrected by what such looks have decided of it. What is left of a point's work is told by the points before,
/// and by how far the work so far has brought the gap towards its target, whichever is less. A look that would save
/// less than it costs is not taken, and the first one, of which nothing is known yet, only once the path has taken so
/// much that it does not count. What looks on arrival lose that did not pay is kept little beside the path's work and
/// beside what others have saved. All of that is counted, so that the same is done on every machine.
class ScreeningSchedule {
  public:
    struct Terms {
        ScheduleKind kind = ScheduleKind::Every;
        std::int64_t every = 10;
        double samples = 0;
        double marginCost = 0;     ///< operations of a sample's margin and its part of the gap
        double arrivalCost = 0;    ///< of a look on arrival, per sample, as expected before the first
        double laterCost = 0;      ///< of judging again, per sample
        double firstWork = 0;      ///< that grows with the samples, of a point of which nothing is known
        double pointsBefore = 0;   ///< on the path
        bool hasOthers = false;    ///< bounds that are not dynamic
        bool solvesBeyond = false; ///< another C for each look on arrival, which takes as long as any look can save
    };
    /// `history` is that of the path so far.
    ScreeningSchedule(const Terms& terms, const LookHistory& history);

    [[nodiscard]] double marginCost() const { return m_terms.marginCost; }
    /// Whether the gap of the start, which takes all margins, is worth measuring for a look on arrival.
    [[nodiscard]] bool measuresOnArrival() const;
    /// Whether to ask what share of the samples a look on arrival would decide: not where even all would not pay.
    [[nodiscard]] bool mayArrive(double making) const;
    /// Whether to look on arrival, where about this share of the samples will be decided, and what the look is made
    /// from takes so many operations per sample.
    [[nodiscard]] bool looksOnArrival(double share, double making);

    /// How a point stands.
    struct State {
        std::int64_t sweeps = 0;
        double work = 0;         ///< operations so far
        double open = 0;         ///< undecided samples
        double gap = 0;          ///< of those visited
        double target = 0;       ///< at which the point is solved
        bool isWhole = false;    ///< all undecided samples are visited
        bool isMeasured = false; ///< and their margins are at hand
        double share = 0;        ///< likely to be decided of the open ones, where asksShare()
    };
    /// Whether isDue() depends on the likely share: not where even all would not pay.
    [[nodiscard]] bool asksShare(const State& state) const;
    [[nodiscard]] bool isDue(const State& state);
    /// A look was taken, or was found to be in vain.
    void looked(const State& state);
    /// A later look decided this share of those that were open.
    void decided(double share);

    /// Something was done that costs so much for each of `samples`; without screening it were done for `all`.
    void worked(double operations, double samples, double all);
    /// Looks have cost so much.
    void spent(double operations) { m_spent += operations; }
    /// That of the path with this point, once it is solved.
    [[nodiscard]] LookHistory history() const;

  private:
    /// Operations that grow with the samples, of a point like this one.
    [[nodiscard]] double growing() const { return m_history.isKnown ? m_history.growing : m_terms.firstWork; }
    /// What a look on arrival takes.
    [[nodiscard]] double arrivalCost(double making) const;
    /// What a later look takes.
    [[nodiscard]] double laterCost(const State& state) const;
    /// Operations that grow with the samples and are still to come: as the path goes on, or as the gap has fallen so
    /// far.
    [[nodiscard]] double left(const State& state) const;
    /// What it would save if it decided this share of the open ones.
    [[nodiscard]] double laterSaving(const State& state, double share) const;
    /// Whether the path has taken so many times what a look costs.
    [[nodiscard]] bool isAffordable(double cost, double times) const;

    Terms m_terms;
    LookHistory m_history;
    std::int64_t m_nextSweep;
    double m_lastWork = 0;
    double m_lastGap = std::numeric_limits<double>::infinity();
    double m_firstGap = std::numeric_limits<double>::infinity();
    double m_likely = 0;    ///< share, of the later look that is due
    double m_expected = -1; ///< share, of the look on arrival; negative where there was none
    double m_growing = 0;   ///< as in the history
    double m_saved = 0;     ///< of it
    double m_spent = 0;     ///< on looks
};

} // namespace lambdascope::svm
