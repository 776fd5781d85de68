// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_selection.h"

#include "core/common/number_text.h"
#include "core/data/data_edits.h"
#include "core/data/gather_rows.h"
#include "core/data/label_column.h"
#include "core/data/scaling.h"
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

std::int32_t codeOf(const std::string& name, RawLabels& labels) {
    const auto found = std::find(labels.names.begin(), labels.names.end(), name);
    const auto code = static_cast<std::int32_t>(found - labels.names.begin());
    if (found == labels.names.end()) {
        labels.names.push_back(name);
    }
    return code;
}

/// Of a row that was read or of one that was appended; its place counts from 0.
void editRow(RawData& data, std::size_t place, const EditedRow& row) {
    if (!row.values.empty()) {
        data.dense.row(static_cast<Eigen::Index>(place)) =
            Eigen::Map<const Eigen::RowVectorXd>(row.values.data(), static_cast<Eigen::Index>(row.values.size()));
    }
    if (!row.className.empty()) {
        data.labels.codes[place] = codeOf(row.className, data.labels);
    }
}

} // namespace

void keepRows(RawData& data, const std::vector<std::size_t>& rows) {
    if (data.isSparse) {
        keepSparseRows(data.sparse, rows);
    } else {
        keepDenseRows(data.dense, rows);
    }
    keepEntries(data.labels.codes, rows);
    keepEntries(data.targets, rows);
    keepEntries(data.rowNames, rows);
    dropUnusedClasses(data.labels.codes, data.labels.names);
}

RawData takeRows(const RawData& data, const std::vector<std::size_t>& rows) {
    RawData taken;
    taken.isSparse = data.isSparse;
    taken.featureNames = data.featureNames;
    taken.labels.names = data.labels.names;
    taken.targetName = data.targetName;
    if (data.isSparse) {
        taken.sparse = gatherRows(data.sparse, rows);
    } else {
        taken.dense = gatherRows(data.dense, rows);
    }
    for (const std::size_t row : rows) {
        if (!data.labels.codes.empty()) {
            taken.labels.codes.push_back(data.labels.codes[row]);
        }
        if (!data.targets.empty()) {
            taken.targets.push_back(data.targets[row]);
        }
        if (!data.rowNames.empty()) {
            taken.rowNames.push_back(data.rowNames[row]);
        }
    }
    return taken;
}

void editRows(RawData& data, const RowEdits& edits) {
    const auto before = static_cast<std::size_t>(data.rows());
    const std::size_t all = before + edits.added.size();
    const bool isSparse = data.isSparse && edits.changeValues();
    if (isSparse) {
        makeDense(data);
    }
    if (!edits.added.empty()) {
        data.dense.conservativeResize(static_cast<Eigen::Index>(all), Eigen::NoChange);
    }
    if (!data.labels.codes.empty() || before == 0) {
        data.labels.codes.resize(all, -1);
    }
    for (std::size_t i = before; i < all && !data.rowNames.empty(); ++i) {
        data.rowNames.push_back("row " + std::to_string(i));
    }
    for (std::size_t i = 0; i < edits.added.size(); ++i) {
        editRow(data, before + i, edits.added[i]);
    }
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < all; ++i) {
        const auto changed = edits.changed.find(static_cast<std::int64_t>(i));
        const bool isChanged = i < before && changed != edits.changed.end();
        if (isChanged) {
            editRow(data, i, changed->second);
        }
        if (!isChanged || !changed->second.isOmitted) {
            kept.push_back(i);
        }
    }
    keepRows(data, kept);
    if (isSparse) {
        data.sparse = data.dense.sparseView(0, 0);
        data.sparse.makeCompressed();
        data.dense = DenseRows();
        data.isSparse = true;
    }
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
