// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_library.h"
#include "core/store/run_query.h"

#include <gtest/gtest.h>

#include <utility>

namespace lambdascope {
namespace {

constexpr std::int64_t kNow = 1933135628; // 2031-04-05T06:07:08Z

LibraryExperiment wine() {
    LibraryExperiment experiment;
    experiment.name = "Wine, four bounds";
    experiment.family = "metric";
    experiment.createdAt = "2031-04-04T23:00:00Z";
    experiment.source = "wine";
    experiment.bounds = {"GB", "PGB", "RRPB"};
    experiment.tags = {"figure-9", "paper"};
    experiment.notes = "slow on Märta's machine";
    experiment.isStarred = true;
    experiment.runs.resize(2);
    experiment.runs[0].lane = "naive";
    experiment.runs[0].state = RunRecord::State::Finished;
    experiment.runs[1].lane = "RRPB+PGB";
    experiment.runs[1].state = RunRecord::State::Failed;
    return experiment;
}

bool accepts(const std::string& text, const LibraryExperiment& experiment = wine()) {
    const auto query = RunQuery::parse(text, kNow);
    EXPECT_TRUE(query) << text << ": " << query.error().describe();
    return query && query->accepts(experiment);
}

TEST(RunQuery, HoldsWhereAllConditionsDo) {
    const std::vector<std::pair<const char*, bool>> cases = {
        {"", true},
        {"   ", true},
        {"wine", true},
        {"WINE bounds", true},
        {"wine iris", false},
        {"family:metric", true},
        {"family:met", true},
        {"family:etric", false},
        {"family:svm,metric", true},
        {"-family:svm", true},
        {"-family:metric", false},
        {"bound:PGB", true},
        {"bound:pgb", true},
        {"bound:DGB", false},
        {"bound:PB", false},
        {"tag:paper", true},
        {"tag:old", false},
        {"-tag:old family:metric", true},
        {"note:märta", true},
        {"MÄRTA", true},
        {"\"four bounds\"", true},
        {"\"bounds four\"", false},
        {"name:\"four bounds\"", true},
        {"data:win", true},
        {"data:iris", false},
        {"lane:rrpb+pgb", true},
        {"lane:GB", true},
        {"lane:dgb", false},
        {"state:failed", true},
        {"failed", true},
        {"state:done", false},
        {"state:finished", false},
        {"state:done,failed", true},
        {"is:starred", true},
        {"is:tagged is:noted", true},
        {"-is:starred", false},
        {"since:week", true},
        {"since:today", false},
        {"since:yesterday", true},
        {"since:7h", false},
        {"since:8h", true},
        {"since:1d", true},
        {"since:2031", true},
        {"since:2031-04-05", false},
        {"before:2031-04-05", true},
        {"before:week", false},
        {"before:2031-04", false},
        {"family:metric bound:PGB state:failed since:week wine", true},
        {"family:", true},
        {"family:metric bound:", true},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(accepts(text), expected) << text;
    }
}

TEST(RunQuery, IsDoneWhenAllLanesAre) {
    LibraryExperiment experiment = wine();
    experiment.runs[1].state = RunRecord::State::Finished;
    for (const char* text : {"state:done", "state:fin", "finished", "-state:failed"}) {
        EXPECT_TRUE(accepts(text, experiment)) << text;
    }
    experiment.runs[0].state = RunRecord::State::Stopped;
    for (const char* text : {"state:done", "finished"}) {
        EXPECT_FALSE(accepts(text, experiment)) << text;
    }
    EXPECT_TRUE(accepts("state:stopped", experiment));
}

TEST(RunQuery, TextsAreWhatTheyAreAlsoWithoutLabels) {
    LibraryExperiment bare;
    bare.name = "a \"quoted\" name";
    EXPECT_FALSE(accepts("is:starred", bare));
    EXPECT_FALSE(accepts("is:tagged", bare));
    EXPECT_FALSE(accepts("is:noted", bare));
    EXPECT_FALSE(accepts("tag:x", bare));
    EXPECT_TRUE(accepts("-tag:x", bare));
}

TEST(RunQuery, NamesAllThatItCannotRead) {
    struct Misread {
        const char* text;
        std::vector<const char*> said;
    };
    const std::vector<Misread> cases = {
        {"famly:metric", {"famly:", "family"}},
        {"colour:red", {"colour:", "The keys are", "quotes"}},
        {"state:finshed", {"state:finshed", "finished"}},
        {"state:asleep", {"state:asleep", "running"}},
        {"is:nice", {"is:nice", "starred"}},
        {"since:tomorrow", {"since:tomorrow", "12h"}},
        {"since:2031-13", {"since:2031-13"}},
        {"before:3x", {"before:3x"}},
        {"since:99999999999999999999d", {"since:"}},
        {"name:\"open", {"not closed"}},
        {":wine", {"no such key"}},
        {"famly:x wine since:never state:asleep", {"famly:", "since:never", "state:asleep"}},
    };
    for (const Misread& each : cases) {
        const auto query = RunQuery::parse(each.text, kNow);
        ASSERT_FALSE(query) << each.text;
        EXPECT_EQ(query.error().code, ErrorCode::BadUsage);
        for (const char* part : each.said) {
            EXPECT_NE(query.error().describe().find(part), std::string::npos) << part << " in\n"
                                                                              << query.error().describe();
        }
    }
}

TEST(RunQuery, AnyTextIsReadOrRefused) {
    // Each prefix of a text is what a user has typed so far.
    const std::string text = "-family:\"a b\",svm :: - \"\" tag:,,x -\"y z\" since:2031-04 is:st \xC3\x84";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto query = RunQuery::parse(text.substr(0, length), kNow);
        EXPECT_TRUE(query || !query.error().faults.empty()) << text.substr(0, length);
    }
}

} // namespace
} // namespace lambdascope
