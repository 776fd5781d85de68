// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/cone.h"
#include "core/triplets/screening/region.h"
#include "tests/core/triplets/small_problems.h"

#include <functional>
#include <tuple>
#include <vector>

namespace lambdascope::triplets {

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

/// Every small shape with every rule that there is for its structure.
inline std::vector<std::tuple<SmallShape, RuleKind>> shapesWithRules() {
    std::vector<std::tuple<SmallShape, RuleKind>> all;
    for (const SmallShape& shape : smallShapes()) {
        for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite, RuleKind::Analytic}) {
            if (shape.structure == Structure::Diagonal || rule != RuleKind::Analytic) {
                all.emplace_back(shape, rule);
            }
        }
    }
    return all;
}

inline bool usesCone(RuleKind rule) {
    return rule == RuleKind::Semidefinite || rule == RuleKind::Analytic;
}

/// Of a ball: inside the cone, on its border, outside.
enum class Centre { Positive, Singular, Indefinite };

/// visit(region, projection on what the rule knows beside the ball) for centres of every kind and two radii; regions
/// made by makeRegion(centre, radius) that are empty are left out.
template <class MakeRegion, class Visit>
void forEachRegion(RuleKind rule, const MakeRegion& makeRegion, const Visit& visit) {
    for (const Centre centre : {Centre::Positive, Centre::Singular, Centre::Indefinite}) {
        for (const double radius : {0.1, 0.5}) {
            const Region region = makeRegion(centre, radius);
            const Projection project = usesCone(rule)             ? Projection(onCone)
                                       : rule == RuleKind::Linear ? onHalfSpace(region.normal)
                                                                  : onHalfSpace({});
            const double distance = (project(region.sphere.centre) - region.sphere.centre).norm();
            if (distance < 0.999 * region.sphere.radius) {
                visit(region, project);
            }
        }
    }
}

} // namespace lambdascope::triplets
