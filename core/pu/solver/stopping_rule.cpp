// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/stopping_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// What tolerances of gaps are relative to.
double sizeOf(double primal) {
    return std::max(1.0, std::abs(primal));
}

} // namespace

double StoppingRule::firstViolation() const {
    constexpr double kFirstViolation = 1e-2; // in units of f
    return (m_settings.toleranceKind == ToleranceKind::Violation ? m_settings.tolerance : kFirstViolation) * m_epsilon;
}

double StoppingRule::bearableDrift(double value) const {
    constexpr double kShare = 0.02;
    const auto norms = m_problem.space().norms().tail(m_problem.unlabeled());
    if (m_settings.toleranceKind == ToleranceKind::Violation) {
        return kShare * m_settings.tolerance * m_epsilon / (2 * norms.maxCoeff());
    }
    const double size = std::max(m_epsilon * m_epsilon, std::abs(value));
    // No new scores are free of what their own sums, and tiles, bring along.
    const double length = m_problem.mass() * norms.maxCoeff();
    double least = roundingFactor(static_cast<double>(m_problem.unlabeled())) * length;
    if (m_problem.space().makesTiles()) {
        least += m_problem.space().valueError() * m_problem.largestNorm();
    }
    return std::max(kShare * m_settings.tolerance * size / norms.sum(), 4 * least);
}

bool StoppingRule::isSmallEnough(double gapOfMembers, double dual) const {
    const double square = m_unit * m_unit;
    const double gap = gapOfMembers * square;
    const double primal = dual * square + gap;
    return m_settings.toleranceKind == ToleranceKind::Gap && gap <= gapTolerance(primal);
}

double StoppingRule::gapTolerance(double primal) const {
    return m_settings.tolerance * sizeOf(primal);
}

bool isSolved(const PuProblem& problem, const SolvedPu& solved, double tolerance, ToleranceKind kind) {
    const double unit = problem.unit(solved.lambda);
    return kind == ToleranceKind::Violation ? solved.violation * unit <= tolerance
                                            : solved.gap * unit * unit <= tolerance * sizeOf(solved.primal);
}

} // namespace lambdascope::pu
