// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_table.h"

#include <gtest/gtest.h>

using namespace lambdascope;

namespace {

enum class Loss { Smooth, Hinge };

struct Config {
    bool flag = true;
    std::int64_t count = 3;
    std::optional<std::int64_t> k = 10;
    double ratio = 0.9;
    std::optional<double> start;
    std::vector<double> grid = {1, 2};
    std::string note = "x";
    std::string path = "data.csv";
    Loss loss = Loss::Smooth;
    std::vector<Loss> losses;
    bool operator==(const Config&) const = default;
};

const FieldTable<Config>& fields() {
    static const FieldTable<Config> table = [] {
        const std::vector<EnumChoice<Loss>> words = {{Loss::Smooth, {"smooth", "", ""}},
                                                     {Loss::Hinge, {"hinge", "", ""}}};
        FieldTable<Config> t("config", "Config");
        t.boolean(&Config::flag, {"flag", "", "", ""});
        t.integer(&Config::count, {"count", "", "", ""}, Range::atLeast(0));
        t.integer(&Config::k, {"k", "", "", ""}, Range::atLeast(1), "all");
        t.real(&Config::ratio, {"ratio", "", "", ""}, Range::strictlyBetween(0, 1));
        t.real(&Config::start, {"start", "", "", ""}, Range::above(0), "auto");
        t.reals(&Config::grid, {"grid", "", "", ""}, Range::above(0));
        t.text(&Config::note, {"note", "", "", ""}).relevantWhen("loss", {"hinge"}).advanced();
        t.file(&Config::path, {"path", "", "", ""});
        t.choice<Loss>(&Config::loss, {"loss", "", "", ""}, words);
        t.choices<Loss>(&Config::losses, {"losses", "", "", ""}, words);
        return t;
    }();
    return table;
}

} // namespace

TEST(FieldTable, WritesAndReadsBackEveryField) {
    Config config;
    config.flag = false;
    config.count = 7;
    config.k = std::nullopt;
    config.ratio = 0.25;
    config.start = 12.5;
    config.grid = {3};
    config.note = "ü \"quoted\"";
    config.path = "other";
    config.loss = Loss::Hinge;
    config.losses = {Loss::Hinge, Loss::Smooth};
    std::vector<Fault> faults;
    const Json json = fields().write(config);
    EXPECT_EQ(json["k"], "all");
    EXPECT_EQ(fields().read(json, "config", faults), config);
    EXPECT_TRUE(faults.empty());
    const Config defaults;
    for (const FieldDescription& field : fields().schema().fields) {
        EXPECT_NE(json[field.key], fields().write(defaults)[field.key]) << field.key << " is not wired to a member";
    }
}

TEST(FieldTable, TellsTheWordOfAChoice) {
    Config config;
    EXPECT_EQ(fields().word(config, "loss"), "smooth");
    config.loss = Loss::Hinge;
    EXPECT_EQ(fields().word(config, "loss"), "hinge");
}

TEST(FieldTable, FindsTheFilesThatMatter) {
    struct Files {
        std::string always = "a.csv";
        std::string sometimes = "b.csv";
        std::string empty;
        Loss loss = Loss::Smooth;
    };
    FieldTable<Files> t("problem", "Problem");
    t.file(&Files::always, {"always", "", "", ""});
    t.file(&Files::sometimes, {"sometimes", "", "", ""}).relevantWhen("loss", {"hinge"});
    t.file(&Files::empty, {"empty", "", "", ""});
    t.choice<Loss>(&Files::loss, {"loss", "", "", ""},
                   {{Loss::Smooth, {"smooth", "", ""}}, {Loss::Hinge, {"hinge", "", ""}}});
    Files config;
    const auto some = t.files(config);
    ASSERT_EQ(some.size(), 1U);
    EXPECT_EQ(some[0].key, "problem.always");
    config.loss = Loss::Hinge;
    const auto both = t.files(config);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].key, "problem.sometimes");
    *both[1].name = "/found/b.csv";
    EXPECT_EQ(config.sometimes, "/found/b.csv");
}

TEST(FieldTable, MissingKeysKeepDefaults) {
    std::vector<Fault> faults;
    EXPECT_EQ(fields().read(Json::object(), "config", faults), Config{});
    EXPECT_EQ(fields().read(Json(), "config", faults), Config{});
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(fields().readResolved(fields().schema().defaults()), Config{});
}

TEST(FieldTable, ReportsAllFaultsAndKeepsTheirDefaults) {
    std::vector<Fault> faults;
    const Json bad =
        Json::parse(R"({"flag": 1, "count": -1, "k": "some", "ratio": 1, "loss": "square", "extra": 0, "note": "ok"})");
    Config expected;
    expected.note = "ok";
    EXPECT_EQ(fields().read(bad, "p", faults), expected);
    EXPECT_EQ(faults.size(), 6U);
    EXPECT_EQ(faults.front().key, "p.flag");
}

TEST(FieldTable, ValidatesConfigsMadeInCode) {
    Config config;
    EXPECT_TRUE(fields().validate(config).empty());
    config.ratio = 2;
    ASSERT_EQ(fields().validate(config).size(), 1U);
    EXPECT_EQ(fields().validate(config)[0].key, "config.ratio");
}

TEST(FieldTable, CarriesRelevanceAndAdvancedMarks) {
    const FieldDescription* note = fields().schema().find("note");
    ASSERT_NE(note, nullptr);
    EXPECT_TRUE(note->isAdvanced);
    EXPECT_EQ(note->relevantWhen->key, "loss");
}

TEST(Relevance, OfSeveralWordsAsksForOneOfThemAndFollowsWhatDecides) {
    struct Lane {
        std::vector<Loss> losses;
        bool isOn = true;
        double every = 1;
        double cap = 1;
        double deep = 1;
    };
    FieldTable<Lane> t("lane", "Lane");
    t.choices<Loss>(&Lane::losses, {"losses", "", "", ""},
                    {{Loss::Smooth, {"smooth", "", ""}}, {Loss::Hinge, {"hinge", "", ""}}});
    t.boolean(&Lane::isOn, {"on", "", "", ""});
    t.real(&Lane::every, {"every", "", "", ""}, Range{}).relevantWhen("losses", wordsOf(t.schema(), "losses"));
    t.real(&Lane::cap, {"cap", "", "", ""}, Range{}).relevantWhen("losses", {"hinge"});
    t.real(&Lane::deep, {"deep", "", "", ""}, Range{}).relevantWhen("on", {"true"});
    const auto matters = [&](const char* key, const Json& values) {
        return isRelevant(t.schema(), *t.schema().find(key), values);
    };
    EXPECT_EQ(wordsOf(t.schema(), "losses"), (std::vector<std::string>{"smooth", "hinge"}));
    EXPECT_TRUE(matters("losses", Json::object()));
    EXPECT_FALSE(matters("every", Json::object())) << "none by default";
    EXPECT_FALSE(matters("every", {{"losses", Json::array()}}));
    EXPECT_TRUE(matters("every", {{"losses", Json::array({"smooth"})}}));
    EXPECT_FALSE(matters("cap", {{"losses", Json::array({"smooth"})}}));
    EXPECT_TRUE(matters("cap", {{"losses", Json::array({"smooth", "hinge"})}}));
    EXPECT_TRUE(matters("deep", Json::object()));
    EXPECT_FALSE(matters("deep", {{"on", false}}));

    SectionSchema chained = t.schema();
    FieldDescription deeper;
    deeper.key = "deeper";
    deeper.relevantWhen = Relevance{"kind", {"a"}};
    chained.fields.push_back(deeper);
    FieldDescription kind;
    kind.key = "kind";
    kind.defaultValue = "a";
    kind.relevantWhen = Relevance{"on", {"true"}};
    chained.fields.push_back(kind);
    EXPECT_TRUE(isRelevant(chained, *chained.find("deeper"), Json::object()));
    EXPECT_FALSE(isRelevant(chained, *chained.find("deeper"), {{"on", false}})) << "what decides does not matter";
    EXPECT_FALSE(isRelevant(chained, *chained.find("deeper"), {{"kind", "b"}}));
}
