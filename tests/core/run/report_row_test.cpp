// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/report_row.h"
#include "core/run/screening_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace lambdascope {
namespace {

std::vector<ColumnDescription> threeColumns() {
    return {{"index", "Point", "", ColumnRole::Index, true},
            {"primal", "Primal value", "", ColumnRole::Objective, false},
            {"error", "Error", "", ColumnRole::HeldOutError, false}};
}

TEST(ReportRow, PutsValuesWhereTheirColumnsAre) {
    ReportRow row(threeColumns());
    row.leave("error");
    row.set("primal", 0.5);
    row.set("index", std::int32_t{7});
    const std::vector<double> values = row.take();
    ASSERT_EQ(values.size(), 3U);
    EXPECT_EQ(values[0], 7);
    EXPECT_EQ(values[1], 0.5);
    EXPECT_TRUE(std::isnan(values[2]));
}

TEST(ReportRow, HasThePlacesOfScreening) {
    std::vector<ColumnDescription> columns = threeColumns();
    addScreeningColumns(columns);
    ReportRow row(columns);
    row.set("index", 0);
    row.set("primal", 1.5);
    row.set("error", 0.25);
    setScreeningValues({{1, 2}, {3, 5}, 10, 0.1, 0.2, 0.4}, row);
    EXPECT_EQ(row.take(), (std::vector<double>{0, 1.5, 0.25, 1, 2, 0.3, 3, 5, 0.8, 0.1, 0.2, 0.4}));
}

#ifndef NDEBUG
TEST(ReportRowDeathTest, NoticesColumnsThatAreForgottenUnknownOrSetTwice) {
    ReportRow row(threeColumns());
    row.set("index", 1);
    EXPECT_DEATH((void)row.take(), "a column has no value");
    EXPECT_DEATH(row.set("index", 2), "a column is set twice");
    EXPECT_DEATH(row.leave("dual"), "no such column");
}
#endif

} // namespace
} // namespace lambdascope
