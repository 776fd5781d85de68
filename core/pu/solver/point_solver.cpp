// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/point_solver.h"

#include "core/pu/solver/point_attempt.h"

#include <numeric>

namespace lambdascope::pu {

std::vector<SampleIndex> allUnlabeled(const PuProblem& problem) {
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    return all;
}

PuView viewOf(const PuProblem& problem, const SolvedPu& solved, std::span<const SampleIndex> all) {
    return {all,
            solved.scores.data(),
            solved.s.data(),
            problem.space().norms().data(),
            problem.epsilon(solved.lambda),
            solved.error,
            solved.mass};
}

SampleCounts setCountsOf(const PuProblem& problem, const SolvedPu& solved, std::vector<Decision>* decisions) {
    const std::vector<SampleIndex> all = allUnlabeled(problem);
    const PuView view = viewOf(problem, solved, all);
    std::vector<Decision> own;
    std::vector<Decision>& found = decisions != nullptr ? *decisions : own;
    (void)screen(view, solved.gap, found, &solved.biases);
    return countsOf(found);
}

PointSolver::PointSolver(const PuProblem& problem, PointSettings settings)
    : m_problem(problem), m_settings(settings), m_engine(makeEngine(problem, settings.shrinks)) {}

PointOutcome PointSolver::solve(double lambda, const SolvedPu& start, std::int32_t index, RunContext& context) {
    const SolverParts parts{m_problem, m_settings, *m_engine, m_observer};
    return PointAttempt(parts, lambda, start, index, context).run();
}

} // namespace lambdascope::pu
