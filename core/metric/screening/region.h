// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/kinds.h"
#include "core/metric/screening/sphere.h"

namespace lambdascope::metric {

/// How a region decides triplets.
/// A set that holds the optimum, and the rule that judges triplets by it.
struct Region {
    Sphere sphere;
    RuleKind rule = RuleKind::Sphere;
    /// P ⪰ 0 of a half-space ⟨P, M⟩ ≥ 0, which holds the optimum too: N Nᵀ as rounded, so (d + 4) u tr(P) away from
    /// one that is exactly semidefinite. Empty for none.
    Eigen::MatrixXd normal = {};
};

} // namespace lambdascope::metric
