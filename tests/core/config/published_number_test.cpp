// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/published_number.h"

#include <gtest/gtest.h>

using namespace lambdascope;

TEST(PublishedNumber, SurvivesWritingAndReading) {
    const Json given = Json::parse(R"([
        {"label": "triplets", "value": 546668, "measure": "fact triplets", "source": "[T, table 2]"},
        {"label": "time", "value": 0.27, "measure": "cpu ratio", "lane": "RRPB", "note": "other machine"},
        {"label": "end", "value": 23, "measure": "last lambda"}])");
    std::vector<Fault> faults;
    const auto numbers = readPublished(given, faults);
    ASSERT_TRUE(faults.empty());
    ASSERT_EQ(numbers.size(), 3U);
    EXPECT_EQ(numbers[0].measure, PublishedMeasure::Fact);
    EXPECT_EQ(numbers[0].key, "triplets");
    EXPECT_EQ(numbers[1].measure, PublishedMeasure::CpuRatio);
    EXPECT_EQ(numbers[1].lane, "RRPB");
    EXPECT_EQ(numbers[2].key, "lambda");
    EXPECT_EQ(readPublished(writePublished(numbers), faults), numbers);
    EXPECT_EQ(writePublished(numbers), given);
}

TEST(PublishedNumber, TellsAllFaultsWithTheirKeys) {
    const Json given =
        Json::parse(R"([{"label": "a", "value": "b", "measure": "last"}, {"value": 1, "colour": 2}, 7])");
    std::vector<Fault> faults;
    (void)readPublished(given, faults);
    std::vector<std::string> keys;
    for (const Fault& fault : faults) {
        keys.push_back(fault.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"published[0].value", "published[0].measure", "published[1].colour",
                                              "published[1].label", "published[1].measure", "published[2]"}));
}

TEST(PublishedNumber, NothingIsNoList) {
    std::vector<Fault> faults;
    EXPECT_TRUE(readPublished({}, faults).empty());
    EXPECT_TRUE(faults.empty());
    EXPECT_TRUE(readPublished(Json("five"), faults).empty());
    EXPECT_EQ(faults.size(), 1U);
}
