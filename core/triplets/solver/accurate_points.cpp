// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/accurate_points.h"

namespace lambdascope::triplets {

namespace {

constexpr double kTolerance = 1e-10;
/// The hinge's gap falls slowly: its α are those of smoothed hinges of falling width.
constexpr double kHingeTolerance = 1e-7;
/// Newton needs a few dozen, where it finds its way.
constexpr std::int64_t kMostIterations = 20000;

} // namespace

double AccuratePoints::promisedGap() const {
    return m_gamma > 0 ? kTolerance : kHingeTolerance;
}

PointOutcome AccuratePoints::solve(double lambda, const SolvedPoint& start, bool isScreened, double tolerance,
                                   const std::stop_token& stop) const {
    const auto engine = m_makeEngine();
    std::vector<std::unique_ptr<Bound>> bounds;
    if (isScreened) {
        bounds.push_back(makeBound(BoundKind::RelaxedPath));
        bounds.push_back(makeBound(BoundKind::ProjectedGradient));
    }
    PointSettings settings;
    settings.gamma = m_gamma;
    settings.tolerance = tolerance;
    settings.toleranceKind = ToleranceKind::Relative;
    settings.maxIterations = kMostIterations;
    settings.method = MethodKind::Newton;
    PointSolver solver(*engine, std::move(bounds), settings);
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    return solver.solve(lambda, start, 0, context);
}

bool AccuratePoints::sumAgain(SolvedPoint& solved, const std::stop_token& stop) const {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const auto engine = m_makeEngine();
    engine->activateAll();
    const double smoothing = solved.totals.smoothing;
    SetCounts ignored;
    return engine->evaluateAll(solved.point, smoothing, m_gamma, stopCheck, solved.totals, ignored);
}

std::shared_ptr<const PointOutcome> AccuratePoints::at(double lambda, const SolvedPoint& start, std::stop_token stop,
                                                       double tolerance) {
    const std::lock_guard lock(m_mutex);
    Known& known = m_known[lambda];
    const PointOutcome* best = known.point.get();
    if (best != nullptr && known.tolerance <= tolerance) {
        return known.point;
    }
    SolvedPoint from = best != nullptr ? best->solved : start;
    if (best != nullptr && !sumAgain(from, stop)) {
        return nullptr;
    }
    PointOutcome outcome = solve(lambda, from, true, tolerance, stop);
    if (outcome.termination != Termination::Converged && !stop.stop_requested()) {
        PointOutcome plain = solve(lambda, from, false, tolerance, stop);
        if (plain.solved.gap < outcome.solved.gap) {
            outcome = std::move(plain);
        }
    }
    if (stop.stop_requested()) {
        return nullptr;
    }
    known.tolerance = tolerance;
    if (best == nullptr || outcome.solved.gap < best->solved.gap) {
        outcome.solved.totals.pull.resize(0, 0); // d × d matrices per λ that nobody asks for
        outcome.solved.dual = {};
        known.point = std::make_shared<const PointOutcome>(std::move(outcome));
    }
    return known.point;
}

} // namespace lambdascope::triplets
