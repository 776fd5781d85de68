// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/experiment.h"
#include "core/run/make_family.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace lambdascope;

namespace {

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
struct SampleConfig {
    Problem problem;
    Solver solver;
    Path path;
    struct Lane {
        std::string name;
        Solver solver;
        LaneSettings settings;
    };
    std::vector<Lane> lanes;
};

void checkSample(const SampleConfig& config, const DataConfig&, std::vector<Fault>& faults) {
    if (config.problem.k == 13) {
        faults.push_back({"problem.k", "is unlucky", "Take 12.", {}});
    }
}

SchemaCatalog catalog() {
    static const auto problem =
        FieldTable<Problem>("problem", "").integer(&Problem::k, {"k", "", "", ""}, Range::atLeast(1));
    static const auto solver = FieldTable<Solver>("solver", "")
                                   .real(&Solver::tolerance, {"tolerance", "", "", ""}, Range::above(0))
                                   .integer(&Solver::limit, {"limit", "", "", ""}, Range::atLeast(1));
    static const auto path =
        FieldTable<Path>("path", "").real(&Path::ratio, {"ratio", "", "", ""}, Range::strictlyBetween(0, 1));
    static const auto lane =
        FieldTable<LaneSettings>("lanes", "").integer(&LaneSettings::every, {"every", "", "", ""}, Range::atLeast(1));
    return SchemaCatalog({makeFamily<SampleConfig>({"toy", "", "", ""}, {problem, solver, path, lane},
                                                   Json::parse(R"([{"name": "naive"}])"), checkSample, nullptr)
                              .schema});
}

bool hasFault(const Error& error, std::string_view key) {
    return std::any_of(error.faults.begin(), error.faults.end(), [&](const Fault& f) { return f.key == key; });
}

} // namespace

TEST(Experiment, FillsDefaultsEverywhere) {
    const auto experiment = readExperiment(R"({"family": "toy"})", "e.json", catalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    const Experiment& e = **experiment;
    const auto& config = configOf<SampleConfig>(e);
    EXPECT_EQ(config.problem.k, 10);
    EXPECT_EQ(e.data, DataConfig{});
    EXPECT_EQ(e.run, RunConfig{});
    EXPECT_EQ(e.document["run"]["seed"], 1);
    EXPECT_EQ(e.laneNames, std::vector<std::string>{"naive"});
    ASSERT_EQ(config.lanes.size(), 1U);
    EXPECT_EQ(config.lanes[0].name, "naive");
    EXPECT_EQ(config.lanes[0].settings.every, 10);
    EXPECT_EQ(config.lanes[0].solver.limit, config.solver.limit);
    EXPECT_FALSE(e.name.empty());
}

TEST(Experiment, LanesOverlayTheSolver) {
    const auto experiment = readExperiment(
        R"({"family": "toy", "solver": {"limit": 5}, "lanes": [{"name": "a"}, {"name": "b", "solver": {"tolerance": 0.5}}]})",
        "e.json", catalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    const auto& lanes = configOf<SampleConfig>(**experiment).lanes;
    EXPECT_EQ(lanes[0].solver.tolerance, 1e-6);
    EXPECT_EQ(lanes[0].solver.limit, 5);
    EXPECT_EQ(lanes[1].solver.tolerance, 0.5);
    EXPECT_EQ(lanes[1].solver.limit, 5);
    EXPECT_FALSE((*experiment)->document["lanes"][0].contains("solver"));
    EXPECT_EQ((*experiment)->document["lanes"][1]["solver"], Json::parse(R"({"tolerance": 0.5})"));
}

TEST(Experiment, SomeLaneHasToBeEnabled) {
    const auto some = readExperiment(
        R"({"family": "toy", "lanes": [{"name": "a", "enabled": false, "group": "as published"}, {"name": "b"}]})",
        "e.json", catalog());
    ASSERT_TRUE(some) << some.error().describe();
    EXPECT_EQ(enabledLanes(**some), std::vector<std::string>{"b"});
    EXPECT_EQ((*some)->laneRuns[0].group, "as published");
    const auto none =
        readExperiment(R"({"family": "toy", "lanes": [{"name": "a", "enabled": false}]})", "e.json", catalog());
    ASSERT_FALSE(none);
    EXPECT_TRUE(hasFault(none.error(), "lanes")) << none.error().describe();
}

TEST(Experiment, WritingAndReadingBackChangesNothing) {
    const auto experiment = readExperiment(
        R"({"family": "toy", "name": "n", "description": "d", "data": {"source": "w"}, "lanes": [{"name": "a", "every": 3}, {"name": "b", "solver": {"tolerance": 0.5}}]})",
        "e.json", catalog());
    ASSERT_TRUE(experiment);
    const auto back = readExperiment((*experiment)->document.dump(2), "e2.json", catalog());
    ASSERT_TRUE(back) << back.error().describe();
    EXPECT_EQ((*back)->document, (*experiment)->document);
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
