// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/metric/distorted_data.h"

namespace lambdascope::metric {

std::shared_ptr<const Dataset> distorted(const Dataset& data, double factor, double shift) {
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
