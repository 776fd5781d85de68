// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/data/raw_data.h"

#include <cstdint>
#include <stop_token>

namespace lambdascope {

/// The largest min(rows, features) that is decomposed; the eigenproblem costs its cube.
constexpr std::int64_t kMostPcaOrder = 2000;

/// Projects the centred rows on their first `dimensions` principal axes, by falling variance. Of each axis the entry
/// of largest magnitude (the first of equals) is positive, so that the result does not hang on the solver's signs.
/// Data become dense; features are named PC1, PC2, …. Adds a note with the share of the variance that is kept.
/// `alike` (may be null) are rows that are projected on the same axes.
/// Cost O(rows · features · m + m³) with m = min(rows, features).
/// Errors: InvalidConfiguration (key data.pca) for more dimensions than m, or m above kMostPcaOrder; Stopped.
Result<void> projectOnPrincipalAxes(RawData& data, std::int64_t dimensions, std::stop_token stop,
                                    RawData* alike = nullptr);

} // namespace lambdascope
