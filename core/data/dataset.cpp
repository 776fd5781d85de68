// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include "core/data/alike_rows.h"
#include "core/data/data_source.h"

#include <cassert>
#include <utility>

namespace lambdascope {

Dataset::Dataset(Parts parts) : m_parts(std::move(parts)) {
    assert(m_parts.labels.empty() || static_cast<Eigen::Index>(m_parts.labels.size()) == rows());
    assert(m_parts.featureNames.empty() || static_cast<Eigen::Index>(m_parts.featureNames.size()) == features());
    assert(m_parts.rowNames.empty() || static_cast<Eigen::Index>(m_parts.rowNames.size()) == rows());
}

Eigen::Index Dataset::rows() const {
    return m_parts.isSparse ? m_parts.sparse.rows() : m_parts.dense.rows();
}

Eigen::Index Dataset::features() const {
    return m_parts.isSparse ? m_parts.sparse.cols() : m_parts.dense.cols();
}

const DenseRows& Dataset::dense() const {
    assert(!isSparse());
    return m_parts.dense;
}

const SparseRows& Dataset::sparse() const {
    assert(isSparse());
    return m_parts.sparse;
}

DenseRows Dataset::toDense() const {
    if (isSparse()) {
        return DenseRows(m_parts.sparse);
    }
    return m_parts.dense;
}

DatasetFacts factsOf(const Dataset& data) {
    return {data.rows(),       data.features(),   data.isSparse(),     data.isLabelled(),
            data.hasTargets(), data.classNames(), data.sourceSha256(), data.contentSha256()};
}

PlainRows plainRows(const Dataset& data) {
    PlainRows rows{data.toDense(), {}};
    for (const std::int32_t label : data.labels()) {
        rows.classes.push_back(data.classNames()[static_cast<std::size_t>(label)]);
    }
    return rows;
}

} // namespace lambdascope
