// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/gather_rows.h"

#include <gtest/gtest.h>

#include <vector>

namespace lambdascope {
namespace {

DenseRows someRows() {
    DenseRows rows(4, 3);
    rows << 0, 2, 0, //
        1, 0, 3,     //
        0, 0, 0,     //
        4, 5, 6;
    return rows;
}

TEST(PickedRows, AreCopiesInTheOrderAskedForWithRepeats) {
    const DenseRows dense = someRows();
    const SparseRows sparse(dense.sparseView());
    const std::vector<std::size_t> rows{3, 0, 2, 3};
    DenseRows expected(4, 3);
    expected << 4, 5, 6, //
        0, 2, 0,         //
        0, 0, 0,         //
        4, 5, 6;
    EXPECT_EQ(gatherRows(dense, rows), expected);
    const SparseRows picked = gatherRows(sparse, rows);
    EXPECT_TRUE(picked.isCompressed());
    EXPECT_EQ(picked.nonZeros(), 7);
    EXPECT_EQ(DenseRows(picked), expected);
}

TEST(PickedRows, MayBeNone) {
    const DenseRows dense = someRows();
    const SparseRows sparse(dense.sparseView());
    const std::vector<std::int32_t> none;
    EXPECT_EQ(gatherRows(dense, none).rows(), 0);
    EXPECT_EQ(gatherRows(sparse, none).rows(), 0);
    EXPECT_EQ(gatherRows(sparse, none).cols(), 3);
}

} // namespace
} // namespace lambdascope
