// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/sphere.h"

namespace lambdascope::metric {

/// How a region decides triplets.
enum class RuleKind {
    Sphere,       ///< over the whole ball [T, §4.1]
    Linear,       ///< over the part of the ball where ⟨P, M⟩ ≥ 0 [T, §4.3]; linear_rule.h
    Semidefinite, ///< over the part of the ball where M ⪰ 0 [T, §4.2]; semidefinite_rule.h, diagonal_rule.h
    Analytic,     ///< the same for diagonal M only, in closed form [T, §6.2]; diagonal_rule.h
};

/// A set that holds the optimum, and the rule that judges triplets by it.
struct Region {
    Sphere sphere;
    RuleKind rule = RuleKind::Sphere;
    /// P ⪰ 0 of a half-space ⟨P, M⟩ ≥ 0, which holds the optimum too: N Nᵀ as rounded, so (d + 4) u tr(P) away from
    /// one that is exactly semidefinite. Empty for none.
    Eigen::MatrixXd normal = {};
};

} // namespace lambdascope::metric
