// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/point_solver.h"

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
    GapSum gap;
    double square = 0, squareSize = 0, hinge = 0, hingeError = 0, alphaSum = 0, length = 0;
    for (SampleIndex i = 0; i < n; ++i) {
        const double alpha = solved.alpha(i);
        const double margin = solved.margins(i);
        const double weight = problem.weights()(i);
        const double error = solved.marginError * problem.norms()(i);
        gap.add(alpha, solved.c * weight, margin, error);
        square += alpha * margin;
        squareSize += std::abs(alpha * margin);
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
}

SampleCounts setCountsOf(const SvmProblem& problem, const SolvedSvm& solved) {
    SampleCounts counts;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double upper = solved.c * problem.weights()(i);
        const bool isFree = solved.alpha(i) > 0 && solved.alpha(i) < upper;
        if (isFree) {
            continue;
        }
        counts.zero += solved.alpha(i) <= 0 && solved.margins(i) > 1 ? 1 : 0;
        counts.full += solved.alpha(i) >= upper && solved.margins(i) < 1 ? 1 : 0;
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

} // namespace lambdascope::svm
