// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/fault_list.h"
#include "core/data/loader.h"
#include "core/data/raw_data.h"

namespace lambdascope {

/// Raw data from a matrix of numbers that has no column names. The label column is taken out in place, as
/// `options.labels` says; auto tries the last column, then the first. NaN and infinite values are faults unless a
/// missing policy covers them. `options.storage` is not looked at.
Result<RawData> rawDataFromMatrix(DenseRows values, const LoadOptions& options, FaultList& faults);

/// Reports values that are not finite under MissingPolicy::Fail, and turns infinite ones into NaN otherwise.
void checkFinite(DenseRows& values, MissingPolicy missing, FaultList& faults);

} // namespace lambdascope
