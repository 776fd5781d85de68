// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "tests/architecture/documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace lambdascope;

TEST(Presets, AreAllValidAndSayWhatTheyShow) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "presets")) {
        SCOPED_TRACE(entry.path().filename().string());
        const auto experiment =
            readExperiment(fileText(entry.path()), entry.path().filename().string(), builtInCatalog());
        ASSERT_TRUE(experiment) << experiment.error().describe();
        EXPECT_FALSE((*experiment)->name.empty());
        EXPECT_FALSE((*experiment)->description.empty());
        ++count;
    }
    EXPECT_GT(count, 3);
}

TEST(Presets, CompareEachGroupWithALaneThatDoesNotScreen) {
    for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "presets")) {
        SCOPED_TRACE(entry.path().filename().string());
        std::set<std::string> screened;
        std::set<std::string> plain;
        const Json experiment = Json::parse(fileText(entry.path()));
        for (const Json& lane : experiment["lanes"]) {
            const std::string group = lane.value("group", std::string());
            (lane.value("bounds", Json::array()).empty() ? plain : screened).insert(group);
            EXPECT_FALSE(group == "today" && lane.contains("schedule")) << "looks where that pays: " << lane["name"];
        }
        std::erase_if(screened, [](const std::string& group) { return group.empty(); });
        EXPECT_TRUE(std::includes(plain.begin(), plain.end(), screened.begin(), screened.end()));
    }
}

TEST(Presets, TheDefaultExperimentHasTheSixLanesOnWine) {
    const auto experiment = readExperiment(fileText(resourceFolder() / "presets" / "wine-six-lanes.json"),
                                           "wine-six-lanes.json", builtInCatalog());
    ASSERT_TRUE(experiment);
    EXPECT_EQ((*experiment)->data.source, "wine");
    EXPECT_EQ((*experiment)->laneNames, (std::vector<std::string>{"naive", "GB", "PGB", "DGB", "RRPB", "RRPB+PGB"}));
}

TEST(FieldTables, EveryFieldExplainsItself) {
    const auto check = [](const SectionSchema& section, const std::string& family) {
        std::set<std::string> keys;
        for (const FieldDescription& field : section.fields) {
            SCOPED_TRACE(family + "." + section.key + "." + field.key);
            EXPECT_TRUE(keys.insert(field.key).second);
            EXPECT_FALSE(field.label.empty());
            EXPECT_FALSE(field.help.empty());
            EXPECT_FALSE(field.complaintAbout(field.defaultValue)) << *field.complaintAbout(field.defaultValue);
            for (const Choice& choice : field.choices) {
                EXPECT_FALSE(choice.label.empty()) << choice.value;
                EXPECT_FALSE(choice.help.empty()) << choice.value;
            }
            if (field.relevantWhen) {
                const FieldDescription* deciding = section.find(field.relevantWhen->key);
                ASSERT_NE(deciding, nullptr);
                std::vector<std::string> words = wordsOf(section, deciding->key);
                if (deciding->kind == FieldKind::Boolean) {
                    words = {"true", "false"};
                }
                EXPECT_FALSE(field.relevantWhen->values.empty());
                for (const std::string& word : field.relevantWhen->values) {
                    EXPECT_EQ(std::count(words.begin(), words.end(), word), 1) << word;
                }
            }
        }
    };
    const SchemaCatalog& catalog = builtInCatalog();
    check(catalog.data, "");
    check(catalog.run, "");
    for (const FamilySchema& family : catalog.families) {
        for (const SectionSchema* section : {&family.problem, &family.solver, &family.path, &family.lane}) {
            check(*section, family.id);
        }
    }
}
