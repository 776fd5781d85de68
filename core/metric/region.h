// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/sphere.h"

namespace lambdascope::metric {

/// How a region decides triplets.
enum class RuleKind {
    Sphere, ///< over the whole ball [T, §4.1]
};

/// A set that holds the optimum, and the rule that judges triplets by it.
struct Region {
    Sphere sphere;
    RuleKind rule = RuleKind::Sphere;
    Eigen::MatrixXd normal = {}; ///< P ⪰ 0 of a half-space ⟨P, M⟩ ≥ 0 that holds the optimum too; empty for none
};

} // namespace lambdascope::metric
