// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/family.h"
#include "core/metric/path/metric_task.h"
#include "core/metric/path/prepared_metric.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

std::shared_ptr<const PreparedProblem> preparedFrom(const Experiment& experiment) {
    const auto prepared = family().prepare(experiment, smallData({.name = "plain", .rowsPerClass = 12}, 1), {}, {}, {});
    EXPECT_TRUE(prepared);
    return *prepared;
}

struct WalkedPath {
    std::vector<PointReport> reports;
    std::vector<PathPoint> points;
};

WalkedPath walk(PathTask& task, RunContext& context, std::size_t most = 1000) {
    WalkedPath path;
    const auto schedule = task.schedule();
    std::shared_ptr<const WarmStart> warm;
    for (std::size_t i = 0; i < std::min(most, schedule.size()); ++i) {
        const PathPoint point{static_cast<std::int32_t>(i), schedule[i]};
        auto report = task.solvePoint(point, warm, context);
        EXPECT_TRUE(report);
        warm = report->warmStart;
        path.points.push_back(point);
        path.reports.push_back(*report);
        if (task.endsPath(path.reports)) {
            break;
        }
    }
    return path;
}

double column(const PathTask& task, const PointReport& report, const std::string& key) {
    const auto columns = task.describe().columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].key == key) {
            return report.values[c];
        }
    }
    ADD_FAILURE() << key;
    return 0;
}

class MetricTaskTest : public testing::Test {
  protected:
    Experiment experiment = experimentFrom({{"problem", {{"k", 4}}}, {"path", {{"max_points", 60}}}});
    std::shared_ptr<const PreparedProblem> prepared = preparedFrom(experiment);
    RecordingSink sink;
    RunContext context{RunId{1}, sink, {}, nullptr, {.embeddings = true, .solutions = true, .threads = 1}};
};

TEST_F(MetricTaskTest, WritesThePublishedColumns) {
    const auto task = prepared->makeTask(1);
    std::string header;
    for (const auto& description : task->describe().columns) {
        header += (header.empty() ? "" : ",") + description.key;
    }
    EXPECT_EQ(header,
              "index,lambda,iterations,primal,dual,gap,loss,n_items,n_R,n_L,n_C,path_R,path_L,path_rate,final_R,"
              "final_L,final_rate,cpu_solve,cpu_screen,wall,knn_error,cpu_rule,cpu_evaluate,cpu_eigen,cpu_other,"
              "pairs_visited,evaluations,eigen_decompositions,counted_work,evaluation_work");
    const WalkedPath path = walk(*task, context, 2);
    EXPECT_EQ(path.reports[0].values.size(), task->describe().columns.size());
}

TEST_F(MetricTaskTest, DescribesItsLane) {
    const auto naive = prepared->makeTask(0)->describe();
    EXPECT_TRUE(naive.isBaseline);
    const auto screened = prepared->makeTask(5)->describe();
    EXPECT_FALSE(screened.isBaseline);
    EXPECT_EQ(screened.facts.at("n"), 36);
    EXPECT_EQ(screened.facts.at("triplets"), 36 * 16);
    EXPECT_GT(screened.facts.at("lambda_max").get<double>(), 0);
}

TEST_F(MetricTaskTest, CountsAddUp) {
    const auto task = prepared->makeTask(5);
    const WalkedPath path = walk(*task, context);
    ASSERT_GT(path.reports.size(), 20u);
    for (const PointReport& report : path.reports) {
        EXPECT_EQ(report.termination, Termination::Converged);
        EXPECT_EQ(column(*task, report, "n_R") + column(*task, report, "n_L") + column(*task, report, "n_C"),
                  column(*task, report, "n_items"));
        EXPECT_EQ(report.decidableItems, column(*task, report, "n_R") + column(*task, report, "n_L"));
        EXPECT_LE(column(*task, report, "path_R"), column(*task, report, "final_R"));
        EXPECT_LE(column(*task, report, "path_rate"), column(*task, report, "final_rate"));
        EXPECT_LE(column(*task, report, "final_R"), column(*task, report, "n_R"));
        EXPECT_LE(column(*task, report, "final_L"), column(*task, report, "n_L"));
        EXPECT_NEAR(column(*task, report, "primal") - column(*task, report, "dual"), column(*task, report, "gap"),
                    1e-6 * column(*task, report, "primal"));
        EXPECT_GE(column(*task, report, "cpu_solve"), 0);
        EXPECT_GT(column(*task, report, "cpu_screen"), 0);
        // The ledger splits the same time and counts the work.
        const double total = column(*task, report, "cpu_solve") + column(*task, report, "cpu_screen");
        EXPECT_NEAR(column(*task, report, "cpu_rule") + column(*task, report, "cpu_evaluate") +
                        column(*task, report, "cpu_eigen") + column(*task, report, "cpu_other"),
                    total, 0.05 * total + 2e-5);
        EXPECT_GT(column(*task, report, "cpu_rule"), 0);
        EXPECT_GE(column(*task, report, "eigen_decompositions"), 1);
        EXPECT_GE(column(*task, report, "evaluations"), column(*task, report, "iterations") > 0 ? 1 : 0);
        EXPECT_GE(column(*task, report, "pairs_visited"), column(*task, report, "evaluations"));
        EXPECT_EQ(column(*task, report, "evaluation_work") > 0, column(*task, report, "iterations") > 0);
        EXPECT_LE(column(*task, report, "evaluation_work"), column(*task, report, "counted_work"));
    }
}

TEST_F(MetricTaskTest, NaiveLaneSpendsNothingOnScreening) {
    const auto task = prepared->makeTask(0);
    for (const PointReport& report : walk(*task, context).reports) {
        EXPECT_EQ(report.cpuScreen, 0);
        EXPECT_EQ(column(*task, report, "final_R") + column(*task, report, "final_L"), 0);
    }
    for (const RunEvent& event : sink.events()) {
        EXPECT_FALSE(std::holds_alternative<Screened>(event.body));
    }
}

TEST_F(MetricTaskTest, ShowsItsWatchEveryCheckAsItWasMade) {
    class OnCheck final : public ScreeningObserver {
      public:
        void checked(const ScreeningCheck& check) override {
            double radius = check.regions.front().sphere.radius;
            for (const Region& region : check.regions) {
                radius = std::min(radius, region.sphere.radius);
            }
            seen.push_back({check.check, check.iteration, radius, check.reference.path.point != nullptr});
        }
        struct Seen {
            std::int32_t check;
            std::int64_t iteration;
            double radius;
            bool isPathScreening;
        };
        std::vector<Seen> seen;
    };
    const auto task = prepared->makeTask(5);
    OnCheck observer;
    TripletStates states(dynamic_cast<const PreparedMetric&>(*prepared).triplets().triplets());
    dynamic_cast<MetricTask&>(*task).record(&states, &observer);
    walk(*task, context, 40);
    std::size_t checks = 0;
    for (const RunEvent& event : sink.events()) {
        if (const auto* screened = std::get_if<Screened>(&event.body)) {
            ASSERT_LT(checks, observer.seen.size());
            EXPECT_EQ(observer.seen[checks].check, screened->check);
            EXPECT_EQ(observer.seen[checks].iteration, screened->iteration);
            EXPECT_EQ(observer.seen[checks].radius, screened->radius);
            EXPECT_EQ(observer.seen[checks].isPathScreening, screened->check == 0);
            ++checks;
        }
    }
    EXPECT_EQ(checks, observer.seen.size());
    EXPECT_GT(checks, 12U);
}

TEST_F(MetricTaskTest, EvaluatesOnlyWhatIsWished) {
    const auto task = prepared->makeTask(2);
    const WalkedPath path = walk(*task, context, 4);
    const PointEvaluation all = task->evaluate(path.points.back(), path.reports.back(), context);
    ASSERT_TRUE(all.embedding && all.solution);
    EXPECT_EQ(all.embedding->coordinates.size(), 72u);
    EXPECT_EQ(all.solution->front().name, "M");
    EXPECT_EQ(all.solution->front().values.rows(), 3);
    RunContext modest(RunId{2}, sink);
    const PointEvaluation none = task->evaluate(path.points.back(), path.reports.back(), modest);
    EXPECT_FALSE(none.embedding || none.solution);
}

TEST_F(MetricTaskTest, MeasuresHeldOutRowsWhenWishedAndKeepsLargeSolutionsBack) {
    DataConfig data;
    data.subset = 0.8;
    const auto iris = loadDataset(data, {});
    ASSERT_TRUE(iris);
    const auto problem = family().prepare(experiment, *iris, {}, {}, {});
    ASSERT_TRUE(problem);
    RunContext measuring{RunId{2}, sink, {}, nullptr, {.solutions = true, .solutionLimit = 15, .measures = true}};
    const auto task = (*problem)->makeTask(1);
    EXPECT_EQ(task->describe().facts.at("held_out"), 30);
    const WalkedPath path = walk(*task, measuring, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(std::isnan(column(*task, path.reports[i], "knn_error")));
        const PointEvaluation evaluation = task->evaluate(path.points[i], path.reports[i], measuring);
        ASSERT_EQ(evaluation.measures.size(), 1U);
        EXPECT_EQ(task->describe().columns[evaluation.measures[0].column].role, ColumnRole::HeldOutError);
        EXPECT_GE(evaluation.measures[0].value, 0);
        EXPECT_LT(evaluation.measures[0].value, 0.5);
        EXPECT_EQ(evaluation.solution, nullptr); // 4 × 4 is above the limit
    }
    EXPECT_TRUE(task->evaluate(path.points[0], path.reports[0], context).measures.empty());
}

TEST_F(MetricTaskTest, StartsBelowLambdaMaxWithTheClosedFormAsReference) {
    const double lambdaMax = prepared->makeTask(0)->schedule().front();
    const Experiment later =
        experimentFrom({{"problem", {{"k", 4}}}, {"path", {{"start", lambdaMax / 2}, {"max_points", 1}}}});
    const auto other = preparedFrom(later);
    const auto task = other->makeTask(4); // RRPB
    const WalkedPath path = walk(*task, context);
    ASSERT_EQ(path.reports.size(), 1u);
    EXPECT_EQ(path.reports[0].termination, Termination::Converged);
    EXPECT_GT(column(*task, path.reports[0], "path_L"), 0);
}

TEST_F(MetricTaskTest, RecordsItsDecisionsWhenAsked) {
    const auto base = prepared->makeTask(2);
    auto& task = dynamic_cast<MetricTask&>(*base);
    TripletStates states(36 * 16);
    task.record(&states);
    const WalkedPath path = walk(task, context, 12);
    TripletIndex linear = 0;
    TripletIndex zero = 0;
    for (TripletIndex t = 0; t < states.size(); ++t) {
        linear += states.at(t) == Decision::Linear ? 1 : 0;
        zero += states.at(t) == Decision::Zero ? 1 : 0;
    }
    EXPECT_EQ(linear, column(task, path.reports.back(), "final_L"));
    EXPECT_EQ(zero, column(task, path.reports.back(), "final_R"));
    EXPECT_GT(linear + zero, 0);
}

TEST_F(MetricTaskTest, StopsInTheMiddleOfAPoint) {
    std::stop_source source;
    source.request_stop();
    RunContext stopped(RunId{3}, sink, source.get_token());
    const auto task = prepared->makeTask(1);
    const auto report = task->solvePoint({0, task->schedule()[0]}, nullptr, stopped);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->termination, Termination::StoppedByUser);
}

} // namespace
} // namespace lambdascope::metric
