// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/missing_values.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"
#include "core/data/row_selection.h"
#include "core/data/text_encoding.h"

#include <cmath>

namespace lambdascope {

namespace {

std::vector<std::size_t> completeRows(const RawData& data) {
    std::vector<std::size_t> rows;
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        bool isComplete = data.labels.codes.empty() || data.labels.codes[static_cast<std::size_t>(i)] >= 0;
        isComplete = isComplete && (data.targets.empty() || !std::isnan(data.targets[static_cast<std::size_t>(i)]));
        if (data.isSparse) {
            for (SparseRows::InnerIterator it(data.sparse, i); it; ++it) {
                isComplete = isComplete && !std::isnan(it.value());
            }
        } else {
            isComplete = isComplete && !data.dense.row(i).hasNaN();
        }
        if (isComplete) {
            rows.push_back(static_cast<std::size_t>(i));
        }
    }
    return rows;
}

Result<void> dropIncompleteRows(RawData& data, const std::string& file) {
    const auto rows = completeRows(data);
    const auto before = static_cast<std::size_t>(data.rows());
    if (rows.empty()) {
        return fileFailure(ErrorCode::InvalidData, file, "every row has a missing value",
                           "Set data.missing to \"mean\", or remove the columns that are mostly missing.");
    }
    if (rows.size() < before) {
        keepRows(data, rows);
        data.notes.push_back(groupedText(static_cast<std::int64_t>(before - rows.size())) +
                             " rows with missing values dropped");
    }
    return {};
}

/// Calls visit(column, value) for every stored value.
template <class Visit>
void forEachStored(RawData& data, Visit visit) {
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        if (data.isSparse) {
            for (SparseRows::InnerIterator it(data.sparse, i); it; ++it) {
                visit(it.index(), it.valueRef());
            }
        } else {
            for (Eigen::Index c = 0; c < data.dense.cols(); ++c) {
                visit(c, data.dense(i, c));
            }
        }
    }
}

Result<void> fillWithMeans(RawData& data, const std::string& file) {
    for (const std::int32_t code : data.labels.codes) {
        if (code < 0) {
            return fileFailure(ErrorCode::InvalidData, file, "a class label is missing, and labels have no mean",
                               "Set data.missing to \"drop-rows\".");
        }
    }
    for (std::size_t i = 0; i < data.targets.size(); ++i) {
        if (std::isnan(data.targets[i])) {
            return fileFailure(ErrorCode::InvalidData, file,
                               "the target of row " + std::to_string(i + 1) +
                                   " is missing, and a mean in its place would be made up",
                               "Set data.missing to \"drop-rows\".");
        }
    }
    const auto features = static_cast<std::size_t>(data.features());
    std::vector<double> means(features, 0); // running means: no sum that could overflow
    std::vector<double> counts(features, 0);
    std::vector<std::int64_t> gaps(features, 0);
    forEachStored(data, [&](Eigen::Index column, const double& value) {
        const auto c = static_cast<std::size_t>(column);
        if (std::isnan(value)) {
            ++gaps[c];
        } else {
            ++counts[c];
            means[c] += value / counts[c] - means[c] / counts[c];
        }
    });
    std::int64_t filled = 0;
    for (std::size_t c = 0; c < features; ++c) {
        const double present = static_cast<double>(data.rows() - gaps[c]);
        if (present == 0) {
            const bool isNamed = c < data.featureNames.size();
            return fileFailure(ErrorCode::InvalidData, file,
                               "feature " + std::to_string(c + 1) +
                                   (isNamed ? " (" + excerpt(data.featureNames[c]) + ")" : "") +
                                   " has no values at all",
                               "Remove the column.");
        }
        means[c] *= data.isSparse ? counts[c] / present : 1; // zeros that are not stored
        filled += gaps[c];
    }
    forEachStored(data, [&](Eigen::Index column, double& value) {
        value = std::isnan(value) ? means[static_cast<std::size_t>(column)] : value;
    });
    if (filled > 0) {
        data.notes.push_back(groupedText(filled) + " missing values set to the mean of their feature");
    }
    return {};
}

} // namespace

Result<void> resolveMissing(RawData& data, MissingPolicy policy, const std::string& file) {
    switch (policy) {
    case MissingPolicy::Fail: break;
    case MissingPolicy::DropRows: return dropIncompleteRows(data, file);
    case MissingPolicy::Mean: return fillWithMeans(data, file);
    }
    return {};
}

} // namespace lambdascope
