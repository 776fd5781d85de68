// SPDX-License-Identifier: GPL-3.0-or-later
// The library that reads and writes the text is asked what our values should do.
#include "core/common/random_stream.h"
#include "core/config/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

using Library = nlohmann::ordered_json;

/// Values of every kind, nested, with keys that meet again.
class RandomJson {
  public:
    explicit RandomJson(std::uint64_t seed) : m_random(seed) {}

    Library next(int depth = 3) {
        switch (m_random.below(depth > 0 ? 8 : 6)) {
        case 0: return nullptr;
        case 1: return m_random.below(2) == 0;
        case 2: return static_cast<std::int64_t>(m_random.below(7)) - 3;
        case 3: return std::numeric_limits<std::uint64_t>::max() / 2 + m_random.below(3);
        case 4: return std::ldexp(m_random.uniform(-1, 1), static_cast<int>(m_random.below(200)) - 100);
        case 5: return std::array{"", "a", "λ \"quoted\"\n", "5", "\u001f\\"}[m_random.below(5)];
        case 6: {
            Library list = Library::array();
            for (auto count = m_random.below(4); count > 0; --count) {
                list.push_back(next(depth - 1));
            }
            return list;
        }
        default: {
            Library object = Library::object();
            for (auto count = m_random.below(4); count > 0; --count) {
                object[std::array{"a", "b", "", "λ"}[m_random.below(4)]] = next(depth - 1);
            }
            return object;
        }
        }
    }

    /// A text that may be none of JSON.
    std::string damaged(std::string text) {
        if (!text.empty()) {
            const auto at = m_random.below(text.size());
            text[at] = "[]{},:\"0e-t\\\xff"[m_random.below(13)];
        }
        return text;
    }

  private:
    RandomStream m_random;
};

constexpr std::uint64_t kSeeds = 400;

TEST(Json, ReadsAndWritesLikeTheLibrary) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Library expected = RandomJson(seed).next();
        const Json value = Json::parse(expected.dump());
        EXPECT_EQ(value.dump(), expected.dump());
        EXPECT_EQ(value.dump(2), expected.dump(2));
        EXPECT_EQ(Json::parse(value.dump(2)), value);
    }
}

TEST(Json, RefusesWhatTheLibraryRefuses) {
    int refused = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        RandomJson random(seed);
        const std::string text = random.damaged(random.next().dump());
        const bool isGood = Library::accept(text);
        refused += isGood ? 0 : 1;
        EXPECT_EQ(Json::tryParse(text).has_value(), isGood) << text;
        if (!isGood) {
            EXPECT_THROW((void)Json::parse(text), JsonError) << text;
        }
    }
    EXPECT_GT(refused, 50);
    EXPECT_FALSE(Json::tryParse("1e999")); // beyond double
    EXPECT_FALSE(Json::tryParse(""));
}

TEST(Json, ComparesAndMergesLikeTheLibrary) {
    int equal = 0;
    for (std::uint64_t seed = 0; seed < 20 * kSeeds; ++seed) {
        RandomJson random(seed);
        const Library a = random.next(2);
        const Library b = random.next(2);
        const Json ours = Json::parse(a.dump());
        const Json others = Json::parse(b.dump());
        EXPECT_EQ(ours == others, a == b) << a << ' ' << b;
        EXPECT_EQ(equalInAnyOrder(ours, others), nlohmann::json(a) == nlohmann::json(b)) << a << ' ' << b;
        equal += a == b ? 1 : 0;
        Library merged = a;
        merged.merge_patch(b);
        Json patched = ours;
        patched.mergePatch(others);
        EXPECT_EQ(patched.dump(), merged.dump()) << a << ' ' << b;
    }
    EXPECT_GT(equal, 100);
    EXPECT_TRUE(equalInAnyOrder(Json::parse(R"({"a": [{"x": 1, "y": 2}], "b": 0})"),
                                Json::parse(R"({"b": 0, "a": [{"y": 2, "x": 1.0}]})")));
    EXPECT_FALSE(equalInAnyOrder(Json::parse("[1, 2]"), Json::parse("[2, 1]")));
    EXPECT_NE(Json::parse(R"({"a": 1, "b": 2})"), Json::parse(R"({"b": 2, "a": 1})"));
    EXPECT_NE(Json::parse(R"([{"a": 1, "b": 2}])"), Json::parse(R"([{"b": 2, "a": 1}])"));
}

TEST(Json, NumbersAreEqualByValueWhateverTheirType) {
    EXPECT_EQ(Json(1), Json(1U));
    EXPECT_EQ(Json(1), Json(1.0));
    EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_NE(Json(1), Json(true));
    EXPECT_NE(Json(0), Json());
}

TEST(Json, IsWrittenDownAsListsOfMembersOrElements) {
    const Json object = {{"name", "a"}, {"values", {0.1, 7}}, {"none", {}}, {"inner", {{"x", true}}}};
    EXPECT_EQ(object.dump(), R"({"name":"a","values":[0.1,7],"none":null,"inner":{"x":true}})");
    EXPECT_EQ((Json{{"a", 1}, 2}).dump(), R"([["a",1],2])");
    EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
    EXPECT_EQ(Json(std::vector<std::string>{"a", "b"}).dump(), R"(["a","b"])");
    EXPECT_EQ(Json(std::array{1.5, 2.0}).dump(), "[1.5,2.0]");
}

TEST(Json, GivesValuesOfTheTypeAskedForOrSaysWhy) {
    const Json value =
        Json::parse(R"({"n": 3, "x": 2.5, "t": "text", "yes": true, "none": null, "list": [[1, 2], [3]]})");
    EXPECT_EQ(value["n"].get<int>(), 3);
    EXPECT_EQ(value["n"].get<double>(), 3.0);
    EXPECT_EQ(value["x"].get<std::int64_t>(), 2);
    EXPECT_EQ(value.at("t").text(), "text");
    EXPECT_TRUE(value["yes"].get<bool>());
    EXPECT_EQ(value["list"].get<std::vector<std::vector<int>>>(), (std::vector<std::vector<int>>{{1, 2}, {3}}));
    EXPECT_EQ((value["list"][0].get<std::array<double, 2>>()), (std::array{1.0, 2.0}));
    EXPECT_EQ(value.value("t", "other"), "text");
    EXPECT_EQ(value.value("gone", 7), 7);
    EXPECT_EQ(value.value("none", 7), 7);
    EXPECT_THROW((void)value.at("gone"), JsonError);
    EXPECT_THROW((void)value["list"][2], JsonError);
    EXPECT_THROW((void)value["t"].get<double>(), JsonError);
    EXPECT_THROW((void)value["n"].get<bool>(), JsonError);
    EXPECT_THROW((void)value["n"].text(), JsonError);
    EXPECT_THROW((void)value["t"].get<std::vector<int>>(), JsonError);
    EXPECT_THROW((void)value["list"].value("key", 1), JsonError);
    const Json reals = Json::parse("[1e99, -1e99, 2147483647.0, 2147483648.0, -2147483648.0, 1e19, -1.0]");
    EXPECT_THROW((void)reals[0].get<int>(), JsonError);
    EXPECT_THROW((void)reals[1].get<std::int64_t>(), JsonError);
    EXPECT_EQ(reals[2].get<int>(), 2147483647);
    EXPECT_THROW((void)reals[3].get<int>(), JsonError);
    EXPECT_EQ(reals[4].get<int>(), -2147483647 - 1);
    EXPECT_EQ(reals[5].get<std::uint64_t>(), 10'000'000'000'000'000'000U);
    EXPECT_THROW((void)reals[6].get<std::uint64_t>(), JsonError);
}

TEST(Json, GrowsAndShrinksInOrder) {
    Json value;
    value["b"]["c"] = 1;
    value["a"] = "x";
    EXPECT_EQ(value.dump(), R"({"b":{"c":1},"a":"x"})");
    value.update({{"a", 2}, {"d", nullptr}});
    EXPECT_EQ(value.dump(), R"({"b":{"c":1},"a":2,"d":null})");
    EXPECT_EQ(value.erase("b"), 1U);
    EXPECT_EQ(value.erase("b"), 0U);
    Json list;
    list.push_back(1);
    list.insert(0, "first");
    list.insert(2, list); // of itself
    list.erase(1);
    EXPECT_EQ(list.dump(), R"(["first",["first",1]])");
    std::vector<std::string> words;
    for (const Json& element : value) {
        words.push_back(element.dump());
    }
    EXPECT_EQ(words, (std::vector<std::string>{"2", "null"}));
    EXPECT_EQ(value.find("gone"), std::as_const(value).end());
    EXPECT_EQ(*value.find("a"), 2);
    EXPECT_FALSE(list.contains("a"));
    EXPECT_EQ(Json("text").size(), 1U);
    EXPECT_TRUE(Json().empty() && Json().begin() == Json().end());
    EXPECT_THROW(list["key"] = 1, JsonError);
}

TEST(Json, MayTakeThePlaceOfWhatItIsPartOf) {
    Json value = {{"a", {{"b", "deep"}, {"c", 1}}}};
    value = value["a"];
    EXPECT_EQ(value.dump(), R"({"b":"deep","c":1})");
    value = std::move(value["b"]);
    EXPECT_EQ(value, "deep");
}

TEST(Json, WritesTextThatIsNotUtf8OnlyWhenTold) {
    const Json bad = {{"key", "\xff"}};
    EXPECT_THROW((void)bad.dump(), JsonError);
    EXPECT_EQ(bad.dump(-1, Json::BadUtf8::Replace), "{\"key\":\"\uFFFD\"}");
    EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
}

} // namespace
} // namespace lambdascope
