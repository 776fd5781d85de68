// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/accurate_points.h"

namespace lambdascope::svm {

namespace {

PointSettings accurateSettings() {
    PointSettings settings;
    settings.tolerance = AccuratePoints::kPromisedGap;
    settings.maxSweeps = 200000;
    return settings;
}

} // namespace

AccuratePoints::AccuratePoints(const SvmProblem& problem) : m_solver(problem, accurateSettings()) {}

std::shared_ptr<const PointOutcome> AccuratePoints::at(double c, const SolvedSvm& start, std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(c); known != m_known.end()) {
        return known->second;
    }
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = m_solver.solve(c, start, 0, context);
    if (outcome.termination == Termination::StoppedByUser) {
        return nullptr;
    }
    const auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(c, point);
    return point;
}

} // namespace lambdascope::svm
