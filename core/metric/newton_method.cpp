// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/newton_method.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// Memory of a working set: 8 bytes for each triplet and for its α.
constexpr std::size_t kMostTriplets = 2'000'000;
/// How far beyond the edges of the loss a working set goes at first, in units of the margin, and at most.
constexpr double kFirstReach = 0.5;
constexpr double kLongestReach = 16;
/// Steps within one working set.
constexpr std::int64_t kStepsPerSet = 30;
/// Relative accuracy of the Newton system, and products with the Hessian it may cost.
constexpr double kSystemAccuracy = 0.1;
constexpr int kMostProducts = 300;
/// Trial steps on the Newton direction and the factor between them; below kShort the projection's linearization is
/// not worth keeping.
constexpr int kTrials = 6;
constexpr double kTrialFactor = 0.4;
constexpr double kShort = 0.3;
/// Steps of projected gradient after Newton found nothing better.
constexpr std::int64_t kTurns = 10;
/// Rounding that values may differ by, relative.
constexpr double kRoom = 1e-14;

} // namespace

NewtonMethod::NewtonMethod(ReducedObjective& objective, const TripletSet& triplets, double lambda,
                           std::int64_t patience)
    : m_objective(objective), m_lambda(lambda), m_patience(patience), m_gradient(objective, lambda, objective.ledger()),
      m_set(triplets, lambda) {}

void NewtonMethod::start(MetricPoint point, ReducedState state, const MethodMemory& memory) {
    m_memory = memory;
    m_memory.reach = memory.reach > 0 ? memory.reach : kFirstReach;
    m_gradient.start(std::move(point), std::move(state), memory);
}

MethodMemory NewtonMethod::memory() const {
    MethodMemory memory = m_memory;
    memory.step = m_gradient.step();
    return memory;
}

bool NewtonMethod::isGradientTurn() {
    if (m_gradientTurns > 0) {
        --m_gradientTurns;
        return true;
    }
    if (!m_memory.needsNewton && m_gradientSteps < m_patience) {
        ++m_gradientSteps;
        return true;
    }
    return false;
}

StepOutcome NewtonMethod::advance() {
    m_iterations = 1;
    if (isGradientTurn()) {
        return m_gradient.advance();
    }
    m_memory.needsNewton = true;
    switch (collect()) {
    case WorkingSet::Outcome::Stopped: return StepOutcome::Stopped;
    case WorkingSet::Outcome::TooMany: return gradientTurns();
    case WorkingSet::Outcome::Collected: break;
    }
    const StepOutcome found = descend();
    if (found != StepOutcome::Advanced) {
        return found == StepOutcome::Stopped ? found : gradientTurns();
    }
    return proveStep();
}

StepOutcome NewtonMethod::gradientTurns() {
    m_gradientTurns = kTurns;
    return m_gradient.advance();
}

WorkingSet::Outcome NewtonMethod::collect() {
    while (true) {
        const auto outcome = m_set.collect(m_objective, point(), state(), m_memory.reach, kMostTriplets);
        if (outcome != WorkingSet::Outcome::TooMany || m_memory.reach < m_objective.smoothing) {
            return outcome;
        }
        m_memory.reach /= 4;
    }
}

bool NewtonMethod::isGoodEnough() const {
    return m_state.gap <= std::max(m_objective.goal, m_objective.slackShare * m_state.slack);
}

/// Solves the working set's problem; Advanced when that found a better point.
StepOutcome NewtonMethod::descend() {
    if (!m_set.evaluate(point(), m_objective, m_state) || !project(point().matrix, m_cone)) {
        return m_objective.poll().isStopped() ? StepOutcome::Stopped : StepOutcome::Stalled;
    }
    const double startValue = m_state.value;
    const double startGap = m_state.gap;
    m_tau = m_memory.curvature > 0 ? std::max(m_memory.curvature, m_lambda) : 1 / m_gradient.step();
    Step last = Step::Short;
    const std::int64_t most = std::min(kStepsPerSet, m_objective.iterationsLeft);
    for (; m_iterations <= most && !isGoodEnough() && last != Step::None; ++m_iterations) {
        last = last == Step::Taken ? newtonStep() : gradientStep();
        if (last == Step::Stopped) {
            return StepOutcome::Stopped;
        }
    }
    m_iterations = std::max<std::int64_t>(m_iterations - 1, 1);
    m_memory.curvature = m_tau;
    const bool isLower = m_state.value < startValue - kRoom * std::abs(startValue);
    return isLower || m_state.gap < 0.5 * startGap ? StepOutcome::Advanced : StepOutcome::Stalled;
}

bool NewtonMethod::project(const Eigen::MatrixXd& matrix, ConeProjection& projection) {
    const CpuCharge charge(m_objective.ledger().eigen);
    ++m_objective.ledger().eigenDecompositions;
    return projection.compute(matrix);
}

/// One step of projected gradient, halved until the quadratic model of its step length is above the function. S is
/// then the point that was projected, and τ the inverse of the step length.
NewtonMethod::Step NewtonMethod::gradientStep() {
    const Eigen::MatrixXd origin = m_cone.point().matrix;
    double step = 4 / m_tau;
    for (int attempt = 0; attempt < 80; ++attempt, step *= kTrialFactor) {
        if (!project(origin - step * m_state.gradient, m_trialCone)) {
            continue;
        }
        const Eigen::MatrixXd move = m_trialCone.point().matrix - origin;
        const double squared = move.squaredNorm();
        if (std::sqrt(squared) <= 4 * kUnitRoundoff * origin.norm()) {
            return Step::None;
        }
        if (!m_set.evaluate(m_trialCone.point(), m_objective, m_trialState)) {
            return Step::Stopped;
        }
        const double model = m_state.value + m_state.gradient.cwiseProduct(move).sum() + squared / (2 * step);
        if (m_trialState.value <= model + kRoom * std::abs(m_state.value)) {
            m_tau = 1 / step;
            std::swap(m_cone, m_trialCone);
            std::swap(m_state, m_trialState);
            return Step::Taken;
        }
    }
    return Step::None;
}

/// Solves the Newton system for E = `step`; `image` = 𝓗E. False when stopped.
bool NewtonMethod::direction(const Eigen::MatrixXd& residual, Eigen::MatrixXd& step, Eigen::MatrixXd& image) {
    m_set.setCurvature();
    const Eigen::ArrayXXd diagonal = m_tau + (m_lambda - m_tau) * m_cone.weights();
    Eigen::MatrixXd rest = -m_cone.toBasis(residual);
    Eigen::MatrixXd solution = Eigen::MatrixXd::Zero(rest.rows(), rest.cols());
    Eigen::MatrixXd search = rest;
    Eigen::MatrixXd product;
    image = solution;
    double squared = rest.squaredNorm();
    const double goal = kSystemAccuracy * kSystemAccuracy * squared;
    for (int k = 0; k < kMostProducts && squared > goal; ++k) {
        if (!m_set.curvature(m_cone.fromBasis(search), m_objective, product)) {
            return false;
        }
        const Eigen::MatrixXd applied = (diagonal * search.array()).matrix() + m_cone.toBasis(product);
        const double length = squared / search.cwiseProduct(applied).sum();
        solution += length * search;
        image += length * product;
        rest -= length * applied;
        const double next = rest.squaredNorm();
        search = rest + (next / squared) * search;
        squared = next;
    }
    step = m_cone.fromBasis(solution);
    return true;
}

NewtonMethod::Step NewtonMethod::newtonStep() {
    const Eigen::MatrixXd source = m_cone.source();
    const Eigen::MatrixXd residual = m_state.gradient + m_tau * (source - m_cone.point().matrix);
    const double residualNorm = residual.norm();
    Eigen::MatrixXd step;
    Eigen::MatrixXd image;
    if (!direction(residual, step, image)) {
        return Step::Stopped;
    }
    const double size = step.squaredNorm();
    if (!(size > 0) || !std::isfinite(size)) {
        return Step::Short;
    }
    const Eigen::MatrixXd move = -(residual + image + (m_lambda - m_tau) * step) / m_tau;
    const double curvature = m_lambda + std::max(step.cwiseProduct(image).sum(), 0.0) / size;
    double share = 1;
    for (int trial = 0; trial < kTrials; ++trial, share *= kTrialFactor) {
        if (!project(source + share * move, m_trialCone)) {
            continue;
        }
        if (!m_set.evaluate(m_trialCone.point(), m_objective, m_trialState)) {
            return Step::Stopped;
        }
        const Eigen::MatrixXd left =
            m_trialState.gradient + m_tau * (m_trialCone.source() - m_trialCone.point().matrix);
        const double room = 1e-9 * std::abs(m_state.value);
        const bool isLower = m_trialState.value < m_state.value - 100 * kRoom * std::abs(m_state.value);
        const bool isNearer =
            m_trialState.value <= m_state.value + room && left.norm() < (1 - kShort * share) * residualNorm;
        if (isLower || isNearer) {
            std::swap(m_cone, m_trialCone);
            std::swap(m_state, m_trialState);
            m_cone.scaleNegativePart(m_tau / curvature);
            m_tau = curvature;
            return share < kShort ? Step::Short : Step::Taken;
        }
    }
    m_tau = curvature;
    return Step::Short;
}

/// Visits all triplets at the point that the working set led to, and where it is no better there, on the way to it.
StepOutcome NewtonMethod::proveStep() {
    const double before = state().value;
    const Eigen::MatrixXd origin = point().matrix;
    const Eigen::MatrixXd way = m_cone.point().matrix - origin;
    ReducedState found;
    for (double share = 1; share > 0.05; share *= 0.5) {
        if (share < 1 && !project(origin + share * way, m_cone)) {
            break;
        }
        if (!m_objective.evaluate(m_cone.point(), found)) {
            return StepOutcome::Stopped;
        }
        if (std::isfinite(found.value) && found.value <= before + kRoom * std::abs(before)) {
            const double surprise = std::abs(found.value - m_state.value);
            const bool isRight = share == 1 && surprise <= 0.1 * (before - found.value) + m_objective.goal;
            m_memory.reach = std::clamp(m_memory.reach * (isRight ? 0.8 : 2.0), m_objective.smoothing, kLongestReach);
            m_gradient.moveTo(m_cone.point(), std::move(found));
            return StepOutcome::Advanced;
        }
    }
    m_memory.reach = std::min(2 * m_memory.reach, kLongestReach);
    return gradientTurns();
}

} // namespace lambdascope::metric
