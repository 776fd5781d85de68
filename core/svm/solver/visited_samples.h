// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_screening.h"

#include <cstdint>
#include <vector>

namespace lambdascope::svm {

/// The undecided samples that sweeps visit, and the level of the iterate that holds their data: shrinking leaves
/// samples out for a while, and the data of few that are left are moved together.
class VisitedSamples {
  public:
    VisitedSamples(const SvmProblem& problem, DualIterate& space, const PointScreening& screening)
        : m_problem(problem), m_space(space), m_screening(screening) {}

    /// The share of members below which the data of those visited are moved together: picking numbers out of kernel
    /// rows takes longer than passing over them.
    static constexpr double kWorthNarrowingRows = 0.45;

    /// Positions in the current level.
    [[nodiscard]] std::vector<std::int32_t>& positions() { return m_positions; }
    [[nodiscard]] const std::vector<std::int32_t>& positions() const { return m_positions; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_positions.size()); }
    [[nodiscard]] const ShrinkLimits& limits() const { return m_limits; }
    /// Takes the limits of the next sweep from what the last one saw.
    void shrinkBeyond(const SweepOutcome& sweep);
    void shrinkBeyond(const ShrinkLimits& limits) { m_limits = limits; }

    /// Samples of the reduced problem: all that no rule has decided.
    [[nodiscard]] std::int64_t openCount() const { return m_problem.size() - m_screening.decided().sum(); }
    [[nodiscard]] bool isWhole() const { return count() == openCount(); }

    /// All undecided members of the current level, none of them shrunk.
    void visitAll();
    /// Visits those that have been decided no more.
    void dropDecided();
    /// Up to the level that holds all undecided samples, or to that of all samples.
    void widenToWhole(StopCheck& stopCheck);
    void widenToAll(StopCheck& stopCheck);
    /// Narrows the level to what is still visited, when that pays after so many updates at this point. True when it
    /// does.
    bool moveTogether(std::int64_t updates);

  private:
    /// Those visited are so few, or so much has been done at this point already, that shorter rows will pay.
    [[nodiscard]] bool isWorthNarrowing(std::int64_t updates) const;

    const SvmProblem& m_problem;
    DualIterate& m_space;
    const PointScreening& m_screening;
    std::vector<std::int32_t> m_positions;
    ShrinkLimits m_limits;
    std::size_t m_wholeDepth = 1; ///< deepest level that holds all undecided samples
};

} // namespace lambdascope::svm
