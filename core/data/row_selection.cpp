// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_selection.h"

#include "core/common/number_text.h"
#include "core/data/label_column.h"
#include "core/data/split.h"

#include <algorithm>

namespace lambdascope {

namespace {

void keepDenseRows(DenseRows& values, const std::vector<std::size_t>& rows) {
    const Eigen::Index width = values.cols();
    double* to = values.data();
    for (const std::size_t row : rows) { // rows ascend, so that no row is overwritten before it has moved
        const double* from = values.data() + static_cast<Eigen::Index>(row) * width;
        to = from == to ? to + width : std::copy(from, from + width, to);
    }
    values.conservativeResize(static_cast<Eigen::Index>(rows.size()), width);
}

void keepSparseRows(SparseRows& values, const std::vector<std::size_t>& rows) {
    std::int32_t* outer = values.outerIndexPtr();
    std::int32_t end = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t from = outer[rows[i]];
        const std::int32_t count = outer[rows[i] + 1] - from;
        std::copy_n(values.valuePtr() + from, count, values.valuePtr() + end);
        std::copy_n(values.innerIndexPtr() + from, count, values.innerIndexPtr() + end);
        outer[i] = end; // i ≤ rows[i], and outer[rows[i]] has been read
        end += count;
    }
    outer[rows.size()] = end;
    values.conservativeResize(static_cast<Eigen::Index>(rows.size()), values.cols());
    values.data().resize(end);
}

template <class T>
void keepEntries(std::vector<T>& entries, const std::vector<std::size_t>& rows) {
    if (entries.empty()) {
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] != i) {
            entries[i] = std::move(entries[rows[i]]);
        }
    }
    entries.resize(rows.size());
}

} // namespace

void keepRows(RawData& data, const std::vector<std::size_t>& rows) {
    if (data.isSparse) {
        keepSparseRows(data.sparse, rows);
    } else {
        keepDenseRows(data.dense, rows);
    }
    keepEntries(data.labels.codes, rows);
    keepEntries(data.rowNames, rows);
    dropUnusedClasses(data.labels.codes, data.labels.names);
}

void keepSubset(RawData& data, double share, std::uint64_t seed) {
    if (share >= 1) {
        return;
    }
    const auto before = static_cast<std::size_t>(data.rows());
    const Split split = stratifiedSplit(before, data.labels.codes, share, seed, false);
    keepRows(data, split.first);
    data.notes.push_back(groupedText(static_cast<std::int64_t>(split.first.size())) + " of " +
                         groupedText(static_cast<std::int64_t>(before)) + " rows");
}

} // namespace lambdascope
