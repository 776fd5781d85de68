// SPDX-License-Identifier: GPL-3.0-or-later
// Whole paths on real data: every lane ends each λ at the same objective, no screened triplet is wrong against a tight
// solve, and the published figures come out ([T], table 2). With LAMBDASCOPE_AUDIT=all in the environment every point
// of the published grids is audited, which takes minutes.
#include "core/metric/family.h"
#include "core/triplets/inspect/decision_audit.h"
#include "tests/core/metric/distorted_data.h"
#include "tests/core/metric/small_experiments.h"
#include "tests/support/walked_lane.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace lambdascope::metric {
namespace {

std::shared_ptr<const Dataset> load(const DataConfig& config) {
    const DataPlaces places{{}, LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets"};
    auto data = loadDataset(config, places);
    EXPECT_TRUE(data) << data.error().describe();
    return *data;
}

bool auditsEverything() {
    const char* wish = std::getenv("LAMBDASCOPE_AUDIT");
    return wish != nullptr && std::string(wish) == "all";
}

/// The baseline and lanes with every rule; when everything is audited, each safe bound with each rule.
Json lanesOfAudit() {
    Json lanes = Json::array({{{"name", "naive"}}});
    const auto add = [&lanes](const std::vector<std::string>& bounds, const std::string& rule, bool range) {
        std::string name;
        for (const std::string& bound : bounds) {
            name += bound + ' ';
        }
        lanes.push_back(
            {{"name", name + rule + (range ? " ranges" : "")}, {"bounds", bounds}, {"rule", rule}, {"range", range}});
    };
    if (auditsEverything()) {
        for (const char* bound : {"GB", "PGB", "DGB", "CDGB", "RRPB", "MGB"}) {
            for (const char* rule : {"sphere", "linear", "semidefinite"}) {
                add({bound}, rule, false);
            }
        }
    } else {
        add({"GB"}, "linear", false);
        add({"GB"}, "semidefinite", false);
        add({"CDGB"}, "sphere", false);
    }
    add({"RRPB", "PGB"}, "semidefinite", false);
    add({"RRPB", "PGB"}, "sphere", true);
    add({"RRPB", "GB"}, "linear", true);
    add({"MGB", "PGB"}, "sphere", true);
    return lanes;
}

struct LanePath {
    std::string name;
    std::vector<PointReport> reports;
};

double value(const PointReport& report, std::size_t column) {
    return report.values[column];
}

/// Walks all lanes; every `auditEvery`-th point is solved to a relative gap of 1e-10 and decisions are audited.
void walkAndAudit(const Experiment& experiment, const std::shared_ptr<const Dataset>& data, std::size_t auditEvery,
                  std::vector<LanePath>& lanes, double& lambdaMax, TripletIndex& triplets) {
    auto preparedProblem = family().prepare(experiment, data, {}, {}, {});
    ASSERT_TRUE(preparedProblem) << preparedProblem.error().describe();
    const auto& prepared = dynamic_cast<const PreparedMetric&>(**preparedProblem);
    const double gamma = prepared.problem().lossGamma();
    lambdaMax = prepared.top().lambdaMax;
    triplets = prepared.triplets().triplets();
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    std::map<std::size_t, SolvedPoint> tight;
    if (auditsEverything()) {
        auditEvery = 1;
    }
    for (std::size_t lane = 0; lane < experiment.laneNames.size(); ++lane) {
        const auto task = prepared.makeTask(lane);
        TripletStates states(triplets);
        dynamic_cast<MetricTask&>(*task).record(&states);
        const std::string& name = experiment.laneNames[lane];
        LanePath path{name, {}};
        const auto schedule = task->schedule();
        std::shared_ptr<const WarmStart> warm;
        std::int64_t decided = 0;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            auto report = task->solvePoint({static_cast<std::int32_t>(i), schedule[i]}, warm, context);
            ASSERT_TRUE(report);
            ASSERT_EQ(report->termination, Termination::Converged) << name << ' ' << i;
            warm = report->warmStart;
            path.reports.push_back(*report);
            if (i % auditEvery == 0) {
                if (!tight.contains(i)) {
                    const auto& start = dynamic_cast<const TripletWarmStart&>(*warm).solved;
                    const auto engine = makeEngine(EngineKind::Pairs, prepared.triplets());
                    PointSettings settings;
                    settings.gamma = gamma;
                    settings.tolerance = 1e-10;
                    PointSolver solver(*engine, {}, settings);
                    tight[i] = solver.solve(schedule[i], start, 0, context).solved;
                    EXPECT_LE(tight[i].gap, 1e-9 * value(*report, 3));
                }
                StopCheck never;
                const DecisionAudit audit = auditDecisions(prepared.triplets(), states, tight[i], gamma, never);
                EXPECT_EQ(audit.wrong, 0) << name << " point " << i;
                decided += audit.decided;
            }
            if (task->endsPath(path.reports)) {
                break;
            }
        }
        EXPECT_EQ(decided > 0, name != "naive");
        std::printf("  %-22s %3zu points, %lld decisions audited\n", name.c_str(), path.reports.size(),
                    static_cast<long long>(decided));
        lanes.push_back(std::move(path));
    }
    for (const LanePath& lane : lanes) {
        const std::size_t common = std::min(lane.reports.size(), lanes.front().reports.size());
        EXPECT_LE(std::max(lane.reports.size(), lanes.front().reports.size()) - common, 5u) << lane.name;
        for (std::size_t i = 0; i < common; ++i) {
            const double expected = value(lanes.front().reports[i], 3);
            EXPECT_NEAR(value(lane.reports[i], 3), expected, 1.000001e-6 * std::max(1.0, expected)) << lane.name;
        }
    }
}

TEST(MetricPaths, IrisWithAllNeighboursReproducesThePublishedPath) {
    DataConfig data;
    data.source = "iris";
    data.subset = 0.9;
    std::vector<LanePath> lanes;
    double lambdaMax = 0;
    TripletIndex triplets = 0;
    walkAndAudit(experimentFrom({{"problem", {{"k", "all"}}}}), load(data), 12, lanes, lambdaMax, triplets);
    // Published, average of five random subsets: 546,668 triplets, first λ 1.3e7 (some grid steps below the closed
    // form), last λ 2.3e1.
    EXPECT_NEAR(static_cast<double>(triplets), 546668, 0.03 * 546668);
    EXPECT_GT(lambdaMax, 1.3e7);
    EXPECT_LT(lambdaMax, 1.3e7 * 1.5);
    const double last = value(lanes.front().reports.back(), 1);
    EXPECT_GT(last, 2.3e1 / 1.6);
    EXPECT_LT(last, 2.3e1 * 1.6);
    RecordProperty("triplets", std::to_string(triplets));
    std::printf("iris, k = all: %lld triplets, lambda_max %.4g, last lambda %.4g, %zu points\n",
                static_cast<long long>(triplets), lambdaMax, last, lanes.front().reports.size());
}

TEST(MetricPaths, WineAllLanesAgree) {
    DataConfig data;
    data.source = "wine";
    std::vector<LanePath> lanes;
    double lambdaMax = 0;
    TripletIndex triplets = 0;
    walkAndAudit(experimentFrom(Json::object()), load(data), 6, lanes, lambdaMax, triplets);
    std::printf("wine, k = 10: %lld triplets, lambda_max %.4g, last lambda %.4g\n", static_cast<long long>(triplets),
                lambdaMax, value(lanes.front().reports.back(), 1));
}

/// The expensive rules walk a coarse path unless everything is to be audited. Classes that a metric parts without any
/// loss give a path that only `minLambda` ends.
Json pathOfAudit(double minLambda = 0) {
    return {{"ratio", auditsEverything() ? 0.9 : 0.6}, {"min_lambda", minLambda}};
}

TEST(MetricPaths, EveryRuleIsSafeOnWine) {
    DataConfig data;
    data.source = "wine";
    std::vector<LanePath> lanes;
    double lambdaMax = 0;
    TripletIndex triplets = 0;
    walkAndAudit(
        experimentFrom(
            {{"problem", {{"k", auditsEverything() ? 20 : 5}}}, {"path", pathOfAudit(10)}, {"lanes", lanesOfAudit()}}),
        load(data), 4, lanes, lambdaMax, triplets);
}

TEST(MetricPaths, EveryRuleIsSafeAtHugeAndTinyScalesWithNearDuplicates) {
    DataConfig config;
    config.source = "iris";
    const auto iris = load(config);
    for (const double factor : {1e-6, 1e6}) {
        std::vector<LanePath> lanes;
        double lambdaMax = 0;
        TripletIndex triplets = 0;
        walkAndAudit(experimentFrom({{"problem", {{"k", auditsEverything() ? 20 : 6}}},
                                     {"path", pathOfAudit()},
                                     {"lanes", lanesOfAudit()}}),
                     distorted(*iris, factor, 1e-13), 4, lanes, lambdaMax, triplets);
    }
}

TEST(MetricPaths, EveryRuleIsSafeForTheDiagonal) {
    DataConfig data;
    data.source = "wine";
    std::vector<LanePath> lanes;
    double lambdaMax = 0;
    TripletIndex triplets = 0;
    Json audited = Json::array();
    for (const Json& lane : lanesOfAudit()) {
        if (lane.value("rule", "sphere") != "semidefinite") {
            audited.push_back(lane);
        }
    }
    walkAndAudit(
        experimentFrom({{"problem", {{"structure", "diagonal"}}}, {"path", pathOfAudit()}, {"lanes", audited}}),
        load(data), 10, lanes, lambdaMax, triplets);
}

/// By counted work, which is the same in every run.
TEST(MetricPaths, TakeNoMoreWorkWithScreeningThanWithout) {
    for (const char* source : {"iris", "wine"}) {
        for (const char* method : {"projected-gradient", "newton", "auto"}) {
            Json document = {{"family", "metric"},
                             {"data", {{"source", source}, {"scale", "minmax"}}},
                             {"solver", {{"engine", "pairs"}, {"method", method}, {"tolerance", 1e-6}}}};
            document["problem"]["k"] = 10;
            document["lanes"] = Json::array({{{"name", "none"}}, {{"name", "screened"}, {"bounds", {"RRPB", "PGB"}}}});
            const auto experiment = validateExperiment(document, SchemaCatalog({family().schema}));
            ASSERT_TRUE(experiment) << experiment.error().describe();
            const auto prepared = family().prepare(**experiment, load((*experiment)->data), {}, {}, {});
            ASSERT_TRUE(prepared) << prepared.error().describe();
            auto none = testing_support::walkLane(**prepared, 0);
            auto screened = testing_support::walkLane(**prepared, 1);
            const std::size_t points = std::min(none.reports.size(), screened.reports.size());
            ASSERT_GT(points, 100U);
            none.reports.resize(points);
            screened.reports.resize(points);
            EXPECT_LE(screened.sum("counted_work"), none.sum("counted_work")) << source << ", " << method;
        }
    }
}

TEST(MetricPaths, SegmentAllLanesAgree) {
    const std::string file = LAMBDASCOPE_TEST_SOURCE_DIR "/../shared/data/metric/segment.arff";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << "no " << file;
    }
    DataConfig data;
    data.source = file;
    std::vector<LanePath> lanes;
    double lambdaMax = 0;
    TripletIndex triplets = 0;
    walkAndAudit(experimentFrom({{"problem", {{"k", 20}}}, {"path", {{"ratio", auditsEverything() ? 0.9 : 0.6}}}}),
                 load(data), 7, lanes, lambdaMax, triplets);
    EXPECT_EQ(triplets, 924000);
    std::printf("segment, k = 20: %lld triplets, lambda_max %.4g, last lambda %.4g\n", static_cast<long long>(triplets),
                lambdaMax, value(lanes.front().reports.back(), 1));
}

} // namespace
} // namespace lambdascope::metric
