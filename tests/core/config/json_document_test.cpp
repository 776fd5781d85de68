// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"
#include "core/config/json_text.h"

#include <gtest/gtest.h>

#include <tuple>

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

namespace {

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

Fault faultOf(const std::string& text) {
    const auto document = parseJsonDocument(text, "x.json");
    EXPECT_FALSE(document) << text.substr(0, 60);
    if (document) {
        return {};
    }
    const Fault fault = document.error().faults.at(0);
    EXPECT_EQ(fault.text().find("json.exception"), std::string::npos) << fault.text();
    EXPECT_FALSE(fault.remedy.empty()) << fault.text();
    return fault;
}

} // namespace

TEST(JsonDocument, NestsAsDeepAsItSaysAndNoDeeper) {
    const std::string deepest = repeated("[", kJsonNesting) + repeated("]", kJsonNesting);
    EXPECT_TRUE(parseJsonDocument(deepest, "x.json"));
    EXPECT_TRUE(parseOwnJson(deepest, {}));
    for (const std::size_t depth : {kJsonNesting + 1, std::size_t{100'000}, std::size_t{1'000'000}}) {
        for (const std::string& text :
             {repeated("[", depth), repeated("[", depth) + repeated("]", depth), repeated("{\"a\":", depth),
              repeated("{\"a\":", depth) + "1" + repeated("}", depth)}) {
            const Fault fault = faultOf(text);
            EXPECT_NE(fault.message.find("64 deep"), std::string::npos) << fault.message;
            const std::size_t step = text[0] == '[' ? 1 : 5;
            EXPECT_EQ(fault.place, (SourcePlace{"x.json", 1, kJsonNesting * step + 1}));
            const auto own = parseOwnJson(text, {"log", 7, 0});
            ASSERT_FALSE(own);
            EXPECT_EQ(own.error().faults.at(0).place.line, 7U);
        }
    }
}

TEST(JsonDocument, BracketsInQuotesDoNotNest) {
    const std::string text = "[\"" + repeated("[{\\\"", 200) + "\"]";
    EXPECT_TRUE(parseJsonDocument(text, "x.json"));
    EXPECT_FALSE(isNestedTooDeeply(text));
}

TEST(JsonDocument, SaysInItsOwnWordsWhatIsWrong) {
    using namespace std::string_literals;
    struct Case {
        std::string text;
        std::string word;
        std::size_t line;
        std::size_t column;
    };
    for (const Case& c :
         {Case{"{\n\"a\": 1e999}", "beyond", 2, 6}, Case{"{\n \"a\": \"\\ud800\"}", "surrogate", 2, 7},
          Case{"{\"a\": \"\xff\"}", "not UTF-8", 1, 7}, Case{"{\"a\"\0: 1}"s, "NUL", 1, 5},
          Case{"{}\n\n \0"s, "NUL", 3, 2}, Case{"{\"a\": \"x\ny\"}", "line break", 1, 7},
          Case{"{\"a\": \"\\q\"}", "backslash", 1, 7}, Case{"{\"a\": 01}", "", 1, 7}, Case{"[1,", "ends before", 1, 4},
          Case{"{\"a\": [1,]}", "expected a value", 1, 10}, Case{"{\"a\": 1,}", "expected a key", 1, 9},
          Case{"{} {}", "ended before", 1, 4}, Case{"[1 2]", "expected ','", 1, 4},
          Case{"{a: 1}", "expected a key", 1, 2}, Case{"// x", "expected a value", 1, 1},
          Case{"[\"surrogate\" nul]", "expected ','", 1, 14}, Case{"", "ends before", 1, 1}}) {
        const Fault fault = faultOf(c.text);
        EXPECT_NE(fault.message.find(c.word), std::string::npos) << c.text << ": " << fault.message;
        EXPECT_EQ(fault.place.line, c.line) << c.text << ": " << fault.text();
        EXPECT_EQ(fault.place.column, c.column) << c.text << ": " << fault.text();
    }
}

TEST(JsonDocument, TakesLittleTimeAndMemoryForHostileTexts) {
    std::string keys = "{";
    for (std::size_t i = 0; i <= kJsonKeys; ++i) {
        keys += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
    }
    EXPECT_NE(faultOf(keys + "}").message.find("4096 keys"), std::string::npos);
    EXPECT_NE(faultOf("[0" + repeated(",0", kJsonValues) + "]").message.find("values"), std::string::npos);
    // Paths of a megabyte for each of a hundred thousand elements would be a hundred gigabytes.
    const auto document =
        parseJsonDocument("{\"" + std::string(1 << 20, 'k') + "\":[0" + repeated(",0", 100'000) + "]}", "x.json");
    ASSERT_TRUE(document);
    EXPECT_LT(document->places.size(), 100U);
    EXPECT_EQ(document->value.items().front().value.size(), 100'001U);
}

TEST(JsonDocument, ManyDuplicateKeysAreNamedOnlyInPart) {
    const auto document = parseJsonDocument("[" + repeated("{\"a\":1,\"a\":2},", 5000) + "0]", "x.json");
    ASSERT_FALSE(document);
    EXPECT_LE(document.error().faults.size(), 20U);
}

TEST(SetByKeyPath, RefusesWhatCannotBeWrittenOrRead) {
    Json document = Json::object();
    const Json before = document;
    for (const auto& [path, value, word] :
         {std::tuple{"a", "\xff", "not UTF-8"}, std::tuple{"a", "[\"\xC0\"]", "not UTF-8"},
          std::tuple{"a\xff", "1", "not UTF-8"}}) {
        const auto result = setByKeyPath(document, path, value);
        ASSERT_FALSE(result) << word;
        EXPECT_NE(result.error().describe().find(word), std::string::npos) << result.error().describe();
    }
    EXPECT_FALSE(setByKeyPath(document, "a", repeated("[", 100'000)));
    EXPECT_FALSE(setByKeyPath(document, "a", repeated("[", 65) + repeated("]", 65)));
    EXPECT_FALSE(setByKeyPath(document, "a" + repeated(".a", 100'000), "1"));
    EXPECT_EQ(document, before);
    EXPECT_TRUE(setByKeyPath(document, "a", "[not JSON")) << "is a text";
    EXPECT_EQ(document["a"], "[not JSON");
}
