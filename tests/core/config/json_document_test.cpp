// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"

#include <gtest/gtest.h>

using namespace lambdascope;

namespace {

constexpr const char* kText = R"({
  "problem": { "k": 10, "text": "a \"quoted\" , { [ word" },
  "lanes": [
    { "name": "naive" },
    { "name": "PGB",
      "bounds": ["PGB",
                 "DGB"] }
  ],
  "last" : null
})";

} // namespace

TEST(JsonDocument, KnowsWhereEachKeyAndElementStands) {
    const auto document = parseJsonDocument(kText, "x.json");
    ASSERT_TRUE(document);
    const auto& places = document->places;
    EXPECT_EQ(places.at(""), (SourcePlace{"x.json", 1, 1}));
    EXPECT_EQ(places.at("problem"), (SourcePlace{"x.json", 2, 3}));
    EXPECT_EQ(places.at("problem.k"), (SourcePlace{"x.json", 2, 16}));
    EXPECT_EQ(places.at("problem.text"), (SourcePlace{"x.json", 2, 25}));
    EXPECT_EQ(places.at("lanes"), (SourcePlace{"x.json", 3, 3}));
    EXPECT_EQ(places.at("lanes[0]"), (SourcePlace{"x.json", 4, 5}));
    EXPECT_EQ(places.at("lanes[1].bounds"), (SourcePlace{"x.json", 6, 7}));
    EXPECT_EQ(places.at("lanes[1].bounds[1]"), (SourcePlace{"x.json", 7, 18}));
    EXPECT_EQ(places.at("last"), (SourcePlace{"x.json", 9, 3}));
}

TEST(JsonDocument, SyntaxErrorsNameLineAndColumn) {
    const auto document = parseJsonDocument("{\n  \"a\": 1,\n  \"b\" 2\n}", "x.json");
    ASSERT_FALSE(document);
    ASSERT_EQ(document.error().faults.size(), 1U);
    const Fault& fault = document.error().faults.front();
    EXPECT_EQ(fault.place.line, 3U);
    EXPECT_EQ(fault.place.column, 7U);
    EXPECT_NE(fault.message.find("expected ':'"), std::string::npos) << fault.message;
}

TEST(JsonDocument, DuplicateKeysAreFaults) {
    const auto document = parseJsonDocument("{ \"a\": 1,\n \"a\": 2 }", "x.json");
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().faults.front().key, "a");
    EXPECT_EQ(document.error().faults.front().place, (SourcePlace{"x.json", 2, 2}));
}

TEST(JsonDocument, BrokenTextsNeverPass) {
    const std::string text = kText;
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        EXPECT_FALSE(parseJsonDocument(text.substr(0, cut), "x.json")) << cut;
    }
    EXPECT_FALSE(parseJsonDocument("{} {}", "x"));
    EXPECT_FALSE(parseJsonDocument("\xff\xfe", "x"));
}

TEST(JsonDocument, FaultsFindTheirPlaceOrTheNearestEnclosingOne) {
    const auto document = parseJsonDocument(kText, "x.json");
    ASSERT_TRUE(document);
    std::vector<Fault> faults = {{"problem.k", "", "", {}},
                                 {"problem.gamma", "", "", {}},
                                 {"lanes[1].name", "", "", {}},
                                 {"solver.engine", "", "", {}}};
    locateFaults(faults, document->places);
    EXPECT_EQ(faults[0].place.line, 2U);
    EXPECT_EQ(faults[1].place, document->places.at("problem"));
    EXPECT_EQ(faults[2].place.line, 5U);
    EXPECT_EQ(faults[3].place, document->places.at(""));
}

TEST(SetByKeyPath, ReachesObjectsAndElements) {
    Json document = parseJsonDocument(kText, "x")->value;
    EXPECT_TRUE(setByKeyPath(document, "problem.k", "20"));
    EXPECT_TRUE(setByKeyPath(document, "lanes[1].every", "5"));
    EXPECT_TRUE(setByKeyPath(document, "solver.engine", "pairs"));
    EXPECT_TRUE(setByKeyPath(document, "lanes[1].bounds", "[\"GB\"]"));
    EXPECT_EQ(document["problem"]["k"], 20);
    EXPECT_EQ(document["lanes"][1]["every"], 5);
    EXPECT_EQ(document["solver"]["engine"], "pairs");
    EXPECT_EQ(document["lanes"][1]["bounds"], Json::parse("[\"GB\"]"));
}

TEST(SetByKeyPath, RefusesPathsThatLeadNowhere) {
    Json document = parseJsonDocument(kText, "x")->value;
    const Json before = document;
    for (const char* path : {"", ".", "lanes[7].every", "lanes[x]", "lanes[-1]", "problem..k", "problem.k.deeper",
                             "lanes[0", "family[0]"}) {
        const auto result = setByKeyPath(document, path, "1");
        EXPECT_FALSE(result) << path;
    }
    EXPECT_EQ(document, before);
}
