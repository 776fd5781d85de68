// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/screening/region.h"
#include "core/metric/screening/sphere_bounds.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::metric {

/// One region per bound. For the linear rule all get the same half-space ⟨P, M⟩ ≥ 0, P = −[Q_GB]₋ scaled to norm 1:
/// the negative part of the gradient step of length 1/2λ before its projection, which is Q_GB [T, §4.3]. P is empty
/// when Q_GB ⪰ 0.
[[nodiscard]] std::vector<Region> makeRegions(std::span<const std::unique_ptr<Bound>> bounds, RuleKind rule,
                                              const BoundReference& reference);

} // namespace lambdascope::metric
