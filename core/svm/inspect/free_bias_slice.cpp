// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/free_bias_slice.h"

#include "core/common/number_text.h"
#include "core/svm/problem/feature_vector_products.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

FreeBiasSlicer::FreeBiasSlicer(const SvmProblem& problem, const std::vector<BoundKind>& bounds,
                               const SolvedSvm& optimum)
    : m_problem(problem), m_bounds(bounds), m_optimum(optimum) {
    FeatureVectorProducts origin(problem);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.origin()(i) != 0) {
            origin.add(i, problem.y()(i) * problem.origin()(i));
        }
    }
    m_origin = origin.products();
    m_slice.xLabel = problem.balance() == 0 ? "towards the centre of BT1" : "towards the solution before, lengthened";
    m_slice.yLabel = "decision value amid the samples";
}

FreeBiasSlicer::Centre FreeBiasSlicer::centreOf(const Eigen::VectorXd& alpha, double factor, double squaredNorm) const {
    return {factor * alpha.dot(m_optimum.margins), factor * alpha.dot(m_first), factor * alpha.dot(m_origin),
            factor * factor * squaredNorm};
}

void FreeBiasSlicer::add(BoundKind kind, const Centre& centre, double squaredRadius, const BiasBracket& bias,
                         const ScreeningCheck& check) {
    const double optimum = m_optimum.squaredNorm.value;
    const double off = std::max(centre.square - 2 * centre.withOptimum + optimum, 0.0); // ‖m − w*‖²
    const Centre& first = m_firstCentre;
    const double length = std::sqrt(std::max(first.square - 2 * first.withOptimum + optimum, 0.0));
    const double along = centre.withFirst - centre.withOptimum - first.withOptimum + optimum;
    const double x = length > 0 ? std::clamp(along / length, -std::sqrt(off), std::sqrt(off)) : 0;
    const double half = std::sqrt(std::max(squaredRadius - off + x * x, 0.0));
    const double low = bias.low + centre.withOrigin;
    const double high = bias.high + centre.withOrigin;
    const double radius = std::sqrt(std::max(squaredRadius, 0.0));
    BallSlice::Part part;
    part.name = boundName(kind);
    part.isUsed = std::find(m_bounds.begin(), m_bounds.end(), kind) != m_bounds.end();
    part.text = "ball of w: radius " + shortText(radius) + "\nbracket: " + shortText(low) + " to " + shortText(high);
    part.isBracketed = true;
    part.check = check.check;
    part.iteration = check.sweep;
    if (half > 0 && std::isfinite(low) && std::isfinite(high) && low < high) {
        part.outline = {{x - half, low}, {x + half, low}, {x + half, high}, {x - half, high}};
        m_lastValue = BiasBracket{low, high}.middle();
    }
    m_slice.parts.push_back(std::move(part));
}

void FreeBiasSlicer::take(const ScreeningCheck& check) {
    const ScreeningReference& from = check.reference;
    const auto path = makeBall(BoundKind::BallOne, from);
    if (m_first.size() == 0) { // the first check is that of the path
        if (!path || from.path->alpha.size() == 0) {
            return;
        }
        m_first = path->a * from.path->margins;
        m_firstCentre = centreOf(from.path->alpha, path->a, from.path->squaredNorm.value);
    }
    if (path && from.pathBias && from.path->alpha.size() > 0) {
        add(BoundKind::BallOne, centreOf(from.path->alpha, path->a, from.path->squaredNorm.value), path->squaredRadius,
            *from.pathBias, check);
    }
    if (const auto ball = makeBall(BoundKind::Gap, from); ball && from.alpha != nullptr && from.currentBias) {
        add(BoundKind::Gap, centreOf(*from.alpha, 1, from.squaredNorm), ball->squaredRadius, *from.currentBias, check);
    }
}

BallSlice FreeBiasSlicer::finished() {
    const double origin = m_optimum.alpha.dot(m_origin); // w*ᵀo
    const BiasBracket best = bestBiases(m_problem, m_optimum.c, m_optimum.margins);
    m_slice.optimumY = std::clamp(m_lastValue, best.low + origin, std::max(best.low, best.high) + origin);
    return std::move(m_slice);
}

} // namespace lambdascope::svm
