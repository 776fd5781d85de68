// SPDX-License-Identifier: GPL-3.0-or-later
// The ε-approximation path as lanes see it.
#include "core/metric/family.h"
#include "core/metric/path/prepared_metric.h"
#include "tests/core/metric/small_experiments.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string_view>

namespace lambdascope::metric {
namespace {

const Json kPlanLanes = Json::parse(R"([{"name": "none"}, {"name": "RRPB", "bounds": ["RRPB"]},
    {"name": "ranges", "bounds": ["RRPB", "PGB"], "schedule": "every", "range": true},
    {"name": "MGB, ranges", "bounds": ["MGB"], "schedule": "every", "range": true},
    {"name": "oracle", "oracle": "RRPB"}])");

struct WalkedPlan {
    std::vector<double> lambda;
    std::vector<double> primal;
    std::vector<double> screened;
    std::vector<double> reach;
};

WalkedPlan walkPlan(const PreparedProblem& problem, std::size_t lane) {
    NullSink sink;
    RunContext context(RunId{0}, sink, {}, nullptr, {.ranges = true, .measures = true});
    const auto task = problem.makeTask(lane);
    std::shared_ptr<const WarmStart> warm;
    WalkedPlan walked;
    const std::vector<double> schedule = task->schedule();
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const PathPoint point{static_cast<std::int32_t>(i), schedule[i]};
        auto report = task->solvePoint(point, warm, context);
        EXPECT_TRUE(report);
        warm = report->warmStart;
        const PointEvaluation evaluation = task->evaluate(point, *report, context);
        for (const MeasuredValue& measure : evaluation.measures) {
            report->values[measure.column] = measure.value;
        }
        const auto columns = task->describe().columns;
        const auto value = [&](const std::string& key) {
            const auto column =
                std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.key == key; });
            return report->values.at(static_cast<std::size_t>(column - columns.begin()));
        };
        walked.lambda.push_back(point.value);
        walked.primal.push_back(value("primal"));
        walked.screened.push_back(value("path_R") + value("path_L"));
        walked.reach.push_back(value("reach"));
        EXPECT_FALSE(task->endsPath({*report, *report, *report, *report}));
        if (evaluation.ranges != nullptr) { // with the λ that the path has
            EXPECT_EQ(evaluation.ranges->targets, std::vector<double>(schedule.begin() + point.index, schedule.end()));
        }
    }
    return walked;
}

std::shared_ptr<const PreparedProblem> preparedOn(const Experiment& experiment) {
    const auto prepared = family().prepare(experiment, smallData({.name = "plain", .rowsPerClass = 12}, 1), {}, {}, {});
    EXPECT_TRUE(prepared) << prepared.error().describe();
    return *prepared;
}

class ApproximationPath : public testing::TestWithParam<Json> {};

TEST_P(ApproximationPath, IsTheSameForAllLanesWhoseSolutionsReachFromEachLambdaToTheNext) {
    for (const double epsilon : {0.1, 0.01, 1e-3}) {
        SCOPED_TRACE(epsilon);
        Json overlay = {{"path", {{"kind", "approximation"}, {"epsilon", epsilon}, {"max_points", 60}}},
                        {"solver", {{"tolerance", 1e-3 * epsilon}}},
                        {"lanes", kPlanLanes}};
        overlay.mergePatch(GetParam());
        const auto prepared = preparedOn(experimentFrom(overlay));
        const WalkedPlan plain = walkPlan(*prepared, 0);
        ASSERT_GT(plain.lambda.size(), 4U);
        EXPECT_TRUE(std::is_sorted(plain.lambda.rbegin(), plain.lambda.rend()));
        for (std::size_t lane = 1; lane < kPlanLanes.size(); ++lane) {
            const WalkedPlan other = walkPlan(*prepared, lane);
            EXPECT_EQ(other.lambda, plain.lambda);
            double screened = 0;
            for (std::size_t i = 0; i < plain.lambda.size(); ++i) {
                EXPECT_NEAR(other.primal[i], plain.primal[i], 1e-2 * epsilon * plain.primal[i]);
                if (i + 1 < plain.lambda.size()) {
                    EXPECT_LE(other.reach[i], 1.001 * plain.lambda[i + 1]) << lane << " " << i;
                }
                screened += other.screened[i];
            }
            EXPECT_GT(screened, 0) << lane;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Problems, ApproximationPath,
    testing::Values(Json::object(), Json::parse(R"({"problem": {"structure": "diagonal"}})"),
                    Json::parse(R"({"problem": {"linear_term": 0.1}})"), Json::parse(R"({"problem": {"gamma": 0.5}})"),
                    Json::parse(R"({"solver": {"engine": "triplets", "method": "projected-gradient"}})")));

TEST(ApproximationPath, HasFewerPointsWithALargerEpsilon) {
    std::size_t last = 0;
    for (const double epsilon : {0.3, 0.1, 0.03, 0.01}) {
        const auto prepared = preparedOn(experimentFrom(
            {{"path", {{"kind", "approximation"}, {"epsilon", epsilon}, {"stop", 0}, {"min_lambda", 1}}}}));
        const std::vector<double> values = prepared->makeTask(0)->schedule();
        EXPECT_GT(values.size(), last) << epsilon;
        EXPECT_EQ(values.back(), 1); // the smallest λ is the last one
        last = values.size();
    }
}

TEST(ApproximationPath, EndsByTheStopRuleAndWithTheMostPoints) {
    const Json path = {{"kind", "approximation"}, {"epsilon", 0.01}};
    Json without = path;
    without["stop"] = 0;
    without["min_lambda"] = 1e-3;
    Json few = path;
    few["max_points"] = 3;
    const auto points = [](const Json& of) {
        return preparedOn(experimentFrom({{"path", of}}))->makeTask(0)->schedule();
    };
    EXPECT_LT(points(path).size(), points(without).size());
    EXPECT_EQ(points(few).size(), 3U);
}

TEST(ApproximationPath, IsGivenUpOnAStop) {
    std::stop_source stop;
    const Experiment experiment = experimentFrom({{"path", {{"kind", "approximation"}, {"epsilon", 1e-3}}}});
    int walked = 0;
    const auto prepared = family().prepare(
        experiment, smallData({.name = "plain", .rowsPerClass = 12}, 1), {},
        [&](double share, std::string_view what) {
            EXPECT_GE(share, 0);
            EXPECT_LE(share, 1);
            walked += what.find("ε-path") != std::string_view::npos ? 1 : 0;
            if (walked == 3) {
                stop.request_stop();
            }
        },
        stop.get_token());
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().code, ErrorCode::Stopped);
    EXPECT_EQ(walked, 3);
}

} // namespace
} // namespace lambdascope::metric
