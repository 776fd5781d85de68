// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_solver.h"

#include "core/svm/solver/point_attempt.h"

#include <algorithm>

namespace lambdascope::svm {

PointSolver::PointSolver(const SvmProblem& problem, PointSettings settings)
    : m_problem(problem), m_settings(std::move(settings)), m_space(makeSpace(problem)),
      m_factor(problem, m_settings.threads) {
    const auto& bounds = m_settings.bounds;
    if (std::find(bounds.begin(), bounds.end(), BoundKind::Delta) != bounds.end()) {
        PointSettings beyond = m_settings;
        beyond.bounds.clear();
        beyond.known = nullptr;
        m_beyondSolver = std::make_unique<PointSolver>(problem, std::move(beyond));
    }
}

PointSolver::~PointSolver() = default;

PointOutcome PointSolver::solve(double c, const SolvedSvm& start, std::int32_t index, RunContext& context) {
    const SolverParts parts{m_problem, m_settings, *m_space, m_factor, m_beyondSolver.get(), m_watch};
    return PointAttempt(parts, c, start, index, context).run();
}

} // namespace lambdascope::svm
