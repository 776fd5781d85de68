// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/matrix_values.h"
#include "core/common/result.h"
#include "core/data/data_source.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// How features were scaled: x ← (x − centre) / spread, and 0 where the spread is 0. Empty when they were not, or rows
/// were (unit norm). Before principal axes, if there are any.
struct FeatureScaling {
    std::vector<double> centre;
    std::vector<double> spread;
};

/// Rows from elsewhere, changed as the rows of an experiment were.
struct AlikeRows {
    std::shared_ptr<const Dataset> rows; ///< null when none were asked for
    FeatureScaling scaling;              ///< of the experiment
};

/// The numbers and classes of a data set, for those who need no linear algebra.
struct PlainRows {
    MatrixValues values;              ///< a row per sample
    std::vector<std::string> classes; ///< name per row; empty without classes
};
[[nodiscard]] PlainRows plainRows(const Dataset& data);

/// Reads the data of an experiment again, and prepares those of `fresh` (null for none; its source, format and label
/// column count) by the same extremes, means, deviations and principal axes, to the same bits as rows that its subset
/// left out. Rows of LIBSVM's format that end earlier have zeros there. Errors: as loadDataset(); InvalidData when
/// the new rows have other features, by number or by name, or missing values: they get no mean, and none is dropped.
Result<AlikeRows> loadAlike(const DataConfig& config, const DataConfig* fresh, const DataPlaces& places,
                            const DataProgress& progress = {}, const std::stop_token& stop = {});

} // namespace lambdascope
