// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/accurate_points.h"

#include "core/svm/solver/solution_refinement.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// What is aimed at, so that the promise is kept where rounding takes its share.
constexpr double kAim = 0.3 * AccuratePoints::kPromisedGap;

PointSettings accurateSettings() {
    PointSettings settings;
    settings.tolerance = kAim;
    settings.maxSweeps = 200000;
    return settings;
}

} // namespace

AccuratePoints::AccuratePoints(const SvmProblem& problem)
    : m_problem(problem), m_solver(problem, accurateSettings()), m_factor(problem, 1) {}

std::shared_ptr<const PointOutcome> AccuratePoints::at(double c, const SolvedSvm& start, std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(c); known != m_known.end()) {
        return known->second;
    }
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = m_solver.solve(c, start, 0, context);
    const double target = kAim * std::max(1.0, std::abs(outcome.primal.value));
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    if (outcome.termination != Termination::StoppedByUser && outcome.solved.gap > target) {
        SolutionRefinement(m_problem, m_factor, poll).refine(outcome, target);
    }
    if (outcome.termination == Termination::StoppedByUser || poll.isStopped()) {
        return nullptr;
    }
    const auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(c, point);
    return point;
}

} // namespace lambdascope::svm
