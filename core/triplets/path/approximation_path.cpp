// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/approximation_path.h"

#include "core/run/family.h"
#include "core/triplets/path/path_plan.h"
#include "core/triplets/problem/cone.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

namespace lambdascope::triplets {

namespace {

/// Accuracy of the ε-path's own solutions, as a share of ε.
constexpr double kPlanTolerance = 1e-4;
/// Share of ε that λ are chosen for. A solution with a gap of τ lies (2τ/λ)^½ from the optimum at most, and what ε
/// leaves to a step goes with the square of distances: one of a thousandth of ε has the reach of another one up to a
/// few per cent of the step.
constexpr double kPlanShare = 0.8;
/// Largest factor between two values, so that a poor solution cannot stop the path.
constexpr double kLeastFall = 0.999;
/// No λ below it, where squares of norms leave the range of a double.
constexpr double kSmallestLambda = 1e-150;

/// How much of a path is done, of which so many points are finished.
double doneShare(const PathConfig& config, const std::vector<PathMark>& finished) {
    const auto most = static_cast<std::int32_t>(config.maxPoints);
    const auto count = static_cast<double>(finished.size());
    const std::int32_t expected = estimatedPoints(config, finished, most);
    double share = expected > 0 ? count / expected : count / most;
    if (config.minLambda > 0 && config.minLambda < finished.front().lambda) {
        share = std::max(share, std::log(finished.front().lambda / finished.back().lambda) /
                                    std::log(finished.front().lambda / config.minLambda));
    }
    return std::min(share, 1.0);
}

/// Units of roundoff that pay for the few operations between coefficients and a claim.
constexpr double kRounding = 32 * kUnitRoundoff;

/// ‖[K]₊‖² of a K that is known up to an error, or more.
double squaredPull(const Eigen::MatrixXd& pull, double error, StopCheck& stopCheck) {
    const double root = std::sqrt(std::max(squaredNormInCone(pull, &stopCheck).upper(), 0.0)) + error;
    return root * root * (1 + kRounding);
}

/// With the bounds that find most, if a lane screens on that engine: what its decisions take has been found to be
/// there.
std::vector<std::unique_ptr<Bound>> boundsOfPlan(const std::vector<Lane>& lanes, EngineKind kind) {
    std::vector<std::unique_ptr<Bound>> bounds;
    const bool isRoom = std::any_of(lanes.begin(), lanes.end(), [kind](const Lane& lane) {
        return lane.solver.engine == kind && !lane.settings.bounds.empty();
    });
    for (const BoundKind bound : isRoom ? kOracleBounds : std::vector<BoundKind>{}) {
        bounds.push_back(makeBound(bound));
    }
    return bounds;
}

std::vector<double> walkedPath(const PathProblem& problem, Engine& engine, PointSolver& solver, RunContext& context,
                               const std::function<void(double share)>& progress) {
    const PathConfig& config = problem.path();
    const LambdaMaxSolution& top = problem.top();
    const double gamma = problem.gamma();
    std::vector<double> values;
    std::vector<PathMark> finished;
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    double lambda = config.start.value_or(top.lambdaMax);
    SolvedPoint before = topPoint(top, std::max(lambda, top.lambdaMax), gamma, engine, stopCheck);
    const double least = std::max(config.minLambda, kSmallestLambda);
    while (lambda >= least && static_cast<std::int64_t>(values.size()) < config.maxPoints && !stopCheck.ask()) {
        PointOutcome outcome = solver.solve(lambda, before, static_cast<std::int32_t>(values.size()), context);
        values.push_back(lambda);
        finished.push_back({lambda, outcome.loss});
        progress(doneShare(config, finished));
        before = std::move(outcome.solved);
        if (pathEnds(config, finished) || lambda == least) {
            break;
        }
        const double reach = reachOf(before, gamma, kPlanShare * config.epsilon, engine, stopCheck);
        lambda = std::max(std::min(reach, kLeastFall * lambda), least);
    }
    return values;
}

} // namespace

double FixedSolution::DualSide::bestScale(double lambda) const {
    const double curvature = square + pull / lambda;
    return !scales || linear >= curvature ? 1 : std::max(linear / curvature, 0.0);
}

double FixedSolution::DualSide::value(double lambda, double rho) const {
    const double gain = rho * linear;
    const double cost = 0.5 * rho * rho * (square + pull / lambda);
    return gain - cost - kRounding * (std::abs(gain) + cost);
}

FixedSolution::FixedSolution(const SolvedPoint& solved, double gamma, StopCheck& stopCheck)
    : m_solved(solved), m_gamma(gamma) {
    if (solved.totals.pull.size() == 0) {
        return;
    }
    const Bounded norm = solved.point.norm();
    m_squaredNorm = norm.upper() * norm.upper() * (1 + kRounding);
    m_slope = solved.totals.pull.cwiseProduct(solved.point.matrix).sum();
    m_scales.push_back({1, lossValue(solved.totals, gamma).upper()});
    addDuals(solved, gamma, stopCheck);
}

void FixedSolution::addDuals(const SolvedPoint& solved, double gamma, StopCheck& stopCheck) {
    const LossTotals& totals = solved.totals;
    const double pull = squaredPull(totals.pull, totals.pullError, stopCheck);
    m_duals.push_back(
        {(totals.alphaSum + totals.thresholdShift).lower(), gamma * totals.alphaSquares.upper(), pull, true});
    // Of the others the dual value at λ₀ is known, which is linear in 1/λ.
    const double known = primalValue(totals, solved.point, solved.lambda, gamma).lower() - solved.gap;
    const double ofGap =
        solved.dual.pull.size() > 0 ? squaredPull(solved.dual.pull, solved.dual.error, stopCheck) : pull;
    const double half = 0.5 * ofGap / solved.lambda;
    m_duals.push_back({known + half - kRounding * (std::abs(known) + half), 0, ofGap, false});
}

bool FixedSolution::addScale(double scale, Engine& engine, StopCheck& stopCheck) {
    MetricPoint point = m_solved.point;
    point.matrix *= scale;
    point.factor *= std::sqrt(scale);
    point.trace *= scale * (1 + kRounding);
    LossTotals totals;
    SetCounts setCounts;
    const double smoothing = m_solved.totals.smoothing;
    if (m_scales.empty() || !engine.evaluateAll(point, smoothing, smoothing, stopCheck, totals, setCounts)) {
        return false;
    }
    // The point as rounded is not quite on the ray; its margins are as near to those on it as they are to their own
    // computed values, and a loss changes by at most its weight per unit of the margin.
    const double loss =
        lossValue(totals, m_gamma).upper() + totals.totalWeight() * totals.marginError * (1 + kRounding);
    const auto place = std::upper_bound(m_scales.begin(), m_scales.end(), scale,
                                        [](double s, const Scale& known) { return s < known.scale; });
    m_scales.insert(place, {scale, loss});
    return true;
}

void FixedSolution::choosePrimal(double lambda, Pair& pair) const {
    pair.primal = std::numeric_limits<double>::infinity();
    const double regularizer = lambda * m_squaredNorm;
    for (std::size_t i = 0; i < m_scales.size(); ++i) {
        const Scale& low = m_scales[i];
        const Scale& high = m_scales[std::min(i + 1, m_scales.size() - 1)];
        const double width = high.scale - low.scale;
        const double slope = width > 0 ? (low.loss - high.loss) / width : 0;
        const double scale = std::clamp(slope / regularizer, low.scale, std::max(high.scale, low.scale));
        const double share = width > 0 ? (scale - low.scale) / width : 0;
        const double loss =
            (1 - share) * low.loss + share * high.loss + kRounding * (std::abs(low.loss) + std::abs(high.loss));
        const double primal = loss + 0.5 * regularizer * scale * scale * (1 + kRounding) + kRounding * std::abs(loss);
        if (primal < pair.primal) {
            pair.scale = scale;
            pair.loss = loss;
            pair.primal = primal;
        }
    }
}

FixedSolution::Pair FixedSolution::at(double lambda) const {
    Pair pair;
    choosePrimal(lambda, pair);
    pair.dual = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_duals.size(); ++i) {
        const double rho = m_duals[i].bestScale(lambda);
        if (const double value = m_duals[i].value(lambda, rho); value > pair.dual) {
            pair.dual = value;
            pair.dualScale = rho;
            pair.side = i;
        }
    }
    return pair;
}

bool FixedSolution::holds(double lambda, const Pair& pair, double epsilon) const {
    const double primal = pair.loss + 0.5 * lambda * pair.scale * pair.scale * m_squaredNorm * (1 + kRounding) +
                          kRounding * std::abs(pair.loss);
    const double dual = m_duals[pair.side].value(lambda, pair.dualScale);
    return primal <= (1 + epsilon) * (1 - kRounding) * dual;
}

double FixedSolution::rootBelow(double lambda, const Pair& pair, double epsilon) const {
    constexpr double kRoom = 1 + 1e-10;
    // ½ s² N λ² − B λ + ½ (1 + ε) ρ² K ≤ 0.
    const DualSide& dual = m_duals[pair.side];
    const double rho = pair.dualScale;
    const double b = (1 + epsilon) * (rho * dual.linear - 0.5 * rho * rho * dual.square) - pair.loss;
    const double constant = (1 + epsilon) * rho * rho * dual.pull;
    const double mixed = pair.scale * std::sqrt(constant) * std::sqrt(m_squaredNorm);
    if (!(b > mixed)) {
        return b == 0 && mixed == 0 ? 0 : lambda;
    }
    const double root = constant / (b + std::sqrt((b - mixed) * (b + mixed))) * kRoom;
    return root < lambda && (root <= 0 || holds(root, pair, epsilon)) ? root : lambda;
}

double FixedSolution::reach(double epsilon) const {
    constexpr double kLeastStep = 1 - 1e-6;
    constexpr int kSteps = 200;
    double lambda = m_solved.lambda;
    if (m_scales.empty()) {
        return lambda;
    }
    for (int step = 0; step < kSteps && lambda > 0; ++step) {
        const Pair pair = at(lambda);
        if (!holds(lambda, pair, epsilon)) {
            break; // λ₀ itself: later ones hold by the pair that led there
        }
        const double below = rootBelow(lambda, pair, epsilon);
        const bool isLast = below > kLeastStep * lambda;
        lambda = below;
        if (isLast) {
            break;
        }
    }
    return lambda;
}

double FixedSolution::wantedScale(double lambda) const {
    const double regularizer = lambda * m_squaredNorm;
    double curvature = 0;
    if (m_scales.size() > 1) {
        const double far = m_scales[1].scale - 1;
        curvature = std::max(2 * (m_scales[1].loss - m_scales[0].loss + m_slope * far) / (far * far), 0.0);
    }
    return 1 + std::max(m_slope - regularizer, 0.0) / (curvature + regularizer);
}

double reachOf(const SolvedPoint& solved, double gamma, double epsilon, Engine& engine, StopCheck& stopCheck) {
    constexpr int kTrials = 12;
    constexpr double kOther = 1.1;  // scales are other ones when their distances to 1 differ by this factor
    constexpr double kLeast = 1e-3; // a scale nearer to 1 changes next to nothing
    FixedSolution fixed(solved, gamma, stopCheck);
    double reach = fixed.reach(epsilon);
    double last = 0;
    for (int trial = 0; trial < kTrials && reach > 0 && reach < solved.lambda; ++trial) {
        const double beyond = fixed.wantedScale(reach) - 1;
        const bool isKnown = last > 0 && beyond < kOther * last && kOther * beyond > last;
        if (!(beyond > kLeast) || !std::isfinite(beyond) || isKnown) {
            break;
        }
        if (!fixed.addScale(1 + beyond, engine, stopCheck)) {
            return solved.lambda;
        }
        last = beyond;
        reach = fixed.reach(epsilon);
    }
    return reach;
}

std::optional<std::vector<double>> approximationPath(const PathProblem& problem, const SolverConfig& solver,
                                                     const std::vector<Lane>& lanes, const PreparationInput& input) {
    // No lane runs yet: all of the machine is free, and results do not depend on how much of it is used.
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const EngineKind kind = solver.engine == EngineKind::Sorted ? EngineKind::Sorted : EngineKind::Pairs;
    const std::unique_ptr<Engine> engine = problem.makeEngine(kind, threads);
    PointSolver points(*engine, boundsOfPlan(lanes, kind),
                       {.gamma = problem.gamma(),
                        .tolerance = kPlanTolerance * problem.path().epsilon,
                        .maxIterations = solver.maxIterations,
                        .schedule = ScheduleKind::Auto,
                        .method = MethodKind::Automatic,
                        .threads = threads});
    NullSink sink;
    RunContext context(RunId{0}, sink, input.stop, nullptr, {.threads = threads}, input.run.seed);
    std::vector<double> values = walkedPath(problem, *engine, points, context, [&](double share) {
        if (input.progress) {
            input.progress(share, "walking the ε-path");
        }
    });
    return context.shouldStop() ? std::nullopt : std::optional(std::move(values));
}

} // namespace lambdascope::triplets
