// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/accurate_points.h"

namespace lambdascope::pu {

std::shared_ptr<const PointOutcome> AccuratePoints::at(const PuProblem& problem, double lambda, const SolvedPu& start,
                                                       std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    const std::pair key(lambda, problem.prior());
    if (const auto known = m_known.find(key); known != m_known.end()) {
        return known->second;
    }
    PointSettings settings;
    settings.tolerance = kPromisedGap;
    settings.maxSteps = 20'000'000;
    PointSolver solver(problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = solver.solve(lambda, start, 0, context);
    if (outcome.termination == Termination::StoppedByUser) {
        return nullptr;
    }
    const auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(key, point);
    return point;
}

} // namespace lambdascope::pu
