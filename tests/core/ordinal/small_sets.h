// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/loss_model.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/problem/points.h"
#include "tests/core/ordinal/all_models.h"

#include <cstdint>

namespace lambdascope::ordinal {

/// N(0, scale² I).
[[nodiscard]] Points randomPoints(Eigen::Index n, Eigen::Index p, double scale, std::uint64_t seed);

/// Random comparisons, every second one a quadruplet, answered by `truth`; with weights in (0, 3] if wanted.
[[nodiscard]] ComparisonSet randomComparisons(const Points& truth, std::int64_t count, std::uint64_t seed,
                                              bool isWeighted = false, bool hasQuadruplets = true);

/// The objective at x by the definitions, comparison by comparison, in long double.
[[nodiscard]] double lossByDefinition(const ComparisonSet& set, const ModelSpec& model, const Points& x);

} // namespace lambdascope::ordinal
