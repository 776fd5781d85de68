// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/ball_terms.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

std::vector<NamedValue> gradientTerms(const BoundReference& reference) {
    const double slack = subgradientSlack(*reference.totals, reference.gamma).value;
    const double norm = (reference.lambda * reference.point->matrix - reference.totals->pull).norm();
    if (slack == 0) {
        return {{"‖∇P‖", "norm of the gradient at M; r = ‖∇P‖/2λ", norm}};
    }
    return {{"slack", "by how much −α is no subgradient, summed", slack},
            {"‖∇P‖", "norm of the gradient at M; r² = ‖∇P‖²/4λ² + slack/λ", norm}};
}

std::vector<NamedValue> projectedTerms(const BoundReference& reference) {
    const Sphere ball = gradientBound(reference);
    return {{"r of GB", "radius of the ball that is projected", ball.radius},
            {"‖[Q of GB]₋‖", "negative part of its centre; r² = (r of GB)² − ‖[Q of GB]₋‖²",
             splitByCone(ball.centre, reference.poll).negativeNorm.value}};
}

std::vector<NamedValue> midpointTerms(const BoundReference& reference) {
    const PrimalDualPair pair = midpointPair(reference);
    const double apart = (pair.point->matrix - pair.pull / reference.lambda).norm();
    return {{"‖M − M(α)‖", "distance of the two points between which Q lies half-way", apart},
            {"gap", "duality gap of M and α; r² = gap/λ − ¼‖M − M(α)‖²",
             0.5 * reference.lambda * apart * apart + pair.sigma}};
}

std::vector<NamedValue> relaxedPathTerms(const BoundReference& reference, bool takesAsExact) {
    const PathReference& path = reference.path;
    std::vector<NamedValue> terms = {{"λ₀", "where the reference M₀ was solved", path.lambda}};
    const double norm = path.point->matrix.norm();
    if (takesAsExact) {
        terms.push_back({"‖M₀‖", "norm of the reference; r = |λ₀ − λ|/2λ · ‖M₀‖", norm});
        return terms;
    }
    terms.push_back({"‖M₀‖", "norm of the reference", norm});
    terms.push_back({"ε", "distance of M₀ to its optimum, at most; r = |λ₀ − λ|/2λ · ‖M₀‖ + (|λ₀ − λ| + λ₀ + λ)/2λ · ε",
                     std::sqrt(2 * std::max(path.gap, 0.0) / path.lambda)});
    return terms;
}

} // namespace

std::vector<NamedValue> ballTerms(BoundKind kind, const BoundReference& reference) {
    const NamedValue gap{"gap", "duality gap of M; r = √(2 gap/λ)", reference.gap};
    std::vector<NamedValue> terms = {{"λ", "where the ball holds the optimum", reference.lambda}};
    std::vector<NamedValue> own;
    switch (kind) {
    case BoundKind::Gradient: own = gradientTerms(reference); break;
    case BoundKind::ProjectedGradient: own = projectedTerms(reference); break;
    case BoundKind::DualityGap: own = {gap}; break;
    case BoundKind::ConstrainedDualityGap:
        if (reference.dual != nullptr) {
            own = {{"gap of M(α)", "duality gap of M(α) and α; r = √(gap/λ)", reference.dual->gap}};
        }
        break;
    case BoundKind::MidpointGap: own = midpointTerms(reference); break;
    case BoundKind::Path:
    case BoundKind::RelaxedPath:
        own = reference.path.point != nullptr ? relaxedPathTerms(reference, kind == BoundKind::Path) : std::vector{gap};
        break;
    }
    terms.insert(terms.end(), own.begin(), own.end());
    return terms;
}

} // namespace lambdascope::metric
