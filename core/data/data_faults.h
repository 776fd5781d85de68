// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/common/result.h"
#include "core/common/stop_check.h"
#include "core/data/dataset.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// The one thing that is wrong with the data for this experiment, under the field that can mend it.
[[nodiscard]] Failure dataFault(const char* key, std::string message, std::string remedy);

/// Whether products of four values of the data, and sums of them, stay far from overflow: |x| ≤ 1e70. Errors:
/// InvalidData (key data.scale), with the largest value and its place. O(values).
[[nodiscard]] Result<void> checkMagnitudes(const Dataset& data);

/// Why the data are no matrix of distances, with the place; nothing when they are one: square, symmetric, finite, not
/// negative, zero on the diagonal. O(values).
[[nodiscard]] std::optional<std::string> noDistances(const Dataset& data, StopCheck& stopCheck);

/// "a, b, c": the first ten of many names.
[[nodiscard]] std::string listOf(const std::vector<std::string>& names);

} // namespace lambdascope
