// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/data/raw_data.h"

namespace lambdascope {

/// DropRows: rows with missing values or labels go. Mean: missing values get the mean of the present values of their
/// feature (zeros of sparse data count as present). Fail: nothing, the loader has seen to it. Adds a note.
/// Errors: InvalidData when no row, or no value of a feature, is left, or a label is missing under Mean.
Result<void> resolveMissing(RawData& data, MissingPolicy policy, const std::string& file);

} // namespace lambdascope
