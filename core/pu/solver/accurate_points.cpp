// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/accurate_points.h"

#include "core/pu/solver/solution_refinement.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// What is aimed at, so that the promise is kept where rounding takes its share.
constexpr double kAim = 0.3 * AccuratePoints::kPromisedGap;

} // namespace

std::shared_ptr<const PointOutcome> AccuratePoints::at(const PuProblem& problem, double lambda, const SolvedPu& start,
                                                       std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    const std::pair key(lambda, problem.prior());
    if (const auto known = m_known.find(key); known != m_known.end()) {
        return known->second;
    }
    PointSettings settings;
    settings.tolerance = kAim;
    settings.maxSteps = 20'000'000;
    PointSolver solver(problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = solver.solve(lambda, start, 0, context);
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    if (outcome.termination != Termination::StoppedByUser &&
        !isSolved(problem, outcome.solved, kAim, ToleranceKind::Gap)) {
        const double size = std::max(1.0, std::abs(outcome.solved.primal)) / std::pow(problem.unit(lambda), 2);
        refineSolution(problem, kAim * size, outcome.solved, poll);
    }
    if (outcome.termination == Termination::StoppedByUser || poll.isStopped()) {
        return nullptr;
    }
    const auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(key, point);
    return point;
}

} // namespace lambdascope::pu
