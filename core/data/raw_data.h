// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/data/label_column.h"

#include <string>
#include <vector>

namespace lambdascope {

/// What a loader reads: samples in which NaN marks a missing value, before any preparation.
struct RawData {
    DenseRows dense;
    SparseRows sparse;
    bool isSparse = false;
    RawLabels labels;
    std::vector<double> targets; ///< in place of labels: the number that belongs to each row; empty for none
    std::string targetName;      ///< of their column
    std::vector<std::string> featureNames;
    std::vector<std::string> rowNames;
    std::vector<std::string>
        notes; ///< what the user should know: "labels from column 5", "2 text columns one-hot coded"

    [[nodiscard]] Eigen::Index rows() const { return isSparse ? sparse.rows() : dense.rows(); }
    [[nodiscard]] Eigen::Index features() const { return isSparse ? sparse.cols() : dense.cols(); }
};

} // namespace lambdascope
