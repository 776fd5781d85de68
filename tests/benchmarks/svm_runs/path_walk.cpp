// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/path_walk.h"

#include "core/svm/path/path_plan.h"
#include "core/svm/solver/path_start.h"

#include <cmath>
#include <limits>

namespace lambdascope::benchmarks {

using namespace svm;

std::vector<double> decades() {
    std::vector<double> values;
    for (int t = 0; t <= 20; ++t) {
        values.push_back(std::pow(10.0, -2 + 0.2 * t));
    }
    return values;
}

double leastC(const SvmProblem& problem) {
    StopCheck never;
    const double least = smallestC(bottomPoint(problem, 1, never), problem);
    return std::isfinite(least) ? least : 1;
}

SolvedSvm startOf(const SvmProblem& problem, double atMost) {
    StopCheck never;
    return bottomPoint(problem, std::min(leastC(problem), atMost), never);
}

std::vector<double> epsilonPath(const SvmProblem& problem) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PathConfig config;
    config.kind = PathKind::Approximation;
    const SolvedSvm bottom = startOf(problem, std::numeric_limits<double>::infinity());
    return pathSchedule(config, problem, bottom, bottom.c, context, {});
}

PointSettings laneOf(const std::string& lane, double tolerance) {
    PointSettings settings;
    settings.tolerance = tolerance;
    settings.shrinks = lane.find("Shrink") != std::string::npos;
    for (const BoundKind kind : {BoundKind::BallOne, BoundKind::Intersection, BoundKind::Gap}) {
        if (lane.find(boundName(kind)) != std::string::npos) {
            settings.bounds.push_back(kind);
        }
    }
    return settings;
}

PathTotals walkPath(const SvmProblem& problem, const std::vector<double>& values, const PointSettings& settings,
                    const std::function<void(const PointOutcome&)>& each, const std::vector<SolvedSvm>& known) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    SolvedSvm last = startOf(problem, values.front());
    PointSolver solver(problem, settings);
    PathTotals totals;
    std::int32_t index = 0;
    for (const double c : values) {
        const SolvedSvm* proof = known.empty() ? nullptr : &known[static_cast<std::size_t>(index)];
        PointOutcome outcome = solver.solve(c, last, index++, context, proof);
        totals.operations += outcome.ledger.operations;
        totals.carried += outcome.carried;
        totals.primal += outcome.primal.value;
        totals.cpu += outcome.cpuSolve + outcome.cpuScreen;
        totals.rules += outcome.ledger.rule;
        totals.images += outcome.ledger.images;
        totals.updates += outcome.ledger.updates;
        totals.sweeps += outcome.sweeps;
        totals.screened += static_cast<double>(outcome.finalScreened.sum());
        totals.decidable += static_cast<double>(outcome.setCounts.sum());
        totals.loose += outcome.termination == Termination::Converged ? 0 : 1;
        if (each) {
            each(outcome);
        }
        last = std::move(outcome.solved);
    }
    return totals;
}

} // namespace lambdascope::benchmarks
