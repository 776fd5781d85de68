// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <iterator>

namespace lambdascope {

/// Copies of the rows numbered by `rows`, in that order; rows may come more than once. O(numbers in them).
template <class RowNumbers>
[[nodiscard]] DenseRows gatherRows(const DenseRows& all, const RowNumbers& rows) {
    return all(rows, Eigen::all);
}

/// The same of sparse rows; compressed.
template <class RowNumbers>
[[nodiscard]] SparseRows gatherRows(const SparseRows::Base& all, const RowNumbers& rows) {
    SparseRows picked(std::ssize(rows), all.cols());
    std::ptrdiff_t entries = 0;
    for (const auto row : rows) {
        const auto i = static_cast<std::ptrdiff_t>(row);
        entries += all.outerIndexPtr()[i + 1] - all.outerIndexPtr()[i];
    }
    picked.reserve(entries);
    Eigen::Index k = 0;
    for (const auto row : rows) {
        picked.startVec(k);
        for (SparseRows::Base::InnerIterator it(all, static_cast<Eigen::Index>(row)); it; ++it) {
            picked.insertBack(k, it.col()) = it.value();
        }
        ++k;
    }
    picked.finalize();
    return picked;
}

} // namespace lambdascope
