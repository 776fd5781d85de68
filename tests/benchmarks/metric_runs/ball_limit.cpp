// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/ball_limit.h"

#include "core/metric/path/prepared_metric.h"
#include "core/triplets/screening/sphere_bounds.h"
#include "core/triplets/solver/point_solver.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace lambdascope::benchmarks {

namespace {

using triplets::BoundKind;
using triplets::PointSettings;
using triplets::SolvedPoint;

/// Relative gap of the solutions that distances are measured from; the hinge's falls slowly.
constexpr double kAccurate = 1e-10;
constexpr double kAccurateHinge = 1e-7;
constexpr std::int64_t kMostIterations = 20000;

struct WalkedPath {
    std::vector<SolvedPoint> solutions;
    double work = 0;
};

class PathWalker {
  public:
    PathWalker(const metric::PreparedMetric& problem, triplets::EngineKind engine, const std::vector<double>& lambdas)
        : m_problem(problem), m_kind(engine), m_lambdas(lambdas) {}

    /// Down the path from its top, as far as `most` work allows. `known`: solutions that tell distances, or none.
    WalkedPath walk(const PointSettings& settings, const std::vector<BoundKind>& kinds, double most,
                    const std::vector<SolvedPoint>& known) const {
        const auto engine = m_problem.makeEngine(m_kind, 1);
        std::vector<std::unique_ptr<triplets::Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(triplets::makeBound(kind));
        }
        triplets::PointSolver solver(*engine, std::move(bounds), settings);
        NullSink sink;
        RunContext context(RunId{0}, sink);
        StopCheck never;
        const triplets::LambdaMaxSolution& top = m_problem.top();
        const SolvedPoint start =
            triplets::topPoint(top, std::max(m_lambdas.front(), top.lambdaMax), m_problem.gamma(), *engine, never);
        WalkedPath walked;
        for (std::size_t at = 0; at < m_lambdas.size() && walked.work < most; ++at) {
            const SolvedPoint& from = at == 0 ? start : walked.solutions.back();
            triplets::PointOutcome outcome = solver.solve(m_lambdas[at], from, static_cast<std::int32_t>(at), context,
                                                          known.empty() ? nullptr : &known[at]);
            walked.work += outcome.ledger.work;
            walked.solutions.push_back(std::move(outcome.solved));
        }
        return walked;
    }

  private:
    const metric::PreparedMetric& m_problem;
    triplets::EngineKind m_kind;
    const std::vector<double>& m_lambdas;
};

} // namespace

double workOfBalls(const PreparedBlock& prepared, std::size_t lane, const std::vector<double>& lambdas) {
    constexpr double kAnyWork = std::numeric_limits<double>::infinity();
    const auto& problem = dynamic_cast<const metric::PreparedMetric&>(*prepared.problem);
    const triplets::SolverConfig& solver = problem.lane(lane).solver;
    const PathWalker walker(problem, solver.engine, lambdas);
    const PointSettings accurate{.gamma = problem.gamma(),
                                 .tolerance = problem.gamma() > 0 ? kAccurate : kAccurateHinge,
                                 .maxIterations = kMostIterations,
                                 .schedule = triplets::ScheduleKind::Auto,
                                 .method = triplets::MethodKind::Newton};
    const WalkedPath solved = walker.walk(accurate, triplets::kOracleBounds, kAnyWork, {});
    double least = kAnyWork;
    for (const std::int64_t every : {1, 3}) {
        for (const std::vector<BoundKind>& centres : {std::vector<BoundKind>(), triplets::kOracleBounds}) {
            const PointSettings told{.gamma = problem.gamma(),
                                     .tolerance = solver.tolerance,
                                     .toleranceKind = solver.toleranceKind,
                                     .maxIterations = solver.maxIterations,
                                     .screenEvery = every,
                                     .method = solver.method,
                                     .knowsDistance = true,
                                     .activeSet = solver.activeSet};
            least = std::min(least, walker.walk(told, centres, least, solved.solutions).work);
        }
    }
    return least;
}

} // namespace lambdascope::benchmarks
