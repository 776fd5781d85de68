// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_selection.h"

#include "core/common/number_text.h"
#include "core/data/gather_rows.h"
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

/// Every so manyth row, so that rows and cells stay within the limits.
std::vector<std::size_t> thinnedRows(const std::vector<std::size_t>& rows, std::size_t features) {
    const std::size_t most =
        std::clamp<std::size_t>(kMostHeldOutCells / std::max<std::size_t>(features, 1), 1, kMostHeldOutRows);
    const std::size_t step = (rows.size() + most - 1) / most;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < rows.size(); i += step) {
        kept.push_back(rows[i]);
    }
    return kept;
}

/// Codes of the same classes in another list of names, which has all of them that occur.
void renumberClasses(RawLabels& labels, const std::vector<std::string>& names) {
    for (std::int32_t& code : labels.codes) {
        const auto found = std::find(names.begin(), names.end(), labels.names[static_cast<std::size_t>(code)]);
        code = static_cast<std::int32_t>(found - names.begin());
    }
    labels.names = names;
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

RawData takeRows(const RawData& data, const std::vector<std::size_t>& rows) {
    RawData taken;
    taken.isSparse = data.isSparse;
    taken.featureNames = data.featureNames;
    taken.labels.names = data.labels.names;
    if (data.isSparse) {
        taken.sparse = gatherRows(data.sparse, rows);
    } else {
        taken.dense = gatherRows(data.dense, rows);
    }
    for (const std::size_t row : rows) {
        if (!data.labels.codes.empty()) {
            taken.labels.codes.push_back(data.labels.codes[row]);
        }
        if (!data.rowNames.empty()) {
            taken.rowNames.push_back(data.rowNames[row]);
        }
    }
    return taken;
}

RawData keepSubset(RawData& data, double share, std::uint64_t seed) {
    if (share >= 1) {
        return {};
    }
    const auto before = static_cast<std::size_t>(data.rows());
    const Split split = stratifiedSplit(before, data.labels.codes, share, seed, false);
    RawData others = takeRows(data, thinnedRows(split.second, static_cast<std::size_t>(data.features())));
    keepRows(data, split.first);
    renumberClasses(others.labels, data.labels.names);
    data.notes.push_back(groupedText(static_cast<std::int64_t>(split.first.size())) + " of " +
                         groupedText(static_cast<std::int64_t>(before)) + " rows");
    return others;
}

} // namespace lambdascope
