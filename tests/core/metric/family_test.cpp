// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/family.h"
#include "core/metric/path/metric_schema.h"
#include "core/run/make_family.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

Error prepareError(const Experiment& experiment, Dataset::Parts parts) {
    const auto result = family().prepare(experiment, std::make_shared<const Dataset>(std::move(parts)), {}, {}, {});
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
}

Dataset::Parts labelled(std::vector<std::int32_t> labels, std::vector<std::string> names) {
    Dataset::Parts parts;
    parts.dense = DenseRows::Random(static_cast<Eigen::Index>(labels.size()), 2);
    parts.labels = std::move(labels);
    parts.classNames = std::move(names);
    return parts;
}

TEST(MetricFamily, DefaultLanesAreTheNaiveOneTheBoundsAndTheirPublishedCombination) {
    const Experiment experiment = experimentFrom(Json::object());
    EXPECT_EQ(experiment.laneNames, (std::vector<std::string>{"naive", "GB", "PGB", "DGB", "RRPB", "MGB", "RRPB+PGB"}));
    const auto& config = configOf<MetricConfig>(experiment);
    EXPECT_TRUE(config.lanes[0].settings.bounds.empty());
    EXPECT_EQ(config.lanes[6].settings.bounds.size(), 2u);
    EXPECT_EQ(config.problem, ProblemConfig{});
    EXPECT_EQ(config.solver, SolverConfig{});
    EXPECT_EQ(config.path, PathConfig{});
}

TEST(MetricFamily, TablesWriteAndReadEveryField) {
    ProblemConfig problem;
    problem.k = std::nullopt;
    problem.loss = LossKind::Hinge;
    problem.gamma = 0.3;
    problem.constraints = ConstraintSource::File;
    problem.file = "a.txt";
    problem.linearTerm = 0.25;
    std::vector<Fault> faults;
    EXPECT_EQ(problemFields().read(problemFields().write(problem), "problem", faults), problem);
    SolverConfig solver{EngineKind::Triplets, MethodKind::Newton, 1e-4, ToleranceKind::Absolute, 77};
    EXPECT_EQ(solverFields().read(solverFields().write(solver), "solver", faults), solver);
    PathConfig path{PathKind::Approximation, 12.5, 0.99, 3e-3, 0.02, 1e-3, 44};
    EXPECT_EQ(pathFields().read(pathFields().write(path), "path", faults), path);
    LaneConfig lane{{BoundKind::DualityGap, BoundKind::Gradient}, RuleKind::Sphere, ScheduleKind::Every, 3};
    EXPECT_EQ(laneFields().read(laneFields().write(lane), "lanes[0]", faults), lane);
    EXPECT_TRUE(faults.empty());
}

TEST(MetricFamily, RefusesValuesOutOfRangeAllAtOnce) {
    std::vector<Fault> faults;
    (void)problemFields().read({{"k", 0}, {"gamma", 1.0}, {"loss", "squared"}}, "problem", faults);
    (void)pathFields().read({{"start", -1}, {"ratio", 1.0}}, "path", faults);
    (void)laneFields().read({{"bounds", {"XGB"}}, {"every", 0}}, "lanes[0]", faults);
    EXPECT_EQ(faults.size(), 7u);
}

/// The keys of what is wrong between the fields of an experiment.
std::vector<std::string> faultsBetween(const Json& overlay) {
    Json document = {{"family", "metric"}};
    document.update(overlay);
    const auto checked = validateExperiment(document, SchemaCatalog({family().schema}));
    std::vector<std::string> keys;
    for (const Fault& fault : checked ? std::vector<Fault>{} : checked.error().faults) {
        keys.push_back(fault.key);
    }
    return keys;
}

using Keys = std::vector<std::string>;

TEST(MetricFamily, ChecksFieldsAgainstEachOther) {
    EXPECT_EQ(faultsBetween({{"path", {{"start", 1.0}, {"min_lambda", 2.0}}}}), Keys{"path.start"});
}

TEST(MetricFamily, WantsSolutionsBetterThanAnApproximationPathKeepsToBetweenThem) {
    const Json path = {{"kind", "approximation"}, {"epsilon", 1e-3}};
    EXPECT_EQ(faultsBetween({{"path", path}, {"solver", {{"tolerance", 1e-6}}}}), Keys{});
    EXPECT_EQ(faultsBetween({{"path", path}, {"solver", {{"tolerance", 1.1e-6}}}}), Keys{"solver.tolerance"});
    EXPECT_EQ(faultsBetween({{"path", path}, {"solver", {{"tolerance", 1e-3}, {"tolerance_kind", "absolute"}}}}),
              Keys{});
    const Json lanes = Json::parse(R"([{"name": "a"}, {"name": "b", "solver": {"tolerance": 1e-3}}])");
    EXPECT_EQ(faultsBetween({{"path", path}, {"lanes", lanes}}), Keys{"lanes[1].solver.tolerance"});
    EXPECT_EQ(faultsBetween({{"path", {{"epsilon", 1e-5}}}, {"solver", {{"tolerance", 1e-3}}}}), Keys{}); // a grid
}

TEST(MetricFamily, RefusesLanesThatCannotWork) {
    const auto faultsOfLane = [](Json lane, const Json& problem = Json::object()) {
        lane["name"] = "lane";
        return faultsBetween({{"problem", problem}, {"lanes", Json::array({lane})}});
    };
    EXPECT_EQ(faultsOfLane({{"bounds", {"PGB"}}, {"range", true}}), Keys{"lanes[0].range"});
    EXPECT_EQ(faultsOfLane({{"bounds", {"MGB"}}, {"range", true}}), Keys{});
    EXPECT_EQ(faultsOfLane({{"bounds", {"PGB"}}, {"rule", "analytic"}}, {{"structure", "full"}}),
              Keys{"lanes[0].rule"});
}

TEST(MetricFamily, KeepsAnActiveSetOnlyWhereSingleTripletsAreVisited) {
    const auto faultOf = [](const Json& solver, const Json& problem, const Json& laneSolver) {
        const Json lane = {{"name", "lane"}, {"solver", laneSolver}};
        const Keys faults = faultsBetween({{"problem", problem}, {"solver", solver}, {"lanes", Json::array({lane})}});
        EXPECT_LE(faults.size(), 1u);
        return faults.empty() ? std::string() : faults.front();
    };
    const Json on = {{"active_set", true}, {"method", "projected-gradient"}, {"engine", "pairs"}};
    const auto with = [&](const char* key, const char* value) {
        Json changed = on;
        changed[key] = value;
        return changed;
    };
    const Json none = Json::object();
    EXPECT_EQ(faultOf(on, none, none), "");
    EXPECT_EQ(faultOf(with("engine", "triplets"), none, none), "");
    EXPECT_EQ(faultOf(with("engine", "sorted"), none, none), "solver.active_set");
    EXPECT_EQ(faultOf(with("method", "newton"), none, none), "solver.active_set");
    EXPECT_EQ(faultOf(with("method", "auto"), none, none), "solver.active_set");
    EXPECT_EQ(faultOf(on, {{"linear_term", 0.5}}, none), "solver.active_set");
    EXPECT_EQ(faultOf(on, none, {{"engine", "sorted"}}), "lanes[0].solver.active_set");
    EXPECT_EQ(faultOf(none, none, {{"active_set", true}, {"method", "newton"}}), "lanes[0].solver.active_set");
    EXPECT_EQ(faultOf(on, none, {{"active_set", false}, {"engine", "sorted"}}), "");
}

TEST(MetricFamily, SaysThatALaneIsUnsafe) {
    const Experiment experiment = experimentFrom(
        {{"problem", {{"k", 3}}},
         {"lanes",
          Json::array({{{"name", "theory"}, {"bounds", {"RPB", "PGB"}}}, {{"name", "real"}, {"bounds", {"RRPB"}}}})}});
    const auto prepared = family().prepare(experiment, smallData({.name = "plain"}, 1), {}, {}, {});
    ASSERT_TRUE(prepared);
    EXPECT_EQ((*prepared)->makeTask(0)->describe().facts.at("unsafe"), true);
    EXPECT_FALSE((*prepared)->makeTask(1)->describe().facts.contains("unsafe"));
}

TEST(MetricFamily, RefusesRangesThatCannotFit) {
    std::vector<std::int32_t> labels(1000);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i % 2);
    }
    const Experiment experiment = experimentFrom(
        {{"problem", {{"k", "all"}}},
         {"lanes", Json::array({{{"name", "r"}, {"bounds", {"RRPB"}}, {"schedule", "every"}, {"range", true}}})}});
    const Error error = prepareError(experiment, labelled(labels, {"a", "b"}));
    EXPECT_EQ(error.code, ErrorCode::OutOfMemory);
    EXPECT_EQ(error.faults.at(0).key, "lanes[0].range");
}

TEST(MetricFamily, ExplainsWhatIsWrongWithTheData) {
    const Experiment experiment = experimentFrom({{"problem", {{"k", 60}}}});
    std::vector<std::int32_t> labels(150);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i / 50);
    }
    const Error tooLarge = prepareError(experiment, labelled(labels, {"setosa", "versicolor", "virginica"}));
    EXPECT_EQ(tooLarge.code, ErrorCode::InvalidData);
    ASSERT_EQ(tooLarge.faults.size(), 1u);
    EXPECT_EQ(tooLarge.faults[0].key, "problem.k");
    EXPECT_NE(tooLarge.faults[0].message.find("k = 60 but class 'setosa' has 50 rows"), std::string::npos);
    EXPECT_NE(tooLarge.faults[0].remedy.find("49"), std::string::npos);

    const Error oneClass = prepareError(experiment, labelled({0, 0, 0}, {"only"}));
    EXPECT_EQ(oneClass.faults.at(0).key, "data.labels");
    EXPECT_NE(oneClass.faults.at(0).message.find("only one class"), std::string::npos);

    const Error none = prepareError(experiment, labelled({}, {}));
    EXPECT_EQ(none.faults.at(0).key, "data.labels");

    const Error singles =
        prepareError(experimentFrom({{"problem", {{"k", "all"}}}}), labelled({0, 1, 2}, {"a", "b", "c"}));
    EXPECT_NE(singles.faults.at(0).message.find("no class has two rows"), std::string::npos);
}

TEST(MetricFamily, ExplainsWhenNoMetricHelps) {
    // All rows alike: every H is 0.
    Dataset::Parts parts = labelled({0, 0, 1, 1}, {"a", "b"});
    parts.dense.setConstant(3);
    const Error error = prepareError(experimentFrom({{"problem", {{"k", 1}}}}), std::move(parts));
    EXPECT_EQ(error.code, ErrorCode::InvalidData);
    EXPECT_NE(error.faults.at(0).message.find("M = 0 is the best metric"), std::string::npos);
}

TEST(MetricFamily, RefusesTripletListsThatCannotFit) {
    std::vector<std::int32_t> labels(2000);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i % 2);
    }
    const Experiment experiment = experimentFrom(
        {{"problem", {{"k", "all"}}}, {"lanes", Json::array({{{"name", "t"}, {"solver", {{"engine", "triplets"}}}}})}});
    const Error error = prepareError(experiment, labelled(labels, {"a", "b"}));
    EXPECT_EQ(error.code, ErrorCode::OutOfMemory);
    EXPECT_EQ(error.faults.at(0).key, "lanes[0].solver.engine");
}

TEST(MetricFamily, RefusesWhatTheSortedEngineCannotHoldInItsBudget) {
    std::vector<std::int32_t> labels(240);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i % 2);
    }
    const auto experiment = [](int megabytes, const Json& bounds) {
        const Json solver = {{"engine", "sorted"}, {"memory_budget", megabytes}};
        const Json lane = {{"name", "s"}, {"bounds", bounds}, {"solver", solver}};
        return experimentFrom({{"problem", {{"k", "all"}}}, {"lanes", Json::array({lane})}});
    };
    // The lists fit into 2 MB; screening keeps nothing per triplet.
    for (const auto& refused : {experiment(1, Json::array()), experiment(1, Json::array({"PGB"}))}) {
        const Error error = prepareError(refused, labelled(labels, {"a", "b"}));
        EXPECT_EQ(error.code, ErrorCode::OutOfMemory);
        EXPECT_EQ(error.faults.at(0).key, "lanes[0].solver.memory_budget");
    }
    for (const auto& accepted : {experiment(2, Json::array()), experiment(2, Json::array({"PGB"}))}) {
        const auto prepared =
            family().prepare(accepted, std::make_shared<const Dataset>(labelled(labels, {"a", "b"})), {}, {}, {});
        EXPECT_TRUE(prepared || prepared.error().code != ErrorCode::OutOfMemory);
    }
}

// 1.2·10¹¹ triplets of 10,992 rows in ten classes: with k = all each pair of rows is counted once.
TEST(MetricFamily, AcceptsAHundredBillionTripletsInFourGigabytes) {
    std::vector<std::int32_t> labels(10992);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i % 10);
    }
    const std::vector<std::string> names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    const auto codeWith = [&](int megabytes) {
        const Json lane = {{"name", "s"}, {"solver", {{"engine", "sorted"}, {"memory_budget", megabytes}}}};
        std::stop_source stop;
        stop.request_stop();
        const auto prepared =
            family().prepare(experimentFrom({{"problem", {{"k", "all"}}}, {"lanes", Json::array({lane})}}),
                             std::make_shared<const Dataset>(labelled(labels, names)), {}, {}, stop.get_token());
        return prepared ? ErrorCode::Internal : prepared.error().code;
    };
    EXPECT_EQ(codeWith(4000), ErrorCode::Stopped);
    EXPECT_EQ(codeWith(2000), ErrorCode::OutOfMemory); // of which the pairs alone take 1
}

/// What preparing for the engine "pairs" says, asked to stop before it builds anything.
ErrorCode preparingPairs(const std::vector<std::int32_t>& labels, std::size_t classes, const Json& bounds) {
    const Json lane = {{"name", "p"}, {"bounds", bounds}, {"solver", {{"engine", "pairs"}}}};
    const Experiment experiment = experimentFrom({{"problem", {{"k", "all"}}}, {"lanes", Json::array({lane})}});
    std::vector<std::string> names(classes);
    for (std::size_t c = 0; c < classes; ++c) {
        names[c] = "class " + std::to_string(c);
    }
    std::stop_source stop;
    stop.request_stop();
    const auto data = std::make_shared<const Dataset>(labelled(labels, names));
    const auto prepared = family().prepare(experiment, data, {}, {}, stop.get_token());
    return prepared ? ErrorCode::Internal : prepared.error().code;
}

TEST(MetricFamily, RefusesScreeningThatTheEngineForPairsCannotHold) {
    // 1.2e10 triplets: three quarters of a byte each for blocks and decisions.
    std::vector<std::int32_t> labels(3650);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int32_t>(i % 2);
    }
    EXPECT_EQ(preparingPairs(labels, 2, Json::array({"PGB"})), ErrorCode::OutOfMemory);
    EXPECT_EQ(preparingPairs(labels, 2, Json::array()), ErrorCode::Stopped);
}

TEST(MetricFamily, CountsTheNormsThatScreeningKeeps) {
    // One class of fifty rows, all others of one: neighbour lists of 7.96 GB. The norms of 39 million triplets are what
    // is too much.
    constexpr std::int32_t kAlone = 15720;
    std::vector<std::int32_t> labels(50, 0);
    for (std::int32_t c = 1; c <= kAlone; ++c) {
        labels.push_back(c);
    }
    EXPECT_EQ(preparingPairs(labels, kAlone + 1, Json::array({"PGB"})), ErrorCode::OutOfMemory);
    EXPECT_EQ(preparingPairs(labels, kAlone + 1, Json::array()), ErrorCode::Stopped);
}

TEST(MetricFamily, StopsWhilePreparing) {
    std::stop_source source;
    source.request_stop();
    const auto result = family().prepare(experimentFrom({{"problem", {{"k", 3}}}}), smallData({.name = "plain"}, 1), {},
                                         {}, source.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Stopped);
}

TEST(MetricFamily, TakesSparseData) {
    const auto dense = smallData({.name = "plain"}, 1);
    Dataset::Parts parts;
    parts.isSparse = true;
    parts.sparse = dense->dense().sparseView();
    parts.labels = dense->labels();
    parts.classNames = dense->classNames();
    const Experiment experiment = experimentFrom({{"problem", {{"k", 3}}}});
    const auto a = family().prepare(experiment, dense, {}, {}, {});
    const auto b = family().prepare(experiment, std::make_shared<const Dataset>(std::move(parts)), {}, {}, {});
    ASSERT_TRUE(a && b);
    EXPECT_EQ((*a)->makeTask(0)->schedule(), (*b)->makeTask(0)->schedule());
}

} // namespace
} // namespace lambdascope::metric
