// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/sphere_bounds.h"

#include "core/triplets/problem/cone.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// A negative part that is a smaller share of the matrix than this is rounding.
constexpr double kLeastNegativePart = 1e-13;

/// Enlarges a radius by the error of its centre and by the rounding of the last operations.
double padded(double radius, double centreError) {
    return (radius + centreError) * (1 + 16 * kUnitRoundoff) + kUnderflow;
}

/// The root of a squared radius, which may be 0 by rounding or by underflow.
double rootOf(double squared) {
    return std::sqrt(std::max(squared, 0.0) + kUnderflow);
}

/// (a/b)^½, also where a/b underflows.
double rootOfRatio(double a, double b) {
    return std::sqrt(std::max(a, 0.0)) / std::sqrt(b);
}

template <Sphere (*kMake)(const BoundReference&), int kDecompositions = 0, bool kNeedsDualPoint = false>
class NamedBound final : public Bound {
  public:
    explicit NamedBound(std::string_view name) : m_name(name) {}
    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] Sphere sphere(const BoundReference& reference) const override { return kMake(reference); }
    [[nodiscard]] bool needsDualPoint() const override { return kNeedsDualPoint; }
    [[nodiscard]] int decompositions() const override { return kDecompositions; }

  private:
    std::string_view m_name;
};

Eigen::MatrixXd halfSpaceNormal(const BoundReference& reference) {
    const Eigen::MatrixXd step = gradientBound(reference).centre;
    PsdSplit split = splitByCone(-step, reference.stopCheck);
    const double norm = split.positive.norm();
    if (!split.isFinite || !(norm > kLeastNegativePart * step.norm())) {
        return {};
    }
    return split.positive / norm;
}

} // namespace

Sphere gradientBound(const BoundReference& reference) {
    const MetricPoint& point = *reference.point;
    const LossTotals& totals = *reference.totals;
    const double lambda = reference.lambda;
    // ∇P = λM − Σ α H
    const Eigen::MatrixXd gradient = lambda * point.matrix - totals.pull;
    const double termNorms = lambda * point.matrix.norm() + totals.pull.norm();
    const double gradientError = lambda * point.matrixError() + totals.pullError + 4 * kUnitRoundoff * termNorms;
    const double norm = gradient.norm();
    const Bounded half =
        Bounded{norm, gradientError + roundingFactor(static_cast<double>(gradient.size()) + 2) * norm} / (2 * lambda);
    const Bounded squared = half * half + subgradientSlack(totals, reference.gamma) / lambda;
    const double centreError =
        point.matrixError() + (gradientError + 4 * kUnitRoundoff * (termNorms + norm)) / (2 * lambda);
    Sphere sphere;
    sphere.centre = point.matrix - gradient / (2 * lambda);
    sphere.radius = padded(rootOf(squared.upper()), centreError);
    return sphere;
}

Sphere projectedGradientBound(const BoundReference& reference) {
    // For X ⪰ 0: ‖X − Q‖² = ‖X − Q₊‖² + ‖Q₋‖² − 2⟨X − Q₊, Q₋⟩ and the last product is ≤ 0; true of any ball.
    const Sphere ball = gradientBound(reference);
    PsdSplit split = splitByCone(ball.centre, reference.stopCheck);
    if (!split.isFinite) {
        return {ball.centre, std::numeric_limits<double>::infinity()};
    }
    const double negative = std::max(split.negativeNorm.lower(), 0.0);
    const double squared = ball.radius * ball.radius * (1 + 4 * kUnitRoundoff) - negative * negative;
    const double splitError = split.error;
    MetricPoint centre = MetricPoint::fromSplit(std::move(split));
    const double centreError = splitError + centre.matrixError();
    return {std::move(centre.matrix), padded(rootOf(squared), centreError)};
}

Sphere dualityGapBound(const BoundReference& reference) {
    return {reference.point->matrix,
            padded(rootOfRatio(2 * reference.gap, reference.lambda), reference.point->matrixError())};
}

Sphere constrainedDualityGapBound(const BoundReference& reference) {
    if (reference.dual == nullptr) {
        return {reference.point->matrix, std::numeric_limits<double>::infinity()};
    }
    // With X = point, e = error and u = ‖X − M*‖: P(X) − P* ≥ λu²/2 and D* − D ≥ λ(u − e)²/2, so u² + (u − e)² ≤
    // 2 gap/λ where u ≥ e, and then u ≤ (gap/λ)^½ + e/2.
    const DualPoint& dual = *reference.dual;
    const double radius = rootOfRatio(dual.gap, reference.lambda);
    return {dual.point.matrix, padded(radius, dual.error + dual.point.matrixError())};
}

PrimalDualPair midpointPair(const BoundReference& reference) {
    const MetricPoint& point = *reference.point;
    PrimalDualPair best = primalDualPair(point, *reference.totals, reference.gamma, reference.stopCheck);
    const auto offer = [&](PrimalDualPair pair) {
        if (pair.midpointBall(reference.lambda).radius < best.midpointBall(reference.lambda).radius) {
            best = std::move(pair);
        }
    };
    if (reference.gapDual != nullptr && reference.gapDual->pull != reference.totals->pull) {
        offer(primalDualPair(point, *reference.gapDual, reference.gap, reference.lambda, reference.stopCheck));
    }
    if (reference.path.point != nullptr && reference.path.dual != nullptr) {
        offer(primalDualPair(*reference.path.point, *reference.path.dual, reference.path.gap, reference.path.lambda,
                             reference.stopCheck));
    }
    return best;
}

Sphere midpointGapBound(const BoundReference& reference) {
    return midpointPair(reference).midpointBall(reference.lambda);
}

Sphere pathBound(const BoundReference& reference) {
    if (reference.path.point == nullptr) {
        return {reference.point->matrix, std::numeric_limits<double>::infinity()};
    }
    BoundReference exact = reference;
    exact.path.gap = 0;
    return relaxedPathBound(exact);
}

Sphere relaxedPathBound(const BoundReference& reference) {
    if (reference.path.point == nullptr) {
        return dualityGapBound(reference);
    }
    const MetricPoint& point = *reference.path.point;
    const double lambda0 = reference.path.lambda;
    const double lambda = reference.lambda;
    const double distance = std::abs(lambda0 - lambda);
    const double scale = (lambda0 + lambda) / (2 * lambda);
    const double epsilon = rootOfRatio(2 * reference.path.gap, lambda0);
    const double norm = point.norm().upper();
    const double radius = distance / (2 * lambda) * norm + (distance + lambda0 + lambda) / (2 * lambda) * epsilon;
    return {scale * point.matrix, padded(radius, scale * (point.matrixError() + 4 * kUnitRoundoff * norm))};
}

Sphere ballOfDistance(Eigen::MatrixXd centre, const PathReference& known) {
    const double norm = (centre - known.point->matrix).norm();
    const double error = known.point->matrixError() + roundingFactor(static_cast<double>(centre.size()) + 2) * norm;
    return {std::move(centre), padded(norm + rootOfRatio(2 * known.gap, known.lambda), error)};
}

std::unique_ptr<Bound> makeBound(BoundKind kind) {
    switch (kind) {
    case BoundKind::Gradient: return std::make_unique<NamedBound<gradientBound>>("GB");
    case BoundKind::ProjectedGradient: return std::make_unique<NamedBound<projectedGradientBound, 1>>("PGB");
    case BoundKind::DualityGap: return std::make_unique<NamedBound<dualityGapBound>>("DGB");
    case BoundKind::ConstrainedDualityGap:
        return std::make_unique<NamedBound<constrainedDualityGapBound, 0, true>>("CDGB");
    case BoundKind::MidpointGap: return std::make_unique<NamedBound<midpointGapBound, 2>>("MGB");
    case BoundKind::Path: return std::make_unique<NamedBound<pathBound>>("RPB");
    case BoundKind::RelaxedPath: break;
    }
    return std::make_unique<NamedBound<relaxedPathBound>>("RRPB");
}

const std::vector<BoundKind>& allBounds() {
    static const std::vector<BoundKind> kinds = {BoundKind::Gradient,    BoundKind::ProjectedGradient,
                                                 BoundKind::DualityGap,  BoundKind::ConstrainedDualityGap,
                                                 BoundKind::MidpointGap, BoundKind::RelaxedPath};
    return kinds;
}

std::vector<BoundKind> boundsBeside(std::span<const Region> used, const std::vector<BoundKind>& ofLane) {
    std::vector<BoundKind> beside = ofLane;
    for (const BoundKind kind : allBounds()) {
        if (std::find(ofLane.begin(), ofLane.end(), kind) == ofLane.end()) {
            beside.push_back(kind);
        }
    }
    for (const Region& region : used) {
        std::erase(beside, ofLane[region.bound]);
    }
    return beside;
}

std::vector<Region> makeRegions(std::span<const std::unique_ptr<Bound>> bounds, RuleKind rule,
                                const BoundReference& reference) {
    const Eigen::MatrixXd normal = rule == RuleKind::Linear ? halfSpaceNormal(reference) : Eigen::MatrixXd();
    std::vector<Region> regions;
    regions.reserve(bounds.size());
    for (std::size_t b = 0; b < bounds.size(); ++b) {
        regions.push_back({bounds[b]->sphere(reference), rule, normal, b});
    }
    return regions;
}

} // namespace lambdascope::triplets
