// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/record_metrics.h"
#include "core/run/experiment_runner.h"
#include "core/run/make_family.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace lambdascope {
namespace {

using Lines = std::vector<std::string>;

/// A family whose lanes say how they want to behave: {"bounds": […], "fails": true}.
struct ToyLane {
    bool screens = false;
    bool fails = false;
    bool cannotStart = false;
};

struct Nothing {};
struct ToyConfig {
    Nothing problem;
    Nothing solver;
    Nothing path;
    struct Lane {
        std::string name;
        Nothing solver;
        ToyLane settings;
    };
    std::vector<Lane> lanes;
};

class ToyProblem : public PreparedProblem {
  public:
    explicit ToyProblem(const std::shared_ptr<const ToyConfig>& config) : m_config(config) {}
    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override {
        const ToyLane& settings = m_config->lanes[lane].settings;
        if (settings.cannotStart) {
            throw std::bad_alloc();
        }
        toy::Task::Plan plan;
        plan.schedule = {2, 1};
        plan.isBaseline = !settings.screens;
        if (settings.fails) {
            plan.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
                if (point.index == 1) {
                    return Result<PointReport>(Failure{plainError(ErrorCode::Internal, "broken on purpose")});
                }
                return std::nullopt;
            };
        }
        return std::make_unique<toy::Task>(plan);
    }

  private:
    std::shared_ptr<const ToyConfig> m_config;
};

void checkNothing(const ToyConfig&, const DataConfig&, std::vector<Fault>&) {}

Result<std::shared_ptr<const PreparedProblem>> prepareToy(const std::shared_ptr<const ToyConfig>& config,
                                                          const PreparationInput& input) {
    if (input.stop.stop_requested()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped")};
    }
    return std::shared_ptr<const PreparedProblem>(std::make_shared<ToyProblem>(config));
}

Family toyFamily() {
    static const FieldTable<Nothing> problem("problem", "Problem");
    static const FieldTable<Nothing> solver("solver", "Solver");
    static const FieldTable<Nothing> path("path", "Path");
    static const FieldTable<ToyLane> lane = [] {
        FieldTable<ToyLane> t("lane", "Lane");
        t.boolean(&ToyLane::screens, {"screens", "Screens", "", "Not a baseline."});
        t.boolean(&ToyLane::fails, {"fails", "Fails", "", "Fails at its second point."});
        t.boolean(&ToyLane::cannotStart, {"cannot_start", "Cannot start", "", "Throws when made."});
        return t;
    }();
    return makeFamily<ToyConfig>({"toy", "Toy", "", ""}, {problem, solver, path, lane}, Json::array(), checkNothing,
                                 prepareToy);
}

ExperimentRunner makeRunner(Json lanes, std::vector<std::string> chosen = {},
                            const std::string& order = "interleaved") {
    const SchemaCatalog catalog({toyFamily().schema});
    const Json document = {{"family", "toy"},
                           {"name", "toys"},
                           {"data", {{"source", "iris"}}},
                           {"run", {{"order", order}}},
                           {"lanes", std::move(lanes)}};
    auto experiment = validateExperiment(document, catalog);
    EXPECT_TRUE(experiment) << experiment.error().describe();
    ExperimentOptions options;
    options.lanes = std::move(chosen);
    options.places.bundled = std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "datasets";
    return {std::move(*experiment), toyFamily(), std::move(options)};
}

Json twoLanes() {
    return Json::array({{{"name", "a"}}, {{"name", "b"}, {"screens", true}}});
}

/// Which lane finished which point, in the order of events.
Lines finishedPoints(const std::vector<RunEvent>& events) {
    std::map<RunId, std::string> names;
    Lines lines;
    for (const RunEvent& event : events) {
        if (const auto* start = std::get_if<RunStarted>(&event.body)) {
            names[event.run] = start->laneName;
        } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            lines.push_back(names[event.run] + std::to_string(point->index));
        }
    }
    return lines;
}

TEST(ExperimentRunner, InterleavesLanesPointByPoint) {
    ExperimentRunner runner = makeRunner(twoLanes());
    ASSERT_TRUE(runner.prepare());
    RecordingSink sink;
    const auto outcome = runner.run(sink);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(finishedPoints(sink.events()), (Lines{"a0", "b0", "a1", "b1"}));
    ASSERT_EQ(outcome->lanes.size(), 2U);
    EXPECT_EQ(outcome->lanes[0].lane, "a");
    EXPECT_EQ(outcome->lanes[1].finishedPoints, 2);
    EXPECT_EQ(outcome->lanes[1].run, runner.runIds().at(1));
}

TEST(ExperimentRunner, RunsLaneAfterLaneWhenSequential) {
    ExperimentRunner runner = makeRunner(twoLanes(), {}, "sequential");
    ASSERT_TRUE(runner.prepare());
    RecordingSink sink;
    ASSERT_TRUE(runner.run(sink));
    EXPECT_EQ(finishedPoints(sink.events()), (Lines{"a0", "a1", "b0", "b1"}));
}

TEST(ExperimentRunner, TheFirstLaneWithoutScreeningIsTheOnlyBaseline) {
    for (const char* order : {"interleaved", "sequential"}) {
        ExperimentRunner runner = makeRunner(
            Json::array({{{"name", "s"}, {"screens", true}}, {{"name", "one"}}, {{"name", "two"}}}), {}, order);
        ASSERT_TRUE(runner.prepare());
        RecordingSink sink;
        ASSERT_TRUE(runner.run(sink));
        std::vector<bool> flags;
        for (const RunRecord& record : recordsOf(sink.events())) {
            flags.push_back(record.start().isBaseline);
            EXPECT_EQ(record.start().laneCount, 3);
            EXPECT_EQ(record.start().family, "toy");
        }
        EXPECT_EQ(flags, (std::vector<bool>{false, true, false})) << order;
    }
}

TEST(ExperimentRunner, EachGroupHasABaselineOfItsOwn) {
    ExperimentRunner runner = makeRunner(Json::array({{{"name", "a"}, {"group", "as published"}},
                                                      {{"name", "b"}, {"group", "as published"}},
                                                      {{"name", "c"}, {"group", "today"}, {"screens", true}},
                                                      {{"name", "d"}, {"group", "today"}}}));
    ASSERT_TRUE(runner.prepare());
    RecordingSink sink;
    ASSERT_TRUE(runner.run(sink));
    const std::vector<RunRecord> records = recordsOf(sink.events());
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[1].start().laneGroup, "as published");
    const std::vector<const RunRecord*> lanes = pointersTo(records);
    EXPECT_EQ(baselineOf(records[0], lanes), &records[0]);
    EXPECT_EQ(baselineOf(records[1], lanes), &records[0]);
    EXPECT_EQ(baselineOf(records[2], lanes), &records[3]);
}

TEST(ExperimentRunner, ALaneThatIsNotEnabledRunsOnlyWhenItIsNamed) {
    const Json lanes = Json::array({{{"name", "a"}}, {{"name", "b"}, {"enabled", false}, {"note", "an hour"}}});
    EXPECT_EQ(makeRunner(lanes).laneNames(), Lines{"a"});
    const ExperimentRunner named = makeRunner(lanes, {"b"});
    EXPECT_EQ(named.laneNames(), Lines{"b"});
    EXPECT_EQ(named.resolvedDocument()["lanes"][0]["enabled"], true); // so that the run is an experiment of its own
    EXPECT_EQ(named.resolvedDocument()["lanes"][0]["note"], "an hour");
}

TEST(ExperimentRunner, RunsOnlyTheLanesAskedForInTheOrderOfTheExperiment) {
    ExperimentRunner runner = makeRunner(Json::array({{{"name", "a"}}, {{"name", "b"}}, {{"name", "c"}}}), {"c", "a"});
    EXPECT_EQ(runner.laneNames(), (Lines{"a", "c"}));
    ASSERT_TRUE(runner.prepare());
    RecordingSink sink;
    ASSERT_TRUE(runner.run(sink));
    EXPECT_EQ(finishedPoints(sink.events()), (Lines{"a0", "c0", "a1", "c1"}));
    const auto& start = std::get<RunStarted>(sink.events().front().body);
    EXPECT_EQ(start.experiment, runner.resolvedDocument());
    EXPECT_EQ(start.experiment["lanes"].size(), 2U);
    EXPECT_EQ(start.experiment["lanes"][1]["name"], "c");
}

TEST(ExperimentRunner, NamesAllUnknownLanes) {
    ExperimentRunner runner = makeRunner(twoLanes(), {"x", "a", "y"});
    const auto prepared = runner.prepare();
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().code, ErrorCode::BadUsage);
    EXPECT_EQ(prepared.error().faults.size(), 2U);
}

TEST(ExperimentRunner, AFailingLaneLeavesTheOthersAlone) {
    ExperimentRunner runner = makeRunner(Json::array(
        {{{"name", "bad"}, {"fails", true}}, {{"name", "worse"}, {"cannot_start", true}}, {{"name", "good"}}}));
    ASSERT_TRUE(runner.prepare());
    RecordingSink sink;
    const auto outcome = runner.run(sink);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->lanes[0].error);
    EXPECT_EQ(outcome->lanes[0].finishedPoints, 1);
    ASSERT_TRUE(outcome->lanes[1].error);
    EXPECT_EQ(outcome->lanes[1].error->code, ErrorCode::OutOfMemory);
    EXPECT_FALSE(outcome->lanes[2].error);
    EXPECT_EQ(outcome->lanes[2].finishedPoints, 2);
    for (const RunRecord& record : recordsOf(sink.events())) {
        EXPECT_TRUE(record.hasEnded());
    }
}

TEST(ExperimentRunner, AStopEndsEveryLaneWithAnEventOfItsOwn) {
    for (const char* order : {"interleaved", "sequential"}) {
        ExperimentRunner runner = makeRunner(twoLanes(), {}, order);
        ASSERT_TRUE(runner.prepare());
        std::stop_source stop;
        stop.request_stop();
        RecordingSink sink;
        const auto outcome = runner.run(sink, stop.get_token());
        ASSERT_TRUE(outcome);
        const std::vector<RunRecord> records = recordsOf(sink.events());
        ASSERT_EQ(records.size(), 2U);
        for (const RunRecord& record : records) {
            EXPECT_EQ(record.state(), RunRecord::State::Stopped);
            EXPECT_EQ(record.finishedPointCount(), 0U);
        }
    }
}

TEST(ExperimentRunner, AStopWhilePreparingIsNoFault) {
    ExperimentRunner runner = makeRunner(twoLanes());
    std::stop_source stop;
    stop.request_stop();
    const auto prepared = runner.prepare({}, stop.get_token());
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().code, ErrorCode::Stopped);
    RecordingSink sink;
    EXPECT_FALSE(runner.run(sink)) << "nothing is prepared";
    EXPECT_TRUE(sink.events().empty());
}

TEST(ExperimentRunner, IdsAreNeverUsedTwice) {
    const ExperimentRunner first = makeRunner(twoLanes());
    const ExperimentRunner second = makeRunner(twoLanes());
    for (const RunId id : first.runIds()) {
        for (const RunId other : second.runIds()) {
            EXPECT_NE(id, other);
        }
    }
}

} // namespace
} // namespace lambdascope
