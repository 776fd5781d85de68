// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/gram_problem.h"

#include "core/common/stop_check.h"
#include "core/data/data_faults.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/run/event_sink.h"
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/solver/point_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::ordinal {

namespace {

/// Of convex starts: relative gap, and the ratio of one λ to the last.
constexpr double kStartTolerance = 1e-3;
constexpr double kStartRatio = 0.5;

Failure stoppedPreparing() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while preparing the comparisons")};
}

triplets::ComparisonList itemsOf(const ComparisonSet& train, double margin) {
    triplets::ComparisonList list;
    list.comparisons.reserve(train.items().size());
    const double mean = train.totalWeight() / static_cast<double>(train.size());
    for (std::size_t q = 0; q < train.items().size(); ++q) {
        const Comparison& c = train.items()[q];
        triplets::Comparison item;
        item.far = triplets::RowPair{c.l, c.k};
        item.near = triplets::RowPair{c.i, c.j};
        item.threshold = margin;
        item.weight = train.relativeWeight(q) * mean;
        list.comparisons.push_back(item);
    }
    return list;
}

triplets::Lane pathLane(const Lane& lane) {
    triplets::Lane made;
    made.name = lane.name;
    made.solver.tolerance = lane.solver.tolerance;
    made.solver.toleranceKind = lane.solver.toleranceKind;
    made.solver.maxIterations = lane.solver.maxIterations;
    made.settings = lane.settings;
    if (!lane.settings.oracle.empty()) {
        made.settings.bounds = triplets::kOracleBounds;
    }
    return made;
}

} // namespace

Result<std::unique_ptr<const GramProblem>> GramProblem::make(const OrdinalConfig& config, const ComparisonSet& train,
                                                             const std::stop_token& stop) {
    auto set = triplets::ComparisonSet::ofObjects(train.objects(), itemsOf(train, config.problem.margin), stop);
    if (!set) {
        return Failure{set.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    triplets::LambdaMaxSolution top = triplets::comparisonLambdaMax(*set, {}, config.problem.gamma, stopCheck);
    if (stopCheck.ask()) {
        return stoppedPreparing();
    }
    if (!(top.lambdaMax > 0) || !std::isfinite(top.lambdaMax)) {
        return contradictionFault();
    }
    return std::unique_ptr<const GramProblem>(new GramProblem(config, std::move(*set), std::move(top)));
}

GramProblem::GramProblem(const OrdinalConfig& config, triplets::ComparisonSet set, triplets::LambdaMaxSolution top)
    : m_set(std::move(set)), m_top(std::move(top)), m_path(config.path), m_gamma(config.problem.gamma),
      m_accurate(std::make_shared<triplets::AccuratePoints>([this] { return makeEngine({}, 1); }, m_gamma)),
      m_finished(std::make_shared<FinishedPoints>()) {
    for (const Lane& lane : config.lanes) {
        m_lanes.push_back(pathLane(lane));
    }
}

std::unique_ptr<triplets::Engine> GramProblem::makeEngine(triplets::EngineKind /*kind*/, int /*threads*/) const {
    return std::make_unique<triplets::ComparisonEngine>(m_set);
}

std::unique_ptr<KnownLane> GramProblem::makeKnownLane(const PreparedOrdinal& prepared,
                                                      const triplets::Lane& lane) const {
    return KnownLane::of<GramTask>(lane, prepared, m_lanes, m_finished);
}

FinishedPoints* GramProblem::finishedPoints(const triplets::Lane& lane) const {
    return isKnownToOracle(lane.name, m_lanes) ? m_finished.get() : nullptr;
}

Failure contradictionFault() {
    return dataFault("problem.comparisons",
                     "the comparisons contradict each other so much that all objects lie on one point at every λ",
                     "Check the order of the columns: i is closer to j than to k.");
}

std::optional<Points> convexStart(const GramProblem& problem, double share, Eigen::Index p, int threads,
                                  const std::stop_token& stop) {
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    const auto engine = problem.makeEngine({}, threads);
    triplets::PointSettings settings;
    settings.gamma = problem.gamma();
    settings.tolerance = kStartTolerance;
    settings.method = triplets::MethodKind::Automatic;
    settings.threads = threads;
    triplets::PointSolver solver(*engine, {}, settings);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    double lambda = problem.top().lambdaMax;
    triplets::SolvedPoint solved = triplets::topPoint(problem.top(), lambda, problem.gamma(), *engine, stopCheck);
    const double last = share * lambda;
    while (lambda > last && !stopCheck.ask()) {
        lambda = std::max(kStartRatio * lambda, last);
        solved = solver.solve(lambda, solved, 0, context).solved;
    }
    return stopCheck.ask() ? std::nullopt : std::optional(longestAxes(solved.point.factor, p));
}

} // namespace lambdascope::ordinal
