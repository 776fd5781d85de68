// SPDX-License-Identifier: GPL-3.0-or-later
// Paths over λ of the convex problem: what lanes report, that screening changes nothing but time, and what they ask of
// the experiment.
#include "core/inspect/audit_report.h"
#include "core/ordinal/family.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/record/record_metrics.h"
#include "core/record/run_record.h"
#include "core/run/event_sink.h"
#include "core/run/experiment_runner.h"
#include "tests/core/data/data_files.h"
#include "tests/support/lens_capability.h"
#include "tests/support/stopping_sink.h"

#include <gtest/gtest.h>

#include <map>

namespace lambdascope::ordinal {
namespace {

const SchemaCatalog& gramCatalog() {
    static const SchemaCatalog only({family().schema});
    return only;
}

Json gramDocument(const Json& overlay) {
    Json document = {
        {"family", "ordinal"},
        {"name", "small"},
        {"data", {{"source", "toy:ordinal-gaussian?n=14&d=3"}, {"scale", "none"}}},
        {"problem", {{"comparisons", "points"}, {"train", 300}, {"test", 100}, {"model", "GNMDS"}, {"dimensions", 3}}},
        {"solver", {{"method", "convex"}}},
        {"path", {{"kind", "lambda"}, {"ratio", 0.6}, {"max_points", 8}, {"stop", 0}}},
        {"lanes",
         Json::array({{{"name", "none"}},
                      {{"name", "MGB"}, {"bounds", {"MGB"}}, {"schedule", "every"}, {"every", 3}},
                      {{"name", "RRPB+PGB"}, {"bounds", {"RRPB", "PGB"}}, {"schedule", "every"}, {"range", true}},
                      {{"name", "linear"}, {"bounds", {"GB"}}, {"rule", "linear"}, {"schedule", "every"}},
                      {{"name", "cone"}, {"bounds", {"DGB"}}, {"rule", "semidefinite"}, {"schedule", "every"}},
                      {{"name", "oracle"}, {"oracle", "MGB"}}})}};
    document.mergePatch(overlay);
    return document;
}

struct GramRun {
    std::unique_ptr<ExperimentRunner> runner;
    std::vector<RunRecord> records;
    std::string error;

    explicit GramRun(const Json& overlay, bool runs = true) {
        auto experiment = validateExperiment(gramDocument(overlay), gramCatalog());
        if (!experiment) {
            error = experiment.error().describe();
            return;
        }
        const RunWishes wishes{.embeddings = true, .solutions = true, .measures = true};
        runner = std::make_unique<ExperimentRunner>(std::move(*experiment), family(),
                                                    ExperimentOptions{wishes, {}, test::places()});
        if (auto ready = runner->prepare(); !ready) {
            error = ready.error().describe();
            return;
        }
        RecordingSink sink;
        if (runs) {
            EXPECT_TRUE(runner->run(sink));
            records = recordsOf(sink.events());
        }
    }
    [[nodiscard]] double at(std::size_t lane, std::int32_t point, const char* key) const {
        return columnValues(records.at(lane), *records.at(lane).columnWithKey(key)).at(static_cast<std::size_t>(point));
    }
};

TEST(GramPath, LanesScreenAndReachTheSameValues) {
    for (const double gamma : {0.05, 0.5}) {
        const Json overlay = {{"problem", {{"gamma", gamma}}}};
        const GramRun run(overlay);
        ASSERT_EQ(run.error, "");
        ASSERT_EQ(run.records.size(), 6u);
        for (std::size_t lane = 0; lane < 6; ++lane) {
            double screened = 0;
            for (std::int32_t point = 0; point < 8; ++point) {
                const double value = run.at(0, point, "primal");
                EXPECT_NEAR(run.at(lane, point, "primal"), value, 2.1e-6 * std::max(1.0, value)) << lane;
                EXPECT_LE(run.at(lane, point, "dual"), value + 2.1e-6 * std::max(1.0, value));
                EXPECT_EQ(run.at(lane, point, "n_R") + run.at(lane, point, "n_L") + run.at(lane, point, "n_C"),
                          run.at(lane, point, "n_items"));
                screened += run.at(lane, point, "final_R") + run.at(lane, point, "final_L");
            }
            EXPECT_EQ(screened > 0, lane > 0) << lane;
            EXPECT_NEAR(run.at(lane, 7, "test_error"), run.at(0, 7, "test_error"), 0.03);
        }
        EXPECT_LT(run.at(0, 7, "train_error"), 0.2); // three dimensions answered
        EXPECT_LT(run.at(0, 7, "gram_error"), 0.3);
    }
}

TEST(GramPath, SolutionsAreCentredAndShowTheirLongestAxes) {
    const GramRun run(Json::object());
    ASSERT_EQ(run.error, "");
    const auto& point = run.records[0].finishedPoint(7);
    ASSERT_NE(point, nullptr);
    ASSERT_EQ(point->solution->front().name, "X");
    const MatrixValues& values = point->solution->front().values;
    const Points x = Eigen::Map<const Eigen::MatrixXd>(values.data(), values.rows(), values.cols());
    EXPECT_EQ(x.rows(), 14);
    EXPECT_EQ(x.cols(), 3);
    EXPECT_LE(x.colwise().sum().norm(), 1e-10 * x.norm());
    const Eigen::MatrixXd products = x.transpose() * x;
    for (Eigen::Index axis = 1; axis < 3; ++axis) {
        EXPECT_LE(products(axis, axis), products(axis - 1, axis - 1));
        EXPECT_NEAR(products(axis, axis - 1), 0, 1e-9 * products(0, 0));
    }
    EXPECT_NEAR(run.at(0, 7, "shown"), 1, 1);
    EXPECT_GE(run.at(0, 7, "rank"), 3);
}

TEST(GramPath, AuditsFindNothingWrong) {
    const Json quadruplets = {{"problem", {{"form", "quadruplets"}, {"gamma", 0.2}}}};
    const Json noisy = {{"problem", {{"noise", 0.2}}}};
    const Json hinge = {{"problem", {{"gamma", 0}}}, {"path", {{"max_points", 4}}}};
    const Json three = {{"data", {{"source", "toy:ordinal-gaussian?n=3&d=2"}}},
                        {"problem", {{"train", 2}, {"test", 1}, {"dimensions", 2}}}};
    for (const Json& overlay : {Json::object(), quadruplets, noisy, hinge, three}) {
        const GramRun run(overlay, false);
        ASSERT_EQ(run.error, "");
        std::int64_t decided = 0;
        for (std::size_t lane = 0; lane < 5; ++lane) {
            const auto lens = run.runner->makeLens(lane);
            ASSERT_NE(lens, nullptr);
            const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
            ASSERT_TRUE(report) << report.error().describe();
            EXPECT_EQ(report->wrong, 0) << lane;
            decided += report->decisions;
        }
        EXPECT_TRUE(decided > 0 || overlay == three); // whose two comparisons are solved on arrival
    }
}

TEST(GramPath, ExplainsADecisionAndRelatesAnObjectToItsComparisons) {
    const GramRun run(Json::object(), false);
    ASSERT_EQ(run.error, "");
    const auto lens = run.runner->makeLens(1);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const auto notable = as<ItemExplainer>(*lens).notableItems(5, 9, {});
    ASSERT_TRUE(notable);
    ASSERT_FALSE(notable->empty());
    for (const NotableItem& item : *notable) {
        const auto why = as<ItemExplainer>(*lens).explain(item.item, 5, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->set, item.set);
        EXPECT_TRUE(why->set.empty() || why->set == why->trueSet);
    }
    const auto relations = as<RelationFinder>(*lens).relations(2, 5, 20, {});
    ASSERT_TRUE(relations);
    EXPECT_GT(relations->relations.size(), 0u);
}

// Against what the lane says of each comparison, found by its objects.
TEST(GramPath, RelationsOfAnObjectSayWhatWasScreened) {
    const Json quadruplets = {{"problem", {{"form", "quadruplets"}, {"gamma", 0.2}}}};
    for (const Json& overlay : {Json::object(), quadruplets}) {
        const GramRun run(overlay, false);
        ASSERT_EQ(run.error, "");
        const auto lens = run.runner->makeLens(1);
        ASSERT_TRUE(lens->open(0, {}, {}));
        auto& explainer = as<ItemExplainer>(*lens);
        std::map<std::string, int> seen;
        for (const std::int64_t object : {2, 5}) {
            const auto told = as<RelationFinder>(*lens).relations(object, 5, 100'000, {});
            ASSERT_TRUE(told);
            ASSERT_EQ(told->sets, (std::vector<std::string>{"R", "L"}));
            std::vector<std::int64_t> counted(2);
            for (const PointRelations::Relation& r : told->relations) {
                if (r.isHeldOut) {
                    EXPECT_EQ(r.set, -1);
                    continue;
                }
                const auto item = explainer.findItem(std::to_string(r.nearFrom) + ", " + std::to_string(r.nearTo) +
                                                     ", " + std::to_string(r.farFrom) + ", " + std::to_string(r.farTo));
                ASSERT_TRUE(item) << item.error().describe();
                const auto why = explainer.explain(*item, 5, {});
                ASSERT_TRUE(why);
                const std::string set = r.set < 0 ? "" : told->sets[static_cast<std::size_t>(r.set)];
                EXPECT_EQ(set, why->set) << why->title;
                ++seen[set];
                if (r.set >= 0) {
                    ++counted[static_cast<std::size_t>(r.set)];
                }
            }
            EXPECT_EQ(told->decided, counted);
        }
        EXPECT_GT(seen["R"], 0);
        EXPECT_GT(seen[""], 0);
        const auto plain = run.runner->makeLens(0); // screens nothing
        ASSERT_TRUE(plain->open(0, {}, {}));
        const auto told = as<RelationFinder>(*plain).relations(2, 5, 20, {});
        ASSERT_TRUE(told);
        EXPECT_TRUE(told->sets.empty());
    }
}

TEST(GramPath, AStopInTheMiddleOfAPointKeepsThoseBefore) {
    const Json one = {{"lanes", Json::array({{{"name", "MGB"}, {"bounds", {"MGB"}}, {"schedule", "every"}}})}};
    const GramRun whole(one);
    ASSERT_EQ(whole.error, "");
    const GramRun prepared(one, false);
    test::StoppingSink sink(test::within(4));
    const auto outcome = prepared.runner->run(sink, sink.token());
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->lanes.at(0).termination, Termination::StoppedByUser);
    const std::vector<Iterated> steps = sink.all<Iterated>();
    EXPECT_EQ(std::count_if(steps.begin(), steps.end(), [](const Iterated& step) { return step.pointIndex == 4; }), 1)
        << "went on after the stop";
    const std::vector<RunRecord> records = recordsOf(sink.events());
    ASSERT_EQ(records.at(0).finishedPointCount(), 4U);
    const auto values = columnValues(records.at(0), *records.at(0).columnWithKey("primal"));
    for (std::int32_t point = 0; point < 4; ++point) {
        EXPECT_EQ(values.at(static_cast<std::size_t>(point)), whole.at(0, point, "primal")) << point;
    }
}

TEST(GramPath, SaysWhatItAsksOfTheExperiment) {
    const auto complaint = [](const Json& overlay) { return GramRun(overlay, false).error; };
    const auto expect = [&](const Json& overlay, std::initializer_list<const char*> parts) {
        const std::string message = complaint(overlay);
        for (const char* part : parts) {
            EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
        }
    };
    expect({{"problem", {{"model", "STE"}}}}, {"problem.model", "GNMDS"});
    expect({{"problem", {{"gamma", 1.5}}}}, {"problem.gamma", "below problem.margin"});
    expect({{"solver", {{"method", "svrg"}}}}, {"solver.method", "convex"});
    expect({{"path", {{"kind", "epochs"}}}}, {"lanes[1].bounds", "paths over λ"});
    expect({{"lanes", Json::array({{{"name", "a"}, {"range", true}}})}}, {"lanes[0].range", "MGB or RRPB"});
    expect({{"lanes", Json::array({{{"name", "a"}, {"oracle", "b"}}})}}, {"oracle"});
    expect({{"data", {{"source", "toy:ordinal-gaussian?n=2100&d=2"}}}},
           {"lanes[1].bounds", "2,000 objects", "these are 2,100", "take fewer objects"});
    expect({{"solver", {{"rank", 4}}}}, {"lanes[1].bounds", "lanes[5].oracle", "fixed rank", "\"auto\""});
    const Json plain = Json::array({{{"name", "a"}, {"solver", {{"rank", 2}}}}});
    expect({{"lanes", plain}}, {"lanes[0].solver.rank", "below problem.dimensions, 3"});
    expect({{"solver", {{"rank", 0}}}}, {"solver.rank"});
    expect({{"path", {{"start", 1e-9}, {"min_lambda", 1}}}}, {"path.start"});
    expect({{"solver", {{"trials", 2}}}}, {"trials", "one solution"});
}

/// Lanes with whole matrices and with factors of rank 3 and 14.
Json lanesOfRanks() {
    return {{"lanes", Json::array({{{"name", "whole"}},
                                   {{"name", "rank 3"}, {"solver", {{"rank", 3}}}},
                                   {{"name", "rank 14"}, {"solver", {{"rank", 14}}}}})}};
}

TEST(FactoredPath, StandsBesideTheProvenPathAndSaysWhatIsNotProven) {
    for (const double gamma : {0.0, 0.3}) {
        Json overlay = lanesOfRanks();
        overlay["problem"]["gamma"] = gamma;
        const GramRun run(overlay);
        ASSERT_EQ(run.error, "");
        for (std::size_t lane = 1; lane < 3; ++lane) {
            EXPECT_FALSE(run.records[lane].columnWithKey("path_R").has_value());
            bool isAllProven = true;
            for (std::int32_t point = 0; point < 8; ++point) {
                SCOPED_TRACE(std::to_string(lane) + ", " + std::to_string(point));
                EXPECT_EQ(run.at(lane, point, "lambda"), run.at(0, point, "lambda"));
                EXPECT_EQ(run.at(lane, point, "n_items"), run.at(0, point, "n_items"));
                const double least = run.at(0, point, "primal") - run.at(0, point, "gap");
                EXPECT_GE(run.at(lane, point, "primal"), least * (1 - 1e-12));
                EXPECT_LE(run.at(lane, point, "dual"), run.at(0, point, "primal") * (1 + 1e-12));
                EXPECT_GE(run.at(lane, point, "gap"), run.at(lane, point, "primal") - run.at(0, point, "primal"));
                const bool isProven = run.at(lane, point, "gap") <= 1e-6 * std::max(1.0, run.at(lane, point, "primal"));
                EXPECT_EQ(run.records[lane].points()[static_cast<std::size_t>(point)].termination,
                          isProven ? Termination::Converged : Termination::NotProven);
                isAllProven = isAllProven && isProven;
            }
            EXPECT_EQ(run.records[lane].termination(), isAllProven ? Termination::PathEnded : Termination::NotProven);
            EXPECT_TRUE(lane == 2 || !isAllProven);
            EXPECT_LT(run.at(lane, 7, "train_error"), 0.2);
        }
        // All columns: nothing but the method differs from the proven path.
        EXPECT_NEAR(run.at(2, 7, "primal"), run.at(0, 7, "primal"), 3e-3 * run.at(0, 7, "primal"));
        EXPECT_NEAR(run.at(2, 7, "gram_error"), run.at(0, 7, "gram_error"), 0.05);
    }
}

TEST(FactoredPath, IsComputedAgainToTheLastBitAndKnowsWhatHoldsInItsEmbedding) {
    const GramRun run(lanesOfRanks());
    ASSERT_EQ(run.error, "");
    const auto lens = run.runner->makeLens(1);
    ASSERT_NE(lens, nullptr);
    ASSERT_TRUE(lens->open(0, {}, {}));
    ASSERT_EQ(lens->path().size(), 8U);
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit);
    EXPECT_EQ(audit->decisions, 0);
    EXPECT_EQ(audit->points, 8);
    EXPECT_EQ(audit->loosePoints, 8); // of a solution that is not proven, and says so
    for (const std::int32_t point : {0, 3, 7}) {
        const auto solution = run.records[1].finishedPoint(point)->solution;
        const auto here = as<RelationFinder>(*lens).relations(4, point, 1000, {});
        const auto recorded = as<RelationFinder>(*lens).relationsIn(*solution, 4, 1000, {});
        ASSERT_TRUE(here && recorded);
        ASSERT_EQ(here->relations.size(), recorded->relations.size());
        for (std::size_t at = 0; at < here->relations.size(); ++at) {
            EXPECT_EQ(here->relations[at].farTo, recorded->relations[at].farTo);
            EXPECT_EQ(here->relations[at].room, recorded->relations[at].room);
        }
    }
}

TEST(FactoredPath, AStopInTheMiddleOfAPointKeepsThoseBefore) {
    const Json one = {{"lanes", Json::array({{{"name", "rank 3"}, {"solver", {{"rank", 3}}}}})}};
    const GramRun whole(one);
    const GramRun prepared(one, false);
    ASSERT_EQ(prepared.error, "");
    test::StoppingSink sink(test::within(4));
    const auto outcome = prepared.runner->run(sink, sink.token());
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->lanes.at(0).termination, Termination::StoppedByUser);
    const std::vector<RunRecord> records = recordsOf(sink.events());
    ASSERT_EQ(records.at(0).finishedPointCount(), 4U);
    const auto values = columnValues(records.at(0), *records.at(0).columnWithKey("gap"));
    for (std::int32_t point = 0; point < 4; ++point) {
        EXPECT_EQ(values.at(static_cast<std::size_t>(point)), whole.at(0, point, "gap")) << point;
    }
}

TEST(FactoredPath, TakesMoreObjectsThanMatricesAreHeldOf) {
    const Json overlay = {{"data", {{"source", "toy:ordinal-gaussian?n=2100&d=2"}}},
                          {"problem", {{"train", 4000}, {"dimensions", 2}}},
                          {"path", {{"max_points", 3}}},
                          {"lanes", Json::array({{{"name", "none"}}})}};
    const GramRun run(overlay);
    ASSERT_EQ(run.error, "");
    EXPECT_EQ(run.records.at(0).start().facts["rank_of_gram_matrix"], 32);
    ASSERT_EQ(run.records.at(0).finishedPointCount(), 3U);
    EXPECT_GT(run.at(0, 0, "dual"), 0);
    EXPECT_LT(run.at(0, 2, "primal"), run.at(0, 0, "primal"));
    EXPECT_GE(run.at(0, 2, "gap"), run.at(0, 2, "primal") - run.at(0, 2, "dual"));
}

TEST(ConvexStart, BeginsAtAFactorToo) {
    Json overlay = {{"problem", {{"model", "STE"}}}, {"path", {{"kind", "epochs"}, {"epochs", 2}}}};
    overlay["solver"] = {{"method", "svrg-sbb"}, {"start", "convex"}, {"start_lambda", 0.05}};
    overlay["lanes"] = Json::array({{{"name", "whole"}}, {{"name", "rank 4"}, {"solver", {{"rank", 4}}}}});
    const GramRun run(overlay);
    ASSERT_EQ(run.error, "");
    EXPECT_LT(run.at(1, 0, "train_error"), 0.25);
    EXPECT_LT(run.at(1, 2, "train_error"), 0.2);
    const GramRun again(overlay);
    EXPECT_EQ(run.at(1, 2, "loss"), again.at(1, 2, "loss"));
}

TEST(ConvexStart, BeginsEpochsAtTheConvexSolution) {
    Json overlay = {{"problem", {{"model", "STE"}}}, {"path", {{"kind", "epochs"}, {"epochs", 4}}}};
    overlay["solver"] = {{"method", "svrg-sbb"}};
    overlay["lanes"] = Json::array(
        {{{"name", "random"}}, {{"name", "convex"}, {"solver", {{"start", "convex"}, {"start_lambda", 0.05}}}}});
    const GramRun run(overlay);
    ASSERT_EQ(run.error, "");
    EXPECT_LT(run.at(1, 0, "train_error"), 0.25);
    EXPECT_GT(run.at(0, 0, "train_error"), 0.35);
    EXPECT_GT(run.at(1, 0, "seconds"), 0);
    const GramRun again(overlay);
    for (std::int32_t epoch = 0; epoch <= 4; ++epoch) {
        EXPECT_EQ(run.at(1, epoch, "loss"), again.at(1, epoch, "loss"));
    }
    const Json overPath = {{"solver", {{"start", "convex"}}}};
    EXPECT_NE(GramRun(overPath, false).error.find("solver.start"), std::string::npos);
}

} // namespace
} // namespace lambdascope::ordinal
