// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/setting_differences.h"
#include "ui/session/runs/shown_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope {
namespace {

Json document(int k, double gamma, std::vector<std::string> bounds) {
    Json list = Json::array();
    for (std::string& bound : bounds) {
        list.push_back(std::move(bound));
    }
    Json lanes = Json::array();
    lanes.push_back(Json{{"name", "PGB"}, {"bounds", list}, {"every", 10}});
    return Json{{"name", "an experiment"}, {"problem", Json{{"k", k}, {"gamma", gamma}}}, {"lanes", lanes}};
}

void add(RunCollection& runs, std::int64_t id, Json experiment) {
    runs.beginBatch();
    std::vector<RunEvent> events = tinyEvents({.id = RunId{id}, .lane = "PGB"});
    std::get<RunStarted>(events.front().body).experiment = std::move(experiment);
    runs.apply(events);
}

TEST(SettingDifferences, AreOfExperimentsAndLanesButNotOfNames) {
    RunCollection runs;
    add(runs, 1, document(10, 0.05, {"PGB"}));
    Json other = document(20, 0.05, {"PGB", "DGB"});
    other["name"] = "another name";
    add(runs, 2, std::move(other));
    const auto differences = settingDifferences({&runs.settings(RunId{1}), &runs.settings(RunId{2})});
    ASSERT_EQ(differences.size(), 2U);
    EXPECT_EQ(differences[0].key, "lane.bounds");
    EXPECT_EQ(settingValue(differences[0].values[1]), "PGB, DGB");
    EXPECT_EQ(differences[1].key, "problem.k");
    EXPECT_TRUE(settingDifferences({&runs.settings(RunId{1})}).empty());
}

TEST(SettingDifferences, NamesSayOnlyWhatDiffersBetweenTheRunsShown) {
    RunCollection runs;
    add(runs, 1, document(10, 0.05, {"PGB"}));
    EXPECT_EQ(runLabel(runs, RunId{1}), "PGB");
    add(runs, 2, document(20, 0.05, {"PGB"}));
    EXPECT_EQ(runLabel(runs, RunId{1}), "PGB · k 10");
    EXPECT_EQ(runLabel(runs, RunId{2}), "PGB · k 20");
    add(runs, 3, document(20, 0.1, {"PGB"}));
    EXPECT_EQ(runLabel(runs, RunId{1}), "PGB · γ 0.05 · k 10");
    EXPECT_EQ(runLabel(runs, RunId{3}), "PGB · γ 0.1 · k 20");
    runs.setShown(RunId{3}, false);
    EXPECT_EQ(runLabel(runs, RunId{2}), "PGB · k 20") << "what is not shown plays no part";
    add(runs, 4, document(20, 0.05, {"PGB"}));
    EXPECT_EQ(runLabel(runs, RunId{2}), "PGB · k 20");
    EXPECT_EQ(runLabel(runs, RunId{4}), "PGB · k 20 (2)") << "the same again";
    runs.showOnly({RunId{2}, RunId{4}});
    EXPECT_EQ(runLabel(runs, RunId{4}), "PGB (2)");
    runs.showOnly({RunId{4}});
    EXPECT_EQ(runLabel(runs, RunId{4}), "PGB");
}

TEST(SettingDifferences, ASettingIsAFewWords) {
    EXPECT_EQ(briefSetting("problem.gamma", Json(0.05)), "γ 0.05");
    EXPECT_EQ(briefSetting("lane.bounds", Json::array()), "no bounds");
    EXPECT_EQ(briefSetting("data.source", Json("wine")), "wine");
    EXPECT_EQ(briefSetting("lane.recycle", Json(false)), "no recycle");
    EXPECT_EQ(briefSetting("data.edits", Json("move 3 1 1; omit 2; omit 4")), "1 moved, 2 omitted");
    EXPECT_EQ(briefSetting("data.edits", Json("")), "no edits");
}

} // namespace
} // namespace lambdascope
