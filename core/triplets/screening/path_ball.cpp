// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/path_ball.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// Pays for the rounding of the few operations that a coefficient takes.
constexpr double kOutwards = 1 + 16 * kUnitRoundoff;

} // namespace

double PathRadius::at(double target) const {
    const Side& side = target < lambda ? below : above;
    const double y = std::abs(lambda - target) / target * kOutwards;
    const double squared = side.constant + y * side.linear + y * y * side.square;
    const double size = side.constant + y * std::abs(side.linear) + y * y * side.square;
    return std::sqrt(std::max(squared + 16 * kUnitRoundoff * size, 0.0) + kUnderflow) * kOutwards +
           0.5 * (1 + y) * dualError * kOutwards;
}

PathBall::PathBall(const PathReference& reference, BoundKind bound, double gamma, StopCheck* stopCheck)
    : m_point(reference.point) {
    m_radius.lambda = reference.lambda;
    if (bound == BoundKind::MidpointGap) {
        BoundReference here;
        here.point = reference.point;
        here.totals = reference.totals;
        here.lambda = reference.lambda;
        here.gamma = gamma;
        here.gap = reference.gap;
        here.gapDual = reference.dual;
        here.stopCheck = stopCheck;
        setMidpoint(midpointPair(here));
    } else {
        setRelaxed(reference.gap);
    }
}

/// RRPB: r = ½ y m + (1 + y) ε below λ₀ and ½ y m + ε above, m = ‖M₀‖.
void PathBall::setRelaxed(double gap) {
    const double m = m_point->norm().upper() * kOutwards;
    const double epsilon = std::sqrt(2 * std::max(gap, 0.0)) / std::sqrt(m_radius.lambda) * kOutwards;
    const double constant = epsilon * epsilon * kOutwards;
    m_radius.below = {constant, (m + 2 * epsilon) * epsilon * kOutwards,
                      (0.5 * m + epsilon) * (0.5 * m + epsilon) * kOutwards};
    m_radius.above = {constant, m * epsilon * kOutwards, 0.25 * m * m * kOutwards};
}

/// MGB: r² = ¼ ‖Δ − y M̂‖² + (1 + y) σ/λ₀ below λ₀, with Δ = M₀ − M̂, and with −y for y above.
void PathBall::setMidpoint(const PrimalDualPair& pair) {
    if (!std::isfinite(pair.sigma)) {
        m_radius.below.constant = std::numeric_limits<double>::infinity(); // decides nothing
        m_radius.above = m_radius.below;
        return;
    }
    m_dual = pair.pull / m_radius.lambda;
    const double size = m_dual.norm() * kOutwards;
    m_radius.dualError = (pair.pullError / m_radius.lambda + kUnitRoundoff * size) * kOutwards;
    const Eigen::MatrixXd difference = m_point->matrix - m_dual;
    const double differenceError =
        m_point->matrixError() + m_radius.dualError + kUnitRoundoff * difference.norm() * kOutwards;
    const double rounding = roundingFactor(static_cast<double>(m_dual.size()) + 2);
    const double apart = (difference.norm() * (1 + rounding) + differenceError) * kOutwards;
    const double norm = (size * (1 + rounding) + m_radius.dualError) * kOutwards;
    const Bounded slope = innerProduct(difference, differenceError, m_dual, m_radius.dualError);
    const double sigma = pair.sigma / m_radius.lambda * kOutwards;
    const double constant = (0.25 * apart * apart + sigma) * kOutwards;
    const double square = 0.25 * norm * norm * kOutwards;
    const double slopeError = slope.error * kOutwards + 8 * kUnitRoundoff * (std::abs(slope.value) + sigma);
    m_radius.below = {constant, sigma - 0.5 * slope.value + slopeError, square};
    m_radius.above = {constant, 0.5 * slope.value - sigma * (1 - 32 * kUnitRoundoff) + slopeError, square};
}

bool PathBall::forms(PairQuadraticForms& space, PairQuadraticForms::PairList pairs, StopCheck& stopCheck,
                     std::vector<double>& values, std::vector<double>& duals) const {
    return space.distances(*m_point, pairs, stopCheck, values) &&
           (!hasDual() || space.forms(m_dual, pairs, stopCheck, duals));
}

} // namespace lambdascope::triplets
