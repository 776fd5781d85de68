// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/screening/region_maker.h"

namespace lambdascope::metric {

namespace {

/// A negative part that is a smaller share of the matrix than this is rounding.
constexpr double kLeastNegativePart = 1e-13;

Eigen::MatrixXd halfSpaceNormal(const BoundReference& reference) {
    const Eigen::MatrixXd step = gradientBound(reference).centre;
    PsdSplit split = splitByCone(-step, reference.poll);
    const double norm = split.positive.norm();
    if (!split.isFinite || !(norm > kLeastNegativePart * step.norm())) {
        return {};
    }
    return split.positive / norm;
}

} // namespace

std::vector<Region> makeRegions(std::span<const std::unique_ptr<Bound>> bounds, RuleKind rule,
                                const BoundReference& reference) {
    const Eigen::MatrixXd normal = rule == RuleKind::Linear ? halfSpaceNormal(reference) : Eigen::MatrixXd();
    std::vector<Region> regions;
    regions.reserve(bounds.size());
    for (const auto& bound : bounds) {
        regions.push_back({bound->sphere(reference), rule, normal});
    }
    return regions;
}

} // namespace lambdascope::metric
