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
      m_factor(problem, m_settings.threads), m_products(problem) {
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
    const SolverParts parts{
        m_problem,  m_settings, *m_space, {m_factor, m_products, m_settings.largestFactored}, m_beyondSolver.get(),
        m_observer, known};
    return PointAttempt(parts, c, start, index, context).run();
}

/// The iterate is loaded anew at each point.
void PointSolver::transfer(StateArchive& archive) {
    m_factor.transfer(archive);
    m_products.transfer(archive);
    if (m_beyondSolver) {
        m_beyondSolver->transfer(archive);
    }
}

void completeSolved(const SvmProblem& problem, SolvedSvm& solved) {
    const SampleIndex n = problem.size();
    solved.bias = bestBiases(problem, solved.c, solved.margins).middle();
    GapSum gap;
    double square = 0, squareSize = 0, hinge = 0, hingeError = 0, linear = 0, linearSize = 0, length = 0;
    for (SampleIndex i = 0; i < n; ++i) {
        const double alpha = solved.alpha(i);
        const double product = solved.margins(i);
        const double margin = solved.marginOf(i, problem.y()(i));
        const double weight = problem.weights()(i);
        const double error = solved.marginError * problem.norms()(i) +
                             (problem.hasFreeBias() ? 2 * kUnitRoundoff * std::abs(margin) : 0.0);
        const double threshold = problem.thresholds()(i);
        gap.addShortfall(alpha, solved.c * weight, threshold - margin, error);
        square += alpha * product;
        squareSize += std::abs(alpha * product);
        linear += threshold * alpha;
        linearSize += std::abs(threshold) * alpha;
        length += alpha * problem.norms()(i);
        hinge += weight * std::max(0.0, threshold - margin);
        hingeError += margin < threshold + error ? weight * error : 0.0;
    }
    const double rounding = roundingFactor(static_cast<double>(n) + 4);
    solved.squaredNorm = {square, rounding * squareSize + solved.marginError * length};
    solved.hingeSum = {hinge, rounding * hinge + hingeError * (1 + rounding)};
    solved.linearSum = {linear, rounding * linearSize};
    solved.biasCost = exactly(problem.balance()) * exactly(solved.bias);
    solved.gap = gap.upper(n);
    const double norm = std::sqrt(std::max(solved.squaredNorm.upper(), 0.0));
    const double owed = imbalanceCost(problem, solved.alpha, solved.bias, norm, solved.gap);
    solved.gap += owed;
    solved.linearSum.error += owed; // b*yᵀα, which the dual value stands for too
}

SolvedSvm solvedAt(const SvmProblem& problem, double c, Eigen::VectorXd alpha, StopCheck& stopCheck) {
    SolvedSvm solved;
    solved.c = c;
    solved.alpha = std::move(alpha);
    solved.margins = Eigen::VectorXd::Zero(problem.size());
    if (problem.isLinear()) {
        solved.weights = Eigen::VectorXd::Zero(problem.features().features());
    }
    const auto space = makeSpace(problem);
    space->load(solved, c, stopCheck);
    space->refresh(stopCheck);
    solved.alpha = space->alpha();
    space->noteNorm(solved.alpha.dot(problem.norms()));
    solved.margins = space->margins();
    solved.weights = space->weights();
    solved.marginError = space->marginError();
    solved.drift = space->drift();
    completeSolved(problem, solved);
    return solved;
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
        const double threshold = problem.thresholds()(i);
        counts.zero += solved.alpha(i) <= 0 && margin > threshold ? 1 : 0;
        counts.full += solved.alpha(i) >= upper && margin < threshold ? 1 : 0;
    }
    return counts;
}

Bounded primalValue(const SolvedSvm& solved) {
    return exactly(0.5) * solved.squaredNorm + exactly(solved.c) * solved.hingeSum + solved.biasCost;
}

double sizeOf(const SvmProblem& problem, const SolvedSvm& solved) {
    return std::max({primalValue(solved).value, 0.5 * solved.squaredNorm.value, problem.leastSize()});
}

Bounded dualValue(const SolvedSvm& solved) {
    return solved.linearSum - exactly(0.5) * solved.squaredNorm;
}

} // namespace lambdascope::svm
