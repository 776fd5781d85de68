// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/solver/point_solver.h"

namespace lambdascope::pu {

/// When the problem at one λ counts as solved, by the tolerance of the settings. Values and gaps are in the units of
/// PuProblem where nothing else is said.
class StoppingRule {
  public:
    StoppingRule(const PuProblem& problem, const PointSettings& settings, double lambda)
        : m_problem(problem), m_settings(settings), m_epsilon(problem.epsilon(lambda)), m_unit(problem.unit(lambda)) {}

    /// The violation that steps aim at first.
    [[nodiscard]] double firstViolation() const;
    /// Rounding of scores, per ‖φ‖, that is no obstacle to the tolerance when the dual value is `value`: the gap owes
    /// it at most Σ‖φ‖ times, the violation twice the longest ‖φ‖.
    [[nodiscard]] double bearableDrift(double value) const;
    /// Whether a gap of the members, the other samples being fixed, meets a tolerance of gaps.
    [[nodiscard]] bool isSmallEnough(double gapOfMembers, double dual) const;
    /// The tolerance of gaps, in the units of [P, (5)] as `primal` is.
    [[nodiscard]] double gapTolerance(double primal) const;

  private:
    const PuProblem& m_problem;
    const PointSettings& m_settings;
    double m_epsilon;
    double m_unit;
};

/// Whether a completed point meets the tolerance.
[[nodiscard]] bool isSolved(const PuProblem& problem, const SolvedPu& solved, double tolerance, ToleranceKind kind);

} // namespace lambdascope::pu
