// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/inspect/certifier.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

TEST(CertificateDecimals, OfAMatrixHaveOneNumberOfPlacesAndFifteenDigits) {
    MatrixValues matrix(2, 2);
    matrix(0, 0) = 1.0 / 3;
    matrix(0, 1) = -1.0 / 3e9;
    matrix(1, 1) = 0.5;
    const Json rows = decimalRows(matrix);
    EXPECT_EQ(rows.dump(), "[[0.333333333333333,-3.33333e-10],[0,0.5]]");
}

TEST(CertificateDecimals, FollowTheSizeOfTheMatrix) {
    MatrixValues matrix(1, 1, 12345.6789012345678);
    EXPECT_EQ(decimalRows(matrix).dump(), "[[12345.6789012346]]");
    matrix(0, 0) = 1.0 / 3e20;
    EXPECT_EQ(decimalRows(matrix).dump(), "[[3.33333333333333e-21]]");
    EXPECT_EQ(decimalRows(MatrixValues(2, 0)).dump(), "[[],[]]");
}

TEST(CertificateDecimals, OfSharesAreTextsButForWholeNumbers) {
    EXPECT_EQ(decimalShare(0).dump(), "0");
    EXPECT_EQ(decimalShare(2).dump(), "2");
    EXPECT_EQ(decimalShare(0.5L).dump(), "\"0.5\"");
    EXPECT_EQ(decimalShare(1e-300L).text(), "0"); // no "0.", which is no number
    EXPECT_EQ(decimalShare(1 - 0x1p-64L).text(), "0.99999999999999999995");
    EXPECT_EQ(decimalShare(1 / 3.0L).text().substr(0, 20), "0.333333333333333333");
    const double value = 0.1;
    EXPECT_EQ(parseNumber(decimalShare(value).text()), value);
}

TEST(CertifierRanges, AreReadAsTheyAreWritten) {
    const auto all = pointRange("");
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->holds(0) && all->holds(1 << 30));
    const auto some = pointRange("3-7");
    ASSERT_TRUE(some);
    EXPECT_TRUE(!some->holds(2) && some->holds(3) && some->holds(7) && !some->holds(8));
    const auto rest = pointRange("3-");
    ASSERT_TRUE(rest);
    EXPECT_TRUE(!rest->holds(2) && rest->holds(1 << 30));
    for (const char* bad : {"x", "3-1", "-1", "1-x", "99999999999", "-", "1-2-3"}) {
        EXPECT_FALSE(pointRange(bad)) << bad;
    }
}

} // namespace
} // namespace lambdascope
