// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment.h"
#include "core/config/field_table.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace lambdascope;

namespace {

struct Data {
    std::string source = "iris";
};
struct Problem {
    std::int64_t k = 10;
};
struct Solver {
    double tolerance = 1e-6;
    std::int64_t limit = 100;
};
struct Path {
    double ratio = 0.9;
};
struct LaneSettings {
    std::int64_t every = 10;
};
struct Run {
    std::int64_t seed = 1;
};

template <class Config, class Number>
SectionSchema oneNumber(const char* section, const char* key, Number Config::*member, Range range) {
    FieldTable<Config> table(section, section);
    if constexpr (std::is_integral_v<Number>) {
        table.integer(member, {key, "", "", ""}, range);
    } else {
        table.real(member, {key, "", "", ""}, range);
    }
    return table.schema();
}

SchemaCatalog catalog() {
    FieldTable<Data> data("data", "Data");
    data.text(&Data::source, {"source", "", "", ""});
    FieldTable<Solver> solver("solver", "Solver");
    solver.real(&Solver::tolerance, {"tolerance", "", "", ""}, Range::above(0));
    solver.integer(&Solver::limit, {"limit", "", "", ""}, Range::atLeast(1));
    FamilySchema family;
    family.id = "toy";
    family.problem = oneNumber("problem", "k", &Problem::k, Range::atLeast(1));
    family.solver = solver.schema();
    family.path = oneNumber("path", "ratio", &Path::ratio, Range::strictlyBetween(0, 1));
    family.lane = oneNumber("lanes", "every", &LaneSettings::every, Range::atLeast(1));
    family.defaultLanes = Json::parse(R"([{"name": "naive"}])");
    family.crossCheck = [](const Json& resolved, std::vector<Fault>& faults) {
        if (resolved["problem"]["k"] == 13) {
            faults.push_back({"problem.k", "is unlucky", "Take 12.", {}});
        }
    };
    return {data.schema(), oneNumber("run", "seed", &Run::seed, Range::atLeast(0)), {family}};
}

bool hasFault(const Error& error, std::string_view key) {
    return std::any_of(error.faults.begin(), error.faults.end(), [&](const Fault& f) { return f.key == key; });
}

} // namespace

TEST(Experiment, FillsDefaultsEverywhere) {
    const auto experiment = readExperiment(R"({"family": "toy"})", "e.json", catalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    const Experiment& e = **experiment;
    EXPECT_EQ(e.problem["k"], 10);
    EXPECT_EQ(e.run["seed"], 1);
    ASSERT_EQ(e.lanes.size(), 1U);
    EXPECT_EQ(e.lanes[0].name, "naive");
    EXPECT_EQ(e.lanes[0].settings["every"], 10);
    EXPECT_EQ(e.lanes[0].solver, e.solver);
    EXPECT_FALSE(e.name.empty());
}

TEST(Experiment, LanesOverlayTheSolver) {
    const auto experiment = readExperiment(
        R"({"family": "toy", "solver": {"limit": 5}, "lanes": [{"name": "a"}, {"name": "b", "solver": {"tolerance": 0.5}}]})",
        "e.json", catalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    const auto& lanes = (*experiment)->lanes;
    EXPECT_EQ(lanes[0].solver, Json::parse(R"({"tolerance": 1e-6, "limit": 5})"));
    EXPECT_EQ(lanes[1].solver, Json::parse(R"({"tolerance": 0.5, "limit": 5})"));
}

TEST(Experiment, WritingAndReadingBackChangesNothing) {
    const auto experiment = readExperiment(
        R"({"family": "toy", "name": "n", "description": "d", "data": {"source": "w"}, "lanes": [{"name": "a", "every": 3}, {"name": "b", "solver": {"tolerance": 0.5}}]})",
        "e.json", catalog());
    ASSERT_TRUE(experiment);
    const auto back = readExperiment(writeExperiment(**experiment).dump(2), "e2.json", catalog());
    ASSERT_TRUE(back) << back.error().describe();
    EXPECT_EQ(**back, **experiment);
}

TEST(Experiment, ReportsAllFaultsAtOnceWithTheirPlaces) {
    const auto experiment = readExperiment(R"({
  "family": "toy",
  "problem": {"k": 0},
  "solver": {"tolerence": 1},
  "path": {"ratio": 2},
  "lanes": [{"name": "a", "evry": 1}, {"name": "a"}, {"name": "../up"}, {"every": 2}, 7],
  "colour": 1
})",
                                           "e.json", catalog());
    ASSERT_FALSE(experiment);
    const Error& error = experiment.error();
    for (const char* key : {"problem.k", "solver.tolerence", "path.ratio", "lanes[0].evry", "lanes[1].name",
                            "lanes[2].name", "lanes[3].name", "lanes[4]", "colour"}) {
        EXPECT_TRUE(hasFault(error, key)) << key << "\n" << error.describe();
    }
    EXPECT_EQ(error.faults.size(), 9U) << error.describe();
    for (const Fault& fault : error.faults) {
        EXPECT_GT(fault.place.line, 1U) << fault.text();
        EXPECT_FALSE(fault.remedy.empty()) << fault.text();
    }
}

TEST(Experiment, CrossChecksRunOnlyOnWhatIsOtherwiseSound) {
    const auto experiment = readExperiment("{\"family\": \"toy\",\n\"problem\": {\"k\": 13}}", "e.json", catalog());
    ASSERT_FALSE(experiment);
    EXPECT_EQ(experiment.error().faults.at(0).text(), "e.json:2:13: problem.k: is unlucky. Take 12.");
}

TEST(Experiment, RefusesWhatIsNoExperiment) {
    for (const char* text : {"[]", "3", "{}", R"({"family": 3})", R"({"family": "other"})",
                             R"({"family": "toy", "lanes": []})", R"({"family": "toy", "lanes": {}})",
                             R"({"family": "toy", "data": 4})", R"({"family": "toy", "name": 4})", ""}) {
        EXPECT_FALSE(readExperiment(text, "e.json", catalog())) << text;
    }
}
