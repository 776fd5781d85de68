// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/matrix_loader.h"

#include "core/common/number_text.h"
#include "core/data/label_column.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

bool looksLikeClasses(const DenseRows& values, Eigen::Index column) {
    ValueCounter counter;
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
        counter.add(values(i, column));
    }
    return counter.looksLikeClasses();
}

/// Removes a column by moving values forward in the same memory, then gives the rest of the memory back.
std::vector<double> takeColumn(DenseRows& values, Eigen::Index column) {
    const Eigen::Index rows = values.rows();
    const Eigen::Index width = values.cols();
    std::vector<double> taken;
    taken.reserve(static_cast<std::size_t>(rows));
    double* to = values.data();
    for (Eigen::Index i = 0; i < rows; ++i) {
        const double* from = values.data() + i * width;
        taken.push_back(from[column]);
        to = std::copy(from, from + column, to);
        to = std::copy(from + column + 1, from + width, to);
    }
    values.resize(rows * width, 1); // same size: the memory stays as it is
    values.conservativeResize(rows * (width - 1), 1);
    values.resize(rows, width - 1);
    return taken;
}

} // namespace

void checkFinite(DenseRows& values, MissingPolicy missing, FaultList& faults) {
    for (Eigen::Index i = 0; i < values.rows() && !faults.isFull(); ++i) {
        for (Eigen::Index c = 0; c < values.cols(); ++c) {
            double& value = values(i, c);
            if (std::isfinite(value)) {
                continue;
            }
            if (missing == MissingPolicy::Fail) {
                faults.add(0, 0,
                           exactText(value) + " in row " + std::to_string(i + 1) + ", column " + std::to_string(c + 1) +
                               " is missing or not finite",
                           "Fill it in, or set data.missing to \"drop-rows\" or \"mean\".");
            }
            value = std::numeric_limits<double>::quiet_NaN();
        }
    }
}

Result<RawData> rawDataFromMatrix(DenseRows values, const LoadOptions& options, FaultList& faults) {
    if (values.rows() == 0 || values.cols() == 0) {
        faults.add(0, 0, "the file holds no samples", "Give a matrix of samples × features.");
        return faults.failure();
    }
    checkFinite(values, options.missing, faults);
    const LabelWish wish = LabelWish::from(options.labels);
    std::optional<std::size_t> column = findLabelColumn(wish, {}, static_cast<std::size_t>(values.cols()), faults);
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    RawData data;
    if (wish.kind == LabelWish::Kind::Auto && values.cols() > 1) {
        const Eigen::Index last = values.cols() - 1;
        for (const Eigen::Index candidate : {last, Eigen::Index{0}}) {
            if (looksLikeClasses(values, candidate)) {
                column = static_cast<std::size_t>(candidate);
                data.notes.push_back("labels from column " + std::to_string(candidate + 1));
                break;
            }
        }
    }
    if (column && values.cols() == 1) {
        faults.add(0, 0, "no columns are left for the features", "Set \"labels\" to \"none\".");
        return faults.failure();
    }
    if (column) {
        data.labels = labelsFromNumbers(takeColumn(values, static_cast<Eigen::Index>(*column)));
    }
    data.dense = std::move(values);
    return data;
}

} // namespace lambdascope
