// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_solver.h"

#include "core/svm/screening/bias_bracket.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/point_attempt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

PointSolver::PointSolver(const SvmProblem& problem, PointSettings settings)
    : m_problem(problem), m_settings(std::move(settings)), m_space(makeSpace(problem)),
      m_factor(problem, m_settings.threads) {
    const auto& bounds = m_settings.bounds;
    if (std::find(bounds.begin(), bounds.end(), BoundKind::Delta) != bounds.end()) {
        PointSettings beyond = m_settings;
        beyond.bounds.clear();
        m_beyondSolver = std::make_unique<PointSolver>(problem, std::move(beyond));
    }
}

PointSolver::~PointSolver() = default;

PointOutcome PointSolver::solve(double c, const SolvedSvm& start, std::int32_t index, RunContext& context,
                                const SolvedSvm* known) {
    const SolverParts parts{m_problem, m_settings, *m_space, m_factor, m_beyondSolver.get(), m_observer, known};
    return PointAttempt(parts, c, start, index, context).run();
}

/// The iterate is loaded anew at each point.
void PointSolver::transfer(StateArchive& archive) {
    m_factor.transfer(archive);
    if (m_beyondSolver) {
        m_beyondSolver->transfer(archive);
    }
}

void completeSolved(const SvmProblem& problem, SolvedSvm& solved) {
    const SampleIndex n = problem.size();
    solved.bias = bestBias(problem, solved.margins);
    GapSum gap;
    double square = 0, squareSize = 0, hinge = 0, hingeError = 0, alphaSum = 0, length = 0;
    for (SampleIndex i = 0; i < n; ++i) {
        const double alpha = solved.alpha(i);
        const double product = solved.margins(i);
        const double margin = solved.marginOf(i, problem.y()(i));
        const double weight = problem.weights()(i);
        const double error = solved.marginError * problem.norms()(i) +
                             (problem.hasFreeBias() ? 2 * kUnitRoundoff * std::abs(margin) : 0.0);
        gap.add(alpha, solved.c * weight, margin, error);
        square += alpha * product;
        squareSize += std::abs(alpha * product);
        alphaSum += alpha;
        length += alpha * problem.norms()(i);
        hinge += weight * std::max(0.0, 1 - margin);
        hingeError += margin < 1 + error ? weight * error : 0.0;
    }
    const double rounding = roundingFactor(static_cast<double>(n) + 4);
    solved.squaredNorm = {square, rounding * squareSize + solved.marginError * length};
    solved.hingeSum = {hinge, rounding * hinge + hingeError * (1 + rounding)};
    solved.alphaSum = {alphaSum, rounding * alphaSum};
    solved.gap = gap.upper(n);
    const double norm = std::sqrt(std::max(solved.squaredNorm.upper(), 0.0));
    const double owed = imbalanceCost(problem, solved.alpha, solved.bias, norm, solved.gap);
    solved.gap += owed;
    solved.alphaSum.error += owed; // b*yᵀα, which the dual value stands for too
}

SampleCounts setCountsOf(const SvmProblem& problem, const SolvedSvm& solved) {
    SampleCounts counts;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double upper = solved.c * problem.weights()(i);
        const bool isFree = solved.alpha(i) > 0 && solved.alpha(i) < upper;
        if (isFree) {
            continue;
        }
        const double margin = solved.marginOf(i, problem.y()(i));
        counts.zero += solved.alpha(i) <= 0 && margin > 1 ? 1 : 0;
        counts.full += solved.alpha(i) >= upper && margin < 1 ? 1 : 0;
    }
    return counts;
}

Bounded primalValue(const SolvedSvm& solved) {
    return exactly(0.5) * solved.squaredNorm + exactly(solved.c) * solved.hingeSum;
}

Bounded dualValue(const SolvedSvm& solved) {
    return solved.alphaSum - exactly(0.5) * solved.squaredNorm;
}

SolvedSvm bottomPoint(const SvmProblem& problem, double c, StopCheck& stopCheck) {
    SolvedSvm bottom;
    bottom.c = c;
    bottom.alpha = c * problem.weights();
    if (problem.hasFreeBias()) {
        const auto isPositive = problem.y().array() > 0;
        const double positive = isPositive.select(problem.weights().array(), 0.0).sum();
        const double negative = isPositive.select(0.0, problem.weights().array()).sum();
        const double toPositive = positive > negative ? negative / positive : 1;
        const double toNegative = negative > positive ? positive / negative : 1;
        bottom.alpha.array() *= isPositive.select(Eigen::ArrayXd::Constant(problem.size(), toPositive), toNegative);
    }
    bottom.margins = Eigen::VectorXd::Zero(problem.size());
    if (problem.isLinear()) {
        bottom.weights = Eigen::VectorXd::Zero(problem.features().features());
    }
    const auto space = makeSpace(problem);
    space->load(bottom, c, stopCheck);
    space->refresh(stopCheck);
    space->noteNorm(bottom.alpha.dot(problem.norms()));
    bottom.margins = space->margins();
    bottom.weights = space->weights();
    bottom.marginError = space->marginError();
    bottom.drift = space->drift();
    completeSolved(problem, bottom);
    return bottom;
}

double smallestC(const SolvedSvm& bottom, const SvmProblem& problem) {
    // Taken from above, so that rounding cannot put it where a sample has left its bound.
    double largest = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.weights()(i) > 0) { // others have no bound to leave
            largest = std::max(largest, bottom.margins(i) + bottom.marginError * problem.norms()(i));
        }
    }
    return largest > 0 ? bottom.c / largest * (1 - 4 * kUnitRoundoff) : std::numeric_limits<double>::infinity();
}

namespace {

/// Of the solution that tells C_min, and the share of C_min that it is solved at, at most.
constexpr double kStartTolerance = 1e-9;
constexpr double kStartShare = 0.5;
/// Spread of g, as a share of the most that |g| can be, below which it is rounding: w = 0 then.
constexpr double kNoSpread = 1e-10;

/// See BiasedStart.
double largestProportionalC(const SvmProblem& problem, const SolvedSvm& solved, double largestG) {
    double held = 0; // Σ yω: which class weighs more
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        held += problem.y()(i) * problem.weights()(i);
    }
    const double lighter = held > 0 ? -1 : 1;
    double most = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (!(problem.weights()(i) > 0)) {
            continue;
        }
        const double g = lighter * problem.y()(i) * solved.margins(i) / solved.c;
        if (problem.y()(i) == lighter) {
            most = std::max(most, g);
        } else if (solved.alpha(i) > 0) {
            least = std::min(least, g);
        }
    }
    const double spread = most - least;
    return spread > kNoSpread * largestG && std::isfinite(spread) ? 2 / spread
                                                                  : std::numeric_limits<double>::infinity();
}

} // namespace

BiasedStart biasedStart(const SvmProblem& problem, StopCheck& stopCheck, RunContext& context) {
    const double longest = problem.norms().maxCoeff();
    const double first = bottomPoint(problem, 1, stopCheck).alpha.sum(); // Σ s
    BiasedStart start;
    // |g| ≤ Σs R², so that C_min is at least 1 / (Σs R²).
    const double c = longest > 0 && first > 0 ? kStartShare / (first * longest * longest) : 1;
    PointSettings settings;
    settings.tolerance = kStartTolerance;
    PointSolver solver(problem, settings);
    start.solved = solver.solve(c, bottomPoint(problem, c, stopCheck), 0, context).solved;
    start.cMin = largestProportionalC(problem, start.solved, first * longest * longest);
    if (std::isfinite(start.cMin)) {
        start.solved = solver.solve(start.cMin, start.solved, 1, context).solved;
    }
    return start;
}

} // namespace lambdascope::svm
