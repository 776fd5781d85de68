// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/primal_dual_pair.h"

#include "core/triplets/problem/cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// Upper bound of ⟨N, M⟩ = ‖LᵀF‖² of N = F Fᵀ and M = L Lᵀ, both exactly so; of two diagonals the sum of products.
double productOfFeasible(const MetricPoint& n, const MetricPoint& m) {
    const auto terms = static_cast<double>(m.matrix.rows()) + 4;
    if (isDiagonal(m.matrix)) {
        return n.matrix.cwiseProduct(m.matrix).sum() * (1 + 2 * roundingFactor(terms));
    }
    const double rounding = roundingFactor(terms) * n.factor.norm() * m.factor.norm() * (1 + roundingFactor(terms));
    const double root = (m.factor.transpose() * n.factor).norm() * (1 + roundingFactor(terms * terms)) + rounding;
    return root * root * (1 + 4 * kUnitRoundoff) + kUnderflow;
}

/// A pair whose ball decides nothing.
PrimalDualPair undecidedPair(const MetricPoint& point, const Eigen::MatrixXd& pull) {
    return {&point, pull, 0, std::numeric_limits<double>::infinity()};
}

/// With K + N; σ is still to be set.
PrimalDualPair pairWith(const MetricPoint& point, const Eigen::MatrixXd& pull, double pullError, const MetricPoint& n) {
    PrimalDualPair pair;
    pair.point = &point;
    pair.pull = pull + n.matrix;
    pair.pullError = pullError + n.matrixError() + kUnitRoundoff * pair.pull.norm() * (1 + 1e-6);
    return pair;
}

} // namespace

PrimalDualPair primalDualPair(const MetricPoint& point, const LossTotals& totals, double gamma, StopCheck* stopCheck) {
    const PsdSplit split = splitByCone(-totals.pull, stopCheck);
    if (!split.isFinite) {
        return undecidedPair(point, totals.pull);
    }
    const MetricPoint n = MetricPoint::fromSplit(split);
    PrimalDualPair pair = pairWith(point, totals.pull, totals.pullError, n);
    pair.sigma = subgradientSlack(totals, gamma).upper() + productOfFeasible(n, point);
    return pair;
}

PrimalDualPair primalDualPair(const MetricPoint& point, const DualPull& dual, double gap, double lambda,
                              StopCheck* stopCheck) {
    const PsdSplit split = splitByCone(-dual.pull, stopCheck);
    if (!split.isFinite) {
        return undecidedPair(point, dual.pull);
    }
    const MetricPoint n = MetricPoint::fromSplit(split);
    PrimalDualPair pair = pairWith(point, dual.pull, dual.error, n);
    const Eigen::MatrixXd image = pair.pull / lambda;
    const double size = image.norm();
    const double apart = (point.matrix - image).norm();
    const double error = point.matrixError() + pair.pullError / lambda + 4 * kUnitRoundoff * (size + apart);
    const double least = std::max(apart * (1 - roundingFactor(static_cast<double>(image.size()) + 2)) - error, 0.0);
    // The gap is that of [K]₊ itself, which K + N misses by as much as the split does.
    const double miss = (split.error + n.matrixError() + dual.error) / lambda;
    const double rest = gap - 0.5 * lambda * least * least * (1 - 4 * kUnitRoundoff) +
                        lambda * miss * (size + miss) * (1 + 8 * kUnitRoundoff);
    // Of a reduced problem with dual variables of the whole one σ may be negative; 0 is an upper bound then.
    pair.sigma = std::max(rest + 4 * kUnitRoundoff * gap, 0.0);
    return pair;
}

Sphere PrimalDualPair::midpointBall(double lambda) const {
    const Eigen::MatrixXd dual = pull / lambda;
    const double size = point->matrix.norm() + dual.norm();
    const double distance = (point->matrix - dual).norm();
    // The centre is half of M, which is matrixError() away, and of M_λ(α), which is pullError/λ away.
    const double error = point->matrixError() + pullError / lambda + 4 * kUnitRoundoff * size;
    const double halfDistance = 0.5 * (distance * (1 + roundingFactor(static_cast<double>(dual.size()) + 2)) + error);
    const double radius = std::hypot(halfDistance, std::sqrt(sigma) / std::sqrt(lambda));
    Sphere sphere;
    sphere.centre = 0.5 * (point->matrix + dual);
    sphere.radius = (radius + 0.5 * error) * (1 + 16 * kUnitRoundoff) + kUnderflow;
    if (!std::isfinite(sphere.radius)) {
        sphere.radius = std::numeric_limits<double>::infinity();
    }
    return sphere;
}

} // namespace lambdascope::triplets
