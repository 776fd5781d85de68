// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/csv_text.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

TEST(CsvText, QuotesOnlyWhatWouldBeReadOtherwise) {
    EXPECT_EQ(csvCell("path rate"), "path rate");
    EXPECT_EQ(csvCell("a,b"), "\"a,b\"");
    EXPECT_EQ(csvCell("say \"R\""), "\"say \"\"R\"\"\"");
    EXPECT_EQ(csvCell("two\nlines"), "\"two\nlines\"");
}

TEST(CsvText, RowsKeepTheirEmptyCells) {
    EXPECT_EQ(csvRow({}), "\n");
    EXPECT_EQ(csvRow({"", "1", "", "x,y", ""}), ",1,,\"x,y\",\n");
}

} // namespace
} // namespace lambdascope
