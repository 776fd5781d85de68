// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/matrix_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lambdascope {
namespace {

/// Like a matrix of a library of linear algebra that keeps rows together.
struct ByRows {
    [[nodiscard]] std::int64_t rows() const { return 2; }
    [[nodiscard]] std::int64_t cols() const { return 3; }
    double operator()(std::int64_t row, std::int64_t column) const { return static_cast<double>(10 * row + column); }
};

TEST(MatrixValues, KeepTheEntriesOfAnyMatrixColumnByColumn) {
    const MatrixValues values = ByRows{};
    ASSERT_EQ(values.rows(), 2);
    ASSERT_EQ(values.cols(), 3);
    EXPECT_EQ(std::vector<double>(values.data(), values.data() + values.size()),
              (std::vector<double>{0, 10, 1, 11, 2, 12}));
    EXPECT_EQ(values(1, 2), 12);
}

TEST(MatrixValues, AreEqualOnlyWithTheSameShape) {
    EXPECT_EQ(MatrixValues(2, 3, 0.5), MatrixValues(2, 3, 0.5));
    EXPECT_NE(MatrixValues(2, 3, 0.5), MatrixValues(3, 2, 0.5));
    MatrixValues other(2, 3, 0.5);
    other(0, 1) = 1;
    EXPECT_NE(MatrixValues(2, 3, 0.5), other);
    EXPECT_EQ(MatrixValues().size(), 0);
}

} // namespace
} // namespace lambdascope
