// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <memory>
#include <utility>

namespace lambdascope::metric {

/// The data set with all values times `factor`, and every tenth row once more, `shift` times its largest value away:
/// scales and near duplicates on which careless rounding shows.
[[nodiscard]] inline std::shared_ptr<const Dataset> distorted(const Dataset& data, double factor, double shift) {
    Dataset::Parts parts;
    parts.classNames = data.classNames();
    parts.labels = data.labels();
    const Eigen::Index rows = data.rows();
    const Eigen::Index copies = rows / 10;
    parts.dense.resize(rows + copies, data.features());
    parts.dense.topRows(rows) = factor * data.dense();
    for (Eigen::Index copy = 0; copy < copies; ++copy) {
        parts.dense.row(rows + copy) = parts.dense.row(10 * copy);
        parts.dense(rows + copy, copy % data.features()) += shift * parts.dense.row(10 * copy).cwiseAbs().maxCoeff();
        parts.labels.push_back(data.labels()[static_cast<std::size_t>(10 * copy)]);
    }
    return std::make_shared<const Dataset>(std::move(parts));
}

} // namespace lambdascope::metric
