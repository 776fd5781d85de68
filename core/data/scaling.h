// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/alike_rows.h"
#include "core/data/data_source.h"
#include "core/data/raw_data.h"

#include <cstdint>
#include <stop_token>

namespace lambdascope {

/// The largest dense matrix that scaling may make of sparse data: 1 GiB.
constexpr std::int64_t kMostScaledCells = std::int64_t{1} << 27;

/// MinMax: x ← 2 (x − min) / (max − min) − 1 per feature. Standardize: x ← (x − mean) / sd per feature with the
/// population sd. Constant features become 0 in both. UnitNorm: x ← x / ‖x‖ per row; zero rows stay. No overflow for
/// any finite values. The first two make sparse data dense. Adds a note. Cost O(rows · features).
/// `alike` (may be null) are rows that get the same change, by the extremes, means and deviations of `data`.
/// `found` (may be null) gets the change as one formula, which rounds otherwise than the change itself.
/// Errors: InvalidConfiguration (key data.scale) when sparse data would take more than kMostScaledCells; Stopped.
Result<void> scaleFeatures(RawData& data, Scaling scaling, const std::stop_token& stop = {}, RawData* alike = nullptr,
                           FeatureScaling* found = nullptr);

/// Sparse data become dense.
void makeDense(RawData& data);

} // namespace lambdascope
