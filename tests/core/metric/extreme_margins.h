// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/cone.h"
#include "core/metric/sphere.h"

#include <functional>

namespace lambdascope::metric {

/// Projection on a convex set of matrices.
using Projection = std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>;

inline Eigen::MatrixXd onCone(const Eigen::MatrixXd& a) {
    return splitByCone(a).positive;
}

/// On ⟨P, X⟩ ≥ 0; on everything when there is no P.
inline Projection onHalfSpace(const Eigen::MatrixXd& normal) {
    return [normal](const Eigen::MatrixXd& a) -> Eigen::MatrixXd {
        const double product = normal.size() > 0 ? normal.cwiseProduct(a).sum() : 0;
        return product < 0 ? a - product / normal.squaredNorm() * normal : a;
    };
}

/// min ⟨H, X⟩ over the ball and the convex set of `project`: X(t) = project(Q − tH) minimizes ⟨H, X⟩ + ‖X − Q‖²/2t over
/// the set, so the t at which X(t) reaches the sphere gives the minimum; it never does when H ⪰ 0 lets X(t) end inside,
/// and then 2^mostDoublings steps are near enough to that end.
inline double smallestMargin(const Eigen::MatrixXd& h, const Sphere& ball, const Projection& project,
                             int mostDoublings = 60) {
    const auto reach = [&](double t) { return (project(ball.centre - t * h) - ball.centre).norm(); };
    const double unit = ball.radius / h.norm();
    double low = 1e-9 * unit;
    double high = unit;
    for (int i = 0; i < mostDoublings && reach(high) < ball.radius; ++i) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (reach(middle) < ball.radius ? low : high) = middle;
    }
    return h.cwiseProduct(project(ball.centre - low * h)).sum();
}

} // namespace lambdascope::metric
