// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/kinds.h"

#include <Eigen/Core>

#include <cstddef>

namespace lambdascope::triplets {

/// A ball that holds the optimum: ‖M*(λ) − centre‖_F ≤ radius, in floating point as it stands (the radius is padded).
struct Sphere {
    Eigen::MatrixXd centre;
    double radius = 0;
};

/// A set that holds the optimum, and the rule that judges triplets by it.
struct Region {
    Sphere sphere;
    RuleKind rule = RuleKind::Sphere;
    /// P ⪰ 0 of a half-space ⟨P, M⟩ ≥ 0, which holds the optimum too: N Nᵀ as rounded, so (d + 4) u tr(P) away from
    /// one that is exactly semidefinite. Empty for none.
    Eigen::MatrixXd normal = {};
    std::size_t bound = 0; ///< the place of the bound that made it, among the bounds of the lane
};

} // namespace lambdascope::triplets
