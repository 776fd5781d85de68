// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/experiment_changes.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

const Json kBefore = Json::parse(R"({"family": "metric", "name": "one", "problem": {"k": 10, "loss": "hinge"},
    "lanes": [{"name": "a", "every": 5, "solver": {"tolerance": 1e-6}}, {"name": "b", "every": 5}]})");

TEST(ExperimentChanges, AreTheSettingsThatDiffer) {
    Json after = kBefore;
    EXPECT_TRUE(changedSettings(kBefore, after).isEmpty());
    after["problem"]["k"] = 20;
    after["lanes"][0]["solver"]["tolerance"] = 1e-8;
    EXPECT_EQ(changedSettings(kBefore, after), (QStringList{"lanes[a].solver.tolerance", "problem.k"}));
}

TEST(ExperimentChanges, OfALaneThatIsNewOrGoneAreOne) {
    Json after = kBefore;
    after["lanes"].push_back({{"name", "c"}, {"every", 1}});
    EXPECT_EQ(changedSettings(kBefore, after), QStringList{"lanes[c]"});
    EXPECT_EQ(changedSettings(after, kBefore), QStringList{"lanes[c]"});
}

TEST(ExperimentChanges, AreNotNamesAndOrder) {
    Json after = kBefore;
    after["name"] = "another";
    std::swap(after["lanes"][0], after["lanes"][1]);
    EXPECT_TRUE(changedSettings(kBefore, after).isEmpty());
    EXPECT_TRUE(changedSettings(kBefore, Json()).isEmpty());
}

TEST(ExperimentChanges, LanesThatAreNotComputedAndWordsForReadersDoNotCount) {
    Json after = kBefore;
    after["lanes"][0]["group"] = "today";
    after["lanes"][0]["note"] = "a minute";
    after["lanes"].push_back({{"name", "published"}, {"enabled", false}});
    EXPECT_TRUE(changedSettings(kBefore, after).isEmpty()) << changedSettings(kBefore, after).join(' ').toStdString();
    after["lanes"][0]["enabled"] = false;
    EXPECT_EQ(changedSettings(kBefore, after), QStringList{"lanes[a]"}) << "what was computed is not to be any more";
}

} // namespace
} // namespace lambdascope
