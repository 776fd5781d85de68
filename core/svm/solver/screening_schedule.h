// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_outcome.h"

#include <limits>

namespace lambdascope::svm {

/// When a point is screened again while it is solved: every so many sweeps, or (auto) where counted work says that it
/// pays. A look judges all undecided samples by the ball of their gap, for which linear kernels need all margins. So
/// auto looks when these are at hand, after samples that were shrunk have been brought back; and otherwise when the
/// sweeps since the last look have cost several times as much as it will; and only when the gap has fallen.
class ScreeningSchedule {
  public:
    ScreeningSchedule(const PointSettings& settings, const SvmProblem& problem);

    /// Operations of the margin of a sample, and of judging it.
    [[nodiscard]] double marginCost() const { return m_marginCost; }
    static constexpr double kJudgingCost = PointScreening::kJudgingCost;

    /// Whether the gap of the start, which takes all margins, is worth measuring for a look on arrival.
    [[nodiscard]] bool measuresOnArrival() const { return m_measuresOnArrival; }

    /// How a point stands.
    struct State {
        std::int64_t sweeps = 0;
        double work = 0;         ///< operations so far
        double open = 0;         ///< undecided samples
        double gap = 0;          ///< of those visited
        bool isWhole = false;    ///< all undecided samples are visited
        bool isMeasured = false; ///< and their margins are at hand
    };
    [[nodiscard]] bool isDue(const State& state) const;
    /// A look was taken, or was found to be in vain.
    void looked(const State& state);

  private:
    ScheduleKind m_kind;
    std::int64_t m_every;
    double m_marginCost;
    bool m_measuresOnArrival;
    std::int64_t m_nextSweep;
    double m_lastWork = 0;
    double m_lastGap = std::numeric_limits<double>::infinity();
};

} // namespace lambdascope::svm
