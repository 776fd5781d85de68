// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/screening/sphere_bounds.h"
#include "core/run/run_lens.h"

#include <vector>

namespace lambdascope::metric {

/// The numbers from which the radius of a bound's ball can be recomputed, but for rounding; the formula stands in the
/// meaning of the last one.
[[nodiscard]] std::vector<NamedValue> ballTerms(BoundKind kind, const BoundReference& reference);

} // namespace lambdascope::metric
