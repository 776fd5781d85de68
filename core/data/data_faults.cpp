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

std::string listOf(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    return names.size() > kMost ? text + ", …" : text;
}

} // namespace lambdascope
