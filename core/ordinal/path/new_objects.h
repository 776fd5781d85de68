// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/ordinal_config.h"
#include "core/run/family.h"
#include "core/run/placed_objects.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// Places the new objects of a file of answers in the embedding that `lane` had after epoch `epoch`; the lane is
/// computed again (same seed, same bits), which costs what it cost the run. Ids of the file count as those of the run
/// do (from 1 when it drew its comparisons itself), in the run's layout; those beyond the run's objects are new. Every
/// answer speaks of exactly one new object, and each of these is placed by its own answers; see placeObject().
///
/// Errors: BadUsage for a path of dimensions, which keeps no embedding; those of readComparisons(); InvalidData for
/// answers that speak of no new object or of several; Stopped.
Result<PlacedObjects> placeNewObjects(const PreparedOrdinal& prepared, const Lane& lane, std::int32_t epoch,
                                      const std::filesystem::path& answers, const ProgressFunction& progress,
                                      std::stop_token stop);

} // namespace lambdascope::ordinal
