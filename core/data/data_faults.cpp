// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_faults.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

Failure dataFault(const char* key, std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::InvalidData, {key, std::move(message), std::move(remedy), {}})};
}

Result<void> checkMagnitudes(const Dataset& data) {
    constexpr double kMost = 1e70;
    double largest = 0;
    Eigen::Index row = 0;
    Eigen::Index column = 0;
    const auto look = [&](Eigen::Index i, Eigen::Index j, double value) {
        if (std::abs(value) > std::abs(largest)) {
            largest = value;
            row = i;
            column = j;
        }
    };
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        if (data.isSparse()) {
            for (SparseRows::Base::InnerIterator entry(data.sparse(), i); entry; ++entry) {
                look(i, entry.col(), entry.value());
            }
        } else {
            for (Eigen::Index j = 0; j < data.features(); ++j) {
                look(i, j, data.dense()(i, j));
            }
        }
    }
    if (std::abs(largest) <= kMost) {
        return {};
    }
    return dataFault("data.scale",
                     "the data hold " + shortText(largest, 3) + " in sample " + groupedText(row + 1) + ", feature " +
                         groupedText(column + 1) + ", and products of such numbers are too large for floating point",
                     "Scale the data (data.scale).");
}

std::optional<std::string> noDistances(const Dataset& data, StopCheck& stopCheck) {
    const Eigen::Index n = data.rows();
    if (data.features() != n) {
        return "a matrix of distances has one column per row, but the data have " + groupedText(n) + " rows and " +
               groupedText(data.features()) + " columns";
    }
    const DenseRows d = data.toDense();
    for (Eigen::Index i = 0; i < n && !stopCheck.spend(20 * i); ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
            const std::string place = " in row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1);
            if (!(d(i, j) >= 0) || !std::isfinite(d(i, j))) {
                return "there is the distance " + shortText(d(i, j)) + place;
            }
            if (d(i, j) != d(j, i)) {
                return "distances differ in the two directions: " + exactText(d(i, j)) + place + ", " +
                       exactText(d(j, i)) + " the other way";
            }
            if (i == j && d(i, j) != 0) {
                return "an object is " + exactText(d(i, j)) + " away from itself" + place;
            }
        }
    }
    return std::nullopt;
}

std::string listOf(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    return names.size() > kMost ? text + ", …" : text;
}

} // namespace lambdascope
