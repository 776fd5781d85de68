// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/published_comparison.h"
#include "core/record/time_comparison.h"

#include <gtest/gtest.h>

using namespace lambdascope;

namespace {

RunRecord lane(const std::string& name, bool isBaseline, double cpu, const Json& published) {
    RunRecord record(RunId{isBaseline ? 1 : 2});
    RunStarted start;
    start.laneName = name;
    start.isBaseline = isBaseline;
    start.columns = {{"lambda", "λ", "", ColumnRole::Axis, false},
                     {"cpu_solve", "Solve", "s", ColumnRole::CpuSolve, false}};
    start.facts = Json{{"triplets", 12}, {"data", "iris"}};
    start.experiment = Json{{"published", published}};
    record.apply({record.id(), 0, start});
    for (int i = 0; i < 3; ++i) {
        record.apply({record.id(), 2 * i + 1, PointStarted{i, 4.0 - i, 3}});
        PointFinished finished;
        finished.index = i;
        finished.axisValue = 4.0 - i;
        finished.values = {4.0 - i, cpu};
        record.apply({record.id(), 2 * i + 2, finished});
    }
    return record;
}

std::optional<double> ours(const char* measure, const char* laneName) {
    const Json published = Json::array({{{"label", "x"}, {"value", 1}, {"measure", measure}, {"lane", laneName}}});
    const RunRecord naive = lane("naive", true, 2, published);
    const RunRecord screened = lane("PGB", false, 0.5, published);
    const auto rows = comparePublished({&naive, &screened});
    EXPECT_EQ(rows.size(), 1U);
    return rows.at(0).measured;
}

} // namespace

TEST(PublishedComparison, MeasuresEachKind) {
    EXPECT_EQ(ours("fact triplets", ""), 12.0);
    EXPECT_EQ(ours("first lambda", "PGB"), 4.0);
    EXPECT_EQ(ours("last lambda", "PGB"), 2.0);
    EXPECT_EQ(ours("mean lambda", ""), 3.0);
    EXPECT_EQ(ours("sum lambda", ""), 9.0);
    EXPECT_EQ(ours("least lambda", ""), 2.0);
    EXPECT_EQ(ours("largest lambda", ""), 4.0);
    EXPECT_EQ(ours("cpu", "PGB"), 1.5);
    EXPECT_EQ(ours("cpu ratio", "PGB"), 0.25);
}

TEST(PublishedComparison, MakesNoRatioOfTimesThatAreTooShort) {
    const Json published = Json::array({{{"label", "x"}, {"value", 1}, {"measure", "cpu ratio"}, {"lane", "PGB"}},
                                        {{"label", "y"}, {"value", 1}, {"measure", "cpu ratio"}, {"lane", "nobody"}},
                                        {{"label", "z"}, {"value", 1}, {"measure", "cpu"}, {"lane", "PGB"}}});
    const RunRecord naive = lane("naive", true, 2, published);
    const RunRecord brief = lane("PGB", false, 0.009, published);
    const auto rows = comparePublished({&naive, &brief});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_FALSE(rows[0].measured) << "of 27 ms";
    EXPECT_EQ(rows[0].missing, kTooShort);
    EXPECT_EQ(rows[1].missing, "not run");
    EXPECT_TRUE(rows[2].measured) << "a time is a time";
    EXPECT_EQ(rows[2].missing, "");
}

TEST(PublishedComparison, LeavesOpenWhatIsNotThere) {
    EXPECT_FALSE(ours("fact data", ""));
    EXPECT_FALSE(ours("fact colour", ""));
    EXPECT_FALSE(ours("last colour", ""));
    EXPECT_FALSE(ours("last lambda", "GB"));
    EXPECT_TRUE(comparePublished({}).empty());
}
